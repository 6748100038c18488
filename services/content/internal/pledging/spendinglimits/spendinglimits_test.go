package spendinglimits

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/closing"
)

// payments stands for the payment service.
type payments func(r *http.Request) (status int, body string, err error)

func (p payments) RoundTrip(r *http.Request) (*http.Response, error) {
	status, body, err := p(r)
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), Request: r}, nil
}

func handlers(t *testing.T, p payments) *Handlers {
	t.Helper()
	client, err := closing.NewClient(closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(strings.Repeat("s", 32)), Now: time.Now, Transport: p})
	if err != nil {
		t.Fatal(err)
	}
	return NewHandlers(client, func(_ context.Context, who session.Identity) error {
		if who.SessionID != confirmed {
			return ErrUnconfirmed
		}
		return nil
	})
}

func bodyOf(r *http.Request) io.Reader {
	if r.Body == nil {
		return http.NoBody
	}
	return r.Body
}

// confirmed is the session of somebody who has just shown that it is them.
const confirmed = "confirmed"

const one = `{"spending_limits": [{"currency": "EUR", "amount_minor": 4050, "counts_pledges": true}]}`

func TestLimits_AreAskedOfThePaymentServiceForWhoIsSignedIn(t *testing.T) {
	var asked []string
	h := handlers(t, func(r *http.Request) (int, string, error) {
		sent := ""
		if r.Body != nil {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			sent = " " + strings.TrimSpace(string(body))
		}
		if !strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
			t.Error("without a service token")
		}
		if deadline, ok := r.Context().Deadline(); !ok || time.Until(deadline) > callTimeout {
			t.Error("whoever waits would wait for long")
		}
		asked = append(asked, r.Method+" "+r.URL.RequestURI()+sent)
		return 200, one, nil
	})
	ctx := session.With(t.Context(), session.Identity{UserID: 7})
	want := api.SpendingLimit{Currency: "EUR", Amount: 40_50, CountsPledges: true}
	got, err := h.OwnSpendingLimits(ctx, api.OwnSpendingLimitsRequestObject{})
	if a, ok := got.(api.OwnSpendingLimits200JSONResponse); err != nil || !ok || len(a.SpendingLimits) != 1 || a.SpendingLimits[0] != want {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := h.SetOwnSpendingLimit(ctx, api.SetOwnSpendingLimitRequestObject{Currency: "EUR",
		Body: &api.SpendingLimitChoice{Amount: "40.5", CountsPledges: true}}); err != nil {
		t.Error(err)
	}
	if _, err := h.EndOwnSpendingLimit(ctx, api.EndOwnSpendingLimitRequestObject{Currency: "EUR"}); err != nil {
		t.Error(err)
	}
	if got, want := strings.Join(asked, "; "), `GET /internal/spending-limits/7; PUT /internal/spending-limits/7/EUR {"amount_minor":4050,"counts_pledges":true,"has_confirmed":false}; `+
		`DELETE /internal/spending-limits/7/EUR?has_confirmed=false`; got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

// Loosening a limit takes more than a session, as a large raise of support does; the payment service, which has the limit, says which is one.
func TestLimits_ThePaymentServiceIsToldWhetherTheirPersonHasJustShownThatItIsThem(t *testing.T) {
	var said []string
	h := handlers(t, func(r *http.Request) (int, string, error) {
		body, err := io.ReadAll(io.MultiReader(strings.NewReader(r.URL.RawQuery), bodyOf(r)))
		if err != nil {
			t.Error(err)
		}
		if strings.Contains(string(body), `has_confirmed":true`) || strings.Contains(string(body), `has_confirmed=true`) {
			said = append(said, "yes")
			return 200, one, nil
		}
		said = append(said, "no")
		return 403, `{"status": "confirmation_required", "message": "…", "request_id": "X"}`, nil
	})
	for which, want := range map[string]error{confirmed: nil, "another": ErrUnconfirmed} {
		said = nil
		ctx := session.With(t.Context(), session.Identity{UserID: 7, SessionID: which})
		_, set := h.SetOwnSpendingLimit(ctx, api.SetOwnSpendingLimitRequestObject{Currency: "EUR", Body: &api.SpendingLimitChoice{Amount: "90"}})
		_, ended := h.EndOwnSpendingLimit(ctx, api.EndOwnSpendingLimitRequestObject{Currency: "EUR"})
		if !errors.Is(set, want) || !errors.Is(ended, want) || len(said) != 2 {
			t.Errorf("%s: %v, %v; said %v", which, set, ended, said)
		}
	}
}

func TestLimits_OfNobodyOrOfAnotherCurrencyOrAnAmountThatIsNone_AreNotAsked(t *testing.T) {
	h := handlers(t, func(*http.Request) (int, string, error) { t.Error("asked"); return 200, one, nil })
	ctx := session.With(t.Context(), session.Identity{UserID: 7})
	if _, err := h.OwnSpendingLimits(t.Context(), api.OwnSpendingLimitsRequestObject{}); !errors.Is(err, apperr.New(apperr.NotAuthenticated)) {
		t.Errorf("nobody's: %v", err)
	}
	body := &api.SpendingLimitChoice{Amount: "40"}
	if _, err := h.SetOwnSpendingLimit(ctx, api.SetOwnSpendingLimitRequestObject{Currency: "SEK", Body: body}); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Errorf("in another currency: %v", err)
	}
	if _, err := h.EndOwnSpendingLimit(ctx, api.EndOwnSpendingLimitRequestObject{Currency: "SEK"}); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Errorf("the end in another currency: %v", err)
	}
	for amount, rule := range map[json.Number]string{"40.005": apperr.RuleDecimals, "4e1": apperr.RuleFormat} {
		body.Amount = amount
		_, err := h.SetOwnSpendingLimit(ctx, api.SetOwnSpendingLimitRequestObject{Currency: "EUR", Body: body})
		if fields := apperr.From(err).Fields; len(fields) != 1 || fields[0].Path != "amount" || fields[0].Rule != rule {
			t.Errorf("%s: %v", amount, err)
		}
	}
}

func TestLimits_AreUnavailableWhileThePaymentServiceDoesNotAnswerThem(t *testing.T) {
	ctx := session.With(t.Context(), session.Identity{UserID: 7})
	for name, p := range map[string]payments{
		"nobody there":     func(*http.Request) (int, string, error) { return 0, "", errors.New("connection refused") },
		"a fault":          func(*http.Request) (int, string, error) { return 500, `{"status": "internal"}`, nil },
		"another program":  func(*http.Request) (int, string, error) { return 200, `{"status": "fine"}`, nil },
		"no JSON":          func(*http.Request) (int, string, error) { return 200, `<html>`, nil },
		"a refused secret": func(*http.Request) (int, string, error) { return 401, `{}`, nil },
	} {
		_, err := handlers(t, p).OwnSpendingLimits(ctx, api.OwnSpendingLimitsRequestObject{})
		if fault := apperr.From(err); fault.Status != apperr.Unavailable || fault.Retry != retryAfter {
			t.Errorf("%s: %v", name, err)
		}
	}
}
