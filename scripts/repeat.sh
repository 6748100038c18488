#!/bin/bash
# Runs the whole suite (make test) many times and counts the green runs in a row, to find tests that fail now and then.
#
#   repeat.sh 10          ten runs
#   repeat.sh 10 busy     ten runs beside two busy loops, which take half of a machine with two cores
#   repeat.sh             what was counted so far
#
# Each run is a line of bin/repeat/runs.tsv, which outlives the command: when it began, the commit, calm or busy, seconds,
# the result, and what failed. The output of a red run stays in bin/repeat/. The first red run ends the command: it is
# explained and mended at its cause before others are counted. Nothing may be changed meanwhile.
set -u
cd "$(dirname "$0")/.."
runs=${1:-0} beside=${2:-calm}
kept=bin/repeat
mkdir -p "$kept"
touch "$kept/runs.tsv"

loops=()
trap '[ ${#loops[@]} = 0 ] || kill "${loops[@]}" 2>/dev/null' EXIT

for ((run = 1; run <= runs; run++)); do
	if [ "$beside" = busy ]; then
		for _ in 1 2; do
			(while :; do :; done) &
			loops+=($!)
		done
	fi
	begun=$(date -u +%Y-%m-%dT%H:%M:%SZ) started=$SECONDS
	commit=$(git describe --always --dirty --exclude '*')
	scripts/test.sh >"$kept/$begun.log" 2>&1
	result=$?
	[ ${#loops[@]} = 0 ] || kill "${loops[@]}"
	loops=()
	failing=$(sed -n 's/^FAILED: *//p' "$kept/$begun.log" | tail -1)
	printf '%s\t%s\t%s\t%d\t%s\t%s\n' "$begun" "$commit" "$beside" $((SECONDS - started)) \
		"$([ $result = 0 ] && echo green || echo RED)" "$failing" | tee -a "$kept/runs.tsv"
	if [ $result != 0 ]; then
		tail -30 "$kept/$begun.log"
		break
	fi
	rm "$kept/$begun.log"
done

# The runs since the last red one.
awk -F '\t' '
	{ if ($5 == "green") { n[$3]++; sum[$3] += $4 } else { delete n; delete sum } }
	END { for (kind in n) printf "%d green in a row, %s, %d s on average\n", n[kind], kind, sum[kind] / n[kind] }
' "$kept/runs.tsv"
