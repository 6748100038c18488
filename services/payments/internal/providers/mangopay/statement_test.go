package mangopay

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	sandbox "talkoot.fi/sandbox/mangopay"
)

// paid is a pay-in of the world's payer that has succeeded.
func (w *world) paid(n int, card string, minor int64) provider.Snapshot {
	w.t.Helper()
	snap := w.begin(w.order(fmt.Sprintf("payment:%d:card:1", n), card, minor))
	if snap.State != provider.Succeeded {
		w.t.Fatalf("%+v", snap)
	}
	return snap
}

func (w *world) refund(of provider.Snapshot, minor int64) provider.Refund {
	w.t.Helper()
	r, err := w.Refund(w.t.Context(), provider.RefundOrder{Key: fmt.Sprint("refund:", of.Ref.Money, minor), Money: of.Ref.Money,
		Amount: money.New(minor, money.EUR), ID: "r1", Payment: of.Tag.Payment})
	w.ok(err)
	return r
}

func (w *world) disputed(of provider.Snapshot, kind, reason string) provider.Dispute {
	w.t.Helper()
	_, err := w.at.OpenDispute(sandbox.DisputeOrder{PayIn: of.Ref.Money, Type: kind, Reason: reason})
	w.ok(err)
	return w.dispute(of)
}

// dispute is the only one of a pay-in.
func (w *world) dispute(of provider.Snapshot) provider.Dispute {
	w.t.Helper()
	list, err := w.Disputes(w.t.Context(), of.Ref.Money)
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%+v, %v", list, err)
	}
	return list[0]
}

// lines are what moved the wallets in a time, as text: kind, place, sum, payment; in the order of the text.
func (w *world) lines(from, to time.Time) []string {
	w.t.Helper()
	var out []string
	w.ok(w.EachLine(w.t.Context(), from, to, func(l provider.Line) error {
		out = append(out, strings.Join([]string{string(l.Kind), l.Place, fmt.Sprint(l.Amount.Minor), l.Money}, " "))
		return nil
	}))
	slices.Sort(out)
	return out
}

func TestStatement_ListsPayIns_WithTheStateThatEachHasNow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card, asks := w.card(frictionless), w.card(challenged)
	w.paid(1, card, 4200)
	w.clock = w.clock.Add(time.Hour)
	since := w.clock
	waits := w.begin(w.order("payment:2:card:1", asks, 6000))
	declined := w.begin(w.order("payment:3:card:1", card, 33305))
	w.ok(w.at.AnswerChallenge(declined.Ref.Money, true))
	paid := w.paid(4, card, 4300)
	got := map[string]provider.State{}
	w.ok(w.EachPayment(t.Context(), since, func(s provider.Snapshot) error {
		if !s.IsBrief || s.Ref.Object != s.Ref.Money {
			t.Errorf("%+v", s)
		}
		got[s.Ref.Money] = s.State
		return nil
	}))
	want := map[string]provider.State{waits.Ref.Money: provider.Processing, declined.Ref.Money: provider.Ended, paid.Ref.Money: provider.Succeeded}
	if len(got) != len(want) {
		t.Errorf("listed %v, want %v", got, want)
	}
	for id, state := range want {
		if got[id] != state {
			t.Errorf("%s is %q, want %q", id, got[id], state)
		}
	}
	// What was made before and has ended since is news.
	w.clock = w.clock.Add(time.Hour)
	since = w.clock
	w.ok(w.at.AnswerChallenge(waits.Ref.Money, true))
	found := false
	w.ok(w.EachPayment(t.Context(), since, func(s provider.Snapshot) error {
		found = found || s.Ref.Money == waits.Ref.Money && s.State == provider.Succeeded
		return nil
	}))
	if !found {
		t.Error("a pay-in that succeeds late is in no list")
	}
	stop := errors.New("stop")
	if err := w.EachPayment(t.Context(), w.clock.Add(-24*time.Hour), func(provider.Snapshot) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("a walk that is stopped: %v", err)
	}
}

func TestStatement_ListsRefunds_ButNoneThatWasRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	paid := w.paid(1, w.card(frictionless), 4200)
	made := w.refund(paid, 1200)
	_, err := w.Refund(t.Context(), provider.RefundOrder{Key: "too much", Money: paid.Ref.Money, Amount: money.New(9900, money.EUR), ID: "r2"})
	if !errors.Is(err, provider.ErrFinal) {
		t.Fatal(err)
	}
	var got []provider.Refund
	w.ok(w.EachRefund(t.Context(), w.clock.Add(-time.Hour), func(r provider.Refund) error { got = append(got, r); return nil }))
	if len(got) == 0 || slices.ContainsFunc(got, func(r provider.Refund) bool { return r.Ref != made.Ref }) || got[0].State != provider.RefundSucceeded {
		t.Errorf("%+v", got)
	}
	if of, err := w.MoneyOf(t.Context(), provider.AboutRefund, made.Ref); err != nil || of != paid.Ref.Money {
		t.Errorf("it is of %q, %v", of, err)
	}
}

func TestStatement_ListsDisputes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.card(frictionless)
	w.disputed(w.paid(1, card, 4200), "CONTESTABLE", "FRAUD")
	w.clock = w.clock.Add(time.Hour)
	since := w.clock
	paid := w.paid(2, card, 4300)
	want := w.disputed(paid, "RETRIEVAL", "UNKNOWN")
	var got []provider.Dispute
	w.ok(w.EachDispute(t.Context(), since, func(d provider.Dispute) error { got = append(got, d); return nil }))
	if len(got) != 1 || got[0].Ref != want.Ref || got[0].State != provider.DisputeInquiry || got[0].Money != paid.Ref.Money || len(got[0].Movements) > 0 {
		t.Errorf("%+v", got)
	}
}

// The lines of a time are all that moved a campaign's wallet and the platform's own, each with its place, sum and payment.
func TestStatement_LinesAreWhatMovedEachWallet(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card := w.card(frictionless)
	before := w.paid(1, card, 1100)
	w.disputed(before, "CONTESTABLE", "FRAUD")
	w.clock = w.clock.Add(time.Hour)
	from := w.clock
	refunded, lost, won, back := w.paid(2, card, 4200), w.paid(3, card, 3000), w.paid(4, card, 2000), w.paid(5, card, 1500)
	w.refund(refunded, 1200)
	d := w.disputed(lost, "CONTESTABLE", "FRAUD")
	w.ok(w.at.DecideDispute(d.Ref, "LOST"))
	w.ok(w.Repay(t.Context(), provider.RepayOrder{Key: "repay:1", Dispute: d.Ref, Amount: money.New(3000, money.EUR)}))
	w.ok(w.at.DecideDispute(w.disputed(won, "CONTESTABLE", "FRAUD").Ref, "WON"))
	w.disputed(back, "NOT_CONTESTABLE", "LATE_FAILURE_INSUFFICIENT_FUNDS")
	w.begin(w.order("payment:6:card:1", card, 33305)) // moves nothing
	w.clock = w.clock.Add(time.Hour)
	to := w.clock
	w.paid(7, card, 1300)
	id := w.wallet.ID
	want := []string{
		"charge " + id + " 4200 " + refunded.Ref.Money, "charge " + id + " 3000 " + lost.Ref.Money, "charge " + id + " 2000 " + won.Ref.Money,
		"charge " + id + " 1500 " + back.Ref.Money,
		"refund " + id + " -1200 ", // MoneyOf says of which
		"dispute repudiation -3000 " + lost.Ref.Money, "move " + id + " -3000 " + lost.Ref.Money, "move repudiation 3000 " + lost.Ref.Money,
		"dispute repudiation -2000 " + won.Ref.Money, "dispute repudiation 2000 " + won.Ref.Money,
		"returned repudiation -1500 " + back.Ref.Money,
	}
	slices.Sort(want)
	if got := w.lines(from, to); !slices.Equal(got, want) {
		t.Errorf("lines\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// Mangopay keeps transactions for 13 months.
	w.clock = w.clock.AddDate(0, 14, 0)
	if got := w.lines(from, to); len(got) > 0 {
		t.Errorf("after 13 months there are %v", got)
	}
	if _, err := w.Look(t.Context(), before.Ref); !errors.Is(err, provider.ErrNotFound) {
		t.Errorf("and a pay-in is %v", err)
	}
}

func TestStatement_TheReportDoesNotCome_IsAnOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked := w.clock
	w.config.Sleep = w.passOnly
	err := w.EachLine(t.Context(), w.clock.Add(-time.Hour), w.clock, func(provider.Line) error { return nil })
	if waited := w.clock.Sub(asked); !errors.Is(err, apperr.New(apperr.ProviderUnavailable)) || waited < reportWait || waited > reportWait+time.Minute {
		t.Errorf("after %s: %v", w.clock.Sub(asked), err)
	}
}

func TestStatement_ManyEvents_ArePaged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	card, want := w.card(frictionless), 60 // with two events each, more than a page
	for i := range want {
		w.paid(i, card, 1000+int64(i))
	}
	got := map[string]bool{}
	w.ok(w.EachPayment(t.Context(), w.clock.Add(-time.Hour), func(s provider.Snapshot) error { got[s.Ref.Money] = true; return nil }))
	if len(got) != want {
		t.Errorf("%d pay-ins are listed, not %d", len(got), want)
	}
}

// A line is of the moment at which the money moved, not of when the pay-in was made.
func TestStatement_ALineIsOfTheTimeAtWhichMoneyMoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	waits := w.begin(w.order("payment:1:card:1", w.card(challenged), 6000))
	w.clock = w.clock.Add(5 * time.Minute)
	from := w.clock
	w.clock = w.clock.Add(time.Minute)
	w.ok(w.at.AnswerChallenge(waits.Ref.Money, true))
	w.clock = w.clock.Add(time.Minute)
	to := w.clock
	want := []string{"charge " + w.wallet.ID + " 6000 " + waits.Ref.Money}
	if got := w.lines(from.Add(-time.Hour), from); len(got) > 0 {
		t.Errorf("before it had moved: %v", got)
	}
	if got := w.lines(from, to); !slices.Equal(got, want) {
		t.Errorf("then: %v", got)
	}
}
