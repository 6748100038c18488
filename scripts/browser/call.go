package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"
)

// maxAnswer bounds how much of an answer is read, in bytes.
const maxAnswer = 8 << 20

// Site has the base addresses of a platform, without a final slash, and the client for calls to it.
type Site struct {
	Content, Payments, Sandbox string
	// Web is where the provider's pages send people back to; empty is the address of Content.
	Web  string
	HTTP *http.Client
}

// NewSite makes a site whose client keeps enough connections for that many people at once.
func NewSite(content, payments, sandbox string, people int) *Site {
	return &Site{Content: content, Payments: payments, Sandbox: sandbox, HTTP: &http.Client{
		Timeout:   30 * time.Second,
		Transport: &http.Transport{MaxIdleConns: 4 * people, MaxIdleConnsPerHost: people},
		// A payment page redirects back to the app, which is not followed.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// Visitor is one person's browser. With only a Site it is an anonymous visitor who reads Finnish.
type Visitor struct {
	*Site
	Token    string // of a session
	Language string // fi, en or sv; empty is fi
	// Address is the visitor's IP address, for calls that bypass the edge: without it all visitors would share one
	// rate limit.
	Address string

	// orders has the order tokens that the browser was given, by the id of their order.
	mu     sync.Mutex
	orders map[string]string
}

// anOrder is the order that an address names.
var anOrder = regexp.MustCompile(`/(?:pledges|subscriptions)/([0-9a-z]{26})`)

// keepOrder keeps the token of an order that this browser has made; without one its session opens it.
func (v *Visitor) keepOrder(id, token string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.orders == nil {
		v.orders = map[string]string{}
	}
	v.orders[id] = token
}

func (v *Visitor) orderToken(address string) string {
	found := anOrder.FindStringSubmatch(address)
	if found == nil {
		return ""
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.orders[found[1]]
}

// Problem is an error response, of the platform or of the provider.
type Problem struct {
	HTTPStatus   int
	Call         string // method and path
	Status, Code string // of the catalogue; the provider's type and code
	DeclineCode  string // the provider's
	Text         string // the beginning of the answer
}

func (p *Problem) Error() string {
	return fmt.Sprintf("%s answered %d: %s", p.Call, p.HTTPStatus, p.Text)
}

// IsTemporary reports whether a retry may succeed: there was no response, or one of 5xx, 429 or a key in use.
func IsTemporary(err error) bool {
	var p *Problem
	if errors.As(err, &p) {
		return p.HTTPStatus >= http.StatusInternalServerError || p.HTTPStatus == http.StatusTooManyRequests ||
			p.HTTPStatus == http.StatusConflict && p.Code == "idempotency_key_in_use"
	}
	return err != nil && !errors.Is(err, context.Canceled)
}

// Retry repeats a call with growing pauses while its error is temporary, for at most limit. It returns the last error.
func Retry(ctx context.Context, limit time.Duration, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
		err := do(ctx)
		if !IsTemporary(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// Post sends a body, if there is one, to a path of the content service; answer may be nil.
func (v *Visitor) Post(ctx context.Context, path string, body, answer any) error {
	return v.json(ctx, http.MethodPost, v.Content+path, "", body, answer)
}

// Get reads a path of the content service into an answer.
func (v *Visitor) Get(ctx context.Context, path string, answer any) error {
	return v.json(ctx, http.MethodGet, v.Content+path, "", nil, answer)
}

// jsonOf posts to a call whose body names the order that it is about.
func (v *Visitor) jsonOf(ctx context.Context, orderID, address, key string, body, answer any) error {
	v.mu.Lock()
	token := v.orders[orderID]
	v.mu.Unlock()
	return v.jsonBy(ctx, http.MethodPost, address, key, token, body, answer)
}

func (v *Visitor) json(ctx context.Context, method, address, key string, body, answer any) error {
	return v.jsonBy(ctx, method, address, key, v.orderToken(address), body, answer)
}

func (v *Visitor) jsonBy(ctx context.Context, method, address, key, orderToken string, body, answer any) error {
	var payload io.Reader = http.NoBody
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return fmt.Errorf("encode call of %s: %w", address, err)
		}
		payload = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, method, address, payload)
	if err != nil {
		return fmt.Errorf("call %s: %w", address, err)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		r.Header.Set("Idempotency-Key", key)
	}
	if v.Token != "" {
		r.Header.Set("Authorization", "Bearer "+v.Token)
	}
	if orderToken != "" {
		r.Header.Set("Order-Token", orderToken)
	}
	return v.send(r, answer)
}

// form posts to one of the provider's pages, or to its API when there is a publishable key.
func (v *Visitor) form(ctx context.Context, address, key string, fields url.Values, answer any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(fields.Encode()))
	if err != nil {
		return fmt.Errorf("call %s: %w", address, err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if key != "" {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	return v.send(r, answer)
}

func (v *Visitor) language() string {
	if v.Language == "" {
		return "fi"
	}
	return v.Language
}

func (v *Visitor) send(r *http.Request, into any) (err error) {
	r.Header.Set("Accept-Language", v.language())
	if v.Address != "" {
		r.Header.Set("X-Forwarded-For", v.Address)
	}
	answer, err := v.HTTP.Do(r)
	if err != nil {
		return fmt.Errorf("call %s: %w", r.URL.Path, err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("read answer of %s: %w", r.URL.Path, err)
	}
	if answer.StatusCode >= http.StatusBadRequest {
		return problem(r, answer.StatusCode, body)
	}
	if into == nil || len(body) == 0 {
		return nil
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode answer of %s: %w", r.URL.Path, err)
	}
	return nil
}

// problem reads both forms of errors; a body of another form is kept as text alone.
func problem(r *http.Request, status int, body []byte) error {
	var ours struct{ Status, Code string }
	var theirs struct {
		Error struct {
			Type, Code  string
			DeclineCode string `json:"decline_code"`
		}
	}
	_ = json.Unmarshal(body, &ours) // what it is not stays empty
	_ = json.Unmarshal(body, &theirs)
	p := &Problem{HTTPStatus: status, Call: r.Method + " " + r.URL.Path, Status: ours.Status, Code: ours.Code,
		Text: string(body[:min(len(body), 400)])}
	if theirs.Error.Type != "" {
		p.Status, p.Code, p.DeclineCode = theirs.Error.Type, theirs.Error.Code, theirs.Error.DeclineCode
	}
	return p
}
