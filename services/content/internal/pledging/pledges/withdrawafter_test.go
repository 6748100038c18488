package pledges_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/withdrawal"
	"talkoot.fi/content/internal/writing/changes"
)

// kindsPaid makes a paid pledge of a person for a reward of each kind, and a gift. The reward's kind changes in between: a pledge keeps its own.
func (w *world) kindsPaid(t *testing.T, user int64) map[withdrawal.Kind]pledges.View {
	t.Helper()
	w.exec(t, `UPDATE rewards SET stock = 10 WHERE id = ?`, w.single)
	made := map[withdrawal.Kind]pledges.View{}
	for _, kind := range []withdrawal.Kind{withdrawal.Service, withdrawal.Goods, withdrawal.Digital, withdrawal.MadeToOrder} {
		w.change(t, w.single, rewards.Change{Kind: &kind})
		made[kind] = w.paidBy(t, user, w.single, pledges.Paid)
	}
	made[withdrawal.Gift] = w.paidBy(t, user, 0, pledges.Paid)
	return made
}

// end ends the campaign with its money for the creator.
func (w *world) end(t *testing.T) {
	t.Helper()
	w.exec(t, `UPDATE campaigns SET funding_rule = 'keep_what_is_raised' WHERE id = ?`, w.campaign)
	w.clock.set(time.Date(2026, 12, 1, 1, 0, 0, 0, w.clock.now().Location()))
	w.moveStage(t, campaigns.StageSucceeded)
}

func TestWithdraw_AfterTheEnd_ByWhatWasBought(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	made := w.kindsPaid(t, me)
	second := w.paidBy(t, me, w.single, pledges.Paid) // of what is made to order, by the reward's kind of now
	w.exec(t, `UPDATE pledges SET bought = bought - 'kind' WHERE id = ?`, second.ID)
	made["of before kinds"] = second
	w.clock.set(time.Date(2026, 11, 30, 22, 0, 1, 0, time.UTC)) // midnight in Helsinki
	for _, c := range []struct {
		kind withdrawal.Kind
		want error
	}{
		{withdrawal.Goods, pledges.ErrWithdrawalWaits}, {withdrawal.Service, pledges.ErrWithdrawalWaits}, {withdrawal.Digital, pledges.ErrWithdrawalWaits},
		{withdrawal.MadeToOrder, pledges.ErrWithdrawalOver}, {withdrawal.Gift, pledges.ErrWithdrawalOver}, {"of before kinds", pledges.ErrWithdrawalOver},
	} {
		if _, err := w.WithdrawOwn(t.Context(), me, made[c.kind].ID, "fi"); !errors.Is(err, c.want) {
			t.Errorf("%s while it is counted: %v, want %v", c.kind, err, c.want)
		}
	}
	w.end(t)
	before := w.number(t, `SELECT accepted FROM campaign_endings WHERE campaign_id = ?`, w.campaign)
	for _, c := range []struct {
		kind withdrawal.Kind
		may  bool
	}{{withdrawal.Goods, true}, {withdrawal.Service, true}, {withdrawal.Digital, true}, {withdrawal.MadeToOrder, false}, {withdrawal.Gift, false}, {"of before kinds", false}} {
		id := made[c.kind].ID
		own, err := w.WithdrawOwn(t.Context(), me, id, "fi")
		if c.may != (err == nil) || c.may && own.Status != pledges.Withdrawn || !c.may && !errors.Is(err, pledges.ErrWithdrawalOver) {
			t.Errorf("%s after the end: %s, %v", c.kind, own.Status, err)
		}
		if n := w.closings(t, id, closing.Withdrawn); (n == 1) != c.may {
			t.Errorf("%s: %d messages to the payment service", c.kind, n)
		}
		if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload ->> 'pledge_id' = ?`, mails.KindWithdrawnAfter, id); (n == 1) != c.may {
			t.Errorf("%s: %d mails to the creator", c.kind, n)
		}
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload -> 'withdrawal' ->> 'after' = 'true'`, mails.KindWithdrawal); n != 3 {
		t.Errorf("%d acknowledgements", n)
	}
	// The outcome stands, and what is shown follows.
	if after := w.number(t, `SELECT accepted FROM campaign_endings WHERE campaign_id = ?`, w.campaign); after != before || before != 6 {
		t.Errorf("it ended with %d, and now with %d", before, after)
	}
	if n := w.number(t, `SELECT stage FROM campaigns WHERE id = ?`, w.campaign); campaigns.Stage(n) != campaigns.StageSucceeded {
		t.Errorf("its stage is %d", n)
	}
	if n := w.number(t, `SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 2*120_00+20_00 {
		t.Errorf("%d are reached", n)
	}
	w.checkInvariants(t)
}

// A term that comes into force later is not that of an earlier pledge.
func TestWithdraw_ByTheTermOfItsDay(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	goods := w.paidBy(t, me, w.single, pledges.Paid)
	gift := w.paidBy(t, me, 0, pledges.Paid)
	w.exec(t, `INSERT INTO withdrawal_terms VALUES ('goods', '2026-12-01', 0, 'contract', 0), ('gift', '2026-11-02', 5, 'contract', 0)`)
	w.end(t)
	if _, err := w.WithdrawOwn(t.Context(), me, goods.ID, "fi"); err != nil {
		t.Errorf("goods of an earlier day: %v", err)
	}
	if _, err := w.WithdrawOwn(t.Context(), me, gift.ID, "fi"); err != nil {
		t.Errorf("a gift of a later day: %v", err)
	}
}

func TestWithdraw_OfACampaignThatReturnsEverything_IsOver(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidBy(t, me, w.single, pledges.Paid)
	w.moveStage(t, campaigns.StageClosed)
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); !errors.Is(err, pledges.ErrWithdrawalOver) {
		t.Errorf("answered %v", err)
	}
}

func (w *world) sentMails(t *testing.T) int64 {
	t.Helper()
	return w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindSent)
}

func TestMarkSent_StartsTheTermOfEachThatWaits_AndNeverShortensIt(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	w.exec(t, `UPDATE rewards SET stock = 10 WHERE id = ?`, w.single)
	first, second, back := w.paidBy(t, me, w.single, pledges.Paid), w.paidBy(t, me, w.single, pledges.Paid), w.paidBy(t, me, w.single, pledges.Refunded)
	other := w.paidBy(t, me, w.single, pledges.Failed)
	mark := func(on campaigns.Day, receipt string) error {
		sent := pledges.Sent{CampaignID: w.campaign, RewardID: w.single, On: on}
		if receipt != "" {
			sent.Receipt = &receipt
		}
		return w.MarkSent(t.Context(), sent, changes.User(w.creator))
	}
	until := func(p pledges.View) string {
		page, err := w.ListOwn(t.Context(), me, "fi", "", 50, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, own := range page.List {
			if own.ID == p.ID && own.Withdrawal.At != nil {
				return own.Withdrawal.At.Format(time.DateOnly)
			}
		}
		return ""
	}
	receipt := ""
	w.db.Raw(`SELECT receipt_number FROM pledges WHERE id = ?`, second.ID).Scan(&receipt)
	if err := mark("2026-11-20", ""); !errors.Is(err, pledges.ErrNotEnded) {
		t.Errorf("before the end: %v", err)
	}
	w.end(t)
	w.clock.set(time.Date(2027, 1, 14, 12, 0, 0, 0, time.UTC))
	if got := until(first); got != "" {
		t.Errorf("a term runs until %s, and nothing is sent", got)
	}
	for on, rule := range map[campaigns.Day]string{"2026-11-30": apperr.RuleDateFrom, "2027-01-15": apperr.RuleDateTo} {
		var fault *apperr.Error
		if err := mark(on, ""); !errors.As(err, &fault) || len(fault.Fields) != 1 || fault.Fields[0].Rule != rule {
			t.Errorf("on %s: %v", on, err)
		}
	}
	var fault *apperr.Error
	if err := mark("2027-01-04", "TK-2026-999999"); !errors.As(err, &fault) || fault.Fields[0].Rule != apperr.RuleUnknownReceipt {
		t.Errorf("an unknown receipt: %v", err)
	}
	for _, empty := range []string{" ", "\u200b"} { // no number is not all who wait
		if err := mark("2027-01-04", empty); !errors.As(err, &fault) || fault.Fields[0].Rule != apperr.RuleRequired {
			t.Errorf("the receipt %q: %v", empty, err)
		}
	}
	for _, step := range []struct {
		on            campaigns.Day
		receipt       string
		first, second string
		told          int64
	}{
		{"2027-01-12", " " + strings.ToLower(receipt), "", "2027-02-02", 1}, // as it was typed
		{"2027-01-11", "", "2027-02-01", "2027-02-02", 2},                   // who has a day keeps it
		{"2027-01-14", "", "2027-02-01", "2027-02-02", 2},                   // a repeat for all
		{"2027-01-05", receipt, "2027-02-01", "2027-02-02", 2},
		{"2027-01-14", receipt, "2027-02-01", "2027-02-04", 3},
	} {
		if err := mark(step.on, step.receipt); err != nil {
			t.Fatal(err)
		}
		if one, two := until(first), until(second); one != step.first || two != step.second {
			t.Errorf("sent on %s to %q: until %s and %s, want %s and %s", step.on, step.receipt, one, two, step.first, step.second)
		}
		if n := w.sentMails(t); n != step.told {
			t.Errorf("sent on %s to %q: %d mails, want %d", step.on, step.receipt, n, step.told)
		}
	}
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE sent_on IS NOT NULL AND id IN (?, ?)`, back.ID, other.ID); n != 0 {
		t.Errorf("%d of whom nothing is owed have a day", n)
	}
	list, endedOn, err := w.Deliveries(t.Context(), w.campaign, "fi")
	if err != nil || endedOn != "2026-12-01" || len(list) != 1 || list[0].Waiting != 0 || list[0].Sent != 2 || list[0].LastSentOn.Format(time.DateOnly) != "2027-01-14" {
		t.Errorf("delivers %+v of %s, %v", list, endedOn, err)
	}
	w.clock.set(time.Date(2027, 2, 2, 12, 0, 0, 0, time.UTC))
	if _, err := w.WithdrawOwn(t.Context(), me, first.ID, "fi"); !errors.Is(err, pledges.ErrWithdrawalOver) {
		t.Errorf("after its term: %v", err)
	}
	if _, err := w.WithdrawOwn(t.Context(), me, second.ID, "fi"); err != nil {
		t.Errorf("within its term: %v", err)
	}
	w.checkInvariants(t)
}

// The campaign's team is told what of the sum goes back: a bank has the rest.
func TestWithdraw_AfterTheEnd_TellsTheTeamWhatGoesBack(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p, r := w.twice(t, me)
	w.end(t)
	w.mustApply(t, ofRaise(r, pledges.PaymentDisputed), pledges.Applied)
	if _, err := w.WithdrawOwn(t.Context(), me, p.ID, "fi"); err != nil {
		t.Fatal(err)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload -> 'goes_back' = '{"minor": 14650, "contested_minor": 9000}'`,
		mails.KindWithdrawnAfter); n != 1 {
		t.Error("the team is told another sum")
	}
}
