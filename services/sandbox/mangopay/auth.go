package mangopay

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"talkoot.fi/sandbox/standin"
)

const tokenLife = 3600 // seconds

type token struct {
	AccessToken string `json:"access_token"`
	TokenType   string `json:"token_type"`
	ExpiresIn   int64  `json:"expires_in"`
}

type oauthError struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// giveToken gives a token for the client's id and key. Older ones live on.
func (s *Sandbox) giveToken(r *http.Request, body []byte) answer {
	form, err := url.ParseQuery(string(body))
	switch {
	case r.Method != http.MethodPost:
		return s.failed(&apiError{status: http.StatusMethodNotAllowed, message: "The requested resource does not support http method '" + r.Method + "'."})
	case !s.basic(r):
		return answer{status: http.StatusUnauthorized, body: mustJSON(oauthError{"invalid_client", "The client's id or key is wrong."})}
	case err != nil || form.Get("grant_type") != "client_credentials" ||
		!strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded"):
		return answer{status: http.StatusBadRequest, body: mustJSON(oauthError{"unsupported_grant_type", "Send the form grant_type=client_credentials."})}
	}
	out := token{AccessToken: s.engine.IDs.Text(48), TokenType: "Bearer", ExpiresIn: tokenLife}
	err = s.write(&call{}, func(c *call) error {
		return standin.PutJSON(c.tx, bucketTokens, out.AccessToken, c.now+tokenLife)
	})
	if err != nil {
		return s.failed(err)
	}
	return answer{status: http.StatusOK, body: mustJSON(out)}
}

// ExpireTokens ends every token that was given.
func (s *Sandbox) ExpireTokens() error {
	return s.write(&call{}, func(c *call) error {
		if err := c.tx.DeleteBucket([]byte(bucketTokens)); err != nil {
			return fmt.Errorf("end tokens: %w", err)
		}
		if _, err := c.tx.CreateBucket([]byte(bucketTokens)); err != nil {
			return fmt.Errorf("end tokens: %w", err)
		}
		return nil
	})
}

func (s *Sandbox) basic(r *http.Request) bool {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest))
	return strings.EqualFold(scheme, "basic") && err == nil && string(raw) == s.opts.ClientID+":"+s.opts.APIKey
}

func (s *Sandbox) authenticated(r *http.Request) bool {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		return s.basic(r)
	}
	var until int64
	err := s.read(&call{}, func(c *call) error {
		_, err := standin.GetJSON(c.tx, bucketTokens, strings.TrimSpace(rest), &until)
		return err
	})
	return err == nil && s.engine.Now() < until
}

func httpDate(at int64) string { return time.Unix(at, 0).UTC().Format(http.TimeFormat) }

// rateMeter counts calls for the rate headers. Nothing is refused by it: that is a fault's to do.
type rateMeter struct {
	times   int64 // of the usual limits
	mu      sync.Mutex
	windows [4]struct{ began, used int64 }
}

// count adds a call and writes the headers, which have a value each for 15 and 30 minutes, an hour and a day.
func (m *rateMeter) count(now int64, h http.Header) {
	limits := [...]struct{ seconds, calls int64 }{{900, 2300}, {1800, 4500}, {3600, 8800}, {86400, 105600}}
	for i := range limits {
		limits[i].calls *= m.times
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var used, left, reset []string
	for i, limit := range limits {
		w := &m.windows[i]
		if now-w.began >= limit.seconds {
			w.began, w.used = now, 0
		}
		w.used++
		used = append(used, strconv.FormatInt(w.used, 10))
		left = append(left, strconv.FormatInt(max(0, limit.calls-w.used), 10))
		reset = append(reset, strconv.FormatInt(w.began+limit.seconds, 10))
	}
	h.Set("X-Ratelimit", strings.Join(used, ", "))
	h.Set("X-Ratelimit-Remaining", strings.Join(left, ", "))
	h.Set("X-Ratelimit-Reset", strings.Join(reset, ", "))
}

func (m *rateMeter) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.windows[:])
}
