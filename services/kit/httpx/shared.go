package httpx

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/labstack/echo/v4"
	"golang.org/x/sync/singleflight"
)

const (
	// entryOverhead is what a kept answer costs besides its key and body, in bytes, roughly.
	entryOverhead = 500
	// sharedTimeout bounds an answer that several requests wait for; it does not end with the request that began it.
	sharedTimeout = 10 * time.Second
)

// Shared keeps the answers of some calls for a moment, in bounded memory, and gives them to everybody to whom the same
// address says the same: those who are not signed in and read the same language. Requests that come while an answer is
// being made wait for that one, so that a crowd costs what one visitor costs. Each answer has an ETag, and a reader who
// has it already is told so (304).
//
// Only answers of status 200 are kept: for a lifetime, and for ten of them while nobody writes through this process. So
// a change made here is seen a lifetime later at most, and one made by another process ten.
type Shared struct {
	now      func() time.Time
	lifetime time.Duration
	maxBytes int
	written  atomic.Int64 // when a request last wrote, Unix nanoseconds
	flight   singleflight.Group

	mu      sync.RWMutex
	entries map[string]*sharedAnswer
	oldest  []*sharedAnswer // all of entries and what they replaced, in the order in which they came
	bytes   int             // of oldest
}

// sharedAnswer is an answer as it goes out; nobody changes it.
type sharedAnswer struct {
	key    string
	status int
	header http.Header
	body   []byte
	made   time.Time
}

// quiet is how many lifetimes an answer holds while nothing is written.
const quiet = 10

// NewShared keeps at most maxBytes, each answer for a lifetime. A lifetime of 0 keeps nothing.
func NewShared(now func() time.Time, lifetime time.Duration, maxBytes int) *Shared {
	return &Shared{now: now, lifetime: lifetime, maxBytes: maxBytes, entries: map[string]*sharedAnswer{}}
}

// Noting is a middleware that notes requests which may write. It belongs around all of a service's routes.
func (s *Shared) Noting(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if method := c.Request().Method; method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions {
			defer func() { s.written.Store(s.now().UnixNano()) }() // when it is done: what was read meanwhile may be old
		}
		return next(c)
	}
}

// holds tells whether an answer may still be given.
func (s *Shared) holds(a *sharedAnswer) bool {
	age := s.now().Sub(a.made)
	return age < s.lifetime || age < quiet*s.lifetime && s.written.Load() < a.made.UnixNano()
}

// Middleware shares the answers of GET requests on routes, named as Echo names them, whose caller is anonymous. It
// belongs inside of whatever finds out who calls.
func (s *Shared) Middleware(anonymous func(context.Context) bool, routes ...string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			if s.lifetime <= 0 || r.Method != http.MethodGet || !slices.Contains(routes, c.Path()) || !anonymous(r.Context()) {
				return next(c)
			}
			a, err := s.answer(c, next)
			if err != nil {
				return err
			}
			return a.send(c)
		}
	}
}

func (s *Shared) answer(c echo.Context, next echo.HandlerFunc) (*sharedAnswer, error) {
	r := c.Request()
	key := Lang(r.Context()) + " " + r.URL.Path + "?" + r.URL.RawQuery
	s.mu.RLock()
	kept := s.entries[key]
	s.mu.RUnlock()
	if kept != nil && s.holds(kept) {
		return kept, nil
	}
	made, err, _ := s.flight.Do(key, func() (any, error) {
		began := s.now()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), sharedTimeout)
		defer cancel()
		c.SetRequest(r.WithContext(ctx))
		defer c.SetRequest(r)
		a, err := record(c, next)
		if err == nil && a.status == http.StatusOK {
			a.key, a.made = key, began
			s.put(a)
		}
		return a, err
	})
	a, _ := made.(*sharedAnswer)
	return a, err
}

// record lets a handler answer into memory. Its ETag is weak, because an answer may go out packed or not.
func record(c echo.Context, next echo.HandlerFunc) (*sharedAnswer, error) {
	response := c.Response()
	writer := response.Writer
	recorded := &recorder{header: http.Header{}}
	response.Writer = recorded
	defer func() { // also when the handler panics: its error goes to the reader
		response.Writer, response.Committed, response.Size = writer, false, 0
	}()
	err := next(c)
	a := &sharedAnswer{status: response.Status, header: recorded.header, body: recorded.body.Bytes()}
	if err == nil && a.status == http.StatusOK {
		if a.header.Get("Cache-Control") == "" {
			a.header.Set("Cache-Control", "no-cache") // whoever keeps it asks each time whether it is still the same
		}
		a.header.Set("ETag", `W/"`+strconv.FormatUint(xxhash.Sum64(a.body), 36)+`"`)
	}
	return a, err
}

type recorder struct {
	header http.Header
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

// WriteHeader makes room for a body whose length is known. The status is remembered by Echo's response.
func (r *recorder) WriteHeader(int) {
	if length, err := strconv.Atoi(r.header.Get("Content-Length")); err == nil {
		r.body.Grow(length)
	}
}

func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// send answers a request; the headers are the answer's own, on top of those that every answer has.
func (a *sharedAnswer) send(c echo.Context) error {
	header := c.Response().Header()
	vary := slices.Concat(header.Values("Vary"), a.header.Values("Vary")) // both say what the answer depends on
	for name, values := range a.header {
		header[name] = values
	}
	if slices.Sort(vary); len(vary) > 0 {
		header["Vary"] = slices.Compact(vary)
	}
	if etag := a.header.Get("ETag"); etag != "" && matches(c.Request().Header.Get("If-None-Match"), etag) {
		header.Del("Content-Length")
		header.Del("Content-Type")
		c.Response().WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	c.Response().WriteHeader(a.status)
	_, err := c.Response().Write(a.body)
	return err
}

// matches compares as RFC 9110 (13.1.2) wants it: any of a list, weakly.
func matches(have, etag string) bool {
	if have == "" {
		return false
	}
	opaque := strings.TrimPrefix(etag, "W/")
	for one := range strings.SplitSeq(have, ",") {
		if one = strings.TrimPrefix(strings.TrimSpace(one), "W/"); one == opaque || one == "*" {
			return true
		}
	}
	return false
}

func (a *sharedAnswer) size() int { return len(a.key) + len(a.body) + entryOverhead }

// put keeps an answer. The oldest make room: those that hold no more, and as many as it takes.
func (s *Shared) put(a *sharedAnswer) {
	if a.size() > s.maxBytes {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.oldest) > 0 && (s.bytes+a.size() > s.maxBytes || !s.holds(s.oldest[0])) {
		first := s.oldest[0]
		s.oldest[0], s.oldest = nil, s.oldest[1:]
		s.bytes -= first.size()
		if s.entries[first.key] == first {
			delete(s.entries, first.key)
		}
	}
	s.entries[a.key] = a
	s.oldest = append(s.oldest, a)
	s.bytes += a.size()
}
