package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/provider"
)

// Whoever knows the address of a provider that signs nothing can name any object, and each hook has us ask the provider, which answers only
// so many calls. So an object is asked about so often, and of those that nothing here names so many: what is passed over is found by the
// pass over the provider's events.
var (
	looksPerObject = ratelimit.Per(20, time.Minute)
	unknownLooks   = ratelimit.Per(60, time.Minute)
)

var (
	// errTooOften leaves an event for later.
	errTooOften = errors.New("the object was asked about too often just now")
	// errOnItsWay leaves one about an object that nothing names yet, since who is just making one is about to write it down.
	errOnItsWay = errors.New("the object may be written down any moment")
)

// writtenWithin is how long after it was begun a charge has usually been answered and written down.
const writtenWithin = 5 * time.Second

// mayLook reports whether an event that nobody has signed is looked into: not one that says what is booked, nor one that is passed over, which is
// kept no longer. Errors: errTooOften, errOnItsWay.
func (s *Service) mayLook(ctx context.Context, e stored) (bool, error) {
	p, on := s.providers[e.Provider]
	if !on || p.Traits().HookIDs || s.limiter == nil {
		return true, nil
	}
	var object struct {
		IsKnown   bool
		IsDone    bool // it has paid, which is booked, and nothing else of its payment is open
		IsCharged bool // a charge was begun just now, whose answer is not written down
	}
	err := s.db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM attempts WHERE provider = @provider AND object_ref = @ref)
			OR EXISTS (SELECT FROM refunds WHERE provider = @provider AND provider_ref = @ref)
			OR EXISTS (SELECT FROM disputes WHERE provider = @provider AND provider_ref = @ref)
			OR EXISTS (SELECT FROM payees WHERE provider = @provider AND ref = @ref) AS is_known,
		EXISTS (SELECT FROM attempts a WHERE provider = @provider AND object_ref = @ref AND status = 'succeeded'
			AND NOT EXISTS (SELECT FROM attempts o WHERE o.payment_id = a.payment_id AND o.status IN ('creating', 'open'))) AS is_done,
		EXISTS (SELECT FROM attempts WHERE provider = @provider AND status = 'creating' AND next_check_at BETWEEN @charged AND @latest) AS is_charged`,
		map[string]any{"provider": e.Provider, "ref": e.ObjectRef, "charged": s.now().Add(payments.AnswerWithin - writtenWithin),
			"latest": s.now().Add(payments.AnswerWithin + writtenWithin)}).Scan(&object).Error
	if err != nil {
		return false, fmt.Errorf("look for what a hook is about: %w", err)
	}
	switch isOfPayment := e.About == provider.AboutPayment; {
	case isOfPayment && object.IsDone:
		return false, nil
	case isOfPayment && !object.IsKnown && object.IsCharged && e.Attempts <= 1:
		return false, errOnItsWay
	case object.IsKnown:
		if !s.limiter.Allow(ctx, "hook_object", e.Provider+":"+e.ObjectRef, looksPerObject).Allowed {
			return false, errTooOften
		}
		return true, nil
	}
	if s.limiter.Allow(ctx, "hook_unknown", e.Provider, unknownLooks).Allowed {
		return true, nil
	}
	s.log.WarnContext(ctx, "a hook about an object that nothing names was passed over", "provider", e.Provider, "type", e.Type)
	if err := s.db.WithContext(ctx).Exec(`DELETE FROM webhook_events WHERE provider = ? AND event_key = ?`, e.Provider, e.EventKey).Error; err != nil {
		return false, fmt.Errorf("drop a hook: %w", err)
	}
	return false, nil
}
