package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// providerName is the provider whose API this file reads, as our rows name it.
const providerName = "stripe"

// mangopayName is the provider that mangopay.go reads, as our rows name it.
const mangopayName = "mangopay"

// providerVersion is the version of the provider's API whose fields this file reads; without one an account's own would answer.
const providerVersion = "2023-10-16"

// provider is what the provider lists, newest first.
type provider struct {
	intents       []intent
	setups        []setup
	customers     []customer
	payeesAtA     []payeeAtA
	theirRefunds  []theirRefund
	theirDisputes []theirDispute
	theirWarnings []theirWarning
	lines         []line
	payouts       []payout
	tags          map[string]map[string]string // metadata of payment intents by their id
	foreign       map[string]bool              // charges of other systems
	sentAtA
}

// The provider's objects, as far as the audit reads them. Currencies are in lower case there.

type intent struct {
	ID             string            `json:"id"`
	Status         string            `json:"status"`
	Amount         int64             `json:"amount"`
	AmountReceived int64             `json:"amount_received"`
	Currency       string            `json:"currency"`
	Created        int64             `json:"created"`
	Metadata       map[string]string `json:"metadata"`
	Charge         expanded[charge]  `json:"latest_charge"`
	Customer       string            `json:"customer"`
	Card           string            `json:"payment_method"`
}

// setup is a card that was given without a charge.
type setup struct {
	ID       string `json:"id"`
	Status   string `json:"status"`
	Customer string `json:"customer"`
	Card     string `json:"payment_method"`
}

type customer struct {
	ID       string            `json:"id"`
	Metadata map[string]string `json:"metadata"`
}

type charge struct {
	Captured int64 `json:"amount_captured"`
}

type theirRefund struct {
	ID       string            `json:"id"`
	Intent   string            `json:"payment_intent"`
	Charge   string            `json:"charge"`
	Amount   int64             `json:"amount"`
	Currency string            `json:"currency"`
	Status   string            `json:"status"`
	Metadata map[string]string `json:"metadata"`
	Taken    expanded[line]    `json:"balance_transaction"`
	Returned expanded[line]    `json:"failure_balance_transaction"`
}

type theirDispute struct {
	ID       string `json:"id"`
	Intent   string `json:"payment_intent"`
	Charge   string `json:"charge"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Status   string `json:"status"`
	Reason   string `json:"reason"`
	Lines    []line `json:"balance_transactions"`
}

// line is a movement of our balance: Amount less Fee.
type line struct {
	ID       string           `json:"id"`
	Type     string           `json:"type"`
	Category string           `json:"reporting_category"`
	Amount   int64            `json:"amount"`
	Fee      int64            `json:"fee"`
	Currency string           `json:"currency"`
	Created  int64            `json:"created"`
	Source   expanded[source] `json:"source"`
}

// source is what moved our balance: a charge, refund, dispute or payout.
type source struct {
	Intent string `json:"payment_intent"`
	Charge string `json:"charge"`
}

type payout struct {
	ID       string `json:"id"`
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Status   string `json:"status"`
	Created  int64  `json:"created"`
}

// expanded is an object that the provider names by its id, or writes out when it was asked to.
type expanded[T any] struct {
	ID string
	Is T
}

func (e *expanded[T]) UnmarshalJSON(raw []byte) error {
	if !bytes.HasPrefix(raw, []byte("{")) {
		return json.Unmarshal(raw, &e.ID)
	}
	named := struct {
		ID string `json:"id"`
	}{}
	if err := json.Unmarshal(raw, &named); err != nil {
		return err
	}
	e.ID = named.ID
	return json.Unmarshal(raw, &e.Is)
}

// isOver tells that the intent has reached a final status.
func (i intent) isOver() bool { return i.Status == "succeeded" || i.Status == "canceled" }

func (d theirDispute) withdrawn() (sum int64) {
	for _, l := range d.Lines {
		sum -= l.Amount
	}
	return sum
}

func (d theirDispute) fee() (sum int64) {
	for _, l := range d.Lines {
		sum += l.Fee
	}
	return sum
}

// standing is the status that our dispute must have.
func (d theirDispute) standing() string {
	switch d.Status {
	case "warning_needs_response", "warning_under_review":
		return "inquiry"
	case "needs_response", "under_review":
		return "open"
	case "won", "lost":
		return d.Status
	}
	return "closed"
}

// readProvider reads the provider's lists.
func (s *snapshot) readProvider(ctx context.Context, from Sources) (err error) {
	c := caller{&http.Client{Timeout: 30 * time.Second, Transport: from.Transport}, from, ""}
	if s.intents, err = listAll(ctx, c, "/v1/payment_intents", func(i intent) string { return i.ID },
		"latest_charge"); err != nil {
		return err
	}
	if s.setups, err = listAll(ctx, c, "/v1/setup_intents", func(i setup) string { return i.ID }); err != nil {
		return err
	}
	if s.customers, err = listAll(ctx, c, "/v1/customers", func(c customer) string { return c.ID }); err != nil {
		return err
	}
	if s.payeesAtA, err = listAll(ctx, c, "/v1/accounts", func(a payeeAtA) string { return a.ID }); err != nil {
		return err
	}
	s.theirRefunds, err = listAll(ctx, c, "/v1/refunds", func(r theirRefund) string { return r.ID }, "balance_transaction",
		"failure_balance_transaction")
	if err != nil {
		return err
	}
	if s.theirDisputes, err = listAll(ctx, c, "/v1/disputes", func(d theirDispute) string { return d.ID }); err != nil {
		return err
	}
	if s.theirWarnings, err = listAll(ctx, c, "/v1/radar/early_fraud_warnings", func(w theirWarning) string { return w.ID }); err != nil {
		return err
	}
	if s.lines, err = listAll(ctx, c, "/v1/balance_transactions", func(l line) string { return l.ID },
		"source"); err != nil {
		return err
	}
	if s.payouts, err = listAll(ctx, c, "/v1/payouts", func(p payout) string { return p.ID }); err != nil {
		return err
	}
	if err = s.readSentAtA(ctx, c); err != nil {
		return err
	}
	s.tags = map[string]map[string]string{}
	for _, i := range s.intents {
		s.tags[i.ID] = i.Metadata
	}
	s.foreign = map[string]bool{}
	for _, i := range s.intents {
		if i.Status == "succeeded" && !s.isOurs(i.ID) {
			s.foreign[i.Charge.ID] = true
		}
	}
	for _, l := range s.lines {
		if l.of() == "charge" && !s.isOurs(l.Source.Is.Intent) {
			s.foreign[l.Source.ID] = true
		}
	}
	return nil
}

// isOurs tells that a payment at the provider is ours: it carries our tag, or an attempt of ours has it.
func (s *snapshot) isOurs(intentID string) bool {
	_, known := s.byMoney[intentID]
	return known || s.tags[intentID]["payment_id"] != ""
}

// caller calls the provider's API.
type caller struct {
	client *http.Client
	Sources
	account string // the connected one that calls are about; "" for ours
}

// listAll pages through one of the provider's lists.
func listAll[T any](ctx context.Context, c caller, path string, id func(T) string, expand ...string) (
	all []T, err error) {
	query := url.Values{"limit": {"100"}}
	for _, field := range expand {
		query.Add("expand[]", "data."+field)
	}
	for {
		page, more, err := fetch[T](ctx, c, path+"?"+query.Encode())
		if err != nil {
			return nil, fmt.Errorf("list %s: %w", path, err)
		}
		all = append(all, page...)
		if !more || len(page) == 0 {
			return all, nil
		}
		query.Set("starting_after", id(page[len(page)-1]))
	}
}

func fetch[T any](ctx context.Context, c caller, address string) (page []T, more bool, err error) {
	var list struct {
		Data    []T  `json:"data"`
		HasMore bool `json:"has_more"`
	}
	err = c.get(ctx, address, &list)
	return list.Data, list.HasMore, err
}

// get reads what is at an address.
func (c caller) get(ctx context.Context, address string, into any) (err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(c.Provider, "/")+address, http.NoBody)
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+c.Key)
	r.Header.Set("Stripe-Version", providerVersion)
	if c.account != "" {
		r.Header.Set("Stripe-Account", c.account)
	}
	answer, err := c.client.Do(r)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 500))
		return fmt.Errorf("answered %d: %s", answer.StatusCode, text)
	}
	return json.NewDecoder(answer.Body).Decode(into)
}
