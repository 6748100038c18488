package paymentstest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// keys remembers what each idempotency key came with, whatever became of the call.
type keys struct {
	mu     sync.Mutex
	bodies map[string][]string
}

func (k *keys) watch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("Idempotency-Key"); key != "" {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				panic(http.ErrAbortHandler)
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			k.note(key, r.URL.Path, body)
		}
		next.ServeHTTP(w, r)
	})
}

func (k *keys) note(key, path string, body []byte) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		form = url.Values{"raw": {string(body)}}
	}
	said := path + "?" + form.Encode() // the client's order of parameters is no difference
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.bodies == nil {
		k.bodies = map[string][]string{}
	}
	if !slices.Contains(k.bodies[key], said) {
		k.bodies[key] = append(k.bodies[key], said)
	}
}

func (k *keys) withTwoBodies() map[string][]string {
	k.mu.Lock()
	defer k.mu.Unlock()
	out := map[string][]string{}
	for key, bodies := range k.bodies {
		if len(bodies) > 1 {
			out[key] = bodies
		}
	}
	return out
}
