package browser

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// SupportStatus asks where monthly support stands.
func (v *Visitor) SupportStatus(ctx context.Context, subscriptionID string) (string, error) {
	var answer struct{ Subscription struct{ Status string } }
	err := v.Get(ctx, "/v2/subscriptions/"+subscriptionID+"/", &answer)
	return answer.Subscription.Status, err
}

// AwaitSupport asks again until monthly support has one of the statuses, for at most limit.
func (v *Visitor) AwaitSupport(ctx context.Context, subscriptionID string, limit time.Duration, statuses ...string) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		status, err := v.SupportStatus(ctx, subscriptionID)
		if err == nil && slices.Contains(statuses, status) {
			return nil
		}
		if err != nil && !IsTemporary(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("support is %q after %s, not one of %q", status, limit, statuses), err)
		case <-time.After(pause):
		}
	}
}
