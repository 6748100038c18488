package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
)

// supportChecks compare what the two services know of monthly support.
var supportChecks = []comparison{
	{"support and subscription agree", sameSupport},
	{"both services know which campaigns are on hold", sameHolds},
	{"receipts are the payments of months", sameReceipts},
	{"a month's refunds and disputes are its payment's", sameMoneyBack},
	{"a campaign's monthly sum is what is charged", monthlySums},
	{"a campaign's funds are what its receipts say", fundsOfMonths},
}

// supporter is a subscription of the content service; the amounts are those of a month.
type supporter struct {
	ID, Status, Currency      string
	Amount, Reward            int64 // reward 0 for none
	NextAmount, NextReward    int64
	Campaign, User            int64
	PaidUntil, EndsOn, Charge string // days
	Sequence                  int64
	IsClosed                  bool   // by the content service itself
	IsProcessing              bool   // a bank has the money of its first month
	Person                    string // who it is: an account, else a mail address
}

// subscription is one of the payment service.
type subscription struct {
	ID, Status, Currency   string
	Amount, Reward         int64
	NextAmount, NextReward int64
	Campaign, User         int64
	PaidUntil, EndsOn      string
	Sequence               int64
	IsProcessing           bool // the payment of its first month is
}

// receipt is a paid month of the content service.
type receipt struct {
	Subscription, Payment, Day, Currency string
	Period, Amount, Refunded, Campaign   int64
	IsDisputed                           bool
}

// monthlyTotal is what the content service shows of a campaign.
type monthlyTotal struct{ Campaign, Number, Amount int64 }

const (
	supportersSQL = `SELECT id, status, currency, amount_minor, coalesce(reward_id, 0), coalesce(next_amount_minor, 0), coalesce(next_reward_id, 0), campaign_id,
		coalesce(user_id, 0), coalesce(paid_until::text, ''), coalesce(ends_on::text, ''), coalesce(next_charge_on::text, ''), event_sequence, closed_at IS NOT NULL, is_processing,
		CASE WHEN user_id IS NOT NULL THEN user_id::text WHEN email <> '' THEN '@' || lower(email) ELSE '#' || coalesce(erased_with, id) END
		FROM subscriptions`
	subscriptionsSQL = `SELECT id, status, level ->> 'currency', (level ->> 'amount_minor')::bigint, coalesce((level ->> 'reward_id')::bigint, 0),
		coalesce((next_level ->> 'amount_minor')::bigint, 0), coalesce((next_level ->> 'reward_id')::bigint, 0), campaign_id, coalesce(backer_user_id, 0),
		CASE WHEN paid_period > 0 THEN ((anchor_day + make_interval(months => paid_period))::date - 1)::text ELSE '' END, coalesce(ends_on::text, ''), event_sequence,
		status = 'created' AND EXISTS (SELECT FROM payments p WHERE p.subject_kind = 'subscription' AND p.subject_id = s.id AND p.period = 1 AND p.status = 'processing')
		FROM subscriptions s`
	receiptsSQL = `SELECT c.subscription_id, c.payment_id, c.period_day::text, s.currency, c.period::bigint, c.amount_minor, c.amount_refunded_minor, s.campaign_id, c.is_disputed
		FROM subscription_charges c JOIN subscriptions s ON s.id = c.subscription_id`
	monthlyTotalsSQL = `SELECT campaign_id, subscriptions::bigint, subscriptions_amount_minor FROM campaign_totals`
)

// readSupport reads monthly support of both databases.
func (s *snapshot) readSupport(ctx context.Context, contentDB, paymentsDB querier) error {
	subscriptions, err := rows[subscription](ctx, paymentsDB, "subscriptions", subscriptionsSQL)
	if err != nil {
		return err
	}
	supporters, err := rows[supporter](ctx, contentDB, "supporters", supportersSQL)
	if err != nil {
		return err
	}
	receipts, err := rows[receipt](ctx, contentDB, "receipts of months", receiptsSQL)
	if err != nil {
		return err
	}
	s.subscriptions, s.supporters, s.receipts = map[string]subscription{}, map[string]supporter{}, map[string]receipt{}
	for _, one := range subscriptions {
		s.subscriptions[one.ID] = one
	}
	for _, one := range supporters {
		s.supporters[one.ID] = one
	}
	for _, one := range receipts {
		s.receipts[one.Payment] = one
	}
	s.monthlyTotals, err = rows[monthlyTotal](ctx, contentDB, "monthly totals", monthlyTotalsSQL)
	return err
}

// isAs tells that two services agree about a status when no message is pending: one that the content service has ended by
// itself may have ended there in another way, and one whose payment never began is not there.
func (o supporter) isAs(s subscription) bool {
	switch o.Status {
	case "created":
		return s.Status == "" || s.Status == "created"
	case "expired", "canceled":
		return s.Status == o.Status || s.Status == "" && o.Status == "expired" || o.IsClosed && (s.Status == "expired" || s.Status == "canceled" || s.Status == "")
	}
	return s.Status == o.Status
}

func sameSupport(s *snapshot, found func(format string, args ...any)) {
	for _, id := range slices.Sorted(maps.Keys(s.subscriptions)) {
		if _, there := s.supporters[id]; !there {
			found("subscription %s is %s, nobody supports by it", id, s.subscriptions[id].Status)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.supporters)) {
		ours, theirs := s.supporters[id], s.subscriptions[id]
		if !ours.isAs(theirs) {
			found("support %s is %s, its subscription %q", id, ours.Status, theirs.Status)
			continue
		}
		if ours.IsProcessing != theirs.IsProcessing {
			found("support %s: that a bank has its first month is %t, and %t of its subscription", id, ours.IsProcessing, theirs.IsProcessing)
		}
		if theirs.Status == "" {
			continue
		}
		if ours.Campaign != theirs.Campaign || ours.Currency != theirs.Currency || ours.User != theirs.User && ours.User != 0 {
			found("support %s of %d is for %d in %s, its subscription of %d for %d in %s", id, ours.User, ours.Campaign, ours.Currency, theirs.User,
				theirs.Campaign, theirs.Currency)
		}
		if ours.Sequence != theirs.Sequence {
			found("support %s has taken event %d, its subscription has sent %d", id, ours.Sequence, theirs.Sequence)
		}
		if ours.Status != "active" && ours.Status != "past_due" && ours.Status != "paused" {
			continue
		}
		type level struct{ amount, reward, nextAmount, nextReward int64 }
		if a, b := (level{ours.Amount, ours.Reward, ours.NextAmount, ours.NextReward}), (level{theirs.Amount, theirs.Reward, theirs.NextAmount,
			theirs.NextReward}); a != b {
			found("support %s has the level %+v, its subscription %+v", id, a, b)
		}
		if ours.PaidUntil != theirs.PaidUntil || ours.EndsOn != theirs.EndsOn {
			found("support %s is paid until %q and ends on %q, its subscription %q and %q", id, ours.PaidUntil, ours.EndsOn, theirs.PaidUntil, theirs.EndsOn)
		}
	}
}

// monthly are the payments of months, in the order of their ids.
func (s *snapshot) monthly() []payment {
	var out []payment
	for _, id := range slices.Sorted(maps.Keys(s.payments)) {
		if p := s.payments[id]; p.Kind == "subscription" {
			out = append(out, p)
		}
	}
	return out
}

// sameReceipts requires a receipt of each paid month whose money was accepted, of its sum, and no other receipts.
func sameReceipts(s *snapshot, found func(format string, args ...any)) {
	for _, p := range s.monthly() {
		r, has := s.receipts[p.ID]
		isAccepted := slices.ContainsFunc(s.events[p.ID], func(e event) bool { return e.Type == "payment.succeeded" && e.Outcome == "applied" })
		switch {
		case has != (p.Paid != nil && isAccepted):
			found("payment %s of month %d of %s is %s, accepted %t, has a receipt %t", p.ID, p.Period, p.Subject, p.Status, isAccepted, has)
		case has && (r.Subscription != p.Subject || r.Period != p.Period || r.Amount != p.Amount || r.Currency != p.Currency || r.Day != p.Day || r.Campaign != p.Campaign):
			found("payment %s is of %d %s for month %d of %s on %s, its receipt of %d %s for month %d of %s on %s", p.ID, p.Amount, p.Currency, p.Period, p.Subject,
				p.Day, r.Amount, r.Currency, r.Period, r.Subscription, r.Day)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.receipts)) {
		if p, there := s.payments[id]; !there || p.Kind != "subscription" {
			found("the receipt of month %d of %s is of payment %s, which is not there", s.receipts[id].Period, s.receipts[id].Subscription, id)
		}
	}
}

func sameMoneyBack(s *snapshot, found func(format string, args ...any)) {
	for _, p := range s.monthly() {
		if r, has := s.receipts[p.ID]; has && (r.Refunded != p.Refunded || p.Status != "refunded" && r.IsDisputed != (p.Status == "disputed")) {
			found("month %d of %s has %d back, disputed %t; its payment %s is %s and has %d back", r.Period, r.Subscription, r.Refunded, r.IsDisputed, p.ID,
				p.Status, p.Refunded)
		}
	}
}

// monthlySums compares what a campaign shows with the amounts that the payment service charges for it each month.
func monthlySums(s *snapshot, found func(format string, args ...any)) {
	charged, counted := map[int64]monthlyTotal{}, map[string]bool{}
	for id, one := range s.subscriptions {
		if one.Status == "active" {
			t, person := charged[one.Campaign], fmt.Sprint(one.Campaign, " ", s.supporters[id].Person)
			if !counted[person] { // the payment service does not know who is who without an account
				counted[person], t.Number = true, t.Number+1
			}
			charged[one.Campaign] = monthlyTotal{one.Campaign, t.Number, t.Amount + one.Amount}
		}
	}
	for _, t := range s.monthlyTotals {
		want := charged[t.Campaign]
		want.Campaign = t.Campaign
		delete(charged, t.Campaign)
		if t != want {
			found("campaign %d counts %d supporters of %d a month, charged are %d of %d", t.Campaign, t.Number, t.Amount, want.Number, want.Amount)
		}
	}
	for id, t := range charged {
		found("campaign %d counts nobody, charged are %d of %d", id, t.Number, t.Amount)
	}
}

// fundsOfMonths does for each receipt what fundsReached does for each pledge.
func fundsOfMonths(s *snapshot, found func(format string, args ...any)) {
	for _, p := range s.monthly() {
		a, paid := s.paidBy(p)
		if !paid {
			continue
		}
		r, has := s.receipts[p.ID]
		at := s.balances[a.Charge]
		is, want := at.campaigns(), int64(0)
		switch {
		case !has:
			if s.goesBack(p) {
				want = is
			}
		case r.IsDisputed:
			want = min(max(is, 0), r.Amount-s.taken(a.Charge, r.Amount))
		default:
			want = r.Amount + at[owed] + at[disputed]
			for _, back := range s.refunds[a.Charge] {
				if back.isSettled() || back.Status == "pending" && !back.Owed {
					want -= back.Amount
				}
			}
		}
		if is != want {
			found("month %d of %s for campaign %d (receipt %t, %d of %d back): the ledger has %d for it, wanted %d", p.Period, p.Subject, p.Campaign, has,
				r.Refunded, r.Amount, is, want)
		}
	}
}
