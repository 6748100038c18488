//go:build unix

package harness

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Money is what the provider has charged and returned for one pledge or month, in minor units.
type Money struct {
	Charges  int   // that succeeded
	Charged  int64 // by all of them
	Returned int64 // by refunds that did not fail
	Disputed int64 // what banks have taken back by disputes that we did not win
	At       int64 // when the last of them was made, in Unix seconds
}

// Kept is what is left of the charges, in minor units.
func (m Money) Kept() int64 { return m.Charged - m.Returned - m.Disputed }

type providerCharge struct {
	ID             string
	Status         string
	AmountCaptured int64 `json:"amount_captured"`
	AmountRefunded int64 `json:"amount_refunded"`
	Created        int64
	Metadata       struct {
		Subject   string
		PaymentID string `json:"payment_id"`
	}
}

type providerDispute struct {
	ID, Charge, Status string
	Amount             int64
}

// MoneyOfPledges reads from the providers, not the platform, the charges since a moment, by pledge id: all of provider A, and of B those
// for creators who came there since.
func (r *Harness) MoneyOfPledges(ctx context.Context, since time.Time) (map[string]Money, error) {
	money, err := r.money(ctx, since, func(c providerCharge) (string, bool) { return strings.CutPrefix(c.Metadata.Subject, "pledge:") })
	for user, made := range r.creatorsB {
		if err == nil && made.After(since) {
			err = r.addPledgesB(ctx, user, money)
		}
	}
	return money, err
}

// MoneyOfPayments does the same of provider A by our payments' ids.
func (r *Harness) MoneyOfPayments(ctx context.Context, since time.Time) (map[string]Money, error) {
	return r.money(ctx, since, func(c providerCharge) (string, bool) { return c.Metadata.PaymentID, c.Metadata.PaymentID != "" })
}

func (r *Harness) money(ctx context.Context, since time.Time, of func(providerCharge) (string, bool)) (map[string]Money, error) {
	lost := map[string]int64{} // by charge
	err := eachAtProvider(ctx, r, "disputes", since, func(d providerDispute) string {
		if d.Status != "won" {
			lost[d.Charge] += d.Amount
		}
		return d.ID
	})
	if err != nil {
		return nil, err
	}
	money := map[string]Money{}
	return money, eachAtProvider(ctx, r, "charges", since, func(c providerCharge) string {
		if id, isOne := of(c); c.Status == "succeeded" && isOne {
			m := money[id]
			money[id] = Money{m.Charges + 1, m.Charged + c.AmountCaptured, m.Returned + c.AmountRefunded,
				m.Disputed + lost[c.ID], c.Created}
		}
		return c.ID
	})
}

// eachAtProvider walks one of the provider's lists; take returns the object's id.
func eachAtProvider[T any](ctx context.Context, r *Harness, list string, since time.Time, take func(T) string) error {
	query := url.Values{"limit": {"100"}, "created[gte]": {strconv.FormatInt(since.Unix(), 10)}}
	for {
		var page struct {
			Data    []T
			HasMore bool `json:"has_more"`
		}
		if err := r.askProvider(ctx, "/v1/"+list+"?"+query.Encode(), &page); err != nil {
			return err
		}
		for _, one := range page.Data {
			query.Set("starting_after", take(one))
		}
		if !page.HasMore || len(page.Data) == 0 {
			return nil
		}
	}
}

func (r *Harness) askProvider(ctx context.Context, path string, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.SandboxURL+path, http.NoBody)
	if err != nil {
		return fmt.Errorf("ask the provider: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+r.Env["STRIPE_SECRET_KEY"])
	return r.send(request, into)
}

// send makes a call to a provider or to the sandbox, and reads its answer unless into is nil.
func (r *Harness) send(request *http.Request, into any) (err error) {
	answer, err := r.Site.HTTP.Do(request)
	if err != nil {
		return fmt.Errorf("ask the sandbox: %w", err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		return errors.Join(fmt.Errorf("the sandbox answered %d to %s: %.300s", answer.StatusCode, request.URL.Path, text), err)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read the sandbox's answer to %s: %w", request.URL.Path, err)
	}
	return nil
}
