//go:build unix

package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"talkoot.fi/scripts/browser"
)

// heardWithin is how long provider B, the services and each other's workers take to hear of what has happened.
const heardWithin = 2 * time.Minute

// PaidThroughB registers a person by their email, has them verified at provider B by its pages, and has campaigns paid through it.
func (r *Harness) PaidThroughB(ctx context.Context, email string, campaigns ...int64) (c CreatorAtB, err error) {
	id, err := r.creator(ctx, &c.Creator, email, campaigns)
	if err != nil {
		return c, err
	}
	made := time.Now()
	if c.Account, err = c.BeVerified(ctx, id); err != nil {
		return c, fmt.Errorf("verify a creator at provider B: %w", err)
	}
	r.creatorsB[c.Account.UserID] = made
	for _, campaign := range campaigns {
		err := named(ctx, func(ctx context.Context) error { return c.PayAccount(ctx, campaign, c.Account) })
		if err == nil {
			err = browser.Retry(ctx, heardWithin, func(ctx context.Context) error {
				methods, why, err := c.Methods(ctx, campaign)
				if err == nil && methods != "card:mangopay bank:mangopay page:mangopay" {
					err = fmt.Errorf("campaign %d is paid by %q (%s)", campaign, methods, why)
				}
				return err
			})
		}
		if err != nil {
			return c, err
		}
	}
	return c, nil
}

// BreakB makes provider B's API fail. Kinds: 401, 403, 404, 409, 429, 500, 500_after, 500_stored, 503, cut_before, cut_after.
func (r *Harness) BreakB(ctx context.Context, f Fault) error { return r.controlB(ctx, "faults", f) }

// SlowB makes every call of provider B's API take ms milliseconds longer.
func (r *Harness) SlowB(ctx context.Context, ms int64) error {
	return r.controlB(ctx, "latency", map[string]int64{"ms": ms})
}

// DisturbB makes the delivery of provider B's hooks misbehave.
func (r *Harness) DisturbB(ctx context.Context, w Webhooks) error {
	return r.controlB(ctx, "webhooks", w)
}

// ExpireTokensB ends every token that provider B has given.
func (r *Harness) ExpireTokensB(ctx context.Context) error {
	return r.controlB(ctx, "tokens/expire", struct{}{})
}

// SettlePayIn ends a direct debit or any other pay-in that waits at provider B with a result code; 000000 is its success.
func (r *Harness) SettlePayIn(ctx context.Context, payIn, code string) error {
	return r.controlB(ctx, "pay-ins/settle", map[string]any{"pay_in": payIn, "code": code})
}

// SettlePayOut has a payout of provider B arrive at its bank.
func (r *Harness) SettlePayOut(ctx context.Context, payOut string) error {
	return r.controlB(ctx, "payouts/settle", map[string]any{"payout": payOut, "code": "000000"})
}

// SetVerified has provider B verify the owner of wallets, or verify them no more.
func (r *Harness) SetVerified(ctx context.Context, user string, isVerified bool) error {
	level := "LIGHT"
	if isVerified {
		level = "REGULAR"
	}
	return r.controlB(ctx, "users/kyc", map[string]any{"user": user, "level": level})
}

// DisputeB has a bank take a pay-in of provider B back.
func (r *Harness) DisputeB(ctx context.Context, payIn string) error {
	return r.controlB(ctx, "disputes", map[string]any{"pay_in": payIn, "type": "CONTESTABLE"})
}

// DecideB has the bank decide a dispute at provider B: WON or LOST.
func (r *Harness) DecideB(ctx context.Context, dispute, result string) error {
	return r.controlB(ctx, "disputes/decide", map[string]any{"dispute": dispute, "result": result})
}

func (r *Harness) controlB(ctx context.Context, path string, order any) error {
	text, err := json.Marshal(order)
	if err != nil {
		return fmt.Errorf("control the sandbox: %w", err)
	}
	return r.askAt(ctx, http.MethodPost, r.MangopayURL+"/_sandbox/"+path, text, nil)
}

// TransactionB is one at provider B that touched a wallet.
type TransactionB struct {
	ID                        string `json:"Id"`
	Tag, Status, Type, Nature string
	DebitedFunds              struct{ Amount int64 }
	CreationDate              int64
}

// tagged is what our tag on it says.
func (t TransactionB) tagged(what string) string {
	q, _ := url.ParseQuery(t.Tag) // of anything else nothing
	return q.Get(what)
}

// PledgeID is whose pay-in it is; "" when that is nobody's.
func (t TransactionB) PledgeID() string {
	id, is := strings.CutPrefix(t.tagged("subject"), "pledge:")
	if !is {
		return ""
	}
	return id
}

// TransactionsB reads from provider B, not from the platform, what has touched the wallets of a creator.
func (r *Harness) TransactionsB(ctx context.Context, user string) (list []TransactionB, err error) {
	type wallet struct {
		ID string `json:"Id"`
	}
	wallets, err := listB[wallet](ctx, r, "/users/"+user+"/wallets")
	for _, w := range wallets {
		some, err := listB[TransactionB](ctx, r, "/wallets/"+w.ID+"/transactions")
		if err != nil {
			return nil, err
		}
		list = append(list, some...)
	}
	return list, err
}

// PayInKindB is what pays a pay-in of provider B: CARD or DIRECT_DEBIT, and DIRECT or WEB.
func (r *Harness) PayInKindB(ctx context.Context, id string) (payment, execution string, err error) {
	var one struct{ PaymentType, ExecutionType string }
	err = r.askB(ctx, http.MethodGet, "/payins/"+id, "", &one)
	return one.PaymentType, one.ExecutionType, err
}

type disputeB struct {
	ID                   string `json:"Id"`
	InitialTransactionID string `json:"InitialTransactionId"`
	Status, ResultCode   string
	DisputedFunds        struct{ Amount int64 }
}

// addPledgesB adds what provider B has charged and returned for pledges to the wallets of a creator.
func (r *Harness) addPledgesB(ctx context.Context, user string, money map[string]Money) error {
	list, err := r.TransactionsB(ctx, user)
	if err != nil {
		return err
	}
	disputes, err := listB[disputeB](ctx, r, "/disputes")
	if err != nil {
		return err
	}
	lost := map[string]int64{}
	for _, d := range disputes {
		if d.Status != "CLOSED" || d.ResultCode == "LOST" {
			lost[d.InitialTransactionID] += d.DisputedFunds.Amount
		}
	}
	byPayment := map[string]string{}
	for _, t := range list {
		if t.Type != "PAYIN" || t.Nature != "REGULAR" || t.Status != "SUCCEEDED" {
			continue
		}
		id := t.PledgeID()
		byPayment[t.tagged("payment")] = id
		m := money[id]
		money[id] = Money{m.Charges + 1, m.Charged + t.DebitedFunds.Amount, m.Returned, m.Disputed + lost[t.ID], t.CreationDate}
	}
	for _, t := range list {
		if t.Nature != "REFUND" || t.Status != "SUCCEEDED" {
			continue
		}
		id, known := byPayment[t.tagged("payment")]
		if !known {
			return fmt.Errorf("provider B's refund %s is of no pay-in that it has", t.ID)
		}
		m := money[id]
		m.Returned += t.DebitedFunds.Amount
		money[id] = m
	}
	return nil
}

type hookB struct {
	ID     string `json:"Id"`
	Status string
}

// DisableHooksB has provider B tell us of nothing any more, as it does after a hundred failures, and gives how many types it told us of.
func (r *Harness) DisableHooksB(ctx context.Context) (int, error) {
	hooks, err := listB[hookB](ctx, r, "/hooks")
	for _, h := range hooks {
		if err := r.askB(ctx, http.MethodPut, "/hooks/"+h.ID, `{"Status":"DISABLED"}`, nil); err != nil {
			return 0, err
		}
	}
	return len(hooks), err
}

// EnabledHooksB is of how many types of events provider B tells us.
func (r *Harness) EnabledHooksB(ctx context.Context) (number int, err error) {
	hooks, err := listB[hookB](ctx, r, "/hooks")
	for _, h := range hooks {
		if h.Status == "ENABLED" {
			number++
		}
	}
	return number, err
}

// listB reads all pages of one of provider B's lists.
func listB[T any](ctx context.Context, r *Harness, path string) (list []T, err error) {
	for page := 1; ; page++ {
		var some []T
		err := r.askB(ctx, http.MethodGet, fmt.Sprintf("%s?per_page=100&page=%d&ScaContext=USER_NOT_PRESENT", path, page), "", &some)
		if list = append(list, some...); err != nil || len(some) < 100 {
			return list, err
		}
	}
}

// askB calls provider B's API with the platform's key.
func (r *Harness) askB(ctx context.Context, method, path, body string, into any) error {
	request, err := http.NewRequestWithContext(ctx, method, r.MangopayURL+"/v2.01/"+r.Env["MANGOPAY_CLIENT_ID"]+path, strings.NewReader(body))
	if err != nil {
		return fmt.Errorf("ask provider B: %w", err)
	}
	request.SetBasicAuth(r.Env["MANGOPAY_CLIENT_ID"], r.Env["MANGOPAY_API_KEY"])
	request.Header.Set("Content-Type", "application/json")
	return r.send(request, into)
}
