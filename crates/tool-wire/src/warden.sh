# Outlives the host by a moment: reads which sessions live, and when the host is gone, kills them.
trap '' HUP INT QUIT TERM
live=' '
while read -r what leader; do
  case $what in
    +) live="$live$leader " ;;
    -) case $live in *" $leader "*) live="${live%%" $leader "*} ${live#*" $leader "}" ;; esac ;;
  esac
done
for leader in $live; do
  kill -s KILL -- "-$leader"
  # Groups of their own within the session; only Linux has these files.
  for stat in /proc/[0-9]*/stat; do
    read -r line <"$stat" || continue
    set -- ${line##*') '}
    [ "$4" = "$leader" ] || continue
    pid=${stat#/proc/}
    kill -s KILL "${pid%/stat}"
  done
done
