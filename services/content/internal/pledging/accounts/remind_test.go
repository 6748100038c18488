//go:build unix

package accounts_test

import (
	"fmt"
	"testing"
	"time"

	"talkoot.fi/content/internal/pledging/accounts"
)

// A campaign that takes money without an account that is ready has its creator reminded, each time later, until it is.
func TestRemind_GoesOnUntilTheAccountIsReady(t *testing.T) {
	w := newWorld(t)
	id := w.ReadyDraft("sauna", maija)
	at := w.Now()
	remind := func(after time.Duration) int {
		t.Helper()
		at = at.Add(after)
		n, err := accounts.Remind(t.Context(), w.DB, at)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	do := func(sql string, args ...any) {
		t.Helper()
		if err := w.DB.Exec(sql, args...).Error; err != nil {
			t.Fatal(err)
		}
	}
	day := 24 * time.Hour
	if remind(0)+remind(2*day) != 0 {
		t.Error("a draft takes no money, and its creator was reminded")
	}
	do(`UPDATE campaigns SET stage = 2, funding_start = now(), funding_deadline = now() + interval '60 days' WHERE id = ?`, id)
	for i, step := range []struct {
		after time.Duration
		told  int
	}{{0, 0}, {23 * time.Hour, 0}, {time.Hour, 1}, {2 * day, 0}, {day, 1}, {6 * day, 0}, {day, 1}, {7 * day, 1}} {
		if got := remind(step.after); got != step.told {
			t.Errorf("step %d: %d were reminded, want %d", i, got, step.told)
		}
	}
	if got := scan(t, w, `SELECT count(*) || ' ' || min(payload ->> 'state') || ' ' || min(payload ->> 'campaign_id') FROM outbox WHERE kind = 'mail.payee'`); got != fmt.Sprintf("4 missing %d", id) {
		t.Errorf("mailed: %s", got)
	}
	// An account that is begun is none yet, and one that is ready is.
	e := event(1, "begun", "person")
	e.Provider, e.AccountID, e.WalletID = "stripe", "acct_1", ""
	tell(t, w, e)
	do(`UPDATE campaigns SET payment_account_id = 'acct_1' WHERE id = ?`, id)
	if remind(7*day) != 1 {
		t.Error("an account that is begun ends the reminders")
	}
	e.EventID, e.Sequence, e.State = "e2", 2, "ready"
	tell(t, w, e)
	if remind(7*day) != 0 || scan(t, w, `SELECT count(*) FROM payout_reminders`) != "0" {
		t.Error("an account that is ready does not end them")
	}
	e.EventID, e.Sequence, e.State = "e3", 3, "restricted"
	tell(t, w, e)
	if remind(0) != 0 || remind(day) != 1 {
		t.Error("one that is restricted again does not begin them anew")
	}
	do(`UPDATE campaigns SET stage = 4 WHERE id = ?`, id)
	if remind(7*day) != 0 {
		t.Error("a campaign that takes nothing has its creator reminded")
	}
}
