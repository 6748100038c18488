package pledges_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/holders"
	"talkoot.fi/content/internal/pledging/pledges"
)

var plenty = ratelimit.Per(10_000, time.Second)

// answer is what a call gave, as far as tests look at it.
type answer struct {
	code   int
	status string
	fields []string // "path rule"
	pledge struct {
		ID       string      `json:"pledge_id"`
		Status   string      `json:"status"`
		Amount   json.Number `json:"amount"`
		VAT      json.Number `json:"vat_included"`
		Quantity int         `json:"quantity"`
		Lines    []struct {
			Label  string      `json:"label"`
			Amount json.Number `json:"amount"`
		} `json:"lines"`
		ReservedUntil time.Time `json:"reserved_until"`
	}
	orderToken string
	retryAfter string
}

const serviceSecret = "a secret of at least thirty-two bytes"

func post(t *testing.T, h http.Handler, address, body string, headers ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := answer{code: w.Code, retryAfter: w.Header().Get("Retry-After")}
	var decoded struct {
		Status string `json:"status"`
		Fields []struct{ Path, Rule string }
		Pledge json.RawMessage
		Token  string `json:"order_token"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &decoded); err != nil {
		t.Fatalf("%d %s: %v", w.Code, w.Body, err)
	}
	a.status, a.orderToken = decoded.Status, decoded.Token
	for _, f := range decoded.Fields {
		a.fields = append(a.fields, f.Path+" "+f.Rule)
	}
	if decoded.Pledge != nil {
		if err := json.Unmarshal(decoded.Pledge, &a.pledge); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

func (w *world) address() string { return fmt.Sprintf("/campaigns/%d/pledges/", w.campaign) }

const who = `"email": "leena@example.fi", "first_name": "Leena", "last_name": "H"`

func TestPledge_ReadAndRelease(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	made := post(t, h, w.address(), fmt.Sprintf(`{"amount": 120, "reward_id": %d, "pledge_meta": {%s}}`, w.single, who))
	ask := func(method, id string) int {
		answer := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, "/pledges/"+id+"/", http.NoBody)
		r.Header.Set(ordertoken.Header, made.orderToken)
		h.ServeHTTP(answer, r)
		return answer.Code
	}
	for _, c := range []struct {
		method, id string
		want       int
	}{
		{"GET", made.pledge.ID, 200}, {"GET", strings.ToUpper(made.pledge.ID), 200}, {"GET", strings.Repeat("0", 26), 403},
		{"GET", "x", 404},
		{"DELETE", made.pledge.ID, 204}, {"DELETE", made.pledge.ID, 204}, {"GET", made.pledge.ID, 200},
		{"DELETE", strings.Repeat("0", 26), 403},
	} {
		if got := ask(c.method, c.id); got != c.want {
			t.Errorf("%s %s: %d, want %d", c.method, c.id, got, c.want)
		}
	}
}

// calls is the public API with the pledges' part only: what it has itself goes before what others would have.
type calls struct {
	others
	*pledges.Handlers
}

type others struct{ api.StrictServerInterface }

// serve answers the public calls through the contract, in both directions.
func (w *world) serve(t *testing.T, limit ratelimit.Limit) http.Handler {
	t.Helper()
	redis, err := jobs.OpenRedis("redis://127.0.0.1:1/0") // nobody listens there
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Close() })
	log := slog.New(slog.DiscardHandler)
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	e := httpx.New(httpx.Options{Log: log, Now: w.clock.now, Name: "content"})
	tokens, err := ordertoken.New([]byte(serviceSecret), w.clock.now)
	if err != nil {
		t.Fatal(err)
	}
	handlers := pledges.NewHandlers(w.Service, tokens, func(context.Context, string) (bool, error) { return true, nil })
	verifier := session.NewVerifier(testSigner.Keys(), w.clock.now)
	routes := httpx.Routes(e, ratelimit.New(redis, w.clock.now, log).ByAddress(pledges.Rules(limit)), session.Authenticate(verifier),
		holders.Guard(w.db, tokens), c.Middleware())
	api.RegisterHandlers(routes, api.NewStrictHandler(calls{Handlers: handlers}, nil))
	return contracttest.NewRecorder(t, spec).Handler(e)
}

var testSigner = session.NewSigner(ed25519.NewKeyFromSeed(make([]byte, 32)), func() time.Time { return noon })

func tokenOf(t *testing.T, userID int64) string {
	t.Helper()
	token, _, err := testSigner.Sign(session.Identity{UserID: userID, SessionID: ids.New()})
	if err != nil {
		t.Fatal(err)
	}
	return token
}
