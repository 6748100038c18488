package httpx_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
)

// shop serves /shared/:id and /own by a handler that counts its calls.
type shop struct {
	e     *echo.Echo
	mu    sync.Mutex
	calls int
	now   time.Time
	// behind is how old the data are that answers are made of
	behind time.Duration
	hold   chan struct{} // when set, the handler waits for it
}

func newShop(maxBytes int) *shop {
	s := &shop{now: time.Unix(1000, 0)}
	clock := func() time.Time { return s.now }
	s.e = httpx.New(httpx.Options{Log: slog.New(slog.DiscardHandler), Now: clock, Name: "test"})
	anonymous := func(ctx context.Context) bool { return httpx.ClientIP(ctx) != "9.9.9.9" }
	shared := httpx.NewShared(clock, time.Second, maxBytes)
	s.e.Use(shared.NoteWrites("/quiet"))
	routes := httpx.Routes(s.e, shared.Middleware(anonymous, map[string][]string{"/shared/:id": {"page", "tags"}}))
	for _, path := range []string{"/own", "/quiet"} {
		routes.POST(path, func(c echo.Context) error { return c.NoContent(http.StatusNoContent) })
	}
	for _, path := range []string{"/shared/:id", "/own"} {
		routes.GET(path, s.answer)
	}
	return s
}

func (s *shop) answer(c echo.Context) error {
	s.mu.Lock()
	s.calls++
	n := s.calls
	s.mu.Unlock()
	httpx.MadeFromOlder(c.Request().Context(), s.behind)
	if s.hold != nil {
		<-s.hold
	}
	switch c.Param("id") {
	case "gone":
		return apperr.New(apperr.NotFound)
	case "broken":
		panic("broken")
	case "empty":
		return c.NoContent(http.StatusNoContent)
	}
	return c.JSON(http.StatusOK, map[string]any{"call": n, "language": httpx.Lang(c.Request().Context())})
}

func (s *shop) get(path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.RemoteAddr = "127.0.0.1:1"
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.e.ServeHTTP(w, r)
	return w
}

func TestShared_CachesAnswersToAnonymousReadersForALifetime(t *testing.T) {
	s := newShop(1 << 20)
	first, second := s.get("/shared/1"), s.get("/shared/1/")
	if first.Body.String() != second.Body.String() || s.calls != 1 {
		t.Errorf("within its time: %s then %s after %d calls", first.Body, second.Body, s.calls)
	}
	for _, name := range []string{"Content-Type", "ETag", "X-Content-Type-Options"} {
		if first.Header().Get(name) == "" || first.Header().Get(name) != second.Header().Get(name) {
			t.Errorf("%s: %q then %q", name, first.Header().Get(name), second.Header().Get(name))
		}
	}
	if a, b := first.Header().Get(httpx.RequestIDHeader), second.Header().Get(httpx.RequestIDHeader); a == b {
		t.Errorf("two requests have the id %s", a)
	}
}

// Else whoever adds a parameter of their own has each answer made anew.
func TestShared_AParameterThatNoCallKnows_MakesNoOtherAnswer(t *testing.T) {
	s := newShop(1 << 20)
	first := s.get("/shared/1?page=2").Body.String()
	for _, query := range []string{"page=2&n=1", "n=1&page=2", "n=2&page=2&%zz=1", "page=2&&="} {
		if got := s.get("/shared/1?" + query).Body.String(); got != first {
			t.Errorf("%s: %s, want %s", query, got, first)
		}
	}
	if other := s.get("/shared/1?page=3").Body.String(); other == first {
		t.Error("another page has the same answer")
	}
}

func TestShared_CachesLongerWhileNothingIsWritten(t *testing.T) {
	for name, c := range map[string]struct {
		age     time.Duration
		written string
		fresh   bool
	}{
		"a second, nothing written":    {time.Second, "", false},
		"a second, and a write":        {time.Second, "/own", true},
		"a second, and a quiet write":  {time.Second, "/quiet", false},
		"less, and a write":            {time.Second - 1, "/own", false},
		"ten seconds, nothing written": {10 * time.Second, "", true},
		"less, nothing written":        {10*time.Second - 1, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(1 << 20)
			first := s.get("/shared/1").Body.String()
			s.now = s.now.Add(c.age / 2)
			if c.written != "" {
				s.e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, c.written, nil))
			}
			s.now = s.now.Add(c.age - c.age/2)
			if second := s.get("/shared/1").Body.String(); (second != first) != c.fresh {
				t.Errorf("%s, then %s", first, second)
			}
		})
	}
}

// An answer that is made of older data, as a replica's, is kept for so much less: what is shown is never older than it would be without.
func TestShared_CountsFromTheAgeOfTheData(t *testing.T) {
	for name, c := range map[string]struct {
		behind, wait time.Duration
		written      time.Duration // before the answer was made; 0 for never
		fresh        bool
	}{
		"a moment later":                       {300 * time.Millisecond, 600 * time.Millisecond, 0, false},
		"a lifetime after the data":            {300 * time.Millisecond, 800 * time.Millisecond, 100 * time.Millisecond, true},
		"written before the data":              {300 * time.Millisecond, 800 * time.Millisecond, 400 * time.Millisecond, false},
		"ten lifetimes after the data":         {300 * time.Millisecond, 9800 * time.Millisecond, 0, true},
		"not yet ten lifetimes after the data": {300 * time.Millisecond, 9600 * time.Millisecond, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(1 << 20)
			s.behind = c.behind
			if c.written > 0 {
				s.e.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/own", nil))
				s.now = s.now.Add(c.written)
			}
			first := s.get("/shared/1").Body.String()
			s.now = s.now.Add(c.wait)
			if second := s.get("/shared/1").Body.String(); (second != first) != c.fresh {
				t.Errorf("%s, then %s", first, second)
			}
		})
	}
}

func TestShared_KeepsApartWhatDiffers(t *testing.T) {
	for name, again := range map[string]func(*shop) *httptest.ResponseRecorder{
		"another address":  func(s *shop) *httptest.ResponseRecorder { return s.get("/shared/2") },
		"another query":    func(s *shop) *httptest.ResponseRecorder { return s.get("/shared/1?page=3") },
		"another language": func(s *shop) *httptest.ResponseRecorder { return s.get("/shared/1", "Accept-Language", "sv") },
		"somebody signed in": func(s *shop) *httptest.ResponseRecorder {
			return s.get("/shared/1", "X-Forwarded-For", "9.9.9.9")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newShop(1 << 20)
			first := s.get("/shared/1").Body.String()
			if second := again(s).Body.String(); second == first || s.calls != 2 {
				t.Errorf("%s then %s after %d calls", first, second, s.calls)
			}
			if s.get("/shared/1").Body.String() != first {
				t.Error("the first answer is no longer shared")
			}
		})
	}
}

func TestShared_CachesNeitherOtherRoutesNorFailures(t *testing.T) {
	for path, status := range map[string]int{"/own": 200, "/shared/gone": 404, "/shared/broken": 500,
		"/shared/empty": 204} {
		s := newShop(1 << 20)
		for range 2 {
			if w := s.get(path); w.Code != status || w.Header().Get("ETag") != "" || (status != 204) != (w.Body.Len() > 0) {
				t.Errorf("%s: %d with ETag %q: %s", path, w.Code, w.Header().Get("ETag"), w.Body)
			}
		}
		if s.calls != 2 {
			t.Errorf("%s: %d calls, want 2", path, s.calls)
		}
	}
}

func TestShared_AnswersNotModifiedToACurrentETag(t *testing.T) {
	s := newShop(1 << 20)
	etag := s.get("/shared/1").Header().Get("ETag")
	for have, status := range map[string]int{etag: 304, `"x", ` + etag: 304, strings.TrimPrefix(etag, "W/"): 304, "*": 304, `"x"`: 200} {
		w := s.get("/shared/1", "If-None-Match", have)
		if w.Code != status || (status == 304) != (w.Body.Len() == 0) || w.Header().Get("ETag") != etag {
			t.Errorf("If-None-Match %s: %d, %d bytes", have, w.Code, w.Body.Len())
		}
	}
}

func TestShared_MakesOneAnswerForConcurrentRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(1 << 20)
		s.hold = make(chan struct{})
		for range 20 {
			go func() {
				if w := s.get("/shared/1"); w.Code != 200 || !strings.Contains(w.Body.String(), `"call":1`) {
					t.Errorf("%d %s", w.Code, w.Body)
				}
			}()
		}
		synctest.Wait() // all of them wait
		close(s.hold)
		synctest.Wait()
		if s.calls != 1 {
			t.Errorf("%d calls, want 1", s.calls)
		}
	})
}

func TestShared_StaysWithinItsBytes(t *testing.T) {
	s := newShop(5000) // room for some nine answers
	for i := range 50 {
		s.get(fmt.Sprintf("/shared/%d", i))
	}
	before := s.calls
	if s.get("/shared/49"); s.calls != before {
		t.Error("the latest answer was not kept")
	}
	kept := 0
	for i := range 50 {
		before := s.calls
		s.get(fmt.Sprintf("/shared/%d", i))
		if s.calls == before {
			kept++
		}
	}
	if kept > 10 {
		t.Errorf("%d of 50 answers were kept, want few", kept)
	}
}

// Cached answers are not for signed-in readers, and Vary says so to caches between client and server.
func TestShared_VariesByWhoAsks(t *testing.T) {
	s := newShop(1 << 20)
	for address, want := range map[string]bool{"/shared/1": true, "/own": false} {
		for _, from := range []string{"1.1.1.1:1", "9.9.9.9:1"} {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, http.NoBody)
			r.RemoteAddr = from
			w := httptest.NewRecorder()
			s.e.ServeHTTP(w, r)
			if got := strings.Contains(strings.Join(w.Header().Values("Vary"), ", "), "Authorization"); got != want {
				t.Errorf("%s to %s varies by Authorization: %t, want %t", address, from, got, want)
			}
		}
	}
}
