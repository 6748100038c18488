package httpx

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
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
	// entryOverhead is roughly the memory of an entry beside its key and body, in bytes.
	entryOverhead = 500
	// sharedTimeout is the timeout of making an answer; it is not cancelled with the request that began it.
	sharedTimeout = 10 * time.Second
)

// madeOf is what an answer for the cache was made of.
type madeOf struct{ behind time.Duration }

type madeOfKey struct{}

// ForShared reports whether the answer to ctx's request is made for the cache of answers that all get.
func ForShared(ctx context.Context) bool { return ctx.Value(madeOfKey{}) != nil }

// MadeFromOlder tells the cache that the answer to ctx's request is made of data that may be so old; the cache then keeps it for
// so much less.
func MadeFromOlder(ctx context.Context, behind time.Duration) {
	if of, ok := ctx.Value(madeOfKey{}).(*madeOf); ok {
		of.behind = behind
	}
}

// Shared is a cache of answers for a short time, in bounded memory, for readers whose answers are the same: those who
// are not signed in, by address and language. Concurrent requests for the same answer wait for one of them to make it
// (single flight), so that a crowd costs as much as one reader. Answers have an ETag, and a matching If-None-Match
// gets a 304.
//
// Only answers of status 200 are cached: for one lifetime, or for ten while this process writes nothing. So a change
// made through this process is visible after at most one lifetime, one by another process after ten, counted from the data's own
// time, where they are read from a replica (MadeFromOlder).
type Shared struct {
	now      func() time.Time
	lifetime time.Duration
	maxBytes int
	written  atomic.Int64 // end of the last request that may have written, Unix nanoseconds
	flight   singleflight.Group

	mu      sync.RWMutex
	entries map[string]*sharedAnswer
	oldest  []*sharedAnswer // entries, and those that they replaced, oldest first
	bytes   int             // of oldest
}

// sharedAnswer is a cached answer; it is immutable.
type sharedAnswer struct {
	key    string
	status int
	header http.Header
	body   []byte
	made   time.Time
}

// quietLifetimes is how many lifetimes an answer is valid while nothing is written.
const quietLifetimes = 10

// NewShared makes a cache of at most maxBytes. A lifetime of 0 caches nothing.
func NewShared(now func() time.Time, lifetime time.Duration, maxBytes int) *Shared {
	return &Shared{now: now, lifetime: lifetime, maxBytes: maxBytes, entries: map[string]*sharedAnswer{}}
}

// NoteWrites is a middleware that records when a request may have written. It belongs on all of a service's routes.
// Requests to the quiet ones, named as Echo does, are not recorded: they change nothing that is in cached answers.
func (s *Shared) NoteWrites(quiet ...string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			method := c.Request().Method
			if method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions &&
				!slices.Contains(quiet, c.Path()) {
				defer func() { s.written.Store(s.now().UnixNano()) }() // at its end: answers made meanwhile may be stale
			}
			return next(c)
		}
	}
}

// isValid reports whether an answer is still valid.
func (s *Shared) isValid(a *sharedAnswer) bool {
	age := s.now().Sub(a.made)
	return age < s.lifetime || age < quietLifetimes*s.lifetime && s.written.Load() < a.made.UnixNano()
}

// Middleware caches the answers to anonymous GET requests on routes, which are named as Echo does, each with the query
// parameters that it knows: others make no other answer. It runs after authentication, and adds Vary: Authorization, because
// signed-in readers may get other answers.
func (s *Shared) Middleware(anonymous func(context.Context) bool, routes map[string][]string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			params, isShared := routes[c.Path()]
			if r.Method != http.MethodGet || !isShared {
				return next(c)
			}
			c.Response().Header().Add(echo.HeaderVary, echo.HeaderAuthorization)
			if s.lifetime <= 0 || !anonymous(r.Context()) {
				return next(c)
			}
			a, err := s.answer(c, next, params)
			if err != nil {
				return err
			}
			return a.send(c)
		}
	}
}

func (s *Shared) answer(c echo.Context, next echo.HandlerFunc, params []string) (*sharedAnswer, error) {
	r := c.Request()
	key := Lang(r.Context()) + " " + r.URL.Path + "?" + known(r.URL.RawQuery, params)
	s.mu.RLock()
	kept := s.entries[key]
	s.mu.RUnlock()
	if kept != nil && s.isValid(kept) {
		return kept, nil
	}
	made, err, _ := s.flight.Do(key, func() (any, error) {
		began := s.now()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), sharedTimeout)
		defer cancel()
		of := &madeOf{}
		c.SetRequest(r.WithContext(context.WithValue(ctx, madeOfKey{}, of)))
		defer c.SetRequest(r)
		a, err := record(c, next)
		if err == nil && a.status == http.StatusOK {
			a.key, a.made = key, began.Add(-of.behind)
			s.put(a)
		}
		return a, err
	})
	a, _ := made.(*sharedAnswer)
	return a, err
}

// known are the pairs of a query whose parameters are known, as they were sent: how they are written is not decided here.
func known(query string, params []string) string {
	pairs := strings.Split(query, "&")
	pairs = slices.DeleteFunc(pairs, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		return err != nil || !slices.Contains(params, name)
	})
	return strings.Join(pairs, "&")
}

// record runs the handler and records its answer. The ETag is weak, because the answer may be sent compressed or not.
func record(c echo.Context, next echo.HandlerFunc) (*sharedAnswer, error) {
	response := c.Response()
	writer := response.Writer
	recorded := &recorder{header: http.Header{}}
	response.Writer = recorded
	defer func() { // also when the handler panics: the error is for the reader
		response.Writer, response.Committed, response.Size = writer, false, 0
	}()
	err := next(c)
	a := &sharedAnswer{status: response.Status, header: recorded.header, body: recorded.body.Bytes()}
	if err == nil && a.status == http.StatusOK {
		if a.header.Get("Cache-Control") == "" {
			a.header.Set("Cache-Control", "no-cache") // browsers revalidate it each time
		}
		a.header.Set("ETag", etagOf(a.body))
	}
	return a, err
}

func etagOf(body []byte) string { return `W/"` + strconv.FormatUint(xxhash.Sum64(body), 36) + `"` }

// SendTagged answers 200 with the body and its ETag, or 304 to a reader who has it already, as If-None-Match says
// (RFC 9110, 13.1.2).
func SendTagged(c echo.Context, contentType string, body []byte) error {
	etag := etagOf(body)
	c.Response().Header().Set("ETag", etag)
	if matches(c.Request().Header.Get("If-None-Match"), etag) {
		return c.NoContent(http.StatusNotModified)
	}
	return c.Blob(http.StatusOK, contentType, body)
}

type recorder struct {
	header http.Header
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

// WriteHeader allocates the body if its length is known. Echo's response keeps the status.
func (r *recorder) WriteHeader(int) {
	if length, err := strconv.Atoi(r.header.Get("Content-Length")); err == nil {
		r.body.Grow(length)
	}
}

func (r *recorder) Write(b []byte) (int, error) { return r.body.Write(b) }

// send answers a request with the recorded headers, and those that every answer has.
func (a *sharedAnswer) send(c echo.Context) error {
	header := c.Response().Header()
	// of this request's middlewares and of the answer
	vary := slices.Concat(header.Values("Vary"), a.header.Values("Vary"))
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

// matches is the weak comparison with a list of tags (RFC 9110, 13.1.2).
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

// put caches an answer, and evicts expired answers and as many of the oldest as needed.
func (s *Shared) put(a *sharedAnswer) {
	if a.size() > s.maxBytes {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.oldest) > 0 && (s.bytes+a.size() > s.maxBytes || !s.isValid(s.oldest[0])) {
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
