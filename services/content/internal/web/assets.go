package web

import (
	"mime"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
)

// Assets serves the built files under /assets/. Their names carry a hash of their content, so they never change; the
// build has left .br and .gz beside them.
type Assets struct{ dir string }

// NewAssets serves from the built app's folder.
func NewAssets(webDir string) *Assets { return &Assets{dir: filepath.Join(webDir, "assets")} }

// encodings in the order of preference.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// Handle answers one asset. Unknown names and whatever would leave the folder are 404.
func (a *Assets) Handle(c echo.Context) error {
	name := path.Clean("/" + c.Param("*"))
	full := filepath.Join(a.dir, filepath.FromSlash(name))
	info, err := os.Stat(full)
	if err != nil || !info.Mode().IsRegular() {
		return apperr.New(apperr.NotFound)
	}
	h := c.Response().Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Add("Vary", "Accept-Encoding")
	contentType := mime.TypeByExtension(path.Ext(name))
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	h.Set("Content-Type", contentType)
	accepted := c.Request().Header.Get("Accept-Encoding")
	for _, e := range encodings {
		if !accepts(accepted, e.name) {
			continue
		}
		if _, err := os.Stat(full + e.suffix); err == nil {
			h.Set("Content-Encoding", e.name)
			full += e.suffix
			break
		}
	}
	file, err := os.Open(full) //nolint:gosec // cleaned above; stays below the built app's folder
	if err != nil {
		return apperr.New(apperr.NotFound)
	}
	defer func() { _ = file.Close() }()
	http.ServeContent(c.Response(), c.Request(), "", info.ModTime(), file)
	return nil
}

// accepts reports whether an Accept-Encoding header takes an encoding; q=0 refuses it.
func accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			return strings.ReplaceAll(strings.TrimSpace(quality), " ", "") != "q=0"
		}
	}
	return false
}
