package httpx_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"talkoot.fi/kit/httpx"
)

func TestAskReady_SaysWhatReadyzSaysOfTheProcessBesideIt(t *testing.T) {
	t.Parallel()
	var status atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" {
			w.WriteHeader(int(status.Load()))
		}
	}))
	t.Cleanup(server.Close)
	addr := server.Listener.Addr().String()
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, environ := range [][]string{
		{"ADDR=" + addr}, {"ADDR=:" + port}, {"ADDR=0.0.0.0:" + port}, {"ADDR=:1", "WORK_ADDR=" + addr}, nil,
	} {
		status.Store(http.StatusOK)
		if err := httpx.AskReady(t.Context(), environ, addr); err != nil {
			t.Errorf("%v: ready, but %v", environ, err)
		}
		status.Store(http.StatusServiceUnavailable)
		if err := httpx.AskReady(t.Context(), environ, addr); err == nil {
			t.Errorf("%v: not ready, and no error", environ)
		}
	}
	if err := httpx.AskReady(t.Context(), []string{"ADDR=127.0.0.1:1"}, addr); err == nil {
		t.Error("nobody listens, and no error")
	}
}
