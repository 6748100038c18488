package pledges_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
)

// raised asks for a change to a higher sum and gives the further charge that waits for its money.
func (w *world) raised(t *testing.T, user int64, id string, c pledges.Choice) pledges.Raise {
	t.Helper()
	own, err := w.ChangeOwnChoice(t.Context(), user, id, "fi", c)
	if err != nil || own.Raise == nil {
		t.Fatalf("no further charge: %+v, %v", own.Raise, err)
	}
	return *own.Raise
}

// ofRaise is an event of a further charge's payment of its whole amount.
func ofRaise(r pledges.Raise, kind pledges.EventType) pledges.Event {
	return event(pledges.View{ID: r.ID, Price: pledges.Price{Amount: money.New(r.AmountMinor, "EUR")}}, kind)
}

// backOf is an event of money that went back of a charge.
func backOf(of pledges.Event, now, all, ofChange int64, reason string) pledges.Event {
	e := of
	e.ID, e.Sequence = "back-"+of.ID, of.Sequence+1
	e.Type, e.RefundMinor, e.RefundedMinor, e.ChangedMinor, e.RefundReason = pledges.PaymentRefunded, now, all, ofChange, reason
	return e
}

func (w *world) ownOf(t *testing.T, user int64, id string) pledges.Own {
	t.Helper()
	page, err := w.ListOwn(t.Context(), user, "fi", "", 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range page.List {
		if own.ID == id {
			return own
		}
	}
	t.Fatal("the pledge is not theirs")
	return pledges.Own{}
}

func (w *world) closedFor(t *testing.T, subject string) (reasons []string) {
	t.Helper()
	if err := w.db.Raw(`SELECT payload ->> 'reason' FROM outbox WHERE kind = ? AND payload ->> 'subject_id' = ? ORDER BY id`, closing.Kind, subject).Scan(&reasons).Error; err != nil {
		t.Fatal(err)
	}
	return reasons
}

// byPostMore is five items by post: 5 × 45 + 6.50 + 5, which is 90 more than paidByPost.
func byPostMore(w *world, key string, number int) pledges.Choice {
	c := choice(key, number, w.posted, 5, "236.5")
	c.AddedCost = new(1)
	return c
}

func TestRaise_ChangesNothingUntilItIsPaid_ThenEverythingAtOnce(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	var r pledges.Raise
	for range 3 { // an answer that was lost is no second charge
		r = w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	}
	if r.AmountMinor != 90_00 || r.FromMinor != 146_50 || r.Quantity != 5 || r.RewardTitle != "Iltavuoro" || r.Status != pledges.Created {
		t.Fatalf("waits for %+v", r)
	}
	own := w.ownOf(t, me, p.ID)
	if own.Amount.Minor != 146_50 || own.Quantity != 3 || own.Changes != 0 || own.Choice != pledges.ChoiceWaits || w.reached(t) != 146_50 {
		t.Errorf("the pledge is %+v already", own)
	}
	if n := w.reserved(t, w.posted); n != 5 {
		t.Errorf("%d are held", n)
	}
	w.checkInvariants(t)
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("b", 0, w.posted, 2, "101.5")); !errors.Is(err, pledges.ErrNotChangeable) {
		t.Errorf("changed while a charge waits: %v", err)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentStarted), pledges.Applied)
	success := ofRaise(r, pledges.PaymentSucceeded)
	for range 2 { // told twice
		w.mustApply(t, success, pledges.Applied)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Ignored)  // and by another look
	w.mustApply(t, ofRaise(r, pledges.PaymentProcessing), pledges.Ignored) // late
	own = w.ownOf(t, me, p.ID)
	if own.Amount.Minor != 236_50 || own.ChargedMinor != 236_50 || own.Quantity != 5 || own.Changes != 1 || own.Choice != pledges.ChoiceOpen || own.Raise != nil ||
		own.Status != pledges.Paid || own.Shipping == nil {
		t.Errorf("is now %+v", own)
	}
	if len(own.Charges) != 2 || own.Charges[0].AmountMinor != 146_50 || own.Charges[1].AmountMinor != 90_00 || own.Charges[1].Method != "Visa ···· 4242" {
		t.Errorf("was charged %+v", own.Charges)
	}
	if w.reached(t) != 236_50 || w.number(t, `SELECT backers FROM campaign_totals WHERE campaign_id = ?`, w.campaign) != 1 || w.reserved(t, w.posted) != 5 {
		t.Error("totals or stock are another")
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindChanged); n != 1 {
		t.Errorf("%d mails", n)
	}
	if n := w.number(t, `SELECT count(*) FROM pledge_raises WHERE details <> '{}'`); n != 0 {
		t.Error("an address is kept twice")
	}
	w.checkInvariants(t)
}

func TestRaise_AnotherReward_HoldsBothUntilItIsDecided(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, choice("a", 0, w.single, 1, "200"))
	if w.reserved(t, w.posted) != 3 || w.reserved(t, w.single) != 1 {
		t.Error("one of the two is not held")
	}
	w.exec(t, `UPDATE rewards SET active = 0 WHERE id = ?`, w.single) // what is held is theirs, whatever its creator does
	w.mustApply(t, ofRaise(r, pledges.PaymentStarted), pledges.Applied)
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Applied)
	if w.reserved(t, w.posted) != 0 || w.reserved(t, w.single) != 1 || w.number(t, `SELECT backers FROM rewards WHERE id = ?`, w.single) != 1 {
		t.Error("the first is not free, or the second not theirs")
	}
	if own := w.ownOf(t, me, p.ID); own.RewardTitle != "Ensilöylyt" || own.Shipping != nil || own.Amount.Minor != 200_00 {
		t.Errorf("is %+v", own)
	}
	w.checkInvariants(t)
}

func TestRaise_LapsesAndLetsItsRewardGo_LateMoneyTakesFreshStockOrGoesBack(t *testing.T) {
	w := setup(t)
	me, you := w.person(t, leena), w.person(t, "other@example.fi")
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, choice("a", 0, w.single, 1, "200"))
	w.mustApply(t, ofRaise(r, pledges.PaymentStarted), pledges.Applied)
	w.clock.advance(hold + time.Second)
	if n, err := w.Lapse(t.Context()); n != 1 || err != nil {
		t.Fatalf("%d ended, %v", n, err)
	}
	if own := w.ownOf(t, me, p.ID); own.Raise != nil || own.Choice != pledges.ChoiceOpen || w.reserved(t, w.single) != 0 {
		t.Errorf("is still held: %+v", own.Raise)
	}
	if got := w.closedFor(t, r.ID); len(got) != 0 {
		t.Errorf("the payment service knows until when: %v", got)
	}
	w.checkInvariants(t)
	in := w.inputOf(you, w.single)
	in.Amount = "120"
	gone := w.mustCreate(t, in)
	late := ofRaise(r, pledges.PaymentSucceeded)
	w.mustApply(t, late, pledges.RewardGone)
	w.mustApply(t, backOf(late, 53_50, 53_50, 0, "reward_gone"), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Amount.Minor != 146_50 || own.AmountRefundedMinor != 0 || own.Status != pledges.Paid {
		t.Errorf("the pledge is not what it was: %+v", own)
	}
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ? AND payload -> 'refund' ->> 'raise' = 'true'`, mails.KindRefund); n != 1 {
		t.Errorf("%d mails", n)
	}
	w.checkInvariants(t)
	if err := w.Release(t.Context(), gone.ID); err != nil {
		t.Fatal(err)
	}
	second := w.raised(t, me, p.ID, choice("b", 0, w.single, 1, "200"))
	w.clock.advance(hold + time.Second)
	if _, err := w.Lapse(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, ofRaise(second, pledges.PaymentSucceeded), pledges.Applied) // there is one
	if own := w.ownOf(t, me, p.ID); own.Amount.Minor != 200_00 || w.reserved(t, w.single) != 1 || w.reserved(t, w.posted) != 0 {
		t.Errorf("is %+v", own)
	}
	w.checkInvariants(t)
}

// Two charges for one change are never both taken: who asks again gives the earlier one up.
func TestRaise_OneAtMost(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	errs := make(chan error, 6)
	for i := range 6 {
		go func() {
			_, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", byPostMore(w, string(rune('a'+i)), 0))
			errs <- err
		}()
	}
	asked := 0
	for range 6 {
		err := <-errs
		switch {
		case err == nil:
			asked++
		case !errors.Is(err, pledges.ErrNotChangeable):
			t.Error(err)
		}
	}
	if asked != 1 || w.reserved(t, w.posted) != 5 {
		t.Fatalf("%d wait, %d are held", asked, w.reserved(t, w.posted))
	}
	first := *w.ownOf(t, me, p.ID).Raise
	w.clock.advance(hold + time.Second)
	if _, err := w.Lapse(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := w.raised(t, me, p.ID, byPostMore(w, "again", 0))
	if got := w.closedFor(t, first.ID); !slices.Equal(got, []string{"released"}) {
		t.Errorf("the earlier one is closed with %v", got)
	}
	w.mustApply(t, ofRaise(first, pledges.PaymentSucceeded), pledges.PledgeClosed)
	w.mustApply(t, ofRaise(second, pledges.PaymentSucceeded), pledges.Applied)
	if w.reached(t) != 236_50 || w.reserved(t, w.posted) != 5 {
		t.Error("counted twice")
	}
	w.checkInvariants(t)
}

func TestRaise_GivenUp_LeavesThePledgeAsItWas(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	for range 2 {
		if err := w.ReleaseRaise(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
	}
	if w.reserved(t, w.posted) != 3 || !slices.Equal(w.closedFor(t, r.ID), []string{"released"}) {
		t.Errorf("%d held, closed with %v", w.reserved(t, w.posted), w.closedFor(t, r.ID))
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.PledgeClosed)
	if own := w.ownOf(t, me, p.ID); own.Amount.Minor != 146_50 || own.Choice != pledges.ChoiceOpen {
		t.Errorf("is %+v", own)
	}
	second := w.raised(t, me, p.ID, byPostMore(w, "b", 0))
	w.mustApply(t, ofRaise(second, pledges.PaymentProcessing), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Choice != pledges.ChoiceSettling {
		t.Errorf("is %s while a bank confirms", own.Choice)
	}
	if err := w.ReleaseRaise(t.Context(), second.ID); !errors.Is(err, pledges.ErrSettling) {
		t.Errorf("a bank has it: %v", err)
	}
	w.checkInvariants(t)
	w.mustApply(t, ofRaise(second, pledges.PaymentFailed), pledges.Applied)
	if n := w.number(t, `SELECT count(*) FROM outbox WHERE kind = ?`, mails.KindRaiseFailed); n != 1 || w.reserved(t, w.posted) != 3 {
		t.Errorf("%d mails, %d held", n, w.reserved(t, w.posted))
	}
	w.checkInvariants(t)
}

// As pledges do not: who asks for changes and leaves them keeps no stock from others.
func TestRaise_HoldsNoMoreUnpaidThanPledgesDo(t *testing.T) {
	w := setup(t)
	if err := w.db.Exec(`UPDATE rewards SET stock = 24 WHERE id = ?`, w.posted).Error; err != nil {
		t.Fatal(err)
	}
	me, other := w.person(t, leena), w.person(t, "onni@posti.example")
	mine, theirs := w.paidByPost(t, me), w.paidByPost(t, other)
	more := choice("a", 0, w.posted, 10, "461.5")
	more.AddedCost = new(1)
	r := w.raised(t, me, mine.ID, more) // seven more
	few := choice("b", 0, w.posted, 8, "371.5")
	few.AddedCost = new(1)
	if _, err := w.ChangeOwnChoice(t.Context(), other, theirs.ID, "fi", few); !errors.Is(err, rewards.ErrHeld) {
		t.Errorf("five more beside seven: %v", err)
	}
	if n := w.reserved(t, w.posted); n != 13 {
		t.Errorf("%d are held", n)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Applied)
	w.raised(t, other, theirs.ID, few)
	w.checkInvariants(t)
}

func TestRaise_RefusedWhatCannotBeHad(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	few := w.addReward(t, 1)
	in := w.inputOf(w.person(t, "x@example.fi"), few)
	in.Meta.Quantity = 1
	w.mustCreate(t, in)
	if _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, few, 1, "200")); !errors.Is(err, rewards.ErrGone) {
		t.Errorf("all gone: %v", err)
	}
	wrong := ofRaise(w.raised(t, me, p.ID, choice("b", 0, 0, 1, "200")), pledges.PaymentSucceeded)
	wrong.Amount.Minor--
	w.mustApply(t, wrong, pledges.PledgeClosed)
	if own := w.ownOf(t, me, p.ID); own.Amount.Minor != 146_50 {
		t.Errorf("changed by another sum: %+v", own)
	}
	w.checkInvariants(t)
}

func TestRaise_CampaignClosedOrOnHold_EndsWhatWaits(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	if err := w.tryStage(t.Context(), campaigns.StageSucceeded); err == nil {
		t.Error("counted while a charge waits")
	}
	w.exec(t, `UPDATE campaigns SET hold = 'on_hold' WHERE id = ?`, w.campaign)
	if order, err := w.Order(t.Context(), r.ID); err != nil || order.State != internalapi.Closed {
		t.Errorf("may be paid while its campaign is on hold: %+v, %v", order, err)
	}
	if n, err := w.Lapse(t.Context()); n != 1 || err != nil {
		t.Fatal(n, err)
	}
	if got := w.closedFor(t, r.ID); !slices.Equal(got, []string{"campaign_on_hold"}) {
		t.Errorf("closed with %v", got)
	}
	w.exec(t, `UPDATE campaigns SET hold = '' WHERE id = ?`, w.campaign)
	second := w.raised(t, me, p.ID, byPostMore(w, "b", 0))
	w.moveStage(t, campaigns.StageClosed)
	w.mustApply(t, ofRaise(second, pledges.PaymentSucceeded), pledges.PledgeClosed)
	if n, err := w.Lapse(t.Context()); n != 1 || err != nil || w.reserved(t, w.posted) != 3 {
		t.Fatal(n, err)
	}
	if n := w.number(t, `SELECT accepted_minor FROM campaign_endings WHERE campaign_id = ?`, w.campaign); n != 146_50 {
		t.Errorf("counted with %d", n)
	}
	w.checkInvariants(t)
}

func TestRaise_ItsOrderIsOfTheDifference_AndNamesItsPledge(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	order, err := w.Order(t.Context(), r.ID)
	if err != nil || order.State != internalapi.Payable || order.AmountMinor != 90_00 || order.SubjectID != r.ID || order.PledgeID == nil || *order.PledgeID != p.ID ||
		order.BackerUserID == nil || *order.BackerUserID != me || order.ReturnPath != "/payment-return/?pledge="+r.ID || !order.PayableUntil.Equal(r.CreatedAt.Add(hold)) {
		t.Errorf("%+v, %v", order, err)
	}
	if bought, err := w.Bought(t.Context(), r.ID); err != nil || len(bought.Lines) == 0 {
		t.Errorf("whoever answers a bank reads %+v, %v", bought, err)
	}
	w.mustApply(t, event(p, pledges.PaymentDisputed), pledges.Applied)
	if order, err := w.Order(t.Context(), r.ID); err != nil || order.State != internalapi.Closed {
		t.Errorf("more is charged while a bank decides: %+v, %v", order, err)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.PledgeClosed)
}

func TestRaise_OverTheAPI_WhoHasThePledgePaysItAndNobodyElse(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	other := w.person(t, "other@example.fi")
	p := w.paidByPost(t, 0)
	type raise struct {
		ID     string `json:"raise_id"`
		Token  string `json:"order_token"`
		Status string
	}
	var answer struct {
		Pledge struct{ Choice struct{ Raise *raise } }
		Raise  raise
	}
	body := `{"token":"` + w.token(t, p.ID) + `","choice":{"key":"one","number":0,"reward_id":null,"quantity":1,"amount":200}}`
	if code := as(t, h, 0, http.MethodPost, "/pledge-links/choice/", body, &answer); code != http.StatusOK || answer.Pledge.Choice.Raise == nil || answer.Pledge.Choice.Raise.Token == "" {
		t.Fatalf("by the link: %d %+v", code, answer)
	}
	path := "/raises/" + answer.Pledge.Choice.Raise.ID + "/"
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		if code := as(t, h, other, method, path, "", nil); code != http.StatusForbidden {
			t.Errorf("another's %s: %d", method, code)
		}
		if code := as(t, h, 0, method, path, "", nil); code != http.StatusForbidden {
			t.Errorf("nobody's %s: %d", method, code)
		}
	}
	// The link leads to a token that pays and shows the change, and uses nothing that an account has paid with before.
	keys, err := ordertoken.New([]byte(serviceSecret), w.clock.now)
	if err != nil || !keys.Opens(answer.Pledge.Choice.Raise.Token, ordertoken.Paying, answer.Pledge.Choice.Raise.ID) {
		t.Errorf("the link's token is of another kind, %v", err)
	}
	by := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	by.Header.Set(ordertoken.Header, answer.Pledge.Choice.Raise.Token)
	shown := httptest.NewRecorder()
	if h.ServeHTTP(shown, by); shown.Code != http.StatusOK {
		t.Errorf("by the link's token: %d %s", shown.Code, shown.Body)
	}
	me := w.person(t, leena)
	if code := as(t, h, me, http.MethodGet, path, "", &answer); code != http.StatusOK || answer.Raise.Status != "created" {
		t.Errorf("own: %d %+v", code, answer.Raise)
	}
	if code := as(t, h, me, http.MethodDelete, path, "", nil); code != http.StatusNoContent {
		t.Errorf("given up: %d", code)
	}
}

func TestRaise_WhoseAccountIsErased_WaitsForNothingAndSaysNothing(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	w.mustApply(t, ofRaise(r, pledges.PaymentProcessing), pledges.Applied)
	erase := func() error {
		return dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
			held, err := w.Lock(t.Context(), tx, me, leena, nil)
			if err == nil {
				_, err = w.Erase(t.Context(), tx, held)
			}
			return err
		})
	}
	if err := erase(); !errors.Is(err, pledges.ErrUndecided) {
		t.Errorf("erased while a bank decides: %v", err)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentFailed), pledges.Applied)
	w.raised(t, me, p.ID, byPostMore(w, "b", 0))
	if err := erase(); err != nil {
		t.Fatal(err)
	}
	if n := w.number(t, `SELECT count(*) FROM pledge_raises WHERE details <> '{}' OR released_at IS NULL OR stock_held`); n != 0 {
		t.Errorf("%d still wait or say where something was to go", n)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.PledgeClosed)
	w.checkInvariants(t)
}

// What a reward's creator makes limited meanwhile counts what is held for a change, too.
func TestRaise_OfARewardThatBecomesLimited_CountsInItsStock(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	in := w.inputOf(me, w.unlimited)
	in.Meta.Answers = map[string]string{"custom_question_1": "Leena"}
	in.Meta.Quantity, in.Meta.Email = 1, leena
	p := w.mustCreate(t, in)
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	more := choice("a", 0, w.unlimited, 3, "30")
	r := w.raised(t, me, p.ID, more)
	if now := w.change(t, w.unlimited, rewards.Change{Stock: pointer(5)}); now.StockReserved != 3 {
		t.Errorf("%d reserved", now.StockReserved)
	}
	w.checkInvariants(t)
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Applied)
	if n := w.number(t, `SELECT quantity FROM pledges WHERE id = ? AND stock_held`, p.ID); n != 3 {
		t.Errorf("%d are theirs", n)
	}
	w.checkInvariants(t)
}

// Where it is sent may change while the change waits: both go there.
func TestRaise_IsSentWhereThePledgeIsSentNow(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	r := w.raised(t, me, p.ID, byPostMore(w, "a", 0))
	to := pledges.Address{Street: "Uusikatu 1", Postcode: "00100", City: "Helsinki", Country: "FI"}
	if _, err := w.ChangeOwn(t.Context(), me, p.ID, "fi", pledges.OwnChange{Address: &to}); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, ofRaise(r, pledges.PaymentSucceeded), pledges.Applied)
	if own := w.ownOf(t, me, p.ID); own.Shipping == nil || own.Shipping.Street != "Uusikatu 1" {
		t.Errorf("is sent to %+v", own.Shipping)
	}
}
