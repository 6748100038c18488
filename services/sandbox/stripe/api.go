package stripe

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"strings"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// endpoint is one API call: its parameters, who may make it and what it does.
type endpoint struct {
	pattern string // "POST /v1/payment_intents/{id}/confirm"
	rules   fields
	client  bool // a publishable key may make it
	do      func(*call) (any, error)
}

// answer is a finished response.
type answer struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
	replay bool
	retry  string // Stripe-Should-Retry
	stored bool
}

const (
	maxBody        = 1 << 20
	idempotencyTTL = 24 * 3600 // seconds; Stripe prunes no sooner
)

var (
	secretKey      = regexp.MustCompile(`^(sk|rk)_test_[0-9A-Za-z]{12,}$`)
	publishableKey = regexp.MustCompile(`^pk_test_[0-9A-Za-z]{12,}$`)
)

// serve wraps an endpoint with everything all calls share.
func (s *Sandbox) serve(ep endpoint) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := &call{
			path: r.URL.Path, id: r.PathValue("id"), secondID: r.PathValue("second"),
			requestID: s.engine.IDs.ID("req_"), idemKey: r.Header.Get("Idempotency-Key"),
		}
		if r.Method != http.MethodPost {
			c.idemKey = ""
		}
		fault := fault{s.engine.Faults.Take(r.Method, r.URL.Path), r.URL.Path}
		fault.Before(r.Context())
		out := s.respond(c, ep, r, fault)
		fault.After()
		s.send(w, r, c, out)
	}
}

func (s *Sandbox) respond(c *call, ep endpoint, r *http.Request, f fault) answer {
	if e := authenticate(c, ep, r); e != nil {
		return s.failed(c, e)
	}
	if e := checkHeaders(c, ep, r); e != nil {
		return s.failed(c, e)
	}
	form, e := readForm(r)
	if e != nil {
		return s.failed(c, e)
	}
	if a, injected := f.answer(); injected && !f.executed() {
		return a
	}
	if r.Method == http.MethodGet {
		return s.run(c, ep, form, s.read)
	}
	if c.idemKey == "" {
		if a, injected := f.answer(); injected {
			return a
		}
		return s.run(c, ep, form, s.write)
	}
	return s.respondOnce(c, ep, r, form, f)
}

// respondOnce gives a call with an idempotency key its stored answer, or runs it and stores one.
func (s *Sandbox) respondOnce(c *call, ep endpoint, r *http.Request, form *node, f fault) answer {
	slot := c.account + c.idemKey // keys are each account's own
	if !s.busy.acquire(slot) {
		return s.failed(c, &apiError{status: http.StatusConflict, body: errorBody{
			Type: typeIdempotency, Code: "idempotency_key_in_use",
			Message: "There is currently another in-progress request using this Idempotent Key.",
		}})
	}
	defer s.busy.release(slot)

	print := fingerprint(r, form)
	var record idempotencyRecord
	var found bool
	err := s.read(c, func(c *call) (err error) {
		found, err = standin.GetJSON(c.tx, bucketIdempotency, slot, &record)
		return err
	})
	if err != nil {
		return s.failed(c, err)
	}
	if found && s.now()-record.Created < idempotencyTTL {
		if record.Fingerprint != print {
			return s.failed(c, &apiError{status: http.StatusBadRequest, body: errorBody{
				Type:    typeIdempotency,
				Message: "Keys for idempotent requests can only be used with the same parameters and path they were first used with.",
			}})
		}
		record.Answer.replay = true
		return record.Answer
	}
	keep := func(tx *bolt.Tx, a answer) error {
		return standin.PutJSON(tx, bucketIdempotency, slot, idempotencyRecord{Fingerprint: print, Created: s.now(), Answer: a})
	}
	if a, injected := f.answer(); injected {
		if err := s.update(func(tx *bolt.Tx) error { return keep(tx, a) }); err != nil {
			return s.failed(c, err)
		}
		return a
	}
	stored := false
	a := s.run(c, ep, form, func(c *call, fn func(*call) error) error {
		return s.write(c, func(c *call) error {
			err := fn(c)
			if err == nil || isCommitting(err) {
				stored = true
				return joinKept(err, keep(c.tx, s.answerOf(c, err)))
			}
			return err
		})
	})
	if !stored && a.stored {
		if err := s.update(func(tx *bolt.Tx) error { return keep(tx, a) }); err != nil {
			return s.failed(c, err)
		}
	}
	return a
}

// idempotencyRecord is the first answer to a key and what the key was used for.
type idempotencyRecord struct {
	Fingerprint string `json:"fingerprint"`
	Created     int64  `json:"created"`
	Answer      answer `json:"answer"`
}

func fingerprint(r *http.Request, form *node) string {
	var b strings.Builder
	b.WriteString(r.Method + " " + r.URL.Path + "\n")
	form.canonical(&b)
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:])
}

// run checks the parameters, executes the call and renders its answer.
func (s *Sandbox) run(c *call, ep endpoint, form *node, in func(*call, func(*call) error) error) answer {
	p, e := checkParams(form, ep.rules)
	if e != nil {
		return s.failed(c, e)
	}
	c.p = p
	var body json.RawMessage
	err := in(c, func(c *call) error {
		if c.account != "" {
			if _, err := c.connected(c.account); err != nil {
				return err
			}
		}
		obj, err := ep.do(c)
		if err == nil {
			body, err = c.render(obj)
		}
		c.rendered = body
		return err
	})
	if err != nil {
		return s.failed(c, err)
	}
	return answer{Status: http.StatusOK, Body: body}
}

// answerOf is the answer a finished handler will give, known before its transaction commits.
func (s *Sandbox) answerOf(c *call, err error) answer {
	if err != nil {
		return s.failed(c, err)
	}
	return answer{Status: http.StatusOK, Body: c.rendered}
}

func (s *Sandbox) failed(c *call, err error) answer {
	e := s.asAPIError(err, c.requestID)
	body := e.body
	if c.clientKey {
		body = *clientError(&body)
	} else {
		body.RequestLogURL = "https://dashboard.stripe.com/test/logs/" + c.requestID
	}
	raw, err := json.Marshal(map[string]errorBody{"error": body})
	if err != nil {
		raw = []byte(`{"error":{"type":"api_error","message":"An unknown error occurred."}}`)
	}
	return answer{Status: e.status, Body: raw, stored: e.stored()}
}

func (s *Sandbox) send(w http.ResponseWriter, r *http.Request, c *call, a answer) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-cache, no-store")
	h.Set("Request-Id", c.requestID)
	h.Set("Stripe-Version", APIVersion)
	if c.account != "" {
		h.Set("Stripe-Account", c.account)
	}
	if c.idemKey != "" {
		h.Set("Idempotency-Key", c.idemKey)
	}
	if a.replay {
		h.Set("Idempotent-Replayed", "true")
	}
	if a.retry != "" {
		h.Set("Stripe-Should-Retry", a.retry)
	}
	w.WriteHeader(a.Status)
	_, _ = io.Copy(w, bytes.NewReader(a.Body)) // a client that left needs no answer
	s.log.Debug("call", "method", r.Method, "path", r.URL.Path, "status", a.Status, "request_id", c.requestID, "replayed", a.replay)
}
