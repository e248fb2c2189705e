"""Quantum chess as an environment, against PettingZoo's own tests."""

import contextlib
import io
import unittest
import warnings

import numpy as np
from pettingzoo.test import api_test, seed_test

from tabia import quantum
from tabia.quantum import aec


class Vectorised(unittest.TestCase):
    def test_many_games_are_the_games_they_would_be_alone(self):
        """The same seeds and actions give the same games with one thread, with many, and one by one."""
        random = np.random.default_rng(7)
        one, many = (quantum.VectorEnv(9, seed=5, ply_limit=70, threads=threads) for threads in (1, 4))
        one.reset()
        step = many.reset()
        ended = 0
        for _ in range(150):
            actions = many.sample(random)
            self.assertTrue(step.masks[np.arange(9), actions].all())
            step, other = many.step(actions), one.step(actions)
            np.testing.assert_array_equal(step.planes, other.planes)
            np.testing.assert_array_equal(step.rewards, other.rewards)
            ended += int(step.done.sum())
        self.assertGreater(ended, 0, "random games end")

    def test_planes_and_masks_are_those_of_a_single_game(self):
        env, game = quantum.VectorEnv(1), quantum.Game()
        step = env.reset()
        for _ in range(12):
            np.testing.assert_array_equal(step.planes[0], game.planes())
            np.testing.assert_array_equal(step.masks[0], game.mask())
            self.assertEqual(np.flatnonzero(step.masks[0]).tolist(), sorted(game.actions))
            quiet = next(move for move in game.moves if "~" in move)
            step = env.step([quantum.Game.action(quiet)])
            game.push(quiet)
            self.assertEqual(env.position(0), game.position)

    def test_who_takes_the_king_is_rewarded(self):
        env = quantum.VectorEnv(32, seed=1)
        env.reset()
        random = np.random.default_rng(1)
        rewarded = 0
        for _ in range(250):
            white = env._step.white_to_move.copy()
            step = env.step(env.sample(random))
            won = step.rewards > 0
            rewarded += int(won.sum())
            self.assertTrue((step.done[won] == 1).all())
            np.testing.assert_array_equal(step.results[won], np.where(white[won] == 1, 1, -1))
        self.assertGreater(rewarded, 0)

    def test_a_record_replays(self):
        game = quantum.Game(seed=3)
        random = np.random.default_rng(3)
        while game.result is None and game.ply < 80:
            game.push(game.moves[random.integers(len(game.moves))])
        again = quantum.Game()
        for ply in game.record:
            again.replay(ply)
        self.assertEqual(again.position, game.position)

    def test_agents_choose_legal_moves(self):
        game = quantum.Game()
        for agent in ("random", "greedy", "mcts(simulations=20)"):
            self.assertIn(game.choose(agent), game.moves)


class PettingZoo(unittest.TestCase):
    def test_api(self):
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            api_test(aec.env(ply_limit=60), num_cycles=300)
            api_test(aec.raw_env(ply_limit=60), num_cycles=300)

    def test_seeds(self):
        with contextlib.redirect_stdout(io.StringIO()):
            seed_test(lambda: aec.env(ply_limit=40), num_cycles=60)

    def test_an_illegal_action_loses(self):
        env = aec.env()
        env.reset(seed=1)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            env.step(0)
        self.assertEqual(env.terminations, {"white": True, "black": True})
        self.assertEqual(env.rewards["white"], -1)

    def test_a_closed_environment_says_so(self):
        env = aec.raw_env()
        with self.assertRaisesRegex(RuntimeError, "reset the environment"):
            env.step(0)
        with self.assertRaisesRegex(RuntimeError, "reset the environment"):
            env.last()
        env.reset(seed=1)
        with self.assertRaisesRegex(ValueError, "is not legal"):
            env.step(0)
        with self.assertRaisesRegex(TypeError, "an action is a whole number, not str"):
            env.step("e2e4")
        with self.assertRaisesRegex(ValueError, "there are white and black"):
            env.observe("green")
        env.close()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            env.observe("white")
        with self.assertRaisesRegex(RuntimeError, "closed"):
            env.reset()
        with self.assertRaisesRegex(RuntimeError, "closed"):
            env.step(0)
        with self.assertRaisesRegex(ValueError, "render mode"):
            aec.raw_env(render_mode="human")
