package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// SettlePayIn ends a direct debit or any other pay-in that waits at provider B with a result code; 000000 is its success.
func (r *Harness) SettlePayIn(ctx context.Context, payIn, code string) error {
	return r.controlB(ctx, "pay-ins/settle", map[string]any{"pay_in": payIn, "code": code})
}

// SetVerified has provider B verify the owner of wallets, or verify them no more.
func (r *Harness) SetVerified(ctx context.Context, user string, isVerified bool) error {
	level := "LIGHT"
	if isVerified {
		level = "REGULAR"
	}
	return r.controlB(ctx, "users/kyc", map[string]any{"user": user, "level": level})
}

func (r *Harness) controlB(ctx context.Context, path string, order any) error {
	text, err := json.Marshal(order)
	if err != nil {
		return fmt.Errorf("control the sandbox: %w", err)
	}
	return r.askAt(ctx, http.MethodPost, r.MangopayURL+"/_sandbox/"+path, text, nil)
}
