package payments

import (
	"strconv"
	"testing"
	"time"
)

func TestRecent_IsGivenOnceAndForAMinute(t *testing.T) {
	var r recent[string]
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	r.put("b", "registration 1", "payer 1", now)
	r.put("b", "registration 2", "payer 2", now)
	if who, is := r.take("a", "registration 1", now); is {
		t.Errorf("another provider's: %q", who)
	}
	if who, is := r.take("b", "registration 1", now); !is || who != "payer 1" {
		t.Errorf("%q, %v", who, is)
	}
	if _, is := r.take("b", "registration 1", now); is {
		t.Error("it is given twice")
	}
	if _, is := r.take("b", "registration 2", now.Add(recentFor)); is {
		t.Error("it is given a minute later")
	}
}

func TestRecent_IsBounded(t *testing.T) {
	var r recent[int]
	now := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	for n := range 2 * maxRecent {
		r.put("b", strconv.Itoa(n), n, now)
	}
	if len(r.said) != maxRecent {
		t.Errorf("%d are kept", len(r.said))
	}
	if r.put("b", "later", 1, now.Add(recentFor)); len(r.said) != 1 {
		t.Errorf("%d are kept a minute later", len(r.said))
	}
}
