#!/bin/bash
# Runs the tests of a package as go test does, from a binary that is linked: testpackage.sh NAME FOLDER BINARY. It says one line,
# after the output of tests that fail.
set -u
binary=$PWD/$3 log=$PWD/$3.log begun=$SECONDS
if (cd "$2" && exec "$binary" -test.timeout=10m -test.paniconexit0) >"$log" 2>&1 </dev/null; then
	printf 'ok\t%s\t%d s\n' "$1" $((SECONDS - begun))
else
	printf 'FAIL\t%s\t%d s\n' "$1" $((SECONDS - begun)) >>"$log"
	cat "$log" # at once, so that the output of two packages is not mixed
	exit 1
fi
