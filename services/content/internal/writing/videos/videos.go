// Package videos asks the video platforms (by oEmbed) which video an address is of and whether it may be embedded,
// before a creator's page shows it.
//
// It owns no tables. Which platforms there are, and how an address becomes a player, is decided by package richtext;
// the request goes through package outgoing, to the platforms' own hosts or to the sandbox. Answers are kept for a few
// minutes, in this process.
package videos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/outgoing"

	"talkoot.fi/content/internal/writing/richtext"
)

const (
	// keptFor is how long an answer of a platform is used again; failures are not kept.
	keptFor = 5 * time.Minute
	// maxKept bounds the memory of kept answers.
	maxKept = 1000
	// maxTitle is the longest title in characters.
	maxTitle = 200
)

// Errors of Look.
var (
	ErrNotFound      = apperr.New(apperr.VideoNotFound)
	ErrNotEmbeddable = apperr.New(apperr.VideoNotEmbeddable)
	ErrFetchFailed   = apperr.New(apperr.VideoFetchFailed)
)

// Found is what a platform says of a video.
type Found struct {
	richtext.PlatformVideo
	Title         string
	Width, Height int // of the player, 0 when unknown
}

// Lookup asks the platforms. It is safe for concurrent use.
type Lookup struct {
	client    *outgoing.Client
	endpoints map[string]string // by platform
	now       func() time.Time

	mu   sync.Mutex
	kept map[string]answer
}

// answer is what a platform has said; err is one of ErrNotFound and ErrNotEmbeddable.
type answer struct {
	found Found
	err   error
	until time.Time
}

// New makes a lookup. Standin is the address of the sandbox's videos, empty for the platforms themselves. Error: a
// stand-in that is not on this machine.
func New(standin string, now func() time.Time) (*Lookup, error) {
	l := &Lookup{now: now, kept: map[string]answer{}, endpoints: map[string]string{
		"youtube": "https://www.youtube.com/oembed", "vimeo": "https://vimeo.com/api/oembed.json"}}
	var err error
	if standin == "" {
		l.client, err = outgoing.New(outgoing.Options{Hosts: []string{"www.youtube.com", "vimeo.com"}})
		return l, err
	}
	for platform := range l.endpoints {
		l.endpoints[platform] = strings.TrimSuffix(standin, "/") + "/video/" + platform + "/oembed"
	}
	l.client, err = outgoing.New(outgoing.Options{Loopback: standin})
	return l, err
}

// Look asks the platform of an address about its video. Errors: InvalidFields for an address of no platform;
// ErrNotFound; ErrNotEmbeddable; ErrFetchFailed.
func (l *Lookup) Look(ctx context.Context, address string) (Found, error) {
	video, ok := richtext.VideoOf(address)
	if !ok {
		return Found{}, apperr.New(apperr.InvalidFields).WithField("url", apperr.RuleVideoURL)
	}
	if kept, ok := l.keptOf(video.Page); ok {
		return kept.found, kept.err
	}
	found, err := l.ask(ctx, video)
	if err == nil || err == error(ErrNotFound) || err == error(ErrNotEmbeddable) { //nolint:errorlint // these very values, not what wraps them
		l.keep(video.Page, answer{found, err, l.now().Add(keptFor)})
	}
	return found, err
}

// ask makes the request. What the statuses mean is in the platforms' descriptions: 400 and 404 for no such video, 401
// and 403 for one that may not be embedded.
func (l *Lookup) ask(ctx context.Context, video richtext.PlatformVideo) (Found, error) {
	query := url.Values{"url": {video.Page}, "format": {"json"}}
	status, body, err := l.client.Get(ctx, l.endpoints[video.Platform]+"?"+query.Encode())
	if err != nil {
		return Found{}, ErrFetchFailed.Wrap(err)
	}
	switch status {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusBadRequest:
		return Found{}, ErrNotFound
	case http.StatusUnauthorized, http.StatusForbidden:
		return Found{}, ErrNotEmbeddable
	default:
		return Found{}, ErrFetchFailed.Wrap(fmt.Errorf("%s answered %d", video.Platform, status))
	}
	var said struct {
		Type, Title, HTML string
		Width, Height     any // numbers, texts with a unit, or null
	}
	if err := json.Unmarshal(body, &said); err != nil {
		return Found{}, ErrFetchFailed.Wrap(fmt.Errorf("read what %s says: %w", video.Platform, err))
	}
	if said.Type != "video" || said.HTML == "" {
		return Found{}, ErrNotEmbeddable
	}
	return Found{PlatformVideo: video, Title: richtext.Excerpt(richtext.Line(strings.ReplaceAll(said.Title, "\x00", "")), maxTitle),
		Width: pixels(said.Width), Height: pixels(said.Height)}, nil
}

// pixels reads a number of pixels from 1 to 9,999; 0 for anything else.
func pixels(value any) int {
	if n, ok := value.(float64); ok && n >= 1 && n < 10_000 {
		return int(n)
	}
	return 0
}

func (l *Lookup) keptOf(page string) (answer, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept, ok := l.kept[page]
	return kept, ok && l.now().Before(kept.until)
}

func (l *Lookup) keep(page string, a answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.kept) >= maxKept {
		clear(l.kept)
	}
	l.kept[page] = a
}
