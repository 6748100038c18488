package pledges_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/pledges"
)

// someone asks for a piece of a reward as the n-th person in a network.
func (w *world) someone(reward int64, n int, network string) pledges.Input {
	in := w.input(reward, "1000")
	in.Meta.Email, in.Network = fmt.Sprintf("backer%d@example.fi", n), network
	return in
}

func TestCreate_NobodyHoldsAllOfALimitedRewardUnpaid(t *testing.T) {
	w := setup(t)
	var person int64
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		person, err = profiles.Create(t.Context(), tx, profiles.New{Email: "b@example.fi", FirstName: "B", LastName: "C", Language: "fi", Scope: []string{"view"}}, noon)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		most int
		ask  func(n int, in *pledges.Input)
	}{
		"one mail address, however it is written": {10, func(n int, in *pledges.Input) {
			in.Meta.Email, in.Network = []string{"leena@example.fi", "Leena@Example.FI"}[n%2], fmt.Sprintf("203.0.113.%d", n)
		}},
		"one account": {10, func(n int, in *pledges.Input) { in.UserID, in.Network = &person, fmt.Sprintf("203.0.113.%d", n) }},
		"one network": {25, func(_ int, in *pledges.Input) { in.Network = "2001:db8:1:2::/64" }},
	} {
		t.Run(name, func(t *testing.T) {
			reward := w.addReward(t, 100)
			ask := func(n int) (pledges.View, error) {
				in := w.someone(reward, n, "")
				c.ask(n, &in)
				return w.Create(t.Context(), in)
			}
			var held []pledges.View
			for n := range c.most {
				view, err := ask(n)
				if err != nil {
					t.Fatalf("piece %d: %v", n+1, err)
				}
				held = append(held, view)
			}
			if _, err := ask(c.most); !errors.Is(err, rewards.ErrHeld) {
				t.Fatalf("piece %d: %v, want too_many_held", c.most+1, err)
			}
			if _, err := w.Create(t.Context(), w.someone(reward, 1000, "198.51.100.1")); err != nil {
				t.Errorf("somebody else: %v", err)
			}
			other := w.someone(w.addReward(t, 100), 0, "")
			c.ask(0, &other)
			if _, err := w.Create(t.Context(), other); err != nil {
				t.Errorf("of another reward: %v", err)
			}
			w.mustApply(t, event(held[0], pledges.PaymentSucceeded), pledges.Applied)
			if err := w.Release(t.Context(), held[1].ID); err != nil {
				t.Fatal(err)
			}
			for n, want := range []error{nil, nil, rewards.ErrHeld} {
				if _, err := ask(c.most + n); !errors.Is(err, want) {
					t.Errorf("one paid and one given up, ask %d: %v, want %v", n, err, want)
				}
			}
			w.clock.advance(firstHold + time.Second)
			if _, err := w.Lapse(t.Context()); err != nil {
				t.Fatal(err)
			}
			if _, err := ask(0); err != nil {
				t.Errorf("after all have lapsed: %v", err)
			}
			w.checkInvariants(t)
		})
	}
}

// Concurrent pledges of one holder reserve no more than the same pledges one after the other.
func TestCreate_ManyTabsAtOnceHoldNoMoreThanOneMay(t *testing.T) {
	for name, c := range map[string]struct {
		want int64
		ask  func(n int, in *pledges.Input)
	}{
		"one mail address": {10, func(n int, in *pledges.Input) {
			in.Meta.Email, in.Network = "leena@example.fi", fmt.Sprintf("203.0.113.%d", n)
		}},
		"one network": {25, func(_ int, in *pledges.Input) { in.Network = "203.0.113.9" }},
		"both, in two ways": {25, func(n int, in *pledges.Input) {
			in.Meta.Email, in.Network = fmt.Sprintf("%d@example.fi", n%4), fmt.Sprintf("203.0.113.%d", n%3/2)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := setup(t)
			reward := w.addReward(t, 100)
			var made atomic.Int64
			w.inParallel(32, 90, func(i int) {
				in := w.someone(reward, i, "")
				c.ask(i, &in)
				switch _, err := w.Create(t.Context(), in); {
				case err == nil:
					made.Add(1)
				case !errors.Is(err, rewards.ErrHeld):
					t.Errorf("ask %d: %v", i, err)
				}
			})
			if name != "both, in two ways" && made.Load() != c.want {
				t.Errorf("%d made, want %d", made.Load(), c.want)
			}
			most := w.number(t, `SELECT max(sum) FROM (SELECT sum(quantity) FROM pledges GROUP BY held_from HAVING count(DISTINCT email) > 1 UNION ALL SELECT 0) x`)
			if most > c.want {
				t.Errorf("one network holds %d, want at most %d", most, c.want)
			}
			if most = w.number(t, `SELECT max(sum) FROM (SELECT sum(quantity) FROM pledges GROUP BY email) x`); most > 10 {
				t.Errorf("one mail address holds %d", most)
			}
			w.checkInvariants(t)
		})
	}
}

func TestCreate_OnePledgeTakesNoMoreThanOneMayHold(t *testing.T) {
	w := setup(t)
	for stock, most := range map[int]int{1: 1, 2: 1, 3: 2, 8: 4, 20: 10, 100: 10, 300: 30, 20_000: 1000} {
		reward := w.addReward(t, stock)
		if got := rewards.MaxQuantity(stock); got != most {
			t.Errorf("stock %d: %d may be taken, want %d", stock, got, most)
		}
		in := w.someone(reward, stock, "")
		in.Amount = "20000"
		in.Meta.Quantity = most + 1
		if _, err := w.Create(t.Context(), in); err == nil || !strings.Contains(err.Error(), "invalid_fields") {
			t.Errorf("stock %d: %d in one pledge: %v", stock, most+1, err)
		}
		in.Meta.Quantity = most
		if _, err := w.Create(t.Context(), in); err != nil {
			t.Errorf("stock %d: %d in one pledge: %v", stock, most, err)
		}
	}
}

func TestCreate_ARepeatOfTheLastThatOneMayHoldIsThatPledge(t *testing.T) {
	w := setup(t)
	in := keyed(w.input(w.addReward(t, 20), "100"))
	in.Meta.Quantity = 10
	first := w.mustCreate(t, in)
	if again := w.mustCreate(t, in); again.ID != first.ID {
		t.Errorf("the repeat is another pledge")
	}
}

func TestHold_IsShortUntilThePaymentHasBegun(t *testing.T) {
	w := setup(t)
	left, begun := w.mustCreate(t, w.input(0, "10")), w.mustCreate(t, w.input(0, "10"))
	order, err := w.Order(t.Context(), begun.ID)
	if err != nil || !order.PayableUntil.Equal(noon.Add(hold)) || !begun.ReservedUntil.Equal(noon.Add(firstHold)) {
		t.Errorf("held until %s, payable until %s, %v", begun.ReservedUntil, order.PayableUntil, err)
	}
	w.clock.advance(time.Minute)
	w.mustApply(t, event(begun, pledges.PaymentStarted), pledges.Applied)
	for _, c := range []struct {
		after        time.Duration
		left, begun  pledges.Status
		leftOrder    internalapi.OrderState
		payableUntil time.Time
	}{
		{firstHold, pledges.Created, pledges.AwaitingPayment, internalapi.Closed, noon.Add(hold)},
		{firstHold + time.Second, pledges.Expired, pledges.AwaitingPayment, internalapi.Closed, noon.Add(hold)},
		{hold, pledges.Expired, pledges.AwaitingPayment, internalapi.Closed, noon.Add(hold)},
		{hold + time.Second, pledges.Expired, pledges.Expired, internalapi.Closed, noon.Add(hold)},
	} {
		w.clock.set(noon.Add(c.after))
		if _, err := w.Lapse(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := w.statusOf(t, left.ID); got != c.left {
			t.Errorf("after %s the one without a payment is %s, want %s", c.after, got, c.left)
		}
		if got := w.statusOf(t, begun.ID); got != c.begun {
			t.Errorf("after %s the one with a payment is %s, want %s", c.after, got, c.begun)
		}
		if order, err := w.Order(t.Context(), left.ID); err != nil || order.State != c.leftOrder {
			t.Errorf("after %s the order of the one without a payment is %s, %v", c.after, order.State, err)
		}
		if order, err := w.Order(t.Context(), begun.ID); err != nil || !order.PayableUntil.Equal(c.payableUntil) {
			t.Errorf("after %s: payable until %s, %v", c.after, order.PayableUntil, err)
		}
	}
}

// A network address is personal data: it is deleted when the reservation ends.
func TestHold_TheNetworkGoesWithIt(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 100)
	kept := func(id string) bool {
		return w.number(t, `SELECT count(*) FROM pledges WHERE id = ? AND held_from <> ''`, id) == 1
	}
	for name, end := range map[string]func(p pledges.View){
		"paid":      func(p pledges.View) { w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied) },
		"in a bank": func(p pledges.View) { w.mustApply(t, event(p, pledges.PaymentProcessing), pledges.Applied) },
		"canceled":  func(p pledges.View) { w.mustApply(t, event(p, pledges.PaymentCanceled), pledges.Applied) },
		"given up": func(p pledges.View) {
			if err := w.Release(t.Context(), p.ID); err != nil {
				t.Fatal(err)
			}
		},
	} {
		p := w.mustCreate(t, w.someone(reward, 1, "203.0.113.9"))
		w.mustApply(t, event(p, pledges.PaymentStarted), pledges.Applied)
		if !kept(p.ID) {
			t.Errorf("%s: a pledge that waits does not know where it is held from", name)
		}
		if end(p); kept(p.ID) {
			t.Errorf("%s: the network is still kept", name)
		}
	}
	if p := w.mustCreate(t, w.someone(0, 1, "203.0.113.9")); kept(p.ID) {
		t.Error("kept of a pledge that holds nothing")
	}
}

func TestMayHold_ReadsTheHoldersOwnPledgesAlone_AlsoInARushThatNoStatisticsKnow(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 100_000)
	fill := func(status, held string, from, to int) string {
		return fmt.Sprintf(`INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, currency, quantity, lines, vat_minor, stock_held, held_from,
			email, first_name, last_name, language, reserved_until, created_at, updated_at, paid_at, receipt_number)
			SELECT lpad(n::text, 26, '0'), %d, %d, '%s', 100, 'EUR', 1, '[]', 0, true, %s, 'b' || n || '@example.fi', 'a', 'b', 'fi', now(), now(), now(),
			now(), n::text FROM generate_series(%d, %d) n`, w.campaign, reward, status, held, from, to)
	}
	err := errors.Join(w.db.Exec(fill("paid", "''", 1, 5000)).Error, w.db.Exec("ANALYZE pledges").Error,
		w.db.Exec(fill("created", "'203.0.' || n % 200 || '.' || n % 250", 5001, 8000)).Error)
	if err != nil {
		t.Fatal(err)
	}
	err = dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
		var before, after int64
		count := func(rows *int64) error {
			return tx.Raw(`SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'pledges'`).Scan(rows).Error
		}
		err := errors.Join(count(&before),
			tx.Exec(`SELECT may_hold(?, 1, 'B6000@example.fi', 7, '198.51.100.1', 10, 25) FROM generate_series(1, 10)`, reward).Error, count(&after))
		if read := after - before; err == nil && read > 10 {
			t.Errorf("ten questions about one pledge read %d rows", read)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A network of IPv6 is one holder, however many addresses it has.
func TestCreatePledge_OneNetworkHoldsNoMoreThanItMay(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	reward := w.addReward(t, 4)
	for i, c := range []struct {
		from, want string
	}{
		{"[2001:db8:1:2::1]:1", ""}, {"[2001:db8:1:2::2]:1", ""}, {"[2001:db8:1:2::3]:1", "too_many_held"},
		{"[2001:db8:1:3::1]:1", ""},
	} {
		body := fmt.Sprintf(`{"amount": 10, "reward_id": %d, "pledge_meta": {"email": "b%d@example.fi", "first_name": "A", "last_name": "B"}}`, reward, i)
		if a := post(t, from(c.from, h), w.address(), body); a.status != c.want ||
			(c.want != "") != (a.code == http.StatusConflict) {
			t.Errorf("%d, from %s: %d %q, want %q", i, c.from, a.code, a.status, c.want)
		}
	}
}
