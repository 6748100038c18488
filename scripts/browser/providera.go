package browser

import (
	"context"
	"fmt"
	"net/http"
)

// Onboard makes the visitor's account at provider A, or gives it again.
func (v *Visitor) Onboard(ctx context.Context, userID int64) (account string, err error) {
	var made struct{ Account struct{ ID string } }
	err = v.json(ctx, http.MethodPost, v.Payments+"/api/users/stripe/onboard", "", map[string]any{"account": map[string]any{"country": "FI",
		"type": "individual", "url": v.back(fmt.Sprintf("/profile/%d/", userID))}}, &made)
	return made.Account.ID, err
}

// AskAccount has the platform ask provider A how the visitor's account is now.
func (v *Visitor) AskAccount(ctx context.Context, account string) error {
	return v.json(ctx, http.MethodPost, v.Payments+"/api/users/stripe/onboard/"+account+"/update", "", nil, nil)
}

// PayAccountAtA says that a campaign is paid by an account at provider A.
func (v *Visitor) PayAccountAtA(ctx context.Context, campaignID int64, account string) error {
	return v.Post(ctx, fmt.Sprintf("/campaigns/%d/set_payment_account/", campaignID), map[string]any{"stripe_account_id": account}, nil)
}
