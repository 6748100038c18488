package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
)

// settleTime is how long a paid pledge may take to be known as paid: webhook, queue, ledger, outbox.
const settleTime = 30 * time.Second

// visitor speaks the public calls that a browser would.
type visitor struct {
	content, payments, sandbox string
	http                       *http.Client

	mu     sync.Mutex
	tokens map[string]string // by person
}

// campaigns lists ids by slug.
func (v *visitor) campaigns(ctx context.Context) (map[string]int64, error) {
	var answer struct {
		Previews []struct {
			CampaignID int64 `json:"campaign_id"`
			Slug       string
		}
	}
	if err := v.call(ctx, http.MethodGet, v.content+"/campaigns/preview/fi/?limit=300", "", nil, &answer); err != nil {
		return nil, err
	}
	ids := map[string]int64{}
	for _, c := range answer.Previews {
		ids[c.Slug] = c.CampaignID
	}
	return ids, nil
}

// rewards lists ids by title, in every language: a reward's texts fall back.
func (v *visitor) rewards(ctx context.Context, campaignID int64) (map[string]int64, error) {
	ids := map[string]int64{}
	for _, language := range []string{"sv", "en", "fi"} {
		var answer struct {
			Rewards []struct {
				RewardID int64 `json:"reward_id"`
				Title    string
			}
		}
		address := fmt.Sprintf("%s/campaigns/%d/rewards/%s/", v.content, campaignID, language)
		if err := v.call(ctx, http.MethodGet, address, "", nil, &answer); err != nil {
			return nil, err
		}
		for _, r := range answer.Rewards {
			ids[r.Title] = r.RewardID
		}
	}
	return ids, nil
}

// pledgeAndPay makes one pledge, pays it by card and waits until it is known as paid.
func (v *visitor) pledgeAndPay(ctx context.Context, campaignID int64, p planned) error {
	token := ""
	if p.signIn != nil {
		var err error
		if token, err = v.signIn(ctx, *p.signIn); err != nil {
			return err
		}
	}
	meta := map[string]any{"email": p.email, "first_name": p.firstName, "last_name": p.lastName, "anonymous": p.anonymous,
		"language": p.language}
	if p.addedCost != nil {
		meta["added_cost"] = *p.addedCost
	}
	if p.address != nil {
		meta["address_street"], meta["address_postcode"], meta["address_city"] = p.address[0], p.address[1], p.address[2]
	}
	if len(p.answers) > 0 {
		meta["custom_questions"] = p.answers
	}
	body := map[string]any{"amount": json.Number(p.euros), "reward_id": p.rewardID, "pledge_meta": meta}
	var pledge struct {
		Pledge struct {
			ID     string `json:"pledge_id"`
			Status string
		}
	}
	head := header{token: token, key: p.key, ip: p.visitorIP}
	if err := v.post(ctx, fmt.Sprintf("%s/campaigns/%d/pledges/", v.content, campaignID), head, body, &pledge); err != nil {
		return err
	}
	id := pledge.Pledge.ID
	if pledge.Pledge.Status == "paid" {
		return nil // an earlier run got this far
	}
	var setup struct {
		Stripe struct {
			PaymentIntent struct {
				ID           string
				ClientSecret string `json:"client_secret"`
			} `json:"payment_intent"`
			PublishableKey string `json:"publishable_key"`
		}
	}
	if err := v.post(ctx, v.payments+"/api/pledges/"+id+"/setup", header{ip: p.visitorIP}, nil, &setup); err != nil {
		return err
	}
	if err := v.confirm(ctx, setup.Stripe.PaymentIntent.ID, setup.Stripe.PaymentIntent.ClientSecret, setup.Stripe.PublishableKey); err != nil {
		return err
	}
	return v.awaitPaid(ctx, id)
}

// confirm pays with a test card, as the card form in the page does.
func (v *visitor) confirm(ctx context.Context, intent, secret, key string) error {
	form := url.Values{"client_secret": {secret}, "payment_method_data[type]": {"card"},
		"payment_method_data[card][number]": {"4242424242424242"}, "payment_method_data[card][exp_month]": {"9"},
		"payment_method_data[card][exp_year]": {strconv.Itoa(time.Now().Year() + 3)}, "payment_method_data[card][cvc]": {"314"}}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, v.sandbox+"/v1/payment_intents/"+intent+"/confirm", strings.NewReader(form.Encode()))
	if err != nil {
		return fmt.Errorf("confirm payment: %w", err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Authorization", "Bearer "+key)
	var answer struct{ Status string }
	if err := v.do(r, &answer); err != nil && !strings.Contains(err.Error(), "payment_intent_unexpected_state") {
		return err // an intent that an earlier run confirmed is in an unexpected state, which is what we want
	}
	return nil
}

func (v *visitor) awaitPaid(ctx context.Context, id string) error {
	deadline := time.Now().Add(settleTime)
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		var answer struct{ Pledge struct{ Status string } }
		if err := v.call(ctx, http.MethodGet, v.content+"/pledges/"+id+"/", "", nil, &answer); err != nil {
			return err
		}
		if answer.Pledge.Status == "paid" {
			return nil
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("pledge %s is still %s after %s", id, answer.Pledge.Status, settleTime)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// signIn keeps one session for each person.
func (v *visitor) signIn(ctx context.Context, p person) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if token, ok := v.tokens[p.Key]; ok {
		return token, nil
	}
	var answer struct{ Token struct{ String string } }
	head := header{ip: fmt.Sprintf("203.0.113.%d", len(v.tokens)+1)}
	if err := v.post(ctx, v.content+"/users/tokens/", head, map[string]string{"email": p.Email, "password": p.Password}, &answer); err != nil {
		return "", err
	}
	if v.tokens == nil {
		v.tokens = map[string]string{}
	}
	v.tokens[p.Key] = answer.Token.String
	return answer.Token.String, nil
}

// header is what a call says of its caller.
type header struct{ token, key, ip string }

func (v *visitor) post(ctx context.Context, address string, h header, body, into any) error {
	encoded := []byte{}
	if body != nil {
		var err error
		if encoded, err = json.Marshal(body); err != nil {
			return fmt.Errorf("encode call of %s: %w", address, err)
		}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(encoded))
	if err != nil {
		return fmt.Errorf("call %s: %w", address, err)
	}
	r.Header.Set("Content-Type", "application/json")
	for name, value := range map[string]string{"Idempotency-Key": h.key, "X-Forwarded-For": h.ip} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	if h.token != "" {
		r.Header.Set("Authorization", "Bearer "+h.token)
	}
	return v.do(r, into)
}

func (v *visitor) call(ctx context.Context, method, address, token string, body io.Reader, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return fmt.Errorf("call %s: %w", address, err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	return v.do(r, into)
}

func (v *visitor) do(r *http.Request, into any) (err error) {
	answer, err := v.http.Do(r)
	if err != nil {
		return fmt.Errorf("call %s: %w", r.URL.Path, err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, 4<<20))
	if err != nil {
		return fmt.Errorf("read answer of %s: %w", r.URL.Path, err)
	}
	if answer.StatusCode >= http.StatusMultipleChoices {
		return fmt.Errorf("%s %s answered %d: %.300s", r.Method, r.URL.Path, answer.StatusCode, body)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode answer of %s: %w", r.URL.Path, err)
	}
	return nil
}
