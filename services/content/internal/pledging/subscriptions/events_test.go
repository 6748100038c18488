//go:build unix

package subscriptions_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
)

const (
	taken     = internalapi.EventOutcomeOutcomeApplied
	ignored   = internalapi.EventOutcomeOutcomeIgnored
	notWanted = internalapi.EventOutcomeOutcomePledgeClosed

	activated = internalapi.SubscriptionEventCauseActivated
	renewed   = internalapi.SubscriptionEventCauseRenewed
	active    = internalapi.SubscriptionEventStatusActive
	canceled  = internalapi.SubscriptionEventStatusCanceled
	pastDue   = internalapi.SubscriptionEventStatusPastDue
	paused    = internalapi.SubscriptionEventStatusPaused
)

func TestChanges_TheHighestSequenceCountsInWhateverOrder(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", w.choir)
	stop := w.told(s, 5, internalapi.SubscriptionEventCauseCanceled, canceled)
	because := internalapi.SubscriptionEventEndedBecauseAsked
	stop.EndedBecause = &because
	w.mustTell(w.told(s, 3, internalapi.SubscriptionEventCausePaused, paused), taken)
	if got := w.totals(); got != "0 of 0" {
		t.Errorf("paused: %s", got)
	}
	w.mustTell(stop, taken)
	w.mustTell(w.told(s, 4, internalapi.SubscriptionEventCauseResumed, active), ignored)
	w.mustTell(stop, taken) // a repeat
	got := w.read(s.SubscriptionID)
	if got.Status != api.SubscriptionStatusCanceled || *got.EndedBecause != "asked" || w.totals() != "0 of 0" {
		t.Errorf("%+v, %s", got, w.totals())
	}
	if mails := w.outbox("mail.subscription", "cause"); !slices.Equal(mails, []string{"paused", "canceled"}) {
		t.Errorf("mails %v", mails)
	}
	w.checkInvariants()
}

func TestChanges_ActivationToldBeforeItsPaymentCountsOnce(t *testing.T) {
	w := setup(t)
	s := w.begins(0, body("10", w.choir))
	w.mustTell(w.told(s, 1, activated, active), taken)
	w.mustPay(w.paid(s, 1), taken)
	if got := w.totals(); got != "1 of 10" {
		t.Error(got)
	}
	w.checkInvariants()
}

func TestChanges_ALevelCountsWhenItBegins(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "7", w.choir)
	chosen := w.told(s, 2, internalapi.SubscriptionEventCauseLevelChosen, active)
	next := int64(25_00)
	chosen.NextAmountMinor, chosen.NextRewardID = &next, &w.patron
	w.mustTell(chosen, taken)
	got := w.read(s.SubscriptionID)
	if *got.NextAmount != 25_00 || got.Amount != 7_00 || w.totals() != "1 of 7" {
		t.Errorf("%+v, %s", got, w.totals())
	}
	w.Exec(`UPDATE reward_texts SET title = 'Toinen nimi' WHERE reward_id = ?`, w.patron)
	month := w.paid(s, 2)
	month.AmountMinor = 25_00
	w.mustPay(month, taken) // told before the level
	begun := w.told(s, 3, internalapi.SubscriptionEventCauseLevelChanged, active)
	begun.AmountMinor, begun.RewardID = 25_00, &w.patron
	w.mustTell(begun, taken)
	got = w.read(s.SubscriptionID)
	if got.NextAmount != nil || got.Amount != 25_00 || *got.RewardTitle != "Mesenaatti" || w.totals() != "1 of 25" {
		t.Errorf("%+v, %s", got, w.totals())
	}
	if n := w.number(`SELECT count(*) FROM subscription_charges WHERE period = 2 AND title = 'Mesenaatti'`); n != 1 {
		t.Error("the receipt names another reward")
	}
	w.checkInvariants()
}

func TestChanges_AComingLevelNamesItsRewardInTheOwnList(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "7", w.choir)
	chosen := w.told(s, 2, internalapi.SubscriptionEventCauseLevelChosen, active)
	next := int64(25_00)
	chosen.NextAmountMinor, chosen.NextRewardID = &next, &w.patron
	w.mustTell(chosen, taken)
	got := w.read(s.SubscriptionID)
	if got.NextRewardID == nil || *got.NextRewardID != w.patron || *got.NextRewardTitle != "Mesenaatti" || *got.RewardID != w.choir {
		t.Errorf("%+v", got)
	}
	own := w.told(s, 3, internalapi.SubscriptionEventCauseLevelChosen, active)
	own.NextAmountMinor = &next
	w.mustTell(own, taken)
	if got = w.read(s.SubscriptionID); got.NextRewardID != nil || got.NextRewardTitle != nil {
		t.Errorf("one's own amount has a reward: %+v", got)
	}
}

func TestEvents_OfNobodyAreUnknown(t *testing.T) {
	w := setup(t)
	s := api.Subscription{SubscriptionID: "00000000000000000000000001", Amount: 1}
	if _, err := w.ApplyChange(t.Context(), w.told(s, 1, activated, active)); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Error(err)
	}
	if _, err := w.ApplyPayment(t.Context(), w.paid(s, 1)); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Error(err)
	}
}

func TestClosedCampaign_EndsAllToldWhy(t *testing.T) {
	w := setup(t)
	lives, waits := w.supporter(0, "10", w.choir), w.begins(0, body("5", 0))
	late := w.supporter(0, "3", 0)
	w.mustTell(w.told(late, 2, internalapi.SubscriptionEventCausePastDue, pastDue), taken)
	w.endDue(0)
	w.moveStage(campaigns.StageClosed)
	w.mustPay(w.paid(lives, 2), notWanted) // the close came first
	w.endDue(2)
	w.endDue(0)
	for s, want := range map[string]api.SubscriptionStatus{lives.SubscriptionID: api.SubscriptionStatusCanceled, waits.SubscriptionID: api.SubscriptionStatusExpired,
		late.SubscriptionID: api.SubscriptionStatusCanceled} {
		if got := w.read(s); got.Status != want || *got.EndedBecause != "campaign_closed" {
			t.Errorf("%s %v, want %s", got.Status, got.EndedBecause, want)
		}
	}
	if sent := w.outbox("payment.close", "reason"); !slices.Equal(sent, []string{"campaign_closed", "campaign_closed", "campaign_closed"}) {
		t.Errorf("closing messages %v", sent)
	}
	if kinds := w.outbox("payment.close", "subject_kind"); kinds[0] != "subscription" {
		t.Errorf("of %v", kinds)
	}
	// Whatever is told afterwards, it lives no more; its end is mailed once, with the reason.
	w.mustTell(w.told(lives, 7, renewed, active), taken)
	over := w.told(lives, 8, internalapi.SubscriptionEventCauseCanceled, canceled)
	because := internalapi.SubscriptionEventEndedBecauseCampaignClosed
	over.EndedBecause = &because
	w.mustTell(over, taken)
	if got := w.read(lives.SubscriptionID); got.Status != api.SubscriptionStatusCanceled || got.NextChargeOn != nil {
		t.Errorf("%+v", got)
	}
	if mails := w.outbox("mail.subscription", "ended_because"); !slices.Equal(mails, []string{"", "campaign_closed"}) { // the first is past_due
		t.Errorf("mails %v", mails)
	}
	w.checkInvariants()
}

func TestBlockedPerson_SupportsNothing(t *testing.T) {
	w := setup(t)
	leena, other := w.Person("Leena"), w.Person("Muu")
	var address string
	if err := w.DB.Raw(`SELECT email FROM users WHERE id = ?`, leena).Scan(&address).Error; err != nil {
		t.Fatal(err)
	}
	own, others := w.supporter(leena, "10", 0), w.supporter(other, "5", 0)
	unsigned := w.begins(0, fmt.Sprintf(`{"amount": 4, "email": %q, "first_name": "A", "last_name": "B"}`, address))
	w.mustPay(w.paid(unsigned, 1), taken)
	w.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, leena)
	w.endDue(2)
	if got := w.read(own.SubscriptionID); got.Status != api.SubscriptionStatusCanceled || *got.EndedBecause != "person_blocked" {
		t.Errorf("%+v", got)
	}
	// A charge of theirs was refused before the payment service heard of the block, and ended it there for another reason.
	over := w.told(own, 7, internalapi.SubscriptionEventCauseCanceled, internalapi.SubscriptionEventStatusCanceled)
	over.EndedBecause = new(internalapi.SubscriptionEventEndedBecauseCampaignClosed)
	w.mustTell(over, taken)
	if mails := w.outbox("mail.subscription", "ended_because"); !slices.Equal(mails, []string{"person_blocked"}) {
		t.Errorf("mails %v", mails)
	}
	if got := w.read(others.SubscriptionID); got.Status != api.SubscriptionStatusActive || w.totals() != "1 of 5" {
		t.Errorf("%+v, %s", got, w.totals())
	}
	w.checkInvariants()
}

// Each event says whether a month is held; the calendar has it on its day, and support that has ended holds nothing.
func TestHeldMonth_IsShownUntilAnEventSaysOtherwise(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", 0)
	day := types.Date{Time: time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)}
	held := w.told(s, 2, internalapi.SubscriptionEventCauseLimitReached, active)
	held.NextChargeOn, held.HeldOn, held.Period, held.PeriodDay = nil, &day, new(2), &day
	held.DueAmountMinor, held.LimitMinor, held.LimitTotalMinor = new(int64(10_00)), new(int64(40_00)), new(int64(45_00))
	w.mustTell(held, taken)
	if got := w.read(s.SubscriptionID); got.HeldOn == nil || got.HeldOn.String() != "2026-12-20" || got.NextChargeOn != nil || w.totals() != "1 of 10" {
		t.Errorf("%+v, %s", got, w.totals())
	}
	for field, want := range map[string]string{"cause": "limit_reached", "limit_minor": "4000", "limit_total_minor": "4500", "due_minor": "1000",
		"period_day": "2026-12-20"} {
		if got := w.outbox("mail.subscription", field); !slices.Equal(got, []string{want}) {
			t.Errorf("%s of the mail: %v", field, got)
		}
	}
	w.mustTell(w.told(s, 3, internalapi.SubscriptionEventCauseSkipped, active), taken)
	if got := w.read(s.SubscriptionID); got.HeldOn != nil || got.NextChargeOn == nil {
		t.Errorf("skipped: %+v", got)
	}
	held.EventID, held.Sequence = "held again", 4
	w.mustTell(held, taken)
	w.moveStage(campaigns.StageClosed)
	w.endDue(1)
	held.EventID, held.Sequence = "held late", 5
	w.mustTell(held, taken)
	if got := w.read(s.SubscriptionID); got.HeldOn != nil {
		t.Errorf("of a closed campaign: %+v", got)
	}
	w.checkInvariants()
}

// The day of a month that has failed stays through what is told of other things, until a charge is coming again.
func TestDueMonth_KeepsItsDayUntilAChargeIsComing(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", 0)
	dueOn := func(want, wantTry string) {
		t.Helper()
		view, err := w.View(t.Context(), s.SubscriptionID, "fi")
		if err != nil {
			t.Fatal(err)
		}
		got, try := "", ""
		if view.DueOn != nil {
			got = view.DueOn.Format(time.DateOnly)
		}
		if view.NextTryOn != nil {
			try = view.NextTryOn.Format(time.DateOnly)
		}
		if got != want || try != wantTry {
			t.Errorf("a month is to be paid of %q and tried on %q, want %q and %q", got, try, want, wantTry)
		}
	}
	own, other := types.Date{Time: time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)}, types.Date{Time: time.Date(2027, 1, 20, 0, 0, 0, 0, time.UTC)}
	tell := func(n int64, cause internalapi.SubscriptionEventCause, status internalapi.SubscriptionEventStatus, day, next *types.Date) {
		t.Helper()
		e := w.told(s, n, cause, status)
		e.PeriodDay, e.NextChargeOn, e.NextTryOn = day, next, nil
		if cause == internalapi.SubscriptionEventCauseChargeFailed {
			e.NextTryOn = &types.Date{Time: day.AddDate(0, 0, int(n))}
		}
		w.mustTell(e, taken)
	}
	dueOn("", "")
	tell(2, internalapi.SubscriptionEventCauseChargeFailed, active, &own, nil)
	dueOn("2026-12-20", "2026-12-22")
	tell(3, internalapi.SubscriptionEventCauseLevelChosen, active, &other, nil) // is about the month after it
	dueOn("2026-12-20", "2026-12-22")
	tell(4, internalapi.SubscriptionEventCausePastDue, pastDue, &own, nil)
	dueOn("2026-12-20", "")
	tell(5, internalapi.SubscriptionEventCauseSkipped, active, &own, &other)
	dueOn("", "")
	tell(6, internalapi.SubscriptionEventCauseActionRequired, active, &other, nil)
	dueOn("2027-01-20", "")
	tell(7, internalapi.SubscriptionEventCauseCanceled, canceled, nil, nil)
	dueOn("", "")
}

// Support that was not paid ends after 30 days, or when the cards of its form are refused: the mail says which.
func TestEnd_UnpaidSaysWhetherItsTimeIsOverOrItsCardsWereRefused(t *testing.T) {
	const day = 24 * time.Hour
	for name, tt := range map[string]struct {
		lateFor time.Duration // 0 is not past_due
		before  bool          // it was past_due once, and has been paid since
		want    string
	}{
		"its time is over":                  {30 * day, false, "unpaid"},
		"cards refused while it is tried":   {0, false, "cards_refused"},
		"cards refused while it is late":    {29 * day, false, "cards_refused"},
		"cards refused, late once long ago": {0, true, "cards_refused"},
	} {
		w := setup(t)
		s := w.supporter(0, "10", 0)
		if tt.before {
			w.mustTell(w.told(s, 2, internalapi.SubscriptionEventCausePastDue, pastDue), taken)
			w.mustTell(w.toldPaid(s, 3, 2), taken)
			w.Advance(60 * day)
		}
		if tt.lateFor > 0 {
			w.mustTell(w.told(s, 4, internalapi.SubscriptionEventCausePastDue, pastDue), taken)
			w.Advance(tt.lateFor)
		}
		over := w.told(s, 5, internalapi.SubscriptionEventCauseCanceled, canceled)
		over.EndedBecause = new(internalapi.SubscriptionEventEndedBecauseUnpaid)
		w.mustTell(over, taken)
		if got := w.outbox("mail.subscription", "ended_because"); got[len(got)-1] != tt.want {
			t.Errorf("%s: %v, want %s", name, got, tt.want)
		}
	}
}

// Events of one subscription, each told twice and at once, beside the close of its campaign: whatever comes first, what is kept
// fits together, and who is charged has a receipt.
func TestEvents_AtOnceBesideAClose(t *testing.T) {
	w := setup(t)
	var all sync.WaitGroup
	for range 6 {
		s := w.begins(0, body("10", w.choir))
		first, second := w.paid(s, 1), w.paid(s, 2)
		for range 2 {
			for _, e := range []internalapi.PaymentEvent{first, second, of(first, internalapi.PaymentRefunded, 3_00)} {
				all.Go(func() {
					if _, err := w.ApplyPayment(t.Context(), e); err != nil {
						t.Error(err)
					}
				})
			}
			for n, status := range []internalapi.SubscriptionEventStatus{active, paused, active} {
				all.Go(func() {
					if _, err := w.ApplyChange(t.Context(), w.told(s, int64(n+1), renewed, status)); err != nil {
						t.Error(err)
					}
				})
			}
		}
	}
	all.Go(func() {
		w.moveStage(campaigns.StageClosed)
		if _, err := w.EndDue(t.Context()); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
	for range 3 {
		if _, err := w.EndDue(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.number(`SELECT count(*) FROM subscriptions WHERE status IN ('created', 'active', 'past_due', 'paused')`); n != 0 {
		t.Errorf("%d live on in a closed campaign", n)
	}
	if n := w.number(`SELECT count(*) FROM subscription_events e WHERE type = 'payment.succeeded' AND (outcome = 'applied') <>
		EXISTS (SELECT FROM subscription_charges c WHERE c.payment_id = e.payment_id)`); n != 0 {
		t.Errorf("%d payments were answered otherwise than they are kept", n)
	}
	w.checkInvariants()
}

func TestOwnSubscriptions_AreThoseOfTheAccountAndOfItsConfirmedAddress(t *testing.T) {
	w := setup(t)
	leena, other := w.Person("Leena"), w.Person("Muu")
	var address string
	if err := w.DB.Raw(`SELECT upper(email) FROM users WHERE id = ?`, leena).Scan(&address).Error; err != nil {
		t.Fatal(err)
	}
	own := w.supporter(leena, "10", 0)
	w.Advance(time.Second)
	unsigned := w.begins(0, fmt.Sprintf(`{"amount": 4, "email": %q, "first_name": "A", "last_name": "B"}`, address))
	w.mustPay(w.paid(unsigned, 1), taken)
	w.begins(0, fmt.Sprintf(`{"amount": 4, "email": %q, "first_name": "A", "last_name": "B"}`, address)) // anybody may write her address
	w.supporter(other, "5", 0)
	list := func(query string) (ids []string, total int) {
		t.Helper()
		var a api.SubscriptionsAnswer
		w.Get("/users/me/subscriptions/en/"+query, leena).JSON(&a)
		for _, s := range a.Subscriptions {
			ids = append(ids, s.SubscriptionID)
		}
		return ids, a.Total
	}
	if ids, total := list(""); !slices.Equal(ids, []string{unsigned.SubscriptionID, own.SubscriptionID}) || total != 2 {
		t.Errorf("%v of %d", ids, total)
	}
	if ids, total := list("?limit=1&offset=1"); !slices.Equal(ids, []string{own.SubscriptionID}) || total != 2 {
		t.Errorf("%v of %d", ids, total)
	}
	w.Exec(`UPDATE users SET verified = false WHERE id = ?`, leena)
	if ids, _ := list(""); !slices.Equal(ids, []string{own.SubscriptionID}) {
		t.Errorf("with an address that is not confirmed: %v", ids)
	}
	if status := w.Get("/users/me/subscriptions/en/", 0).Status; status != 401 {
		t.Errorf("for nobody: %d", status)
	}
}

// Each planted fault is found by the audit, and healthy books are silent.
func TestRecompute_FindsPlantedFaults(t *testing.T) {
	w := setup(t)
	w.supporter(0, "10", w.choir)
	w.checkInvariants()
	for name, tt := range map[string]struct{ fault, mend, total string }{
		"a supporter too many": {`UPDATE campaign_totals SET subscriptions = subscriptions + 1`, `UPDATE campaign_totals SET subscriptions = subscriptions - 1`, "subscriptions"},
		"a cent too little": {`UPDATE campaign_totals SET subscriptions_amount_minor = subscriptions_amount_minor - 1`,
			`UPDATE campaign_totals SET subscriptions_amount_minor = subscriptions_amount_minor + 1`, "subscriptions_amount_minor"},
		"a status past the totals": {`UPDATE subscriptions SET status = 'paused'`, `UPDATE subscriptions SET status = 'active'`, "subscriptions"},
	} {
		w.Exec(tt.fault)
		drifts, err := campaigns.Recompute(t.Context(), w.DB)
		if err != nil || !slices.ContainsFunc(drifts, func(d campaigns.Drift) bool { return d.Total == tt.total }) {
			t.Errorf("%s: %+v, %v", name, drifts, err)
		}
		w.Exec(tt.mend)
	}
	w.checkInvariants()
}

// The payment service had begun charges before it heard that the campaign is on hold.
func TestCampaignOnHold_TakesNoMonth_AndEndsOnlyWhatHasNotBegun(t *testing.T) {
	w := setup(t)
	lives, waits, late := w.supporter(0, "10", 0), w.begins(0, body("10", 0)), w.begins(0, body("10", 0))
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.PutOnHold(ctx, tx, campaigns.Edit{CampaignID: w.campaign, By: campaigns.Scheduler(), Now: w.Now()}, campaigns.HoldWords{Reason: "rules"})
	})
	w.mustPay(w.paid(lives, 2), notWanted)
	w.mustPay(w.paid(late, 1), notWanted)
	w.endDue(1)
	for id, want := range map[string]api.SubscriptionStatus{lives.SubscriptionID: api.SubscriptionStatusActive, waits.SubscriptionID: api.SubscriptionStatusExpired,
		late.SubscriptionID: api.SubscriptionStatusExpired} {
		if got := w.read(id); got.Status != want {
			t.Errorf("%s, want %s", got.Status, want)
		}
	}
	if sent := w.outbox("payment.close", "reason"); !slices.Equal(sent, []string{"campaign_on_hold", "campaign_on_hold"}) {
		t.Errorf("the payment service was told %v", sent)
	}
	if answer := w.Post(w.path(), body("10", 0), 0); answer.Status != http.StatusConflict {
		t.Errorf("new support: %d %s", answer.Status, answer.Body)
	}
	w.checkInvariants()
}
