package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"
)

// NewPledge is the pledge form.
type NewPledge struct {
	Amount   json.Number `json:"amount"` // euros, the whole sum
	RewardID *int64      `json:"reward_id"`
	Meta     PledgeMeta  `json:"pledge_meta"`
}

// PledgeMeta is who pledges and what the campaign asks of them.
type PledgeMeta struct {
	Email     string            `json:"email"`
	FirstName string            `json:"first_name"`
	LastName  string            `json:"last_name"`
	Quantity  int               `json:"quantity,omitempty"`
	AddedCost *int              `json:"added_cost,omitempty"`
	Street    string            `json:"address_street,omitempty"`
	Postcode  string            `json:"address_postcode,omitempty"`
	City      string            `json:"address_city,omitempty"`
	Anonymous bool              `json:"anonymous"`
	Language  string            `json:"language,omitempty"`
	Answers   map[string]string `json:"custom_questions,omitempty"`
}

// Pledge is how a pledge stands.
type Pledge struct {
	ID            string  `json:"pledge_id"`
	Status        string  `json:"status"`
	Amount        float64 `json:"amount"` // euros as JSON has them, only compared
	Quantity      int     `json:"quantity"`
	RefundReason  string  `json:"refund_reason"`
	ReceiptNumber string  `json:"receipt_number"`
	BackerNumber  int     `json:"backer_number"`
	PaymentMethod string  `json:"payment_method"`
}

// Pledge sends the form. The same key gives the same pledge again.
func (v *Visitor) Pledge(ctx context.Context, campaignID int64, key string, p NewPledge) (Pledge, error) {
	if p.Meta.Language == "" {
		p.Meta.Language = v.language()
	}
	var answer struct {
		Pledge Pledge
		Token  string `json:"order_token"`
	}
	err := v.json(ctx, http.MethodPost, fmt.Sprintf("%s/campaigns/%d/pledges/", v.Content, campaignID), key, p, &answer)
	v.keepOrder(answer.Pledge.ID, answer.Token)
	return answer.Pledge, err
}

// ReadPledge asks how a pledge stands.
func (v *Visitor) ReadPledge(ctx context.Context, id string) (Pledge, error) {
	var answer struct{ Pledge Pledge }
	err := v.Get(ctx, "/pledges/"+id+"/", &answer)
	return answer.Pledge, err
}

// Release releases an unpaid pledge.
func (v *Visitor) Release(ctx context.Context, id string) error {
	return v.json(ctx, http.MethodDelete, v.Content+"/pledges/"+id+"/", "", nil, nil)
}

// AwaitStatus asks again until the pledge has one of the statuses, for at most limit.
func (v *Visitor) AwaitStatus(ctx context.Context, id string, limit time.Duration, statuses ...string) (Pledge, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		p, err := v.ReadPledge(ctx, id)
		if err == nil && slices.Contains(statuses, p.Status) {
			return p, nil
		}
		if err != nil && !IsTemporary(err) {
			return p, err
		}
		select {
		case <-ctx.Done():
			return p, errors.Join(fmt.Errorf("pledge %s is %q after %s, not one of %q", id, p.Status, limit, statuses), err)
		case <-time.After(pause):
		}
	}
}
