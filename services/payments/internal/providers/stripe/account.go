package stripe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// pinned lets no call through before it has shown once, in this process, that the key is of the account that our money is in.
// docs.stripe.com/api/accounts/retrieve
type pinned struct {
	base http.RoundTripper
	pin  func(ctx context.Context, account string) error
	done atomic.Bool
}

// maxAccount bounds what is read of an account, in bytes.
const maxAccount = 1 << 20

func (p *pinned) RoundTrip(r *http.Request) (*http.Response, error) {
	if !p.done.Load() {
		if err := p.check(r); err != nil {
			if r.Body != nil {
				err = errors.Join(err, r.Body.Close())
			}
			return nil, err
		}
	}
	return p.base.RoundTrip(r)
}

// check asks whose the key of a call is; first calls at once each ask, so that none waits for another longer than its own time. A key that is
// refused, or that may not ask, is left to the call itself.
func (p *pinned) check(r *http.Request) error {
	ask := r.Clone(r.Context())
	ask.Method, ask.Body, ask.ContentLength, ask.URL.Path, ask.URL.RawQuery = http.MethodGet, nil, 0, "/v1/account", ""
	ask.Header.Del("Content-Type")
	ask.Header.Del("Idempotency-Key")
	answer, err := p.base.RoundTrip(ask)
	if err != nil {
		return fmt.Errorf("ask for the account: %w", err)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAccount))
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return fmt.Errorf("ask for the account: %w", err)
	}
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden:
		return nil
	default:
		return fmt.Errorf("ask for the account: status %d", answer.StatusCode)
	}
	var account struct{ ID string }
	if err := json.Unmarshal(body, &account); err != nil || account.ID == "" {
		return errors.Join(errors.New("ask for the account: the answer has none"), err)
	}
	if err := p.pin(r.Context(), account.ID); err != nil {
		return err
	}
	p.done.Store(true)
	return nil
}

// CheckAccount makes sure that the key is of the account that our money is in. Errors: provider.ErrOtherAccount, and those of
// every call.
func (c *Client) CheckAccount(ctx context.Context) error {
	return c.call(ctx, "check the account", func(ctx context.Context) error {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.URL+"/v1/account", nil)
		if err != nil {
			return fmt.Errorf("ask for the account: %w", err)
		}
		r.Header.Set("Authorization", "Bearer "+c.config.Key)
		answer, err := c.config.Transport.RoundTrip(r)
		if err != nil {
			return err //nolint:wrapcheck // call says what it was
		}
		return answer.Body.Close()
	})
}
