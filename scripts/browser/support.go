package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// NewSupport is the form of monthly support.
type NewSupport struct {
	Amount    json.Number `json:"amount"` // euros a month
	RewardID  *int64      `json:"reward_id,omitempty"`
	Email     string      `json:"email"`
	FirstName string      `json:"first_name"`
	LastName  string      `json:"last_name"`
	Meta      SupportMeta `json:"subscription_meta"`
}

// SupportMeta is the part of the form that says how a supporter is shown.
type SupportMeta struct {
	Anonymous bool `json:"anonymous"`
}

// Support sends the form and gives the subscription's id. The same key gives the same subscription again.
func (v *Visitor) Support(ctx context.Context, campaignID int64, key string, s NewSupport) (string, error) {
	var answer struct {
		Subscription struct {
			ID string `json:"subscription_id"`
		}
		Token string `json:"order_token"`
	}
	err := v.json(ctx, http.MethodPost, fmt.Sprintf("%s/campaigns/%d/subscriptions/", v.Content, campaignID), key, s, &answer)
	v.keepOrder(answer.Subscription.ID, answer.Token)
	return answer.Subscription.ID, err
}

// SetupMonth asks for the payment intent of the month that is to be paid.
func (v *Visitor) SetupMonth(ctx context.Context, subscriptionID string) (Intent, error) {
	return v.setup(ctx, "/api/subscriptions/"+subscriptionID+"/setup")
}

// Change makes a call that changes a subscription of the visitor's account: cancel, skip, pause, modify-level and so on.
func (v *Visitor) Change(ctx context.Context, subscriptionID, call string, body any) error {
	return v.json(ctx, http.MethodPost, v.Payments+"/api/subscriptions/"+subscriptionID+"/"+call, "", body, nil)
}
