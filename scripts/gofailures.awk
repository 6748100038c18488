# What failed in the output of go test, in few lines: each test with its messages, and a line that runs it alone.
/^--- FAIL: / { tests = tests (tests ? "|" : "") $3 }
/^ *--- FAIL: / { print; left = 8; next }
/^(panic: |fatal error: |WARNING: DATA RACE|# )/ { print; left = 8; next } # the last one is of a package that does not compile
/^FAIL\t/ {
	print
	if (tests) printf "  alone: go test %s -count=1 -run '^(%s)$'\n", $2, tests
	tests = ""; left = 0; next
}
/^(ok|\?|PASS|FAIL)/ || /^ *--- / { left = 0 }
/^ *time=.* level=/ { next } # the service's own log
left > 0 && NF { print substr($0, 1, 300); left-- }
