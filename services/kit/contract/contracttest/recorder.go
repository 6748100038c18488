// Package contracttest fails tests whose answers do not match the contract. It is separate from package contract so
// that production code does not link package testing.
package contracttest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"talkoot.fi/kit/contract"
)

// Recorder fails a test for each answer that contract.CheckAnswer refuses.
type Recorder struct {
	t        testing.TB
	contract *contract.Contract
}

// NewRecorder reads the contract and makes a Recorder that reports to t.
func NewRecorder(t testing.TB, spec []byte) *Recorder {
	t.Helper()
	c, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	return &Recorder{t: t, contract: c}
}

// Handler checks every answer of next.
func (r *Recorder) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		asked := req.Clone(req.Context()) // the handler changes the request's path
		answer := httptest.NewRecorder()
		next.ServeHTTP(answer, req)
		r.report(asked, answer.Code, answer.Header(), answer.Body.Bytes())
		for name, values := range answer.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
	})
}

// RoundTripper checks every answer of base, for tests against a running server.
func (r *Recorder) RoundTripper(base http.RoundTripper) http.RoundTripper {
	return roundTripper{recorder: r, base: base}
}

type roundTripper struct {
	recorder *Recorder
	base     http.RoundTripper
}

func (rt roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := rt.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(res.Body)
	_ = res.Body.Close()
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	rt.recorder.report(req, res.StatusCode, res.Header, body)
	return res, nil
}

func (r *Recorder) report(req *http.Request, status int, header http.Header, body []byte) {
	r.t.Helper()
	if err := r.contract.CheckAnswer(req, status, header, body); err != nil {
		fault, _, _ := strings.Cut(err.Error(), "\nSchema:") // the schema itself is in the contract
		r.t.Errorf("contract: %s %s answered %d: %s\n%s", req.Method, req.URL.Path, status, fault, body)
	}
}
