#!/bin/bash
# Everything that CI checks, step by step: test.sh runs all steps, test.sh NAME... only those named.
# It installs what is missing first. A step's output is shown when it fails, and kept in bin/test/; the last thirty lines of
# a red run say what failed, why, and how to run that alone.
set -u
cd "$(dirname "$0")/.."
export GOFLAGS="-trimpath ${GOFLAGS:-}" # what one checkout has compiled is not compiled again for another
mkdir -p bin/test
failed="" left_out="" summary=""

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
	if [ "$result" = FAILED ]; then sed 's/^/    /' "bin/test/$name.log"; fi
	summary="$summary$(printf '  %-10s %-7s %4d s' "$name" "$result" $((SECONDS - begun)))"$'\n'
}

modules() { go list -f '{{.Dir}}/...' -m; }

# Fails if generating the code again changes a generated file.
generated() {
	local sums="bin/test/generated.before"
	generated_sums >"$sums" && make generate && generated_sums | diff "$sums" - ||
		{ echo "Generated code was stale: run make generate and commit the result."; return 1; }
}

generated_sums() { git ls-files -co --exclude-standard '*.gen.go' '*.generated.*' | sums; }

# The checksum of each file that stdin names.
sums() { LC_ALL=C sort | while read -r file; do if [ -f "$file" ]; then echo "$file $(cksum <"$file")"; fi; done; }

# The web app's linters take one core each, so the Go linters run beside them and give way.
lint() {
	local web go
	lint_web & web=$!
	GOGC=400 GOWORK=off go -C scripts/tools build -ldflags='-s -w' -o ../../bin/golangci-lint \
		github.com/golangci/golangci-lint/v2/cmd/golangci-lint &&
		modules | GOGC=400 nice xargs bin/golangci-lint run
	go=$?
	wait $web && [ $go = 0 ]
}

# Does nothing when no file has changed since it passed here; golangci-lint keeps such a memory of its own, and then leaves a
# core to prettier and tsc while eslint, which takes more than twice as long as both, has the other.
lint_web() {
	local passed=bin/test/lint-web.passed now=bin/test/lint-web.now rules rest
	git ls-files -co --exclude-standard frontend | sums >"$now"
	if cmp -s "$now" "$passed"; then echo "The web app's sources are those that passed last."; return; fi
	{ npm --prefix frontend run --silent lint:format && npm --prefix frontend run --silent lint:types; } & rest=$!
	npm --prefix frontend run --silent lint:rules
	rules=$?
	wait $rest && [ $rules = 0 ] && mv "$now" "$passed"
}

# Each package's test binary stays in bin/test/go, and the go command links one anew only when it is not up to date any more, a
# tenth of all time; the tests themselves run every time. golangci-lint vets; who wants a debugger does not run all tests. The
# compiler and the tests collect garbage less often. One package more than there are processors is at work, since most tests
# wait now and then.
go_tests() {
	local round packages="bin/test/go/packages"
	export GOGC=400
	mkdir -p bin/test/go
	test_packages >"$packages" || return 1
	for round in $(cut -d ' ' -f 3 "$packages" | xargs -n 1 dirname | sort -u); do
		awk -v round="$round" 'index($3, round "/") == 1 { print $1 }' "$packages" |
			xargs go test -c -vet=off -ldflags=-s -o "$round/" || return 1
	done
	xargs -n 3 -P $(($(getconf _NPROCESSORS_ONLN) + 1)) scripts/testpackage.sh <"$packages"
}

# The packages that have tests, as "name folder binary". What takes longest is named first, since they begin in this order. A
# folder holds one binary of a name, so that the second package of a name is in another.
test_packages() (
	set -o pipefail
	modules | xargs go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.Dir}}{{end}}' ./scripts/e2e \
		./services/content/internal/app ./services/payments/internal/payout/settlements ./scripts/audit ./scripts/drill \
		./services/content/internal/campaign/campaigns ./services/payments/internal/charging/subscriptions ./scripts/simulate \
		./services/content/internal/person/personaldata ./services/payments/internal/charging/payments ./scripts/platform |
		awk 'NF { name = $1; sub(/.*\//, "", name); print $1, $2, "bin/test/go/" ++of[name] "/" name ".test" }'
)

find_browser() {
	local name mac="/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
	if [ -n "${CHROME_BIN:-}" ]; then echo "$CHROME_BIN"; return; fi
	for name in chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
		if command -v "$name"; then return; fi
	done
	if [ -x "$mac" ]; then echo "$mac"; return; fi
	return 1
}

# Installs Debian's Chromium without windows, which takes a third less time; called only as root where there is apt-get.
install_browser() {
	apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium-headless-shell
}

# All journeys, or those whose names have ONLY in them.
journeys() { npm --prefix frontend run --silent journeys; }

# What the end of a red run says of a step, in so many lines. Jest and Playwright end with what failed, by reporters of ours.
why() { # name, lines
	local log="bin/test/$1.log"
	case $1 in
	go) go_failures "$log" ;;
	*) grep -v '^[[:space:]]*$' "$log" | tail -n $(($2 - 2)) ;;
	esac | cut -c1-240 | head -n $(($2 - 2)) | sed 's/^/  /'
	echo "  All of its output: $log. Again: scripts/test.sh $1"
}

# Of each failed test its package, message and command; of a package that was not even tested, what was said.
go_failures() {
	awk '
		/^ *--- FAIL: / { test = $3; next }
		test != "" && /^ +[^ ]+\.go:[0-9]+: / && !(test in message) { sub(/^ +/, ""); message[test] = $0; tests[++n] = test; next }
		/^(panic: |fatal error: |[^ ]+\.go:[0-9]+:[0-9]+: )/ && said == "" { said = $0 }
		/^FAIL\t/ {
			for (i = 1; i <= n; i++) {
				run = tests[i]; gsub(/[][{}().+*?|]/, "\\\\&", run); gsub("/", "$/^", run)
				printf "%s: %s\n    go test -count=1 -run \047^%s$\047 %s\n", tests[i], message[tests[i]], run, $2
			}
			if (n == 0) printf "%s: %s\n    go test -count=1 %s\n", $2, said, $2
			n = 0; test = said = ""; delete message
		}
		END { if (said != "") print said }' "$1"
}

only="$*"
step prepare "install and build what is missing" scripts/run/start.sh test
step generated "generated code is fresh" generated
step lint "golangci-lint, eslint, prettier, tsc" lint
step go "Go tests of all modules" go_tests
step jest "tests of the web app" npm --prefix frontend run --silent test
step build "web app within its budgets" scripts/run/start.sh web # built by the first step, unless that is left out

if [ -z "$only" ] || [[ " $only " == *" journeys "* ]]; then
	if [ -z "${CHROME_BIN:-}" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
		if ! find_browser >/dev/null; then
			only="${only:+$only browser}"
			step browser "install chromium" install_browser
		elif ! command -v chromium-headless-shell >/dev/null; then
			echo "           installing Chromium without windows, which is faster; any other will do"
			install_browser >bin/test/browser.log 2>&1
		fi
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
if [ -n "$failed" ]; then
	echo
	for name in $failed; do
		echo "$name:"
		why "$name" $((26 / $(wc -w <<<"$failed")))
	done
	printf '\nFAILED:%s\n' "$failed"
	exit 1
fi
printf '\nAll that ran passed, in %d s.\n' "$SECONDS"
