//go:build unix

package contenttest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/session"
)

// Answer is the answer to a call.
type Answer struct {
	t      testing.TB
	Status int
	Header http.Header
	Body   []byte
	// Statements are the SQL statements that ran for it.
	Statements []string
}

// JSON decodes the body; a status other than 200 fails the test.
func (a Answer) JSON(into any) {
	a.t.Helper()
	if a.Status != http.StatusOK {
		a.t.Fatalf("status %d: %s", a.Status, a.Body)
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		a.t.Fatalf("%v in %s", err, a.Body)
	}
}

// Get makes a GET call as a person, 0 for an anonymous visitor.
func (w *World) Get(path string, as int64) Answer { return w.Call(http.MethodGet, path, as) }

// Call makes a call without a body as a person, 0 for an anonymous visitor.
func (w *World) Call(method, path string, as int64) Answer {
	w.t.Helper()
	return w.serve(w.checked, httptest.NewRequest(method, path, nil), as)
}

// Patch makes a PATCH call as a person, 0 for an anonymous visitor; headers are alternating names and values.
func (w *World) Patch(path, body string, as int64, headers ...string) Answer {
	w.t.Helper()
	return w.Send(http.MethodPatch, path, strings.NewReader(body), as, headers...)
}

// Post makes a POST call with a JSON body as a person, 0 for an anonymous visitor; headers are alternating names and
// values.
func (w *World) Post(path, body string, as int64, headers ...string) Answer {
	w.t.Helper()
	return w.Send(http.MethodPost, path, strings.NewReader(body), as, headers...)
}

// Send makes a call with a body, JSON unless the headers say otherwise, as a person, 0 for an anonymous visitor;
// headers are alternating names and values.
func (w *World) Send(method, path string, body io.Reader, as int64, headers ...string) Answer {
	w.t.Helper()
	r := httptest.NewRequest(method, path, body)
	r.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return w.serve(w.checked, r, as)
}

// orderIn is the subscription that a path names.
func orderIn(path string) (id string, is bool) {
	rest, is := strings.CutPrefix(path, "/v2/subscriptions/")
	id, err := ids.Parse(strings.Trim(rest, "/"))
	return id, is && err == nil
}

// serve makes a call. An anonymous visitor is in the browser in which a subscription that they name was begun, unless the
// call has an Order-Token of its own.
func (w *World) serve(handler http.Handler, r *http.Request, as int64) Answer {
	w.t.Helper()
	if as != 0 {
		token, _, err := w.signer.Sign(session.Identity{UserID: as, SessionID: w.sessionOf(as)})
		if err != nil {
			w.t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
	} else if id, is := orderIn(r.URL.Path); is && r.Header.Get(ordertoken.Header) == "" {
		r.Header.Set(ordertoken.Header, w.OrderTokens.Make(ordertoken.Subscription, id, w.Now()))
	}
	ctx, ran := dbx.CountStatements(w.t.Context())
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r.WithContext(ctx))
	return Answer{t: w.t, Status: answer.Code, Header: answer.Header(), Body: answer.Body.Bytes(), Statements: ran.List()}
}
