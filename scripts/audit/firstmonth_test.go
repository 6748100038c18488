//go:build unix

package audit_test

import (
	"net/http"
	"testing"
	"time"

	content "talkoot.fi/content/inproc"
)

// The money of a first month may be at its bank for days, long after its hour. Whatever becomes of its support meanwhile, and of the money then,
// is sound.
func TestAudit_AFirstMonthThatItsBankHas_IsNoFinding(t *testing.T) {
	const takes, refuses = "4000005100000000", "4000005100000018"
	closed := func(w *world) {
		w.must(w.content.MoveStage(w.ctx(), w.names["monthly"].(int64), content.StageClosed)) //nolint:forcetypeassert // set by monthly
	}
	stopped := func(w *world) { w.must(w.content.Block(w.ctx(), "kuukausittain@creators.invalid", true)) }
	blocked := func(w *world) { w.must(w.content.Block(w.ctx(), "waits@example.org", true)) }
	erased := func(w *world) {
		w.as(w.signIn("waits"), func() {
			w.call(w.content.Handler(), "POST", "/users/me/erasure/", object{"email": "waits@example.org", "password": "pitkä salasana waits"}, http.StatusNoContent, nil)
		})
	}
	for name, c := range map[string]struct {
		card      string
		meanwhile func(w *world)
		// In the end: the status of the support, and what its supporter was told.
		status, mailed string
	}{
		"taken": {takes, nil, "active", "mail.monthly_receipt"}, "refused": {refuses, nil, "expired", "mail.subscription"},
		"taken, of a closed campaign": {takes, closed, "expired", "mail.monthly_refund"}, "refused, of a closed one": {refuses, closed, "expired", ""},
		"taken, of one on hold": {takes, stopped, "expired", "mail.monthly_refund"}, "refused, of one on hold": {refuses, stopped, "expired", ""},
		"taken, of who is blocked": {takes, blocked, "expired", "mail.monthly_refund"}, "refused, of who is": {refuses, blocked, "expired", ""},
		"taken, of who has erased their account": {takes, erased, "expired", "mail.monthly_refund"}, // which is not sent
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.monthly()
			w.as(w.member("waits"), func() {
				_, err := w.sandbox.ConfirmIntent(w.toSupport("waits", 10), c.card)
				w.must(err)
			})
			w.rest()
			w.pass(3 * time.Hour)
			w.ended()
			w.clean("while its bank has it")
			if c.meanwhile != nil {
				c.meanwhile(w)
				w.ended()
				w.clean("once its support has ended")
			}
			w.days(4)
			w.ended()
			w.clean("once its bank has decided")
			if got := w.text(w.db, `SELECT status FROM subscriptions WHERE id = $1`, w.names["waits"]); got != c.status {
				t.Errorf("it is %s", got)
			}
			got := w.text(w.db, `SELECT coalesce(string_agg(kind, ' '), '') FROM outbox WHERE kind LIKE 'mail.%' AND payload ->> 'subscription_id' = $1`, w.names["waits"])
			if got != c.mailed {
				t.Errorf("its supporter is told %q", got)
			}
		})
	}
}
