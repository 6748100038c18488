#!/bin/bash
# Everything that CI checks, step by step: test.sh runs all steps, test.sh NAME... only those named.
# It installs what is missing first. A step's output is shown when it fails, and kept in bin/test/; what failed is listed
# once more at the end.
set -u
cd "$(dirname "$0")/.."
mkdir -p bin/test
failed="" failures="" left_out="" summary=""

step() { # name, what it does, command...
	local name=$1 what=$2 begun=$SECONDS result
	shift 2
	if [ -n "$only" ]; then case " $only " in *" $name "*) ;; *) return ;; esac; fi
	printf '%-10s %s ... ' "$name" "$what"
	if "$@" >"bin/test/$name.log" 2>&1; then
		result=ok
	else
		result=FAILED failed="$failed $name"
	fi
	echo "$result, $((SECONDS - begun)) s"
	if [ "$result" = FAILED ]; then
		sed 's/^/    /' "bin/test/$name.log"
		failures="$failures$(grep -E -- '--- FAIL|^FAIL|^  ● ' "bin/test/$name.log" | sort -u)"$'\n'
	fi
	summary="$summary$(printf '  %-10s %-7s %4d s' "$name" "$result" $((SECONDS - begun)))"$'\n'
}

modules() { go list -f '{{.Dir}}/...' -m; }

# Fails if generating the code again changes a generated file.
generated() {
	local sums="bin/test/generated.before"
	generated_sums >"$sums" && make generate && generated_sums | diff "$sums" - ||
		{ echo "Generated code was stale: run make generate and commit the result."; return 1; }
}

generated_sums() {
	git ls-files -co --exclude-standard '*.gen.go' '*.generated.*' | LC_ALL=C sort | while read -r file; do
		if [ -f "$file" ]; then echo "$file $(cksum <"$file")"; fi
	done
}

# eslint takes one core for most of its time, so the Go linters run beside it.
lint() {
	local web go
	npm --prefix frontend run --silent lint & web=$!
	GOWORK=off go -C scripts/tools build -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint &&
		modules | xargs bin/golangci-lint run
	go=$?
	wait $web && [ $go = 0 ]
}

go_tests() { modules | xargs go test; }

find_browser() {
	local name mac="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
	if [ -n "${CHROME_BIN:-}" ]; then echo "$CHROME_BIN"; return; fi
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		if command -v "$name"; then return; fi
	done
	if [ -x "$mac" ]; then echo "$mac"; return; fi
	return 1
}

# Installs Debian's chromium; called only as root where there is apt-get.
install_browser() { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium; }

journeys() { npm --prefix frontend run --silent journeys; }

only="$*"
step prepare "install and build what is missing" scripts/run/start.sh test
step generated "generated code is fresh" generated
step lint "golangci-lint, eslint, prettier, tsc" lint
step go "Go tests of all modules" go_tests
step jest "tests of the web app" npm --prefix frontend run --silent test
step build "web app within its budgets" npm --prefix frontend run --silent build

if [ -z "$only" ] || [[ " $only " == *" journeys "* ]]; then
	if ! find_browser >/dev/null && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		only="${only:+$only browser}"
		step browser "install chromium" install_browser
	fi
	if CHROME_BIN=$(find_browser); then
		export CHROME_BIN
		step journeys "journeys in a real browser" journeys
	else
		left_out="journeys: there is no browser here; install Chromium or Chrome, or set CHROME_BIN to one"
	fi
fi

printf '\n%s' "$summary"
if [ -n "$left_out" ]; then printf '\n!!! LEFT OUT !!! %s\n' "$left_out"; fi
if [ -n "$failed" ]; then printf '\n%s\nFAILED:%s\n' "$failures" "$failed"; exit 1; fi
printf '\nAll that ran passed, in %d s.\n' "$SECONDS"
