package audit

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// snapshot is what the comparisons read: rows of both databases, and the provider's lists.
type snapshot struct {
	now       time.Time
	pledges   map[string]pledge // by id
	raises    map[string]raise
	payments  map[string]payment  // by id
	events    map[string][]event  // the inbox, by payment, in order of their numbers
	attempts  map[int64]attempt   // by id; those that have a payment at the provider
	byMoney   map[string]attempt  // by the provider's payment
	refunds   map[string][]refund // by attempt's charge
	disputes  map[string]dispute  // by the provider's id
	warnings  map[string]warning  // likewise
	mangopay  *mangopayState      // nil without it
	movements []movement          // the ledger, in the order in which it was written
	balances  map[string]posting  // by charge: its sums in the ledger
	booked    map[string]bool     // its movements, by kind and reference

	supporters    map[string]supporter    // of the content service, by id
	subscriptions map[string]subscription // of the payment service, by id
	receipts      map[string]receipt      // of months, by payment
	monthlyTotals []monthlyTotal

	whose
	limitsOf
	copies

	contentPayees, paymentsPayees     map[string]payee // by provider and id
	contentAccounts, paymentsAccounts []accountOf
	contentHolds, paymentsHolds       map[int64]string // by campaign that is on hold
	ofMangopay
	contentEndings, paymentsEndings []campaignEnding
	contentAgreed, paymentsAgreed   []agreedRefund

	provider
}

// pledge is one row of the content service.
type pledge struct {
	ID, Status, Currency string
	Amount, Refunded     int64
	Campaign             int64
	Stage                int // of the campaign
	PaymentID            string
	IsTakenBack          bool
	// Of one that was changed to a smaller sum: what was paid, else Amount; what has gone back of the difference.
	Charged, ChangeRefunded int64
}

// payment is one row of the payment service, with its order's copy.
type payment struct {
	ID, Kind, Subject, Provider, Status, Currency string
	Amount, Refunded, Campaign, Sequence          int64
	Paid                                          *int64
	Period                                        int64  // of a subscription
	Day                                           string // of its month; "" for none
	Stranded                                      bool   // its backer was to be told of another way
	FurtherOf                                     string // the pledge of a further charge; "" of all others
	IsTakenBack                                   bool
}

// isOfContent tells that the content service knows what it is for.
func (p payment) isOfContent() bool { return p.Kind == "pledge" || p.Kind == "subscription" }

// event is a row of the content service's inboxes.
type event struct {
	Payment, Subject, ID, Type, Outcome string
	Sequence                            int64
	Amount, Refunded                    int64
	Currency                            string
}

// attempt is one that has a payment at the provider.
type attempt struct {
	ID                                int64
	Payment, Provider, Method, Status string
	Money, Charge, Currency           string
	Amount                            int64
	Instrument                        string // that was registered, which it charges; "" for none
	Key                               string // of its call
	WasHeld                           bool   // its charge was booked as held, whatever a person decided later
	Attached                          bool   // a person gave it to another payment
}

func (a attempt) tookMoney() bool { return a.Status == "succeeded" || a.Status == "held" }

// refund is one row of refunds, with the charge that it refunds.
type refund struct {
	ID, Charge, Provider, Status, Currency string
	Ref                                    string // the provider's, "" for none
	Amount                                 int64
	Owed                                   bool
	Reason                                 string
}

// isSettled tells that the backer has received the money.
func (r refund) isSettled() bool { return r.Status == "succeeded" || r.Status == "by_hand" }

// isOnItsWay tells that it is still to be made, or made and not settled.
func (r refund) isOnItsWay() bool { return r.Status == "creating" || r.Status == "pending" }

// dispute is one row of disputes, with the charge that it disputes.
type dispute struct {
	Ref, Charge, Status, Reason, Currency string
	Amount, Withdrawn, Fee                int64
	Provider                              string
	Opened                                time.Time
}

const (
	pledgesSQL = `SELECT p.id, p.status, p.currency, p.amount_minor, p.amount_refunded_minor, p.campaign_id, c.stage, p.payment_id,
		EXISTS (SELECT FROM pledge_transitions t WHERE t.pledge_id = p.id AND t.to_status = 'withdrawn'),
		coalesce(p.charged_minor, p.amount_minor), p.change_refunded_minor
		FROM pledges p JOIN campaigns c ON c.id = p.campaign_id`
	eventsSQL = `SELECT payment_id, subject_id, event_id, type, outcome, sequence, coalesce((body ->> 'amount_minor')::bigint, 0),
		coalesce((body ->> 'amount_refunded_minor')::bigint, 0), coalesce(body ->> 'currency', '') FROM (
			SELECT payment_id, CASE WHEN ` + ofRaise + ` THEN body ->> 'subject_id' ELSE pledge_id END AS subject_id, event_id, type, outcome, sequence, body FROM payment_events e
			UNION ALL
			SELECT payment_id, subscription_id, event_id, type, outcome, sequence, body FROM subscription_events WHERE payment_id <> '') e
		ORDER BY payment_id, sequence, event_id`
	paymentsSQL = `SELECT id, subject_kind, subject_id, provider, status, currency, amount_minor, amount_refunded_minor, campaign_id, event_sequence,
		paid_attempt_id, coalesce(period, 0)::bigint, coalesce(period_day::text, ''), stranded_at IS NOT NULL, coalesce(further_of, ''), taken_back FROM payments`
	attemptsSQL = `SELECT c.id, c.payment_id, c.provider, c.method, c.status, c.money_ref, c.charge_ref, c.currency, c.amount_minor, c.instrument_ref, c.idempotency_key,
		c.status = 'held' OR EXISTS (SELECT FROM operator_actions o WHERE o.action IN ('release_held', 'attach') AND o.after ->> 'charge' = c.charge_ref),
		EXISTS (SELECT FROM operator_actions o WHERE o.action = 'attach' AND o.after ->> 'charge' = c.charge_ref)
		FROM attempts c WHERE c.money_ref IS NOT NULL`
	refundsSQL = `SELECT r.id, c.charge_ref, r.provider, r.status, r.currency, coalesce(r.provider_ref, ''), r.amount_minor, r.owed, r.reason
		FROM refunds r JOIN attempts c ON c.id = r.attempt_id ORDER BY r.id`
	disputesSQL = `SELECT d.provider_ref, c.charge_ref, d.status, d.reason, d.currency, d.amount_minor, d.withdrawn_minor, d.fee_minor, d.provider, d.opened_at
		FROM disputes d JOIN attempts c ON c.id = d.attempt_id`
)

// read reads both databases: the payments first, as run does.
func read(ctx context.Context, contentDB, paymentsDB querier, now time.Time) (*snapshot, error) {
	s := &snapshot{now: now, pledges: map[string]pledge{}, raises: map[string]raise{}, payments: map[string]payment{}, events: map[string][]event{},
		attempts: map[int64]attempt{}, byMoney: map[string]attempt{},
		refunds: map[string][]refund{}, disputes: map[string]dispute{}, balances: map[string]posting{},
		booked: map[string]bool{}}
	payments, err := rows[payment](ctx, paymentsDB, "payments", paymentsSQL)
	if err != nil {
		return nil, err
	}
	attempts, err := rows[attempt](ctx, paymentsDB, "attempts", attemptsSQL)
	if err != nil {
		return nil, err
	}
	refunds, err := rows[refund](ctx, paymentsDB, "refunds", refundsSQL)
	if err != nil {
		return nil, err
	}
	disputes, err := rows[dispute](ctx, paymentsDB, "disputes", disputesSQL)
	if err != nil {
		return nil, err
	}
	if err := s.readWarnings(ctx, paymentsDB); err != nil {
		return nil, err
	}
	if s.movements, err = readMovements(ctx, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readEndings(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readAgreed(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readHolds(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readPayees(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readSupport(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readWhose(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readLimits(ctx, paymentsDB); err != nil {
		return nil, err
	}
	if err := s.readCopies(ctx, contentDB, paymentsDB); err != nil {
		return nil, err
	}
	pledges, err := rows[pledge](ctx, contentDB, "pledges", pledgesSQL)
	if err != nil {
		return nil, err
	}
	raises, err := rows[raise](ctx, contentDB, "raises", raisesSQL)
	if err != nil {
		return nil, err
	}
	events, err := rows[event](ctx, contentDB, "the inbox", eventsSQL)
	if err != nil {
		return nil, err
	}
	for _, p := range payments {
		s.payments[p.ID] = p
	}
	for _, a := range attempts {
		s.attempts[a.ID], s.byMoney[a.Money] = a, a
	}
	for _, r := range refunds {
		s.refunds[r.Charge] = append(s.refunds[r.Charge], r)
	}
	for _, d := range disputes {
		s.disputes[d.Ref] = d
	}
	for _, m := range s.movements {
		s.booked[m.kind+" "+m.reference] = true
		if s.balances[m.charge] == nil {
			s.balances[m.charge] = posting{}
		}
		s.balances[m.charge].add(m)
	}
	for _, p := range pledges {
		s.pledges[p.ID] = p
	}
	for _, r := range raises {
		s.raises[r.ID] = r
	}
	for _, e := range events {
		s.events[e.Payment] = append(s.events[e.Payment], e)
	}
	return s, nil
}

// add adds a movement up by class. What a creator need not give back counts as owed still: it changes nothing between a campaign and its backers.
func (p posting) add(m movement) {
	for _, l := range m.legs {
		class := l.class
		if l.account == givenUp {
			class = debt
		}
		p[class] += l.minor
	}
}

// paidBy is the attempt that pays a payment.
func (s *snapshot) paidBy(p payment) (attempt, bool) {
	if p.Paid == nil {
		return attempt{}, false
	}
	a, there := s.attempts[*p.Paid]
	return a, there
}

func rows[T any](ctx context.Context, db querier, what, sql string, args ...any) ([]T, error) {
	found, err := db.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	list, err := pgx.CollectRows(found, pgx.RowToStructByPos[T])
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	return list, nil
}
