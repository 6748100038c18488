package files

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"talkoot.fi/content/internal/media/scenes"
	"talkoot.fi/kit/apperr"
)

// Serve answers GET and HEAD of /media/{size}/{name}, where size is {width}x{height} (rounded by parseSize) and name
// is what PutImage returned, a drawing, a picture drawn from a seed, or a name of SharePath. Answers may be cached for
// ever. Errors, returned before the body is begun: apperr.NotFound (unknown or malformed), Busy (with Retry-After),
// Unavailable. The caller turns them into the response, without caching headers.
func (s *Store) Serve(w http.ResponseWriter, r *http.Request, sizeText, name string) error {
	name, ours := s.withoutChecksum(name)
	source, kind, okName := parseName(name)
	wanted, okSize := parseSize(sizeText)
	if !okName || !okSize {
		return apperr.New(apperr.NotFound)
	}
	if kind == rasterised && (wanted != shareSize || scenes.IsFileName(source) && !ours) {
		return apperr.New(apperr.NotFound)
	}
	v := variant{source: source, kind: kind, size: wanted}
	header := w.Header()
	if kind == drawing {
		v.encoding = acceptedEncoding(r.Header.Get("Accept-Encoding"))
		header.Add("Vary", "Accept-Encoding")
	}
	// Opened as a page, an SVG must not run scripts, load anything or submit forms.
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	header.Set("X-Content-Type-Options", "nosniff")
	if matches(r.Header.Get("If-None-Match"), v.etag()) {
		keepForever(header, v)
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	data, err := s.load(r.Context(), v)
	if err != nil {
		if errors.Is(err, apperr.New(apperr.Busy)) {
			header.Set("Retry-After", strconv.Itoa(int(busyRetry.Seconds())))
		}
		return err
	}
	keepForever(header, v)
	header.Set("Content-Type", v.contentType())
	header.Set("Content-Length", strconv.Itoa(len(data)))
	if v.encoding != "" {
		header.Set("Content-Encoding", v.encoding)
	}
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead {
		return nil
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("send picture: %w", err)
	}
	return nil
}

func keepForever(header http.Header, v variant) {
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("ETag", v.etag())
}

// matches reports whether an If-None-Match header has the strong tag, or its weak form, which proxies make.
func matches(header, tag string) bool {
	for part := range strings.SplitSeq(header, ",") {
		if strings.TrimPrefix(strings.TrimSpace(part), "W/") == tag {
			return true
		}
	}
	return false
}
