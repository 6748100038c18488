package app_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/app"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
)

// elsewhere is another account of the provider, where nothing of ours is; or one that does not answer at all.
type elsewhere struct {
	account string
	calls   int
}

func (e *elsewhere) RoundTrip(r *http.Request) (*http.Response, error) {
	if e.account == "" {
		return nil, errors.New("no route to the provider")
	}
	status, body := http.StatusNotFound, `{"error": {"type": "invalid_request_error", "code": "resource_missing"}}`
	if r.URL.Path == "/v1/account" {
		status, body = http.StatusOK, `{"id": "`+e.account+`"}`
	} else {
		e.calls++
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

// With the key of another account everything of ours would be unknown there, which looks as if it had ended: a process with such
// a key does not start, and if it did, it would ask nothing.
func TestAccount_KeyOfAnother_StartsNothingAndEndsNothing(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	if err := w.App.CheckAccounts(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.MustSetup(w.Pledge())
	other := &elsewhere{account: "acct_1SomebodyElse01"}
	process := w.Another(w.Now, func(c *app.Config) { c.StripeTransport = other })
	if err := process.Serve(t.Context()); !errors.Is(err, provider.ErrOtherAccount) {
		t.Errorf("it serves: %v", err)
	}
	if err := process.Work(t.Context()); !errors.Is(err, provider.ErrOtherAccount) {
		t.Errorf("it works: %v", err)
	}
	w.Pass(24 * time.Hour)
	if err := process.Payments.CheckOpen(t.Context()); err == nil && other.calls > 0 {
		t.Error("it asks about payments")
	}
	if n := w.Count(`attempts WHERE status = 'open'`); n != 1 || other.calls > 0 {
		t.Errorf("%d attempts are open; it made %d calls", n, other.calls)
	}
}

// A provider that does not answer keeps no process from starting: whose the key is, is asked before the first call that is answered.
func TestAccount_ProviderDoesNotAnswer_IsAskedLater(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	away := &elsewhere{}
	process := w.Another(w.Now, func(c *app.Config) { c.StripeTransport, c.StripePause = away, time.Millisecond })
	if err := process.CheckAccounts(t.Context()); err != nil {
		t.Errorf("it does not start: %v", err)
	}
	w.MustSetup(w.Pledge()) // by a process that is told the account
	away.account = "acct_1SomebodyElse01"
	if err := process.CheckAccounts(t.Context()); !errors.Is(err, provider.ErrOtherAccount) {
		t.Errorf("the other account is not noticed later: %v", err)
	}
}
