package pledges_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/campaign/variations"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/writing/changes"
)

// change changes a reward as its creator.
func (w *world) change(t *testing.T, rewardID int64, wanted rewards.Change) rewards.Admin {
	t.Helper()
	changed, err := rewards.Apply(t.Context(), w.db, rewards.Edit{RewardID: rewardID, By: changes.User(w.creator),
		Now: w.clock.now()}, wanted)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func pointer[T any](v T) *T { return &v }

func TestReward_ThatIsBoughtIsKeptAsItsBackerBoughtIt(t *testing.T) {
	w := setup(t)
	in := w.input(w.unlimited, "10")
	in.Language = "en"
	in.Meta.Answers = map[string]string{"custom_question_1": "Aino"}
	p := w.mustCreate(t, in)
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)

	w.change(t, w.unlimited, rewards.Change{AmountMinor: pointer(money.Decimal(90_00)),
		VAT: &rewards.VAT{Tenths: 140, Known: true}, Delivery: pointer("2030-01")})
	edit := rewards.Edit{RewardID: w.unlimited, By: changes.User(w.creator), Now: w.clock.now()}
	changed, err := rewards.ApplyTexts(t.Context(), w.db, edit, map[string]rewards.TextChange{
		"en": {Title: pointer("Spoon"), Questions: &rewards.QuestionTexts{"Which wood?"}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(changed.Sold) != 1 || changed.Sold[0].AmountMinor != 10_00 || changed.Sold[0].VATTenths != 255 ||
		changed.Sold[0].Title != "Ladle" ||
		changed.Sold[0].Language != "en" || changed.Sold[0].Delivery != "" || changed.Sold[0].Backers != 1 {
		t.Errorf("sold %+v", changed.Sold)
	}
	view, err := w.View(t.Context(), p.ID, "en")
	if err != nil || view.Delivery != "" || view.Lines[0] != (pledges.Line{Label: "Ladle", AmountMinor: 10_00}) ||
		view.VATMinor != p.VATMinor {
		t.Errorf("the receipt says %+v, %v", view, err)
	}
	var kept rewards.QuestionTexts
	if err := w.db.Raw(`SELECT bought -> 'questions' FROM pledges WHERE id = ?`, p.ID).Row().Scan(&kept); err != nil || len(kept) != 1 || kept[0] != "Which name?" {
		t.Errorf("the question that was answered is kept as %q, %v", kept, err)
	}
}

// A limited reward's stock counts what was pledged while it was unlimited, and gives it back when it is refunded.
func TestStock_OfARewardThatBecomesLimitedCountsWhatWasPledgedBefore(t *testing.T) {
	w := setup(t)
	make := func(qty int) pledges.View {
		in := w.input(w.unlimited, fmt.Sprint(10*qty))
		in.Meta.Quantity, in.Meta.Answers = qty, map[string]string{"custom_question_1": "Aino"}
		return w.mustCreate(t, in)
	}
	paid, waits := make(3), make(2)
	w.mustApply(t, event(paid, pledges.PaymentSucceeded), pledges.Applied)
	edit := rewards.Edit{RewardID: w.unlimited, By: changes.User(w.creator), Now: w.clock.now()}
	_, err := rewards.Apply(t.Context(), w.db, edit, rewards.Change{Stock: pointer(4)})
	if fault := apperr.From(err); fault == nil || len(fault.Fields) != 1 || fault.Fields[0].Params["min"] != 5 {
		t.Errorf("fewer than the five that are pledged: %v", err)
	}
	if r := w.change(t, w.unlimited, rewards.Change{Stock: pointer(6)}); r.StockReserved != 5 {
		t.Errorf("%d reserved", r.StockReserved)
	}
	w.checkInvariants(t)
	if err := w.Release(t.Context(), waits.ID); err != nil {
		t.Fatal(err)
	}
	w.change(t, w.unlimited, rewards.Change{Stock: pointer(0)})
	make(1)
	if got := w.reserved(t, w.unlimited); got != 3 {
		t.Errorf("%d reserved of an unlimited one, want those of before", got)
	}
	w.change(t, w.unlimited, rewards.Change{Stock: pointer(4)})
	w.mustApply(t, event(paid, pledges.PaymentRefunded), pledges.Applied)
	if got := w.reserved(t, w.unlimited); got != 1 {
		t.Errorf("%d reserved after a refund, want 1", got)
	}
	w.checkInvariants(t)
}

func TestReward_ThatIsDeletedTakesNoLateMoney(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(w.single, "120"))
	w.mustApply(t, event(p, pledges.PaymentCanceled), pledges.Applied)
	if err := rewards.Delete(t.Context(), w.db, rewards.Edit{RewardID: w.single, By: changes.User(w.creator),
		Now: w.clock.now()}); err != nil {
		t.Fatal(err)
	}
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.RewardGone)
}

// While a reward's price and stock change, each pledge is made at one price of one version, or refused; none is made at
// a price that was not its amount, and stock stays right.
func TestCreate_WhileTheRewardChangesHoldsThePriceThatWasShown(t *testing.T) {
	w := setup(t)
	id := w.addReward(t, 0)
	var all sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				in := w.input(id, "10")
				view, err := w.Create(t.Context(), in)
				if err == nil && view.Lines[0].AmountMinor != 10_00 {
					t.Errorf("made at %+v", view.Lines)
				}
				if status := apperr.From(err); status != nil && status.Status != apperr.InvalidFields &&
					status.Status != apperr.RewardGone {
					t.Errorf("refused with %v", err)
				}
			}
		})
	}
	for i := range 40 {
		price, stock := money.Decimal(10_00), 0
		if i%2 == 0 {
			price, stock = 20_00, 100_000
		}
		w.change(t, id, rewards.Change{AmountMinor: &price, Stock: &stock})
	}
	close(done)
	all.Wait()
	w.change(t, id, rewards.Change{Stock: pointer(100_000)})
	w.checkInvariants(t)
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE reward_id = ? AND (bought ->> 'amount_minor')::int <> 1000`, id); n != 0 {
		t.Errorf("%d pledges of 10 euros have bought for another price", n)
	}
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE reward_id = ?`, id); n == 0 {
		t.Error("nobody bought anything")
	}
}

func TestCreate_KeepsTheVisitorsHashAndWhereTheyCameFrom(t *testing.T) {
	w := setup(t)
	in := w.input(0, "10")
	in.Visitor, in.Source = "0123456789abcdefghijklmnop", "letter"
	p := w.mustCreate(t, in)
	var kept struct {
		Visitor []byte
		Source  string
	}
	if err := w.db.Raw(`SELECT visitor, source FROM pledges WHERE id = ?`, p.ID).Scan(&kept).Error; err != nil {
		t.Fatal(err)
	}
	hashed := variations.VisitorHasher{}.Hash(in.Visitor, w.campaign)
	if !bytes.Equal(kept.Visitor, hashed) || bytes.Contains(kept.Visitor, []byte("0123")) || kept.Source != "letter" {
		t.Errorf("kept %x of %q, want %x", kept.Visitor, kept.Source, hashed)
	}
	if unknown := w.mustCreate(t, w.input(0, "10")); w.number(t, `SELECT count(*) FROM pledges WHERE id = ? AND visitor IS NULL`, unknown.ID) != 1 {
		t.Error("a backer without a visitor has one")
	}
}

// Who answers a backer's bank is told what they were promised, where it goes, when it was sent, and until when it could be taken back.
func TestBought_SaysWhatWasPromisedAndSent(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	was, err := w.Bought(t.Context(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(was.Lines) != 3 || !strings.HasSuffix(was.Lines[0], " EUR") || was.SentOn != nil || was.WithdrawalUntil == nil ||
		was.ShippingAddress == nil || *was.ShippingAddress != "Opintie 14 B 3, 72400 Pielavesi, FI" {
		t.Errorf("it is %+v", was)
	}
	plain, err := w.Bought(t.Context(), w.mustCreate(t, w.input(0, "10")).ID)
	if want := "Support without a reward: 10.00 EUR"; err != nil || len(plain.Lines) != 1 || plain.Lines[0] != want {
		t.Errorf("without a reward it is %+v, %v, want %q, as banks read English", plain, err, want)
	}
	w.end(t)
	w.exec(t, `UPDATE pledges SET sent_on = '2026-12-04' WHERE id = ?`, p.ID)
	is, err := w.Bought(t.Context(), p.ID)
	if err != nil || is.SentOn == nil || is.SentOn.String() != "2026-12-04" || is.WithdrawalUntil == nil || !is.WithdrawalUntil.After(*was.WithdrawalUntil) {
		t.Errorf("after it was sent it is %+v, %v", is, err)
	}
	w.exec(t, `UPDATE pledges SET status = 'withdrawn', stock_held = false, released_at = now() WHERE id = ?`, p.ID)
	if back, err := w.Bought(t.Context(), p.ID); err != nil || back.WithdrawalUntil != nil {
		t.Errorf("taken back, its backer may take it back until %v, %v", back.WithdrawalUntil, err)
	}
	for _, id := range []string{"0123456789abcdefghjkmnpqrs", "x"} {
		if _, err := w.Bought(t.Context(), id); !errors.Is(err, pledges.ErrUnknown) {
			t.Errorf("%s: %v", id, err)
		}
	}
}
