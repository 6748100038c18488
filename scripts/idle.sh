#!/bin/sh
# What the running platform costs with nobody on it: idle.sh [seconds], 600 without, prints the CPU time of the launcher and
# of every process below it (/proc/<pid>/stat, so Linux only), and fails when the sum is above 3 % of one core.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-600}
most=3

# The launcher is the one bin/run without a subcommand.
launcher() {
	for process in /proc/[0-9]*; do
		case "$(readlink "$process/exe" 2>/dev/null)" in "$PWD/bin/run" | "$PWD/bin/run (deleted)") ;; *) continue ;; esac
		case "$(tr '\0' ' ' <"$process/cmdline")" in "bin/run " | "bin/run -v ") basename "$process" ;; esac
	done
}

# A line for each process of the tree: pid, parent, ticks of its own and of its children that have ended, name.
snapshot() {
	cat /proc/[0-9]*/stat 2>/dev/null | awk -v top="$top" '
		{ pid = $1; sub(/^.*\) /, ""); parent[pid] = $2; ticks[pid] = $12 + $13 + $14 + $15 }
		END { for (pid in parent) { for (p = pid; p in parent && p != top;) p = parent[p]; if (p == top) print pid, parent[pid], ticks[pid] } }
	' | while read -r pid parent ticks; do
		echo "$pid $parent $ticks $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | awk -v pid="$pid" -v top="$top" '
			pid == top { print "launcher"; exit }
			/^postgres: .*\([0-9]+\)/ { print "postgres: backends of " $3; exit }
			/^postgres: / { sub(/ +$/, ""); print; exit }
			{ sub(/^.*\//, "", $1); print $1 ($2 ~ /^[a-z]+$/ ? " " $2 : ""); exit }')"
	done
}

top=$(launcher)
case $top in
"" | *[!0-9]*) echo "idle.sh wants one platform running in this folder: make run" >&2 && exit 2 ;;
esac
before=$(snapshot)
sleep "$seconds"
after=$(snapshot)
# What a process had at the start is taken from its parent's row when it has ended meanwhile: the parent has it by then.
{ echo "$before" | sed 's/^/- /'; echo "$after" | sed 's/^/+ /'; } |
	awk -v seconds="$seconds" -v hz="$(getconf CLK_TCK)" -v most="$most" '
	{ pid = $2; up = $3; n = $4; name = $5; for (i = 6; i <= NF; i++) name = name " " $i }
	$1 == "-" { had[pid] = n; above[pid] = up; next }
	{ names[pid] = name; used[name] += n - had[pid]; count[name]++; delete had[pid] }
	END {
		for (pid in had) used[names[above[pid]]] -= had[pid]
		for (name in used) {
			sum += used[name]
			many = count[name] > 1 ? " (" count[name] ")" : ""
			printf "%8.3f %%  %7.2f s  %s%s\n", used[name] * 100 / hz / seconds, used[name] / hz, name, many | "sort -rn"
		}
		close("sort -rn")
		share = sum * 100 / hz / seconds
		printf "%8.3f %%  %7.2f s  all, of one core in %d s; at most %d %%\n", share, sum / hz, seconds, most
		exit share > most
	}'
