package mangopay

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// route is one API call, under /v2.01/{ClientId}/. Its words are compared without case.
type route struct {
	method, pattern string // "payins/{id}/refunds"
	do              func(*call) (any, error)
}

func apiRoutes() []route {
	return slices.Concat(
		userRoutes(), scaRoutes(), walletRoutes(), cardRoutes(), payInRoutes(), accountRoutes(), mandateRoutes(),
		transferRoutes(), refundRoutes(), disputeRoutes(), recipientRoutes(), payOutRoutes(), verificationRoutes(), reportRoutes(), recurringRoutes(), documentRoutes(), hookRoutes(),
		[]route{{http.MethodGet, "responses/{key}", getResponse}},
	)
}

const (
	maxBody = 1 << 20     // of a form
	maxCall = 2 * maxPage // of a call, which may have a file in it
	version = "/v2.01/"
)

// serve is everything the sandbox answers.
func (s *Sandbox) serve() http.Handler {
	mux := http.NewServeMux()
	s.pageRoutes(mux)
	s.controlRoutes(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		if len(r.URL.Path) >= len(version) && strings.EqualFold(r.URL.Path[:len(version)], version) {
			s.serveAPI(w, r, strings.Trim(r.URL.Path[len(version):], "/"))
			return
		}
		http.NotFound(w, r)
	})
	return mux
}

// answer is a finished response.
type answer struct {
	status int
	body   []byte
	header http.Header
}

func (s *Sandbox) serveAPI(w http.ResponseWriter, r *http.Request, path string) {
	client, path, _ := strings.Cut(path, "/")
	if strings.EqualFold(client, "oauth") {
		client, path = s.opts.ClientID, "oauth/"+path
	}
	fault := s.engine.Faults.Take(r.Method, "/"+strings.ToLower(path))
	fault.Before(r.Context())
	out := s.answer(r, client, path, fault)
	fault.After()
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	for name, values := range out.header {
		h[name] = values
	}
	if !strings.HasPrefix(path, "oauth/") {
		s.rate.count(s.engine.Now(), h)
	}
	w.WriteHeader(out.status)
	_, _ = io.Copy(w, bytes.NewReader(out.body)) // a client that left needs no answer
	s.log.Debug("call", "method", r.Method, "path", path, "status", out.status)
}

func (s *Sandbox) failed(err error) answer {
	e := s.asAPIError(err)
	return answer{e.status, e.body(s), e.header}
}

func (s *Sandbox) answer(r *http.Request, client, path string, fault standin.Fault) answer {
	if e := injected(fault, path); e != nil {
		return s.failed(e)
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxCall+1))
	switch {
	case err != nil || len(body) > maxCall:
		return s.failed(&apiError{status: http.StatusRequestEntityTooLarge, message: "The request body could not be read or is too large."})
	case strings.EqualFold(path, "oauth/token"):
		return s.giveToken(r, body)
	}
	words := strings.Split(path, "/")
	if len(words) == 2 && strings.EqualFold(words[0], "cardregistrations") && client == s.opts.ClientID &&
		(r.Method == http.MethodPost || r.Method == http.MethodOptions) { // the browser kit's, which has no token
		return s.finishFromBrowser(r, words[1], body)
	}
	if client != s.opts.ClientID || !s.authenticated(r) {
		return s.failed(unauthorized())
	}
	route, ids, e := s.find(r.Method, words)
	if e != nil {
		return s.failed(e)
	}
	c := &call{r: r, ids: ids, body: body, query: lowerKeys(r.URL.Query())}
	if r.Method == http.MethodGet {
		return s.run(c, route, s.read)
	}
	if t := r.Header.Get("Content-Type"); len(body) > 0 && !strings.HasPrefix(t, "application/json") {
		return s.failed(&apiError{status: http.StatusUnsupportedMediaType, message: "The media type " + t + " is not supported."})
	}
	if fault.Kind == fault500Stored {
		route.do = func(*call) (any, error) { return nil, errKept }
	}
	out := s.runOnce(c, route)
	if fault.Kind == fault500After {
		return s.failed(injected(standin.Fault{Kind: fault500}, path))
	}
	return out
}

// find picks the call of a path, and reads the ids in it.
func (s *Sandbox) find(method string, words []string) (route, map[string]string, *apiError) {
	known := false
	for _, candidate := range s.routes {
		ids, fits := match(candidate.pattern, words)
		if fits && candidate.method == method {
			return candidate, ids, nil
		}
		known = known || fits
	}
	if known {
		return route{}, nil, &apiError{status: http.StatusMethodNotAllowed, message: "The requested resource does not support http method '" + method + "'."}
	}
	return route{}, nil, &apiError{status: http.StatusNotFound, message: "No HTTP resource was found that matches the request URI."}
}

func match(pattern string, words []string) (map[string]string, bool) {
	parts := strings.Split(pattern, "/")
	if len(parts) != len(words) {
		return nil, false
	}
	ids := map[string]string{}
	for i, part := range parts {
		switch {
		case part[0] == '{':
			ids[part[1:len(part)-1]] = words[i]
		case !strings.EqualFold(part, words[i]):
			return nil, false
		}
	}
	return ids, true
}

func lowerKeys(in url.Values) url.Values {
	out := url.Values{}
	for name, values := range in {
		out[strings.ToLower(name)] = append(out[strings.ToLower(name)], values...)
	}
	return out
}

// run executes a call and renders its answer.
func (s *Sandbox) run(c *call, ep route, in func(*call, func(*call) error) error) answer {
	var out any
	err := in(c, func(c *call) (err error) {
		if out, err = ep.do(c); err == nil {
			err = c.unread()
		}
		return err
	})
	if err != nil {
		return s.failed(s.withPage(err))
	}
	return done(out, c.page)
}

// withPage makes the page that an error asks a user to open.
func (s *Sandbox) withPage(err error) error {
	var e *apiError
	if !errors.As(err, &e) || e.asks == "" {
		return err
	}
	return errOr(s.write(&call{}, func(c *call) error {
		at, err := c.newPage("sca", pageConsent, e.asks)
		e.header = http.Header{"Www-Authenticate": {"PendingUserAction RedirectUrl=" + at}}
		return err
	}), e)
}

// done is the answer of a call that succeeded: without a body when there is nothing to say.
func done(out any, header http.Header) answer {
	if out == nil {
		return answer{http.StatusNoContent, nil, header}
	}
	return answer{http.StatusOK, mustJSON(out), header}
}

var idempotencyKey = regexp.MustCompile(`^[A-Za-z0-9-]{16,36}$`)

const idempotencyLife = 24 * 3600

// response is what an idempotency key keeps.
type response struct {
	StatusCode    string
	ContentLength string
	ContentType   string
	Date          string
	Resource      json.RawMessage
	RequestURL    string
}

type keptResponse struct {
	At       int64
	Response response
}

// runOnce executes a call unless its idempotency key was used. What the call did and what its key keeps commit together;
// a refused call keeps its answer too.
func (s *Sandbox) runOnce(c *call, ep route) answer {
	key := c.r.Header.Get("Idempotency-Key")
	if key == "" || c.r.Method != http.MethodPost {
		return s.run(c, ep, s.write)
	}
	if !idempotencyKey.MatchString(key) {
		return s.failed(paramError("Idempotency-Key", "The key must have 16 to 36 letters, digits and dashes."))
	}
	var out answer
	err := s.write(c, func(c *call) error {
		if kept, err := c.response(key); err != nil || kept != nil {
			return errOr(err, conflict())
		}
		result, err := ep.do(c)
		if err := firstOf(err, c.unread()); err != nil {
			return err
		}
		out = done(result, nil)
		return c.keep(key, out)
	})
	if err == nil {
		return out
	}
	out = s.failed(err)
	if out.status == http.StatusConflict || out.status >= http.StatusInternalServerError && !errors.Is(err, errKept) {
		return out
	}
	if err := s.write(c, func(c *call) error { return c.keep(key, out) }); err != nil {
		return s.failed(err)
	}
	return out
}

// errKept is a failure of the provider's that a key keeps.
var errKept error = injected(standin.Fault{Kind: fault500}, "")

func errOr(err error, otherwise *apiError) error {
	if err != nil {
		return err
	}
	return otherwise
}

func (c *call) keep(key string, a answer) error {
	scheme := "http"
	if c.r.TLS != nil {
		scheme = "https"
	}
	return standin.PutJSON(c.tx, bucketResponses, key, keptResponse{c.now, response{
		StatusCode: strconv.Itoa(a.status), ContentLength: strconv.Itoa(len(a.body)), ContentType: "application/json; charset=utf-8",
		Date: httpDate(c.now), Resource: a.body, RequestURL: scheme + "://" + c.r.Host + c.r.URL.Path,
	}})
}

func (c *call) response(key string) (*response, error) {
	var kept keptResponse
	found, err := standin.GetJSON(c.tx, bucketResponses, key, &kept)
	if err != nil || !found || c.now-kept.At >= idempotencyLife {
		return nil, err
	}
	return &kept.Response, nil
}

func getResponse(c *call) (any, error) {
	kept, err := c.response(c.ids["key"])
	if err == nil && kept == nil {
		err = notFound("Response", c.ids["key"])
	}
	return kept, err
}
