package web

import (
	"errors"
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
// build has put .br and .gz files beside them.
type Assets struct{ dir string }

// NewAssets serves from the built app's folder.
func NewAssets(webDir string) *Assets { return &Assets{dir: filepath.Join(webDir, "assets")} }

// widgetFresh is how long a host page's readers keep the widget's script: its name stays, so that hosts need not change
// their pages, and a new version has to come soon.
const widgetFresh = "public, max-age=3600, stale-while-revalidate=86400"

// Widget serves the script of the widget that other sites embed, /widget.js.
func (a *Assets) Widget(c echo.Context) error {
	h := c.Response().Header()
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	h.Set("Access-Control-Allow-Origin", "*") // a script element with crossorigin and integrity asks for it
	return a.send(c, "widget.js", widgetFresh)
}

// encodings, by preference.
var encodings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// Handle answers one asset. Unknown names and whatever would leave the folder are 404.
func (a *Assets) Handle(c echo.Context) error {
	return a.send(c, strings.TrimPrefix(path.Clean("/"+c.Param("*")), "/"), "public, max-age=31536000, immutable")
}

func (a *Assets) send(c echo.Context, name, cacheControl string) error {
	file, info, err := a.open(name)
	if err != nil {
		return apperr.New(apperr.NotFound)
	}
	defer func() { _ = file.Close() }()
	h := c.Response().Header()
	h.Set("Cache-Control", cacheControl)
	h.Add("Vary", "Accept-Encoding")
	h.Set("Content-Type", contentType(path.Ext(name)))
	if path.Ext(name) == ".woff2" {
		h.Set("Access-Control-Allow-Origin", "*") // the payment provider's frame loads the page's fonts
	}
	accepted := c.Request().Header.Get("Accept-Encoding")
	for _, e := range encodings {
		if !Accepts(accepted, e.name) {
			continue
		}
		if smaller, _, err := a.open(name + e.suffix); err == nil {
			defer func() { _ = smaller.Close() }()
			h.Set("Content-Encoding", e.name)
			file = smaller
			break
		}
	}
	http.ServeContent(c.Response(), c.Request(), "", info.ModTime(), file)
	return nil
}

// contentType knows fonts itself, because minimal images have no MIME table.
func contentType(extension string) string {
	if extension == ".woff2" {
		return "font/woff2"
	}
	if known := mime.TypeByExtension(extension); known != "" {
		return known
	}
	return "application/octet-stream"
}

// open opens a regular file that really lies below the folder, symbolic links included.
func (a *Assets) open(name string) (*os.File, os.FileInfo, error) {
	file, err := os.OpenInRoot(a.dir, name)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = os.ErrNotExist
	}
	if err != nil {
		return nil, nil, errors.Join(err, file.Close())
	}
	return file, info, nil
}

// Accepts reports whether an Accept-Encoding header takes an encoding; q=0 refuses it.
func Accepts(header, encoding string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(name), encoding) {
			return strings.ReplaceAll(strings.TrimSpace(quality), " ", "") != "q=0"
		}
	}
	return false
}
