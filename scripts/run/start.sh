#!/bin/sh
# Installs and builds what is missing (scripts/prepare), then becomes the launcher (scripts/run). "start.sh test" and
# "start.sh tools" do only the first, for tests and for generators, and "start.sh web" the web app alone. Go is checked here,
# because prepare needs it.
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
BEGUN=$(date +%s)
GOFLAGS="-trimpath ${GOFLAGS:-}" # what one checkout has compiled is not compiled again for another
export BEGUN GOFLAGS
[ -x bin/prepare ] || echo "   0 s  Compiling what prepares the rest"
GOGC=400 go build -o bin/prepare ./scripts/prepare
case "${1:-}" in
test | tools | web) exec bin/prepare "$1" ;;
esac
bin/prepare run
exec bin/run "$@"
