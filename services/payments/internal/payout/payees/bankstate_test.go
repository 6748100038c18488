package payees

import (
	"testing"
	"time"
)

// What a bank account becomes by each thing that happens to it.
func TestNextBank(t *testing.T) {
	t.Parallel()
	events := []BankEvent{SeenPending, SeenActive, SeenCanceled, SeenEnded, SeenNowhere, NotTaken, Dropped}
	for was, becomes := range map[BankState][7]BankState{
		//            pending     active      canceled      ended      nowhere     not taken    dropped
		BankAsking:   {BankPending, BankActive, BankCanceled, BankEnded, BankUnmade, BankRefused, BankAsking},
		BankPending:  {BankPending, BankActive, BankCanceled, BankEnded, BankEnded, BankPending, BankEnding},
		BankActive:   {BankActive, BankActive, BankEnded, BankEnded, BankEnded, BankActive, BankEnding},
		BankEnding:   {BankEnding, BankEnding, BankEnded, BankEnded, BankEnded, BankEnding, BankEnding},
		BankEnded:    {BankEnded, BankEnding, BankEnded, BankEnded, BankEnded, BankEnded, BankEnded},
		BankCanceled: {BankCanceled, BankCanceled, BankCanceled, BankCanceled, BankCanceled, BankCanceled, BankCanceled},
		BankRefused:  {BankEnding, BankEnding, BankCanceled, BankEnded, BankRefused, BankRefused, BankRefused},
		BankUnmade:   {BankEnding, BankEnding, BankCanceled, BankEnded, BankUnmade, BankUnmade, BankUnmade},
	} {
		for i, e := range events {
			if got := nextBank(was, e); got != becomes[i] {
				t.Errorf("%s, %s: %s, want %s", was, e, got, becomes[i])
			}
		}
	}
}

func TestPaysFrom_IsLaterForOneThatTakesAnothersPlace(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
	if got := paysFrom(at, true); !got.Equal(at) {
		t.Errorf("the first: %s", got)
	}
	if got := paysFrom(at, false); !got.Equal(at.AddDate(0, 0, 3)) {
		t.Errorf("another: %s", got)
	}
}
