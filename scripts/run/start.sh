#!/bin/sh
# Builds the launcher and becomes it. All further work is in scripts/run; only Go itself has to be looked at from here.
set -eu
cd "$(dirname "$0")/../.."
if ! command -v go >/dev/null; then
	echo "Go was not found: install version 1.26 or newer from https://go.dev/dl/ and put it on PATH." >&2
	exit 1
fi
version=$(GOTOOLCHAIN=local GOWORK=off go env GOVERSION)
minor=${version#go1.}
minor=${minor%%[!0-9]*}
if [ "${minor:-0}" -lt 26 ]; then
	echo "$version is too old: install Go 1.26 or newer from https://go.dev/dl/." >&2
	exit 1
fi
[ -x bin/run ] || echo "Building the launcher"
go build -o bin/run ./scripts/run
exec bin/run "$@"
