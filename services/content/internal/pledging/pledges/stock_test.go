package pledges_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/pledging/pledges"
)

func TestCreate_TwoThousandForAHundredItems_ExactlyAHundred(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 100)
	var made, gone atomic.Int64
	w.inParallel(64, 2000, func(int) {
		_, err := w.Create(t.Context(), w.input(reward, "10"))
		switch {
		case err == nil:
			made.Add(1)
		case errors.Is(err, rewards.ErrGone):
			gone.Add(1)
		default:
			t.Errorf("neither made nor gone: %v", err)
		}
	})
	if made.Load() != 100 || gone.Load() != 1900 || w.reserved(t, reward) != 100 {
		t.Errorf("%d made, %d refused, %d reserved", made.Load(), gone.Load(), w.reserved(t, reward))
	}
	w.checkInvariants(t)
}

func TestCreate_SameKeyAtOnce_IsOnePledge(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 100)
	in := w.input(reward, "10")
	in.IdempotencyKey, in.RequestHash = "the-same-key", []byte("hash")
	var found sync.Map
	w.inParallel(20, 20, func(int) {
		view, err := w.Create(t.Context(), in)
		if err != nil {
			t.Errorf("create: %v", err)
		}
		found.Store(view.ID, true)
	})
	different := 0
	found.Range(func(any, any) bool { different++; return true })
	if n := w.number(t, `SELECT count(*) FROM pledges`); n != 1 || different != 1 || w.reserved(t, reward) != 1 {
		t.Errorf("%d pledges, %d ids told, %d reserved", n, different, w.reserved(t, reward))
	}
}

func TestCreate_KeepsOneSpellingOfAnAddress(t *testing.T) {
	w := setup(t)
	in := w.input(0, "20")
	in.Meta.Email = " pa\u0308ivi@posti.example"
	if view := w.mustCreate(t, in); view.Email != "p\u00e4ivi@posti.example" {
		t.Errorf("kept as %q", view.Email)
	}
}

func TestApply_LocksTheRewardBeforeTheTotals(t *testing.T) {
	w := setup(t)
	view := w.mustCreate(t, w.input(w.addReward(t, 5), "10"))
	for _, kind := range []pledges.EventType{pledges.PaymentSucceeded, pledges.PaymentRefunded} {
		ctx, statements := dbx.CountStatements(t.Context())
		if outcome, err := w.Apply(ctx, event(view, kind)); err != nil || outcome != pledges.Applied {
			t.Fatalf("%s: %s, %v", kind, outcome, err)
		}
		at := func(function string) int {
			return slices.IndexFunc(statements.List(), func(sql string) bool { return strings.HasPrefix(sql, "SELECT "+function) })
		}
		if reward, totals := at("add_backer_of_reward"), at("add_to_totals"); reward < 0 || totals < 0 || reward > totals {
			t.Errorf("%s: reward at %d, totals at %d of %q", kind, reward, totals, statements.List())
		}
	}
}

func keyed(in pledges.Input) pledges.Input {
	in.IdempotencyKey, in.RequestHash = "key", []byte("request")
	return in
}

func TestCreate_StatementsDoNotGrow(t *testing.T) {
	w := setup(t)
	for name, c := range map[string]struct {
		in   pledges.Input
		most int
	}{
		"support":        {w.input(0, "20"), 2}, // offer, insert
		"limited reward": {w.input(w.addReward(t, 9), "10"), 2},
		"with a key":     {keyed(w.input(0, "20")), 3},
	} {
		ctx, statements := dbx.CountStatements(t.Context())
		if _, err := w.Create(ctx, c.in); err != nil {
			t.Fatal(err)
		}
		if statements.Count() > c.most {
			t.Errorf("%s: %d statements, want at most %d: %q", name, statements.Count(), c.most, statements.List())
		}
	}
}

func TestLapse_LetsTheRewardGo_ALatePaymentTakesFreshStockOrGoesBack(t *testing.T) {
	w := setup(t)
	first := w.mustCreate(t, w.input(w.single, "120"))
	if _, err := w.Create(t.Context(), w.input(w.single, "120")); !errors.Is(err, rewards.ErrGone) {
		t.Fatalf("the only item is held: %v", err)
	}
	w.clock.advance(firstHold)
	if n, err := w.Lapse(t.Context()); err != nil || n != 0 {
		t.Errorf("at the last moment %d lapsed, %v", n, err)
	}
	w.clock.advance(time.Second)
	for i, want := range []int{1, 0} {
		if n, err := w.Lapse(t.Context()); err != nil || n != want {
			t.Errorf("pass %d: %d lapsed, %v; want %d", i, n, err, want)
		}
	}
	w.mustApply(t, event(first, pledges.PaymentSucceeded), pledges.Applied) // fresh stock
	if w.statusOf(t, first.ID) != pledges.Paid || w.reserved(t, w.single) != 1 {
		t.Errorf("late payment with stock: %s, %d reserved", w.statusOf(t, first.ID), w.reserved(t, w.single))
	}

	reward := w.addReward(t, 1)
	late := w.mustCreate(t, w.input(reward, "10"))
	w.clock.advance(hold + time.Second)
	if _, err := w.Lapse(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.mustCreate(t, w.input(reward, "10"))
	paid := event(late, pledges.PaymentSucceeded)
	w.mustApply(t, paid, pledges.RewardGone)
	w.mustApply(t, paid, pledges.RewardGone) // a repeat gets the first answer
	back := event(late, pledges.PaymentRefunded)
	back.RefundReason = "reward_gone"
	w.mustApply(t, back, pledges.Applied)
	if w.statusOf(t, late.ID) != pledges.Refunded {
		t.Errorf("refunded late payment is %s", w.statusOf(t, late.ID))
	}
	w.checkInvariants(t)
}

// However sweepers, payments and releases meet, a pledge ends in one state and its stock is counted once.
func TestLapse_WhilePaymentsArrive(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 1000)
	views := make([]pledges.View, 120)
	for i := range views {
		views[i] = w.mustCreate(t, w.input(reward, "10"))
	}
	w.clock.advance(hold + time.Minute)
	w.inParallel(8, 3*len(views), func(i int) {
		var err error
		switch p := views[i/3]; i % 3 {
		case 0:
			_, err = w.Apply(t.Context(), event(p, pledges.PaymentSucceeded))
		case 1:
			_, err = w.Lapse(t.Context())
		case 2:
			if err = w.Release(t.Context(), p.ID); errors.Is(err, pledges.ErrAlreadyPaid) {
				err = nil
			}
		}
		if err != nil {
			t.Errorf("step %d: %v", i, err)
		}
	})
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE (status = 'paid') <> (released_at IS NOT NULL)`); n != int64(len(views)) {
		t.Errorf("%d of %d were either paid or released", n, len(views))
	}
	w.checkInvariants(t)
}

func TestRelease(t *testing.T) {
	w := setup(t)
	p := w.mustCreate(t, w.input(w.single, "120"))
	for range 2 {
		if err := w.Release(t.Context(), p.ID); err != nil {
			t.Fatal(err)
		}
	}
	if w.reserved(t, w.single) != 0 || w.statusOf(t, p.ID) != pledges.Expired {
		t.Errorf("released: %d reserved, %s", w.reserved(t, w.single), w.statusOf(t, p.ID))
	}
	paid := w.mustCreate(t, w.input(w.single, "120"))
	w.mustApply(t, event(paid, pledges.PaymentSucceeded), pledges.Applied)
	if err := w.Release(t.Context(), paid.ID); !errors.Is(err, pledges.ErrAlreadyPaid) {
		t.Errorf("release of a paid pledge: %v", err)
	}
	for _, id := range []string{"", "short", "00000000000000000000000000"} {
		if err := w.Release(t.Context(), id); !errors.Is(err, pledges.ErrUnknown) {
			t.Errorf("release of %q: %v", id, err)
		}
	}
}

// Whatever happens in whatever order, totals, stock and histories are what the pledges say.
func TestInvariants_UnderRandomOperations(t *testing.T) {
	w := setup(t)
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	t.Logf("seed %d", seed)
	choices := []int64{0, w.addReward(t, 4), w.addReward(t, 12)}
	types := []pledges.EventType{pledges.PaymentStarted, pledges.PaymentProcessing, pledges.PaymentSucceeded, pledges.PaymentSucceeded,
		pledges.PaymentFailed, pledges.PaymentCanceled, pledges.PaymentRefunded, pledges.PaymentDisputed, pledges.PaymentReinstated}
	var views []pledges.View
	var past []pledges.Event
	for i := range 500 {
		switch dice := random.IntN(10); {
		case dice < 3 || len(views) == 0:
			in := w.input(choices[random.IntN(len(choices))], "40")
			if in.RewardID != nil {
				in.Meta.Quantity = 1 + random.IntN(2)
				in.Network = []string{"203.0.113.9", "203.0.113.10"}[random.IntN(2)]
			}
			view, err := w.Create(t.Context(), in)
			if err == nil {
				views = append(views, view)
			} else if !errors.Is(err, rewards.ErrGone) && !errors.Is(err, rewards.ErrAboveStock) && !errors.Is(err, rewards.ErrHeld) {
				t.Fatal(err)
			}
		case dice < 8:
			e := event(views[random.IntN(len(views))], types[random.IntN(len(types))])
			if e.Type == pledges.PaymentRefunded && random.IntN(2) == 0 {
				e.RefundedMinor = random.Int64N(e.Amount.Minor)
			}
			if e.Type == pledges.PaymentSucceeded && random.IntN(10) == 0 {
				e.Amount.Minor++
			}
			past = append(past, e)
			if _, err := w.Apply(t.Context(), e); err != nil {
				t.Fatalf("operation %d: %v", i, err)
			}
		case dice < 9 && len(past) > 0:
			if _, err := w.Apply(t.Context(), past[random.IntN(len(past))]); err != nil {
				t.Fatalf("operation %d: repeated event: %v", i, err)
			}
		default:
			w.clock.advance(time.Duration(random.IntN(20)) * time.Minute)
			if _, err := w.Lapse(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if i%25 == 0 {
			w.checkInvariants(t)
		}
	}
	w.checkInvariants(t)
}

// inParallel does n things with some at once; all begin together.
func (w *world) inParallel(atOnce, n int, do func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	start := make(chan struct{})
	for range atOnce {
		all.Go(func() {
			<-start
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	close(start)
	all.Wait()
}
