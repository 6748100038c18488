package books

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
)

// pledge and payment are the two halves of one story.
type pledge struct {
	ID, Status       string
	Amount, Refunded int64
}

type payment struct {
	PledgeID, Status string
	Amount, Refunded int64
}

// agrees lists the payment statuses that fit a pledge's status when nothing is on its way; "" is no payment at all.
var agrees = map[string][]string{
	"created":          {"", "created", "requires_action", "canceled"},
	"awaiting_payment": {"created", "requires_action"},
	"processing":       {"processing"},
	"paid":             {"succeeded"},
	"partly_refunded":  {"partly_refunded"},
	"refunded":         {"refunded"},
	"disputed":         {"disputed"},
	"failed":           {"failed", "canceled", "created"},
	"expired":          {"", "created", "requires_action", "canceled", "failed"},
}

// compareServices holds each pledge against its payment.
func (r *Report) compareServices(ctx context.Context, content, payments *pgx.Conn) error {
	rows, err := content.Query(ctx, `SELECT id, status, amount_minor, amount_refunded_minor FROM pledges`)
	if err != nil {
		return fmt.Errorf("list pledges: %w", err)
	}
	pledges, err := pgx.CollectRows(rows, pgx.RowToStructByPos[pledge])
	if err != nil {
		return fmt.Errorf("list pledges: %w", err)
	}
	rows, err = payments.Query(ctx, `SELECT pledge_id, status, amount_minor, amount_refunded_minor FROM payments`)
	if err != nil {
		return fmt.Errorf("list payments: %w", err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payment])
	if err != nil {
		return fmt.Errorf("list payments: %w", err)
	}
	r.Checks++
	r.Pledges, r.Payments = len(pledges), len(list)
	byPledge := make(map[string]payment, len(list))
	for _, p := range list {
		byPledge[p.PledgeID] = p
	}
	const name = "pledge and payment agree"
	for _, p := range pledges {
		other, paid := byPledge[p.ID]
		delete(byPledge, p.ID)
		if !contains(agrees[p.Status], other.Status) {
			r.add(name, "pledge %s is %s, its payment %q", p.ID, p.Status, other.Status)
		}
		if paid && (other.Amount != p.Amount || other.Refunded != p.Refunded) {
			r.add(name, "pledge %s is of %d (%d back), its payment of %d (%d back)", p.ID, p.Amount, p.Refunded, other.Amount, other.Refunded)
		}
	}
	for id := range byPledge {
		r.add(name, "payment of pledge %s, which is not there", id)
	}
	return nil
}

func contains(list []string, value string) bool {
	for _, v := range list {
		if v == value {
			return true
		}
	}
	return false
}

// intent and refund are the provider's objects, as far as the audit reads them.
type intent struct {
	ID             string            `json:"id"`
	Status         string            `json:"status"`
	AmountReceived int64             `json:"amount_received"`
	Metadata       map[string]string `json:"metadata"`
}

type refund struct {
	ID            string `json:"id"`
	PaymentIntent string `json:"payment_intent"`
	Amount        int64  `json:"amount"`
	Status        string `json:"status"`
}

// compareProvider holds the provider's own lists against ours, and finds anybody who was charged twice.
func (r *Report) compareProvider(ctx context.Context, payments *pgx.Conn, s Sources) error {
	intents, err := listAll(ctx, s, "/v1/payment_intents", func(i intent) string { return i.ID })
	if err != nil {
		return err
	}
	refunds, err := listAll(ctx, s, "/v1/refunds", func(x refund) string { return x.ID })
	if err != nil {
		return err
	}
	back := map[string]int64{}
	for _, x := range refunds {
		if x.Status == "succeeded" || x.Status == "pending" {
			back[x.PaymentIntent] += x.Amount
		}
	}
	disputes, err := listAll(ctx, s, "/v1/disputes", func(x dispute) string { return x.ID })
	if err != nil {
		return err
	}
	for _, x := range disputes {
		back[x.PaymentIntent] += x.withdrawn()
	}
	if err := r.compareDisputes(ctx, payments, disputes); err != nil {
		return err
	}
	byHand, err := settledByHand(ctx, payments)
	if err != nil {
		return err
	}
	kept, amount, another := map[string]int{}, map[string]int64{}, map[string]int64{} // by pledge
	for _, i := range intents {
		pledgeID := i.Metadata["pledge_id"]
		if i.Status != "succeeded" || pledgeID == "" {
			continue
		}
		left := i.AmountReceived - back[i.ID]
		if left > byHand[i.ID] {
			kept[pledgeID]++
		}
		amount[pledgeID] += left
		another[pledgeID] += byHand[i.ID]
	}
	r.Checks += 2
	for pledgeID, n := range kept {
		if n > 1 {
			r.add("nobody is charged twice", "pledge %s has %d charges that were not given back", pledgeID, n)
		}
	}
	rows, err := payments.Query(ctx, `
		SELECT pledge_id, status, amount_minor, amount_refunded_minor + (
			SELECT coalesce(sum(withdrawn_minor), 0) FROM disputes WHERE attempt_id = paid_attempt_id)::bigint
		FROM payments WHERE status IN ('succeeded', 'partly_refunded', 'disputed')`)
	if err != nil {
		return fmt.Errorf("list settled payments: %w", err)
	}
	settled, err := pgx.CollectRows(rows, pgx.RowToStructByPos[payment])
	if err != nil {
		return fmt.Errorf("list settled payments: %w", err)
	}
	const name = "the provider's list equals ours"
	for _, p := range settled {
		// What went another way is still in the provider's sum.
		if ours := p.Amount - p.Refunded; amount[p.PledgeID] < ours || amount[p.PledgeID] > ours+another[p.PledgeID] {
			r.add(name, "pledge %s: we hold %d, the provider %d", p.PledgeID, ours, amount[p.PledgeID])
		}
		delete(amount, p.PledgeID)
	}
	for pledgeID, sum := range amount {
		if sum > another[pledgeID] {
			r.add(name, "pledge %s: the provider holds %d that we do not know of", pledgeID, sum)
		}
	}
	return nil
}

// settledByHand is the sum of failed refunds that a person has seen to, by the provider's intent.
func settledByHand(ctx context.Context, payments *pgx.Conn) (map[string]int64, error) {
	rows, err := payments.Query(ctx, `
		SELECT coalesce(a.intent_id, a.provider_id), sum(r.amount_minor)::bigint
		FROM refunds r JOIN attempts a ON a.id = r.attempt_id WHERE `+isSettledByHand+` GROUP BY 1`)
	if err != nil {
		return nil, fmt.Errorf("list refunds settled by hand: %w", err)
	}
	out := map[string]int64{}
	var intentID string
	var sum int64
	_, err = pgx.ForEachRow(rows, []any{&intentID, &sum}, func() error {
		out[intentID] = sum
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list refunds settled by hand: %w", err)
	}
	return out, nil
}

// listAll pages through one of the provider's lists.
func listAll[T any](ctx context.Context, s Sources, path string, id func(T) string) (all []T, err error) {
	client := &http.Client{Timeout: 30 * time.Second}
	for after := ""; ; {
		query := url.Values{"limit": {"100"}}
		if after != "" {
			query.Set("starting_after", after)
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Provider+path+"?"+query.Encode(), http.NoBody)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", path, err)
		}
		r.Header.Set("Authorization", "Bearer "+s.Key)
		page, more, err := fetch[T](client, r)
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", path, err)
		}
		all = append(all, page...)
		if !more || len(page) == 0 {
			return all, nil
		}
		after = id(page[len(page)-1])
	}
}

func fetch[T any](client *http.Client, r *http.Request) (page []T, more bool, err error) {
	answer, err := client.Do(r)
	if err != nil {
		return nil, false, err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 500))
		return nil, false, fmt.Errorf("answered %d: %s", answer.StatusCode, text)
	}
	var list struct {
		Data    []T  `json:"data"`
		HasMore bool `json:"has_more"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&list); err != nil {
		return nil, false, err
	}
	return list.Data, list.HasMore, nil
}
