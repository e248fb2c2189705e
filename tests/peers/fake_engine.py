"""A UCI engine that misbehaves on purpose: plays the first legal move, until its fault comes.

fake_engine.py [none|illegal|crash|stall|slow|double|odd] [--from MOVE] [--tag TEXT]
"""

import argparse
import os
import sys
import time

import chess

parser = argparse.ArgumentParser()
parser.add_argument("fault", nargs="?", default="none")
parser.add_argument("--from", dest="first", type=int, default=3, help="how many moves it plays well")
parser.add_argument("--tag", help="ignored; tells this process from others in a listing")
options = parser.parse_args()
board = chess.Board()
moves_played = 0


def say(text: str):
    print(text, flush=True)


for line in sys.stdin:
    words = line.split()
    match words:
        case ["uci"]:
            say("id name Fake\noption name Hash type spin default 1 min 1 max 64\nuciok")
        case ["isready"]:
            say("readyok")
        case ["ucinewgame"]:
            moves_played = 0
        case ["position", "startpos", *rest]:
            board = chess.Board()
            for move in rest[1:]:
                board.push_uci(move)
        case ["go", *_]:
            moves_played += 1
            move = next(iter(board.legal_moves)).uci()
            fault = options.fault if moves_played > options.first else "none"
            if fault == "illegal":
                move = "a1a1"
            elif fault == "crash":
                print("it hurts", file=sys.stderr, flush=True)
                os.abort()
            elif fault == "stall":
                time.sleep(3600)
            elif fault == "slow":
                time.sleep(0.5)
            elif fault == "double":
                say(f"bestmove {move}")
            say(f"info  nodes 7   score  cp 12 time 0 depth   3 pv {move}")
            say(f"bestmove {move}\r" if options.fault == "odd" else f"bestmove {move}")
        case ["quit"]:
            break
