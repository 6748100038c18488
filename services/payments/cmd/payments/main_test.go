package main

import (
	"testing"
	"time"
)

func TestStatements_OfRequestsEndBeforeThoseOfWorkers(t *testing.T) {
	t.Parallel()
	for process, want := range map[string]time.Duration{"serve": 5 * time.Second, "work": 0, "anomalies": 0} {
		if got := statementTimeout(process); got != want {
			t.Errorf("%s: statements end after %s, want %s", process, got, want)
		}
	}
}
