package pledges_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/writing/changes"
)

// seen is a reward as the campaign page shows it now.
func (w *world) seen(ctx context.Context, rewardID int64) (rewards.Reward, error) {
	all, err := rewards.List(ctx, w.db, w.campaign, "fi", false, w.clock.now())
	if err != nil {
		return rewards.Reward{}, err
	}
	i := slices.IndexFunc(all, func(r rewards.Reward) bool { return r.ID == rewardID })
	if i < 0 {
		return rewards.Reward{}, rewards.ErrClosed
	}
	return all[i], nil
}

func TestCreatePledge_OfARewardThatWasChangedSinceItWasSeenMakesNothing(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	before, err := w.seen(t.Context(), w.posted)
	if err != nil {
		t.Fatal(err)
	}
	body := func(amount string, version int64) string {
		return fmt.Sprintf(`{"amount": %s, "reward_id": %d, "reward_version": %d, "pledge_meta": {%s, "added_cost": 0}}`,
			amount, w.posted, version, who)
	}
	made := post(t, h, w.address(), body("45", before.OfferVersion), "Idempotency-Key", "the-first-of-them")
	if made.code != http.StatusCreated {
		t.Fatalf("of the version that was seen: %d %s %v", made.code, made.status, made.fields)
	}
	w.change(t, w.posted, rewards.Change{AddedCosts: &rewards.AddedCosts{
		{AmountMinor: 6_50, Description: map[string]string{"EN": "By post"}}, {Description: map[string]string{"EN": "Pick up"}, WithoutAddress: true}}})
	for what, amount := range map[string]string{"the old sum": "45", "less than it costs now": "1"} {
		if a := post(t, h, w.address(), body(amount, before.OfferVersion)); a.code != http.StatusConflict || a.status != "reward_changed" {
			t.Errorf("%s: %d %s %v", what, a.code, a.status, a.fields)
		}
	}
	if n := w.number(t, `SELECT count(*) FROM pledges`); n != 1 || w.reserved(t, w.posted) != 1 {
		t.Errorf("%d pledges, %d reserved; the refused ones took none", n, w.reserved(t, w.posted))
	}
	if again := post(t, h, w.address(), body("45", before.OfferVersion), "Idempotency-Key", "the-first-of-them"); again.pledge.ID != made.pledge.ID {
		t.Errorf("a repeat of the first: %d %s", again.code, again.status)
	}
	after, err := w.seen(t.Context(), w.posted)
	if err != nil {
		t.Fatal(err)
	}
	fetched := fmt.Sprintf(`{"amount": 45, "reward_id": %d, "reward_version": %d, "pledge_meta": {%s, "added_cost": 1}}`,
		w.posted, after.OfferVersion, who)
	if a := post(t, h, w.address(), fetched); a.code != http.StatusCreated {
		t.Errorf("of the version that there is now: %d %s %v", a.code, a.status, a.fields)
	}
	unsaid := fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1}}`, w.posted, who)
	if a := post(t, h, w.address(), unsaid); a.code != http.StatusCreated {
		t.Errorf("without a version: %d %s %v", a.code, a.status, a.fields)
	}
	w.checkInvariants(t)
}

// While the creator turns the order of the added costs round and sells more of it, everybody gets the cost that they
// saw, or is told that the reward was changed.
func TestCreate_WhileAddedCostsAreReorderedBuysWhatWasSeen(t *testing.T) {
	w := setup(t)
	id := w.addReward(t, 100_000)
	costs := rewards.AddedCosts{{AmountMinor: 5_00, Description: map[string]string{"EN": "By post"}},
		{AmountMinor: 5_00, Description: map[string]string{"EN": "By boat"}}}
	w.change(t, id, rewards.Change{AddedCosts: &costs})
	buy := func(ctx context.Context) error {
		reward, err := w.seen(ctx, id)
		if err != nil {
			return err
		}
		in := w.input(id, "15")
		place := slices.IndexFunc(reward.AddedCosts, func(c rewards.AddedCost) bool { return c.In("fi") == "By boat" })
		in.RewardVersion, in.Meta.AddedCost = &reward.OfferVersion, &place
		_, err = w.Create(ctx, in)
		return err
	}
	var all sync.WaitGroup
	var bought atomic.Int64
	done := make(chan struct{})
	for range 4 {
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				switch err := buy(context.WithoutCancel(t.Context())); {
				case err == nil:
					bought.Add(1)
				case !errors.Is(err, pledges.ErrRewardChanged):
					t.Error(err)
					return
				}
			}
		})
	}
	// On a busy machine the creator may be faster than everybody else: then it goes on until somebody was in time.
	for i := 0; i < 60 || bought.Load() == 0 && !t.Failed(); i++ {
		slices.Reverse(costs)
		turned := slices.Clone(costs)
		w.change(t, id, rewards.Change{AddedCosts: &turned, Stock: pointer(100_000 + i)})
	}
	close(done)
	all.Wait()
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE reward_id = ? AND bought ->> 'added_cost' <> 'By boat'`, id); n != 0 {
		t.Errorf("%d pledges bought another cost than they saw", n)
	}
	w.checkInvariants(t)
}

func TestRewardVersion_ChangesWithWhatIsBoughtAndWithNothingElse(t *testing.T) {
	w := setup(t)
	edit := rewards.Edit{RewardID: w.unlimited, By: changes.User(w.creator), Now: w.clock.now()}
	texts := func(language string, wanted rewards.TextChange) func() {
		return func() {
			if _, err := rewards.ApplyTexts(t.Context(), w.db, edit, map[string]rewards.TextChange{language: wanted}); err != nil {
				t.Fatal(err)
			}
		}
	}
	reward := func(wanted rewards.Change) func() {
		return func() { w.change(t, w.unlimited, wanted) }
	}
	in := w.input(w.unlimited, "10")
	in.Meta.Answers = map[string]string{"custom_question_1": "Aino"}
	for _, c := range []struct {
		what   string
		do     func()
		counts bool
	}{
		{"price", reward(rewards.Change{AmountMinor: pointer(money.Decimal(12_00))}), true},
		{"the same price", reward(rewards.Change{AmountMinor: pointer(money.Decimal(12_00))}), false},
		{"VAT", reward(rewards.Change{VAT: &rewards.VAT{Tenths: 140, Known: true}}), true},
		{"added costs", reward(rewards.Change{AddedCosts: &rewards.AddedCosts{}}), false},
		{"delivery", reward(rewards.Change{Delivery: pointer("2027-06")}), true},
		{"title", texts("fi", rewards.TextChange{Title: pointer("Lusikka")}), true},
		{"description", texts("en", rewards.TextChange{Description: pointer("Of birch")}), true},
		{"questions", texts("fi", rewards.TextChange{Questions: &rewards.QuestionTexts{}}), true},
		{"what the picture shows", texts("fi", rewards.TextChange{ImageAlt: pointer("Kauha")}), false},
		{"stock", reward(rewards.Change{Stock: pointer(50)}), false},
		{"hidden and shown", func() {
			reward(rewards.Change{Active: pointer(0)})()
			reward(rewards.Change{Active: pointer(1)})()
		}, false},
		{"sold", func() {
			in.Amount = "12"
			w.mustApply(t, event(w.mustCreate(t, in), pledges.PaymentSucceeded), pledges.Applied)
		}, false},
		{"costs and stock at once", reward(rewards.Change{Stock: pointer(60),
			AddedCosts: &rewards.AddedCosts{{Description: map[string]string{"EN": "Pick up"}}}}), true},
	} {
		before, err := w.seen(t.Context(), w.unlimited)
		if err != nil {
			t.Fatal(err)
		}
		c.do()
		after, err := w.seen(t.Context(), w.unlimited)
		if err != nil || (after.OfferVersion > before.OfferVersion) != c.counts || after.OfferVersion < before.OfferVersion {
			t.Errorf("%s: from version %d to %d, %v", c.what, before.OfferVersion, after.OfferVersion, err)
		}
	}
}
