package videos_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/sandbox/video"

	"talkoot.fi/content/internal/writing/videos"
)

// asking is a lookup at the sandbox, with the number of requests that reached it.
type asking struct {
	*videos.Lookup
	asked  atomic.Int64
	answer func(http.ResponseWriter, *http.Request) // instead of the sandbox's
	now    time.Time
}

func setup(t *testing.T) *asking {
	t.Helper()
	a := &asking{answer: video.Handler().ServeHTTP, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.asked.Add(1)
		a.answer(w, r)
	}))
	t.Cleanup(server.Close)
	var err error
	if a.Lookup, err = videos.New(server.URL, func() time.Time { return a.now }); err != nil {
		t.Fatal(err)
	}
	return a
}

func TestLook_GivesTheOneAddressOfAVideoAndWhatThePlatformSays(t *testing.T) {
	a := setup(t)
	for address, want := range map[string]string{
		"https://www.youtube.com/watch?v=h8yrytalk01&list=x&t=1": "youtube https://www.youtube.com/watch?v=h8yrytalk01 " +
			"Video h8yrytalk01",
		"https://youtu.be/h8yrytalk01?si=tracking":    "youtube https://www.youtube.com/watch?v=h8yrytalk01 Video h8yrytalk01",
		" https://m.youtube.com/watch?v=h8yrytalk01 ": "youtube https://www.youtube.com/watch?v=h8yrytalk01 Video h8yrytalk01",
		"https://player.vimeo.com/video/12345?h=1":    "vimeo https://vimeo.com/12345 Video 12345",
		"https://vimeo.com/12345/":                    "vimeo https://vimeo.com/12345 Video 12345",
	} {
		got, err := a.Look(t.Context(), address)
		if said := got.Platform + " " + got.Page + " " + got.Title; err != nil || said != want || got.Width != 960 ||
			got.Height != 540 {
			t.Errorf("%s: %s, %v; want %s", address, said, err, want)
		}
	}
	if asked := a.asked.Load(); asked != 2 {
		t.Errorf("asked %d times for two videos", asked)
	}
}

func TestLook_SaysWhyThereIsNoVideo(t *testing.T) {
	a := setup(t)
	for address, want := range map[string]error{
		"https://youtu.be/missing0000":                          videos.ErrNotFound,
		"https://vimeo.com/1404":                                videos.ErrNotFound,
		"https://youtu.be/private0000":                          videos.ErrNotEmbeddable,
		"https://vimeo.com/1403":                                videos.ErrNotEmbeddable,
		"https://youtu.be/failing0000":                          videos.ErrFetchFailed,
		"https://vimeo.com/1500":                                videos.ErrFetchFailed,
		"ftp://youtu.be/h8yrytalk01":                            apperr.New(apperr.InvalidFields),
		"https://evil.example/h8yrytalk01":                      apperr.New(apperr.InvalidFields),
		"https://youtu.be@evil.example/x":                       apperr.New(apperr.InvalidFields),
		"https://www.youtube.com.evil.example/x":                apperr.New(apperr.InvalidFields),
		"https://vimeo.com:8443/12345":                          apperr.New(apperr.InvalidFields),
		"https://open.spotify.com/track/11dFghVXANMlKmJXsNCbNl": apperr.New(apperr.InvalidFields),
		"javascript:alert(1)":                                   apperr.New(apperr.InvalidFields),
	} {
		if _, err := a.Look(t.Context(), address); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", address, err, want)
		}
	}
}

func TestLook_KeepsAnswersForAWhileAndFailuresNever(t *testing.T) {
	a := setup(t)
	for i, step := range []struct {
		address string
		pass    time.Duration
		asked   int64
	}{
		{"https://vimeo.com/1", 0, 1}, {"https://vimeo.com/1", time.Minute, 1}, {"https://vimeo.com/1404", 0, 2},
		{"https://vimeo.com/1404", 0, 2},
		{"https://vimeo.com/1500", 0, 3}, {"https://vimeo.com/1500", 0, 4}, {"https://vimeo.com/1", 5 * time.Minute, 5},
	} {
		a.now = a.now.Add(step.pass)
		_, _ = a.Look(t.Context(), step.address)
		if got := a.asked.Load(); got != step.asked {
			t.Errorf("step %d: asked %d times, want %d", i, got, step.asked)
		}
	}
}

func TestLook_TrustsNothingThatAPlatformSays(t *testing.T) {
	a := setup(t)
	for body, want := range map[string]error{
		`<html>`:                         videos.ErrFetchFailed,
		`[]`:                             videos.ErrFetchFailed,
		`{}`:                             videos.ErrNotEmbeddable,
		`{"type": "rich", "html": "x"}`:  videos.ErrNotEmbeddable,
		strings.Repeat(" ", 300<<10):     videos.ErrFetchFailed,
		`{"type": "video", "html": "x"}`: nil,
		`{"type": "video", "html": "x", "title": "A\u202e\u0000\n<b>` + strings.Repeat("ä", 5000) + `", "width": "100%", "height": -1}`: nil,
	} {
		a.now = a.now.Add(time.Hour)
		a.answer = func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
		got, err := a.Look(t.Context(), "https://vimeo.com/7")
		if !errors.Is(err, want) || got.Width != 0 || got.Height != 0 || len([]rune(got.Title)) > 200 ||
			strings.ContainsAny(got.Title, "\u202e\x00\n") {
			t.Errorf("%.60s: %+v, %v", body, got, err)
		}
	}
	if _, err := videos.New("http://10.0.0.1", time.Now); err == nil {
		t.Error("a stand-in elsewhere was taken")
	}
}
