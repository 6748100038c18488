package pledges_test

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/receiptlinks"
)

const leena = "leena.h@example.fi"

// paidBy makes a pledge of a person, or a guest with 0, and takes it to a status.
func (w *world) paidBy(t *testing.T, user int64, reward int64, status pledges.Status) pledges.View {
	t.Helper()
	amount := map[int64]string{w.single: "120", 0: "20"}[reward]
	in := w.input(reward, amount)
	in.Meta.Email = leena
	if user != 0 {
		in.UserID = &user
	}
	w.clock.advance(time.Second)
	p := w.mustCreate(t, in)
	for _, kind := range map[pledges.Status][]pledges.EventType{
		pledges.Processing:     {pledges.PaymentProcessing},
		pledges.Paid:           {pledges.PaymentSucceeded},
		pledges.PartlyRefunded: {pledges.PaymentSucceeded, pledges.PaymentRefunded},
		pledges.Disputed:       {pledges.PaymentSucceeded, pledges.PaymentDisputed},
		pledges.Refunded:       {pledges.PaymentSucceeded, pledges.PaymentRefunded},
		pledges.Failed:         {pledges.PaymentProcessing, pledges.PaymentFailed},
	}[status] {
		e := event(p, kind)
		if status == pledges.PartlyRefunded && kind == pledges.PaymentRefunded {
			e.RefundMinor, e.RefundedMinor = 5_00, 5_00
		}
		w.mustApply(t, e, pledges.Applied)
	}
	return p
}

func (w *world) token(t *testing.T, pledge string) string {
	t.Helper()
	token, err := receiptlinks.Issue(t.Context(), w.db, pledge, w.clock.now())
	if err != nil {
		t.Fatal(err)
	}
	return token
}

// What may be taken back, and what the answer is otherwise: the whole table.
func TestWithdraw_ByStatusAndTime(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	end := w.number(t, `SELECT extract(epoch FROM funding_deadline)::bigint FROM campaigns WHERE id = ?`, w.campaign)
	deadline := time.Unix(end, 0)
	made := map[pledges.Status]pledges.View{}
	for _, status := range []pledges.Status{pledges.Created, pledges.Processing, pledges.Paid, pledges.PartlyRefunded, pledges.Disputed, pledges.Refunded, pledges.Failed} {
		made[status] = w.paidBy(t, me, 0, status)
	}
	w.clock.set(deadline)
	for status, p := range made {
		want := map[pledges.Status]error{pledges.Disputed: pledges.ErrContested, pledges.Processing: pledges.ErrWithdrawalOver,
			pledges.Paid: pledges.ErrWithdrawalOver, pledges.PartlyRefunded: pledges.ErrWithdrawalOver}[status]
		if want == nil {
			want = pledges.ErrNotPaid
		}
		if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); !errors.Is(err, want) {
			t.Errorf("%s at the last second's end: %v, want %v", status, err, want)
		}
	}
	w.clock.set(deadline.Add(-time.Second))
	for status, p := range made {
		may := status == pledges.Processing || status == pledges.Paid || status == pledges.PartlyRefunded
		own, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi")
		if (err == nil) != may || may && (own.Status != pledges.Withdrawn || own.Withdrawal.State != pledges.WithdrawalDone || own.Withdrawal.At == nil) {
			t.Errorf("%s in the last second: %+v, %v", status, own.Withdrawal, err)
		}
		if n := w.closings(t, p.ID, closing.Withdrawn); (n == 1) != may {
			t.Errorf("%s: %d messages to the payment service", status, n)
		}
	}
	w.checkInvariants(t)
}

func TestWithdraw_StockTotalsAndBackersFollowAtOnce_AndARepeatChangesNothing(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, w.single, pledges.Paid)
	if w.reserved(t, w.single) != 1 {
		t.Fatal("the one item is not held")
	}
	w.clock.advance(time.Hour)
	for range 3 {
		if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
			t.Fatal(err)
		}
	}
	if n := w.reserved(t, w.single); n != 0 {
		t.Errorf("%d are held still", n)
	}
	if n := w.number(t, `SELECT funding_reached_minor + backers FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 0 {
		t.Errorf("totals come to %d", n)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindWithdrawal); n != 1 || w.closings(t, p.ID, closing.Withdrawn) != 1 {
		t.Errorf("%d mails, %d messages", n, w.closings(t, p.ID, closing.Withdrawn))
	}
	if n := w.number(t, `SELECT count(*) FROM pledge_transitions WHERE to_status = 'withdrawn' AND cause = 'withdrawn'`); n != 1 {
		t.Errorf("%d steps", n)
	}
	other := w.mustCreate(t, w.input(w.single, "120")) // it is free for others
	w.mustApply(t, event(other, pledges.PaymentSucceeded), pledges.Applied)
	w.checkInvariants(t)
	w.mustApply(t, refundOf(p, p.Amount.Minor, p.Amount.Minor, "withdrawn"), pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Refunded {
		t.Errorf("is %s when the money is back", got)
	}
	w.checkInvariants(t)
}

func refundOf(p pledges.View, now, all int64, reason string) pledges.Event {
	e := event(p, pledges.PaymentRefunded)
	e.RefundMinor, e.RefundedMinor, e.RefundReason = now, all, reason
	return e
}

// Money whose way back has begun before is told first: the pledge waits for the rest.
func TestWithdraw_APartThatIsBackFirstLeavesTheRestOnItsWay(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, 0, pledges.Paid)
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, refundOf(p, 4_00, 4_00, "requested"), pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Withdrawn {
		t.Errorf("is %s with the rest on its way", got)
	}
	w.mustApply(t, refundOf(p, 16_00, 20_00, "withdrawn"), pledges.Applied)
	if got := w.statusOf(t, p.ID); got != pledges.Refunded {
		t.Errorf("is %s", got)
	}
	w.checkInvariants(t)
}

// A debit that is taken back while the bank confirms it: if it succeeds it goes back, if it fails nobody is told to pay again.
func TestWithdraw_WhileABankConfirms(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	succeeds, fails, ends := w.paidBy(t, me, 0, pledges.Processing), w.paidBy(t, me, 0, pledges.Processing), w.paidBy(t, me, 0, pledges.Processing)
	for _, p := range []pledges.View{succeeds, fails, ends} {
		if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
			t.Fatal(err)
		}
		w.mustApply(t, event(p, pledges.PaymentProcessing), pledges.Ignored)
	}
	w.mustApply(t, event(succeeds, pledges.PaymentSucceeded), pledges.PledgeClosed)
	w.mustApply(t, refundOf(succeeds, 20_00, 20_00, "pledge_closed"), pledges.Applied)
	w.mustApply(t, event(fails, pledges.PaymentFailed), pledges.Applied)
	w.mustApply(t, event(ends, pledges.PaymentCanceled), pledges.Applied)
	for id, want := range map[string]pledges.Status{succeeds.ID: pledges.Refunded, fails.ID: pledges.Failed, ends.ID: pledges.Failed} {
		if got := w.statusOf(t, id); got != want {
			t.Errorf("is %s, want %s", got, want)
		}
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind IN (?, ?)`, mails.KindPaymentFailed, mails.KindReceipt); n != 0 {
		t.Errorf("%d receipts or mails about a failure", n)
	}
	w.checkInvariants(t)
}

// An end that comes at the same moment waits for the taking back or is seen by it; both never count.
func TestWithdraw_AgainstTheClosingOfItsCampaign_OneIsFirst(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, w.single, pledges.Paid)
	errs := make(chan error, 2)
	go func() { _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); errs <- err }()
	go func() { errs <- w.tryStage(t.Context(), campaigns.StageClosed) }()
	for range 2 {
		if err := <-errs; err != nil && !errors.Is(err, pledges.ErrWithdrawalOver) {
			t.Fatal(err)
		}
	}
	var accepted int64
	w.db.Raw(`SELECT accepted FROM campaign_endings WHERE campaign_id = ?`, w.campaign).Scan(&accepted)
	isBack := w.statusOf(t, p.ID) == pledges.Withdrawn
	if isBack == (accepted == 1) {
		t.Errorf("taken back: %t, counted at the end: %d", isBack, accepted)
	}
	w.checkInvariants(t)
}

// The end that holds the campaign's row is waited for, and then it is too late.
func TestWithdraw_WaitsForAnEndThatIsUnderWay(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, w.single, pledges.Paid)
	result := make(chan error, 1)
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
		if err := tx.Exec(`SELECT FROM campaigns WHERE id = ? FOR UPDATE`, w.campaign).Error; err != nil {
			return err
		}
		go func() { _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); result <- err }()
		for w.number(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
			time.Sleep(time.Millisecond)
		}
		return tx.Exec(`UPDATE campaigns SET stage = 5 WHERE id = ?`, w.campaign).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-result; !errors.Is(err, pledges.ErrWithdrawalOver) {
		t.Errorf("answered %v", err)
	}
}

func TestWithdraw_OfAnother_IsUnknown(t *testing.T) {
	w := setup(t)
	me, other := w.person(t, leena), w.person(t, "other@example.fi")
	mine, guests := w.paidBy(t, me, 0, pledges.Paid), w.paidBy(t, 0, 0, pledges.Paid)
	for _, id := range []string{mine.ID, guests.ID, "x"} {
		if _, err := w.WithdrawOwn(t.Context(), other, id, "fi"); !errors.Is(err, pledges.ErrUnknown) {
			t.Errorf("another's: %v", err)
		}
	}
	if _, err := w.WithdrawOwn(t.Context(), me, guests.ID, "fi"); err != nil { // made with the address that this person has confirmed
		t.Error(err)
	}
}

// A pledge that is not told to the payment service is not taken back.
func TestWithdraw_IsOneWithItsMessage(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, w.single, pledges.Paid)
	w.exec(t, `ALTER TABLE outbox RENAME TO elsewhere`)
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err == nil {
		t.Error("taken back without a word to the payment service")
	}
	if got := w.statusOf(t, p.ID); got != pledges.Paid || w.reserved(t, w.single) != 1 {
		t.Errorf("is %s", got)
	}
}

// The link of a mail opens one pledge until it ends; the id, a receipt's old link and a closed link open none.
func TestOpened_ByItsLinkAlone(t *testing.T) {
	w := setup(t)
	p := w.paidBy(t, 0, 0, pledges.Paid)
	token := w.token(t, p.ID)
	opened, err := w.Open(t.Context(), token, "fi")
	if err != nil || opened.Email != "l···@example.fi" || opened.Withdrawal.State != pledges.WithdrawalOpen || opened.FirstName != "Leena" {
		t.Fatalf("opened %+v, %v", opened, err)
	}
	initial := pledges.InitialOnly
	if opened, err = w.ChangeOpened(t.Context(), token, "fi", pledges.OwnChange{NameShown: &initial}); err != nil || opened.NameShown != initial {
		t.Errorf("changed to %s, %v", opened.NameShown, err)
	}
	old := w.token(t, p.ID)
	w.exec(t, `UPDATE receipt_links SET opens = 'receipt' WHERE token_hash = sha256(convert_to(?, 'UTF8'))`, old)
	closed := w.token(t, p.ID)
	if err := w.CloseLink(t.Context(), closed); err != nil {
		t.Fatal(err)
	}
	for what, token := range map[string]string{"its id": p.ID, "the link of an old receipt": old, "a closed link": closed, "nothing": ""} {
		_, opens := w.Open(t.Context(), token, "fi")
		_, withdraws := w.WithdrawOpened(t.Context(), token, "fi")
		_, changes := w.ChangeOpened(t.Context(), token, "fi", pledges.OwnChange{NameShown: &initial})
		if !errors.Is(opens, receiptlinks.ErrLink) || !errors.Is(withdraws, receiptlinks.ErrLink) || !errors.Is(changes, receiptlinks.ErrLink) {
			t.Errorf("%s: %v, %v, %v", what, opens, withdraws, changes)
		}
	}
	if opened, err = w.WithdrawOpened(t.Context(), token, "fi"); err != nil || opened.Status != pledges.Withdrawn || opened.Until.IsZero() {
		t.Errorf("taken back by the link: %s, %v", opened.Status, err)
	}
	if n := w.number(t, `SELECT count(*) FROM pledge_transitions WHERE cause = 'withdrawn_by_link'`); n != 1 {
		t.Errorf("%d steps by the link", n)
	}
	w.clock.advance(46 * 24 * time.Hour)
	if _, err := w.Open(t.Context(), token, "fi"); !errors.Is(err, receiptlinks.ErrLink) {
		t.Errorf("after its time: %v", err)
	}
	w.checkInvariants(t)
}
