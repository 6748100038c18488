package pledges_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/idem"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/receiptlinks"
)

// choice is one of a reward, 0 for none, by a caller whose key says what it is.
func choice(key string, number int, reward int64, quantity int, amount string) pledges.Choice {
	c := pledges.Choice{Quantity: quantity, Amount: json.Number(amount), Number: number, Key: key, Hash: []byte(key + amount)}
	if reward != 0 {
		c.RewardID = &reward
	}
	return c
}

// paidByPost is a paid pledge of 3 items by post with 5 euros more: 3 × 45 + 6.50 + 5.
func (w *world) paidByPost(t *testing.T, user int64) pledges.View {
	t.Helper()
	p := w.backs(t, user, leena, func(in *pledges.Input) {
		w.byPost(in)
		in.Meta.Quantity, in.Amount = 3, "146.5"
	})
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	return p
}

// told are the sums that the payment service is asked to give back, and why.
func (w *world) told(t *testing.T) (list []string) {
	t.Helper()
	err := w.db.Raw(`SELECT concat_ws(' ', payload ->> 'amount_minor', payload ->> 'reason') FROM outbox WHERE kind = ? ORDER BY id`, pledges.KindRefund).Scan(&list).Error
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestChoice_FewerOfTheSameKeepsItsTerms_AndEverythingFollowsAtOnce(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	before, _ := w.View(t.Context(), p.ID, "fi")
	// What has become of the reward since does not matter to who has bought it.
	w.exec(t, `UPDATE rewards SET amount_minor = 9900, active = 0, version = version + 1, offer_version = offer_version + 1, added_costs = '[]' WHERE id = ?`, w.posted)
	w.clock.advance(time.Hour)
	for range 3 {
		own, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, w.posted, 2, "101.5"))
		if err != nil {
			t.Fatal(err)
		}
		if own.Amount.Minor != 101_50 || own.ChargedMinor != 146_50 || own.Quantity != 2 || own.Changes != 1 || own.Choice != pledges.ChoiceOpen || own.Status != pledges.Paid {
			t.Errorf("is now %+v", own)
		}
		var lines []string
		for _, l := range own.Lines {
			lines = append(lines, l.Label)
		}
		if !slices.Equal(lines, []string{"2 × Iltavuoro", "Kirje", "Vapaa lisä"}) || own.Lines[2].AmountMinor != 5_00 {
			t.Errorf("comes to %+v", own.Lines)
		}
		if own.Parts != (pledges.Parts{UnitMinor: 45_00, AddedMinor: 6_50, ExtraMinor: 5_00}) {
			t.Errorf("is made of %+v", own.Parts)
		}
		if own.ReceiptNumber != before.ReceiptNumber || !own.PaidAt.Equal(*before.PaidAt) || own.Shipping == nil {
			t.Errorf("is not the same pledge: %+v", own)
		}
	}
	if n := w.reserved(t, w.posted); n != 2 {
		t.Errorf("%d are held", n)
	}
	if n := w.number(t, `SELECT funding_reached_minor FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 101_50 {
		t.Errorf("the campaign has %d", n)
	}
	if n := w.number(t, `SELECT backers FROM campaign_totals WHERE campaign_id = ?`, w.campaign); n != 1 {
		t.Errorf("%d backers", n)
	}
	if got := w.told(t); !slices.Equal(got, []string{"4500 changed"}) {
		t.Errorf("goes back: %v", got)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindChanged); n != 1 {
		t.Errorf("%d mails", n)
	}
	w.checkInvariants(t)
}

func TestChoice_AnotherRewardMovesStockAndBackers_AndKeepsNoAddressThatNobodyNeeds(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	other := choice("a", 0, w.unlimited, 2, "20")
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", other); fieldsOf(err) != "custom_questions.custom_question_1 answer_required" {
		t.Errorf("without an answer: %v", fieldsOf(err))
	}
	other.Answers = map[string]string{"custom_question_1": "Leena"}
	own, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", other)
	if err != nil || own.RewardTitle != "Kauha" || own.Amount.Minor != 20_00 || own.Shipping != nil {
		t.Fatalf("%+v, %v", own, err)
	}
	if n := w.number(t, `SELECT vat_minor FROM pledges WHERE id = ?`, p.ID); n != 4_06 { // of 20 at 25.5 %
		t.Errorf("tax of %d", n)
	}
	if w.reserved(t, w.posted) != 0 || w.number(t, `SELECT backers FROM rewards WHERE id = ?`, w.posted) != 0 || w.number(t, `SELECT backers FROM rewards WHERE id = ?`, w.unlimited) != 1 {
		t.Error("the first reward is not free, or the second one is not theirs")
	}
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE details ? 'address_street'`, gorm.Expr("?")); n != 0 {
		t.Error("an address is kept for nothing")
	}
	w.checkInvariants(t)
	// and back, to one that is sent: the address and the way are asked for again
	back := choice("b", 1, w.posted, 0, "20")
	back.Quantity, back.Amount = 1, "45"
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", back); !strings.Contains(fieldsOf(err), "address_street required") {
		t.Errorf("sent nowhere: %v", fieldsOf(err))
	}
	plain, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("c", 1, 0, 1, "12"))
	if err != nil || plain.RewardTitle != "" || plain.Amount.Minor != 12_00 || plain.Lines[0].Label != "Tuki ilman vastiketta" {
		t.Errorf("without a reward: %+v, %v", plain, err)
	}
	if got := w.told(t); !slices.Equal(got, []string{"12650 changed", "800 changed"}) {
		t.Errorf("goes back: %v", got)
	}
	w.checkInvariants(t)
}

// fieldsOf are the faults of an answer.
func fieldsOf(err error) string {
	var faults *apperr.Error
	if !errors.As(err, &faults) {
		return ""
	}
	var list []string
	for _, f := range faults.Fields {
		list = append(list, f.Path+" "+f.Rule)
	}
	return strings.Join(list, ", ")
}

func TestChoice_TheSameIsNoChange_AndTheSameSumMovesNoMoney(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	own, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, w.posted, 3, "146.5"))
	if err != nil || own.Changes != 0 || w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindChanged) != 0 {
		t.Errorf("the same: %+v, %v", own, err)
	}
	// one item less, its price given as free support
	if own, err = w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("b", 0, w.posted, 2, "146.5")); err != nil || own.Changes != 1 || own.Lines[2].AmountMinor != 50_00 {
		t.Errorf("%+v, %v", own.Lines, err)
	}
	if got := w.told(t); len(got) != 0 || own.ChargedMinor != own.Amount.Minor {
		t.Errorf("goes back: %v", got)
	}
	w.checkInvariants(t)
}

// What may be changed by status and time, and what the answer is otherwise: the whole table.
func TestChoice_ByStatusAndTime(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	deadline := time.Unix(w.number(t, `SELECT extract(epoch FROM funding_deadline)::bigint FROM campaigns WHERE id = ?`, w.campaign), 0)
	made := map[pledges.Status]pledges.View{}
	for _, status := range []pledges.Status{pledges.Created, pledges.Processing, pledges.Paid, pledges.PartlyRefunded, pledges.Disputed, pledges.Refunded, pledges.Failed} {
		made[status] = w.paidBy(t, me, 0, status)
	}
	check := func(when string, stateOf func(pledges.Status) pledges.ChoiceState) {
		t.Helper()
		for status, p := range made {
			state := stateOf(status)
			own, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice(when, 0, 0, 1, "15"))
			want := map[bool]error{false: pledges.ErrNotChangeable, true: pledges.ErrContested}[state == pledges.ChoiceContested]
			if state == pledges.ChoiceOpen {
				want = nil
			}
			if want == nil && err != nil || want != nil && !errors.Is(err, want) {
				t.Errorf("%s %s: %v, want %v", status, when, err, want)
			}
			page, listed := w.ListOwn(t.Context(), me, "fi", "", 100, 0)
			if listed != nil {
				t.Fatal(listed)
			}
			for _, own = range page.List {
				if own.ID == p.ID && own.Choice != state {
					t.Errorf("%s %s: the page says %s", status, when, own.Choice)
				}
			}
		}
	}
	byStatus := func(whilePaid pledges.ChoiceState) func(pledges.Status) pledges.ChoiceState {
		return func(status pledges.Status) pledges.ChoiceState {
			open := map[pledges.Status]pledges.ChoiceState{pledges.Processing: pledges.ChoiceSettling, pledges.Paid: pledges.ChoiceOpen,
				pledges.PartlyRefunded: pledges.ChoicePartReturned}
			switch state, isPaid := open[status]; {
			case status == pledges.Disputed:
				return pledges.ChoiceContested
			case isPaid && whilePaid != "":
				return whilePaid
			case isPaid:
				return state
			}
			return pledges.ChoiceNone
		}
	}
	w.clock.set(deadline)
	check("at the last second's end", byStatus(pledges.ChoiceOver))
	w.clock.set(deadline.Add(-time.Second))
	w.exec(t, `UPDATE campaigns SET hold = 'on_hold' WHERE id = ?`, w.campaign)
	check("on hold", byStatus(pledges.ChoiceOnHold))
	w.exec(t, `UPDATE campaigns SET hold = '' WHERE id = ?`, w.campaign)
	check("in the last second", byStatus(""))
	w.checkInvariants(t)
}

func TestChoice_RefusesWhatCannotBe(t *testing.T) {
	w := setup(t)
	me, other := w.person(t, leena), w.person(t, "other@example.fi")
	p := w.paidByPost(t, me)
	few := w.addReward(t, 1)
	taken := w.mustCreate(t, w.input(few, "10"))
	w.mustApply(t, event(taken, pledges.PaymentSucceeded), pledges.Applied)
	version := int64(99)
	changed := choice("v", 0, w.single, 1, "120")
	changed.RewardVersion = &version
	for what, c := range map[string]struct {
		choice pledges.Choice
		want   error
		fields string
	}{
		"a further charge too small to be": {choice("a", 0, w.posted, 3, "146.99"), nil, "amount amount_too_small"},
		"less than the reward costs":       {choice("b", 0, w.posted, 2, "96.49"), nil, "amount amount_too_small"},
		"a cent of support":                {choice("c", 0, 0, 1, "0.01"), nil, "amount amount_too_small"},
		"a reward that is all gone":        {choice("d", 0, few, 1, "10"), rewards.ErrGone, ""},
		"a closed reward":                  {choice("e", 0, w.closed, 1, "60"), rewards.ErrClosed, ""},
		"a reward that was changed":        {changed, pledges.ErrRewardChanged, ""},
		"a pledge that was changed":        {choice("f", 1, w.posted, 2, "96.5"), pledges.ErrChangedElsewhere, ""},
		"more of the same without its way": {choice("g", 0, w.posted, 4, "146.5"), nil, "added_cost required"},
		"another campaign's reward":        {choice("h", 0, 9999, 1, "10"), nil, "reward_id unknown_reward"},
	} {
		_, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", c.choice)
		if c.want != nil && !errors.Is(err, c.want) || !strings.Contains(fieldsOf(err), c.fields) || err == nil {
			t.Errorf("%s: %v (%s)", what, err, fieldsOf(err))
		}
	}
	if _, err := w.ChangeOwnChoice(t.Context(), other, p.ID, "fi", choice("i", 0, 0, 1, "10")); !errors.Is(err, pledges.ErrUnknown) {
		t.Errorf("another's: %v", err)
	}
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("k", 0, w.posted, 2, "101.5")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("k", 1, w.posted, 1, "56.5")); !errors.Is(err, idem.ErrMismatch) {
		t.Errorf("the same key for another: %v", err)
	}
	if n := w.reserved(t, w.posted); n != 2 || w.number(t, `SELECT count(*) FROM pledge_changes`) != 1 {
		t.Errorf("%d are held", n)
	}
	w.checkInvariants(t)
}

// What goes back because of a change ends nothing; what goes back of the rest is counted apart, in whatever order banks tell.
func TestChoice_ItsRefundLeavesThePledgePaid(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	changed := func() pledges.View {
		p := w.paidBy(t, me, 0, pledges.Paid)
		if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, 0, 1, "12")); err != nil {
			t.Fatal(err)
		}
		return p
	}
	refund := func(p pledges.View, now, all, ofChange int64, reason string) pledges.Event {
		e := refundOf(p, now, all, reason)
		e.ChangedMinor = ofChange
		return e
	}
	is := func(p pledges.View, status pledges.Status, refunded, ofChange int64) {
		t.Helper()
		v, err := w.View(t.Context(), p.ID, "fi")
		if err != nil || v.Status != status || v.AmountRefundedMinor != refunded || v.ChangeRefundedMinor != ofChange {
			t.Errorf("is %s, %d back and %d of the change, %v", v.Status, v.AmountRefundedMinor, v.ChangeRefundedMinor, err)
		}
		w.checkInvariants(t)
	}
	a := changed()
	back := refund(a, 8_00, 8_00, 8_00, "changed")
	w.mustApply(t, back, pledges.Applied)
	w.mustApply(t, back, pledges.Applied)                                   // told twice
	w.mustApply(t, refund(a, 8_00, 8_00, 8_00, "changed"), pledges.Ignored) // and by another look
	w.mustApply(t, event(a, pledges.PaymentSucceeded), pledges.Ignored)     // late
	is(a, pledges.Paid, 0, 8_00)
	w.mustApply(t, refund(a, 3_00, 11_00, 8_00, "requested"), pledges.Applied)
	is(a, pledges.PartlyRefunded, 3_00, 8_00)
	w.mustApply(t, refund(a, 9_00, 20_00, 8_00, "requested"), pledges.Applied)
	is(a, pledges.Refunded, 12_00, 8_00)

	b := changed()
	if _, err := w.WithdrawOwn(t.Context(), me, b.ID, "fi"); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, refund(b, 12_00, 12_00, 0, "withdrawn"), pledges.Applied)
	is(b, pledges.Withdrawn, 12_00, 0)
	w.mustApply(t, refund(b, 8_00, 20_00, 8_00, "changed"), pledges.Applied)
	is(b, pledges.Refunded, 12_00, 8_00)

	c := changed()
	w.mustApply(t, event(c, pledges.PaymentDisputed), pledges.Applied)
	w.mustApply(t, refund(c, 8_00, 8_00, 8_00, "changed"), pledges.Applied)
	is(c, pledges.Disputed, 0, 8_00)
	w.mustApply(t, event(c, pledges.PaymentReinstated), pledges.Applied)
	is(c, pledges.Paid, 0, 8_00)

	d := changed() // a bank has taken 1.00, and people gave the rest back before the change's own refund had begun
	w.mustApply(t, event(d, pledges.PaymentDisputed), pledges.Applied)
	w.mustApply(t, refund(d, 19_00, 19_00, 0, "requested"), pledges.Applied)
	is(d, pledges.Refunded, 12_00, 7_00)

	e := changed() // people gave more than it comes to back at the provider, before the change's own refund was made: the rest of that follows
	w.mustApply(t, refund(e, 16_00, 16_00, 0, "requested"), pledges.Applied)
	is(e, pledges.Refunded, 12_00, 4_00)
	w.mustApply(t, refund(e, 4_00, 20_00, 4_00, "changed"), pledges.Applied)
	w.mustApply(t, refund(e, 4_00, 20_00, 4_00, "changed"), pledges.Ignored)
	is(e, pledges.Refunded, 12_00, 8_00)
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload -> 'refund' ->> 'reason' = 'changed'`, mails.KindRefund); n != 4 {
		t.Errorf("%d mails of money that is back", n)
	}
}

func (w *world) inputOf(user, reward int64) pledges.Input {
	in := w.input(reward, "10")
	in.UserID = &user
	return in
}

// A change whose money could not be told to the payment service is none.
func TestChoice_IsOneWithItsMessage(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	w.exec(t, `ALTER TABLE outbox RENAME TO elsewhere`)
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, w.posted, 1, "51.5")); err == nil {
		t.Error("changed without a word to the payment service")
	}
	if n := w.reserved(t, w.posted); n != 3 || w.number(t, `SELECT count(*) FROM pledge_changes`) != 0 {
		t.Errorf("%d are held", n)
	}
	w.checkInvariants(t)
}

// Over the API: the person's own and by a link, which tells of the mail address in part; everybody else has no such pledge.
func TestChoice_OverTheAPI(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	me, other := w.person(t, leena), w.person(t, "other@example.fi")
	p := w.paidByPost(t, 0)
	const body = `{"key":"one","number":0,"reward_id":null,"quantity":1,"amount":20}`
	if code := as(t, h, other, http.MethodPost, "/pledges/"+p.ID+"/choice/", body, nil); code != http.StatusForbidden {
		t.Errorf("another's: %d", code)
	}
	if code := as(t, h, 0, http.MethodPost, "/pledges/"+p.ID+"/choice/", body, nil); code != http.StatusUnauthorized {
		t.Errorf("nobody's: %d", code)
	}
	var answer struct {
		Pledge struct {
			Amount  json.Number `json:"amount"`
			Charged json.Number `json:"amount_charged"`
			Back    json.Number `json:"amount_change_refunded"`
			Email   string      `json:"email"`
			Choice  struct {
				State  string
				Number int
				Until  *time.Time
			}
		}
		Fields []struct{ Path, Rule string }
	}
	token := w.token(t, p.ID)
	if code := as(t, h, 0, http.MethodPost, "/pledge-links/choice/", `{"token":"`+token+`","choice":`+body+`}`, &answer); code != http.StatusOK ||
		answer.Pledge.Amount != "20" || answer.Pledge.Charged != "146.5" || answer.Pledge.Back != "0" || answer.Pledge.Email != "l···@example.fi" ||
		answer.Pledge.Choice.State != "open" || answer.Pledge.Choice.Number != 1 || answer.Pledge.Choice.Until == nil {
		t.Errorf("by the link: %d %+v", code, answer)
	}
	const second = `{"key":"two","number":1,"reward_id":null,"quantity":1,"amount":0.01}`
	if code := as(t, h, me, http.MethodPost, "/pledges/"+p.ID+"/choice/", second, &answer); code != http.StatusUnprocessableEntity || len(answer.Fields) != 1 {
		t.Errorf("too little: %d %+v", code, answer.Fields)
	}
	if n := w.number(t, `SELECT count(*) FROM pledge_changes WHERE cause = 'link'`); n != 1 {
		t.Errorf("%d changes by the link", n)
	}
	if _, err := w.ChangeOpenedChoice(t.Context(), "x", "fi", choice("c", 1, 0, 1, "10")); !errors.Is(err, receiptlinks.ErrLink) {
		t.Errorf("by no link: %v", err)
	}
}
