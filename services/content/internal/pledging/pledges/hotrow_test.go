package pledges_test

import (
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/pledging/pledges"
)

// All who pay one campaign wait for each other at its totals, so their row is locked last: after it come the backer's number and what lists show alone.
func TestApply_LocksTheTotalsLast(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	fresh := w.mustCreate(t, w.input(0, "10"))
	var ran []string
	keep := func(db *gorm.DB) { ran = append(ran, db.Statement.SQL.String()) }
	for _, err := range []error{w.db.Callback().Raw().After("gorm:raw").Register("test:keep", keep), w.db.Callback().Row().After("gorm:row").Register("test:keep", keep),
		w.db.Callback().Query().After("gorm:query").Register("test:keep", keep)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range []pledges.Event{event(fresh, pledges.PaymentSucceeded), event(fresh, pledges.PaymentRefunded), ofRaise(r, pledges.PaymentSucceeded)} {
		ran = nil
		w.mustApply(t, e, pledges.Applied)
		last, after := -1, 0
		for i, sql := range ran {
			if strings.Contains(sql, "add_to_totals") {
				last = i
			}
		}
		for _, sql := range ran[last+1:] {
			if after++; !strings.Contains(sql, "campaign_listings") && !strings.Contains(sql, "SET backer_number") {
				t.Errorf("%s: after the totals comes %s", e.Type, sql)
			}
		}
		if last < 0 || after > 2 {
			t.Errorf("%s: %d statements, the totals are the %d.", e.Type, len(ran), last)
		}
	}
	w.checkInvariants(t)
}
