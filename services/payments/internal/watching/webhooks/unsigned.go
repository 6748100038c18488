package webhooks

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/ratelimit"
)

// Whoever knows the address of a provider that signs nothing can name any object, and each hook has us ask the provider, which answers only
// so many calls. So an object is asked about so often, and of those that nothing here names so many: what is passed over is found by the
// pass over the provider's events.
var (
	looksPerObject = ratelimit.Per(20, time.Minute)
	unknownLooks   = ratelimit.Per(60, time.Minute)
)

// errTooOften leaves an event for later.
var errTooOften = errors.New("the object was asked about too often just now")

// mayLook reports whether an event that nobody has signed is looked into; one that is passed over is kept no longer. Error: errTooOften.
func (s *Service) mayLook(ctx context.Context, e stored) (bool, error) {
	p, on := s.providers[e.Provider]
	if !on || p.Traits().HookIDs || s.limiter == nil {
		return true, nil
	}
	var isKnown bool
	err := s.db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM attempts WHERE provider = @provider AND object_ref = @ref)
		OR EXISTS (SELECT FROM refunds WHERE provider = @provider AND provider_ref = @ref)
		OR EXISTS (SELECT FROM disputes WHERE provider = @provider AND provider_ref = @ref)
		OR EXISTS (SELECT FROM payees WHERE provider = @provider AND ref = @ref)`, map[string]any{"provider": e.Provider, "ref": e.ObjectRef}).Scan(&isKnown).Error
	if err != nil {
		return false, fmt.Errorf("look for what a hook is about: %w", err)
	}
	if isKnown {
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
