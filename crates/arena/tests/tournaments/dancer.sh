# A UCI engine for tests: moves its king's knight to and fro until its fault comes.
# sh dancer.sh [FAULT [MOVES-BEFORE-IT [TAG]]]; the tag tells its processes from others.
fault=${1:-none}
left=${2:-2}
plies=0
export DANCER="$3"
[ "$fault" = mute ] && exec sleep 600
[ "$fault" = stillborn ] && { echo 'no soul' >&2; exit 3; }
while read -r word rest; do
  case $word in
    uci) echo 'id name Dancer'; echo 'option name Hash type spin default 1 min 1 max 64'; echo 'uciok' ;;
    isready) [ "$fault" = unready ] && exec sleep 600; echo 'readyok' ;;
    ucinewgame) left=${2:-2} ;;
    position) moves=${rest#*moves }; plies=0
      [ "$moves" != "$rest" ] && for m in $moves; do plies=$((plies + 1)); done ;;
    go)
      case $((plies % 4)) in 0) move=g1f3 ;; 1) move=g8f6 ;; 2) move=f3g1 ;; *) move=f6g8 ;; esac
      if [ "$left" -le 0 ]; then
        case $fault in
          hang) exec sleep 600 ;;
          family) sleep 600 & exec sleep 600 ;;
          exit) exit 0 ;;
          crash) echo 'it hurts' >&2; kill -SEGV $$ ;;
          flood) exec yes 'info depth 1 score cp 0 nodes 1' ;;
          noise) exec yes x | tr -d '\n' ;;
          complain) yes 'oh no' | head -n 200000 >&2 ;;
          illegal) move=e1e5 ;;
          rubbish) move=xyzzy ;;
          none-found) move='(none)' ;;
          twice) echo "bestmove $move" ;;
          late) read -r word ;; # its time is up when it is told to stop, and then it answers at once
          closed) exec 1>&- ; sleep 600 ;;
        esac
      fi
      left=$((left - 1))
      [ "$fault" = chatter ] && { echo 'hello'; echo 'info depth'; echo 'readyok'; echo ''; printf '\377\376\n'; }
      echo "info depth 1 score cp 10 nodes 20 pv $move"
      echo "bestmove $move" ;;
    quit) exit 0 ;;
  esac
done
