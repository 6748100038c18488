package pledges_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/pledges"
)

var allStatuses = []pledges.Status{pledges.Created, pledges.AwaitingPayment, pledges.Processing, pledges.Paid, pledges.Failed,
	pledges.Expired, pledges.Refunded, pledges.PartlyRefunded, pledges.Disputed}

// inStatus makes a pledge of the limited reward and takes it there.
func (w *world) inStatus(t *testing.T, reward int64, status pledges.Status) pledges.View {
	t.Helper()
	p := w.mustCreate(t, w.input(reward, "10"))
	steps := map[pledges.Status][]pledges.EventType{
		pledges.AwaitingPayment: {pledges.PaymentStarted},
		pledges.Processing:      {pledges.PaymentStarted, pledges.PaymentProcessing},
		pledges.Paid:            {pledges.PaymentSucceeded},
		pledges.Failed:          {pledges.PaymentProcessing, pledges.PaymentFailed},
		pledges.Expired:         {pledges.PaymentCanceled},
		pledges.Refunded:        {pledges.PaymentSucceeded, pledges.PaymentRefunded},
		pledges.PartlyRefunded:  {pledges.PaymentSucceeded, pledges.PaymentRefunded},
		pledges.Disputed:        {pledges.PaymentSucceeded, pledges.PaymentDisputed},
	}
	for _, kind := range steps[status] {
		e := event(p, kind)
		if kind == pledges.PaymentRefunded && status == pledges.PartlyRefunded {
			e.RefundMinor, e.RefundedMinor = 4_00, 4_00
		}
		w.mustApply(t, e, pledges.Applied)
	}
	if got := w.statusOf(t, p.ID); got != status {
		t.Fatalf("pledge is %s, want %s", got, status)
	}
	return p
}

// events says for each event what becomes of a pledge in each status; what is not listed is ignored.
var events = map[pledges.EventType]map[pledges.Status]pledges.Status{
	pledges.PaymentStarted:    {pledges.Created: pledges.AwaitingPayment},
	pledges.PaymentProcessing: {pledges.Created: pledges.Processing, pledges.AwaitingPayment: pledges.Processing},
	pledges.PaymentSucceeded: {pledges.Created: pledges.Paid, pledges.AwaitingPayment: pledges.Paid, pledges.Processing: pledges.Paid,
		pledges.Failed: pledges.Paid, pledges.Expired: pledges.Paid},
	pledges.PaymentFailed: {pledges.Processing: pledges.Failed},
	pledges.PaymentCanceled: {pledges.Created: pledges.Expired, pledges.AwaitingPayment: pledges.Expired,
		pledges.Processing: pledges.Failed},
	pledges.PaymentRefunded: {pledges.Created: pledges.Refunded, pledges.AwaitingPayment: pledges.Refunded,
		pledges.Processing: pledges.Refunded, pledges.Paid: pledges.Refunded, pledges.Failed: pledges.Refunded,
		pledges.Expired: pledges.Refunded, pledges.PartlyRefunded: pledges.Refunded, pledges.Disputed: pledges.Refunded},
	pledges.PaymentDisputed:   {pledges.Paid: pledges.Disputed, pledges.PartlyRefunded: pledges.Disputed},
	pledges.PaymentReinstated: {pledges.Disputed: pledges.Paid},
}

// mailed says which change writes to the backer.
var mailed = map[pledges.Status]string{pledges.Paid: mails.KindReceipt, pledges.Failed: mails.KindPaymentFailed, pledges.Refunded: mails.KindRefund}

func TestApply_EachEventInEachStatus(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 1000)
	for kind, row := range events {
		for _, from := range allStatuses {
			t.Run(fmt.Sprintf("%s in %s", kind, from), func(t *testing.T) {
				p := w.inStatus(t, reward, from)
				want, outcome := from, pledges.Ignored
				if to, ok := row[from]; ok {
					want, outcome = to, pledges.Applied
				}
				before := w.number(t, `SELECT count(*) FROM outbox`)
				e := event(p, kind)
				for range 2 { // a repeat changes nothing and gets the same answer
					w.mustApply(t, e, outcome)
				}
				if got := w.statusOf(t, p.ID); got != want {
					t.Errorf("is %s, want %s", got, want)
				}
				added := int64(0)
				if outcome == pledges.Applied && mailed[want] != "" && kind != pledges.PaymentReinstated {
					added = 1
				}
				if got := w.number(t, `SELECT count(*) FROM outbox`) - before; got != added {
					t.Errorf("%d mails, want %d", got, added)
				}
				if added == 1 && w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload ->> 'pledge_id' = ?`, mailed[want], p.ID) == 0 {
					t.Errorf("no %s", mailed[want])
				}
			})
		}
	}
	w.checkInvariants(t)
}

func TestApply_TheSameEventAtOnce_HasItsEffectOnce(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(0, "20"))
	e := event(p, pledges.PaymentSucceeded)
	w.inParallel(12, 12, func(int) {
		if outcome, err := w.Apply(t.Context(), e); err != nil || outcome != pledges.Applied {
			t.Errorf("%q %v", outcome, err)
		}
	})
	if n := w.number(t, `SELECT count(*) FROM pledge_transitions WHERE to_status = 'paid'`); n != 1 {
		t.Errorf("paid %d times", n)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox`); n != 1 {
		t.Errorf("%d receipts", n)
	}
	w.checkInvariants(t)
}

func TestApply_Paid_GivesReceiptBackerNumberAndTotals(t *testing.T) {
	w := setup(t)
	for i := range 2 {
		p := w.mustCreate(t, w.input(0, "20.50"))
		w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
		view, err := w.View(t.Context(), p.ID, "en")
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("TK-2026-%06d", i+1); view.ReceiptNumber != want || view.BackerNumber != i+1 || view.PaymentMethod != "Visa ···· 4242" {
			t.Errorf("receipt %q, backer %d, method %q", view.ReceiptNumber, view.BackerNumber, view.PaymentMethod)
		}
		if view.PaidAt == nil || !view.PaidAt.Equal(noon) {
			t.Errorf("paid at %v", view.PaidAt)
		}
	}
	if n := w.number(t, `SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 41_00 {
		t.Errorf("reached %d", n)
	}
	if n := w.number(t, `SELECT CAST(preview ->> 'number_of_backers' AS bigint) FROM campaign_previews WHERE campaign_id = ? AND language = 'sv'`, w.campaign); n != 2 {
		t.Errorf("preview says %d backers", n)
	}
}

func TestApply_BackerNumbers_AreGivenOnceAndNeverAgain(t *testing.T) {
	w := setup(t)
	pay := func(reward int64) pledges.View {
		t.Helper()
		p := w.mustCreate(t, w.input(reward, "10"))
		w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
		return p
	}
	number := func(p pledges.View) int {
		t.Helper()
		view, err := w.View(t.Context(), p.ID, "fi")
		if err != nil {
			t.Fatal(err)
		}
		return view.BackerNumber
	}
	a, b := pay(0), pay(w.addReward(t, 5))
	w.mustApply(t, event(a, pledges.PaymentRefunded), pledges.Applied)
	c := pay(0)
	if number(a) != 1 || number(b) != 2 || number(c) != 3 {
		t.Errorf("numbers %d, %d, %d, want 1, 2, 3", number(a), number(b), number(c))
	}
	for _, kind := range []pledges.EventType{pledges.PaymentDisputed, pledges.PaymentReinstated, pledges.PaymentRefunded} {
		w.mustApply(t, event(c, kind), pledges.Applied)
	}
	if d := pay(0); number(c) != 3 || number(d) != 4 {
		t.Errorf("after a dispute %d and %d, want 3 and 4", number(c), number(d))
	}
	w.checkInvariants(t)
}

// A number tells how many have backed before: of a campaign that hides that, a backer learns none.
func TestView_OfACampaignThatHidesItsBackersHasNoNumber(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(0, "10"))
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	for _, want := range []int{1, 0} {
		view, err := w.View(t.Context(), p.ID, "fi")
		if err != nil || view.BackerNumber != want {
			t.Errorf("number %d, want %d (%v)", view.BackerNumber, want, err)
		}
		if err := w.db.Exec(`UPDATE campaigns SET hide_member_count = true`).Error; err != nil {
			t.Fatal(err)
		}
	}
}

func TestApply_Processing_SettlesApart(t *testing.T) {
	w := setup(t)
	p := w.inStatus(t, w.addReward(t, 5), pledges.Processing)
	settling := `SELECT funding_settling_minor * 1000000 + funding_reached_minor FROM campaign_totals WHERE campaign_id = ?`
	if n := w.number(t, settling, w.campaign); n != 10_00*1000000 {
		t.Errorf("settling and reached: %d", n)
	}
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	if n := w.number(t, settling, w.campaign); n != 10_00 {
		t.Errorf("after it has settled: %d", n)
	}
}

func TestApply_MoneyThatCannotBeTaken(t *testing.T) {
	w := setup(t)
	t.Run("another amount", func(t *testing.T) {
		p := w.mustCreate(t, w.input(0, "20"))
		paid := event(p, pledges.PaymentSucceeded)
		paid.Amount.Minor = 25_00
		w.mustApply(t, paid, pledges.PledgeClosed)
		back := event(p, pledges.PaymentRefunded)
		back.Amount.Minor, back.RefundMinor, back.RefundedMinor, back.RefundReason = 25_00, 25_00, 25_00, "pledge_closed"
		w.mustApply(t, back, pledges.Applied)
		if got := w.statusOf(t, p.ID); got != pledges.Refunded {
			t.Errorf("is %s", got)
		}
	})
	t.Run("another currency", func(t *testing.T) {
		p := w.mustCreate(t, w.input(0, "20"))
		paid := event(p, pledges.PaymentSucceeded)
		paid.Amount.Currency = money.SEK
		w.mustApply(t, paid, pledges.PledgeClosed)
		if !strings.Contains(w.log.String(), "level=ERROR") || !strings.Contains(w.log.String(), "payment_currency=SEK") {
			t.Errorf("nobody is called: %s", w.log.String())
		}
		back := event(p, pledges.PaymentRefunded)
		back.Amount.Currency = money.SEK
		w.mustApply(t, back, pledges.Applied)
		if got := w.statusOf(t, p.ID); got != pledges.Refunded {
			t.Errorf("is %s", got)
		}
		own := w.inStatus(t, 0, pledges.Paid)
		foreign := event(own, pledges.PaymentRefunded)
		foreign.Amount.Currency = money.SEK
		w.mustApply(t, foreign, pledges.Ignored) // no refund of the money that it has
		if got := w.statusOf(t, own.ID); got != pledges.Paid {
			t.Errorf("with money of its own it is %s", got)
		}
	})
	t.Run("less than the pledge", func(t *testing.T) {
		p := w.mustCreate(t, w.input(0, "20"))
		paid := event(p, pledges.PaymentSucceeded)
		paid.Amount.Minor = 5_00
		w.mustApply(t, paid, pledges.PledgeClosed)
		back := event(p, pledges.PaymentRefunded)
		back.Amount.Minor, back.RefundMinor, back.RefundedMinor = 5_00, 5_00, 5_00
		w.mustApply(t, back, pledges.Applied)
		if got := w.statusOf(t, p.ID); got != pledges.Refunded {
			t.Errorf("is %s", got)
		}
	})
	t.Run("a campaign that was closed", func(t *testing.T) {
		p := w.mustCreate(t, w.input(0, "20"))
		processing := w.mustCreate(t, w.input(0, "30"))
		w.mustApply(t, event(processing, pledges.PaymentProcessing), pledges.Applied)
		w.moveStage(t, campaigns.StageClosed)
		for _, p := range []pledges.View{p, processing} {
			w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.PledgeClosed)
			back := event(p, pledges.PaymentRefunded)
			back.RefundReason = "pledge_closed"
			w.mustApply(t, back, pledges.Applied)
			if got := w.statusOf(t, p.ID); got != pledges.Refunded {
				t.Errorf("is %s", got)
			}
		}
	})
	w.checkInvariants(t)
}

func TestApply_PartRefunds(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(0, "20"))
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	refund := func(soFar int64, reason string, want pledges.Outcome) {
		t.Helper()
		e := event(p, pledges.PaymentRefunded)
		e.RefundMinor, e.RefundedMinor, e.RefundReason = 0, soFar, reason
		w.mustApply(t, e, want)
		w.checkInvariants(t)
	}
	refund(20_00, "duplicate", pledges.Ignored) // the other payment's money
	refund(0, "requested", pledges.Ignored)
	refund(5_00, "requested", pledges.Applied)
	refund(12_00, "requested", pledges.Applied)
	refund(5_00, "requested", pledges.Ignored) // an earlier event that arrives late
	if n := w.number(t, `SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 8_00 {
		t.Errorf("reached %d after two part refunds", n)
	}
	refund(20_00, "requested", pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Refunded {
		t.Errorf("is %s", got)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindRefund); n != 3 {
		t.Errorf("%d refund mails, want 3", n)
	}
}

// Each mail has the figures of its own event, whatever has happened to the pledge by the time it is sent.
func TestApply_RefundMails_CarryTheFiguresOfTheirEvent(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(0, "20"))
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	refund := func(p pledges.View, amount, now, all int64, reason string) {
		t.Helper()
		e := event(p, pledges.PaymentRefunded)
		e.Amount.Minor, e.RefundMinor, e.RefundedMinor, e.RefundReason = amount, now, all, reason
		w.mustApply(t, e, pledges.Applied)
	}
	refund(p, 20_00, 5_00, 5_00, "requested")
	refund(p, 20_00, 0, 12_00, "requested") // without the sum of this refund, which is then calculated
	refund(p, 20_00, 8_00, 20_00, "requested")
	other := w.mustCreate(t, w.input(0, "20"))
	wrong := event(other, pledges.PaymentSucceeded)
	wrong.Amount.Minor = 25_00
	w.mustApply(t, wrong, pledges.PledgeClosed)
	refund(other, 25_00, 25_00, 25_00, "pledge_closed") // all that was paid, though the pledge is of less
	disputed := w.inStatus(t, 0, pledges.Disputed)
	refund(disputed, 10_00, 4_00, 4_00, "requested")
	var told []string
	err := w.db.Raw(`SELECT concat_ws(' ', r ->> 'minor', r ->> 'all_minor', r ->> 'left_minor', r ->> 'reason', r ->> 'released', r ->> 'disputed')
		FROM (SELECT id, payload -> 'refund' AS r FROM outbox WHERE kind = ?) x ORDER BY id`, mails.KindRefund).Scan(&told).Error
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"500 500 1500 requested", "700 1200 800 requested", "800 2000 0 requested", "2500 2500 0 pledge_closed", "400 400 600 requested true"}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	w.checkInvariants(t)
}

func TestApply_UnknownPledge(t *testing.T) {
	w := setup(t)
	e := event(pledges.View{ID: "00000000000000000000000000"}, pledges.PaymentSucceeded)
	if _, err := w.Apply(t.Context(), e); !errors.Is(err, pledges.ErrUnknown) {
		t.Errorf("got %v", err)
	}
	if n := w.number(t, `SELECT count(*) FROM payment_events`); n != 0 {
		t.Errorf("%d events kept", n)
	}
}

func TestOrder_SaysWhatIsToBePaidAndWhetherItStillMayBe(t *testing.T) {
	w := setup(t)
	in := w.input(w.unlimited, "30")
	in.Language, in.Meta.Quantity, in.Meta.Answers = "en", 2, map[string]string{"custom_question_1": "Leena"}
	p := w.mustCreate(t, in)
	o, err := w.Order(t.Context(), strings.ToUpper(p.ID))
	if err != nil {
		t.Fatal(err)
	}
	if o.SubjectKind != internalapi.Pledge || o.SubjectID != p.ID || o.State != internalapi.Payable || o.AmountMinor != 30_00 || o.Currency != "EUR" || o.Description != "Steam: 2 × Ladle" ||
		o.Language != "en" || o.Name != "Leena H" || o.PayeeUserID == nil || *o.PayeeUserID != w.creator || o.CampaignTitle != "Steam" ||
		!o.PayableUntil.Equal(noon.Add(hold)) || o.ReturnPath != "/en/payment-return/?pledge="+p.ID {
		t.Errorf("got %+v", o)
	}
	state := func(id string) internalapi.OrderState {
		t.Helper()
		o, err := w.Order(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return o.State
	}
	w.clock.advance(hold)
	if got := state(p.ID); got != internalapi.Closed {
		t.Errorf("%s after its time", got)
	}
	w.clock.set(noon)
	reward := w.addReward(t, 1000)
	for status, want := range map[pledges.Status]internalapi.OrderState{
		pledges.Created: internalapi.Payable, pledges.AwaitingPayment: internalapi.Payable, pledges.Processing: internalapi.Closed,
		pledges.Paid: internalapi.Paid, pledges.PartlyRefunded: internalapi.Paid, pledges.Refunded: internalapi.Paid,
		pledges.Disputed: internalapi.Paid, pledges.Failed: internalapi.Closed, pledges.Expired: internalapi.Closed,
	} {
		finnish := w.inStatus(t, reward, status)
		if got := state(finnish.ID); got != want {
			t.Errorf("%s: %s, want %s", status, got, want)
		}
		if o, err := w.Order(t.Context(), finnish.ID); err != nil || o.ReturnPath != "/payment-return/?pledge="+finnish.ID {
			t.Errorf("return path %q, %v", o.ReturnPath, err)
		}
	}
	w.moveStage(t, campaigns.StageClosed)
	if got := state(p.ID); got != internalapi.Closed {
		t.Errorf("%s in a campaign that was closed", got)
	}
	if _, err := w.Order(t.Context(), "nonsense"); !errors.Is(err, pledges.ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
}

// Of a pledge that waits where nothing begins any more its backer is told by mail, and nothing else changes.
func TestApply_Stranded_MailsWhoStillWaits(t *testing.T) {
	w := setup(t)
	for _, status := range allStatuses {
		p := w.inStatus(t, 0, status)
		want, mailed := pledges.Ignored, 0
		if status.Waiting() {
			want, mailed = pledges.Applied, 1
		}
		w.mustApply(t, event(p, pledges.PaymentStranded), want)
		var got int
		if err := w.db.Raw(`SELECT count(*) FROM outbox WHERE kind = ? AND payload ->> 'pledge_id' = ?`, mails.KindStranded, p.ID).Scan(&got).Error; err != nil {
			t.Fatal(err)
		}
		if got != mailed || w.statusOf(t, p.ID) != status {
			t.Errorf("%s: %d mails, and it is %s", status, got, w.statusOf(t, p.ID))
		}
	}
}
