package httpx_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/httpx"
)

// An upload over a slow line takes longer than the server waits for other bodies.
func TestUploads_HaveTimeOfTheirOwnOnAConnection(t *testing.T) {
	o := options(io.Discard)
	o.Uploads = map[string]int64{"POST /pictures": 1000}
	e := httpx.New(o)
	read := func(c echo.Context) error {
		body, err := io.ReadAll(c.Request().Body)
		if err != nil {
			return err
		}
		return c.String(http.StatusOK, string(body))
	}
	routes := httpx.Routes(e)
	routes.POST("/pictures/", read)
	routes.POST("/orders/", read)
	srv := httptest.NewUnstartedServer(e)
	srv.Config.ReadTimeout = 100 * time.Millisecond
	srv.Config.WriteTimeout = 100 * time.Millisecond
	srv.Start()
	defer srv.Close()
	for path, want := range map[string]bool{"/pictures/": true, "/orders/": false} {
		body, writer := io.Pipe()
		begun := time.AfterFunc(300*time.Millisecond, func() {
			_, _ = io.WriteString(writer, strings.Repeat("x", 50))
			_ = writer.Close()
		})
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, body)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := srv.Client().Do(request)
		begun.Stop()
		if err == nil {
			_ = answer.Body.Close()
		}
		if got := err == nil && answer.StatusCode == http.StatusOK; got != want {
			t.Errorf("%s was read: %t, %v", path, got, err)
		}
	}
}
