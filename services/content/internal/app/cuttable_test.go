package app_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// cuttable makes connections to the database that the test can break.
type cuttable struct {
	mu       sync.Mutex
	listener net.Listener
	ends     []net.Conn
}

// open makes a pool of such connections.
func (w *cuttable) open(t *testing.T, address string) *gorm.DB {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if w.listener, err = (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	server := u.Host
	u.Host = w.listener.Addr().String()
	go w.carry(t.Context(), server)
	db, err := dbx.Open(t.Context(), dbx.Config{URL: u.String()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = dbx.Close(db); w.cut() })
	return db
}

func (w *cuttable) carry(ctx context.Context, server string) {
	for {
		in, err := w.listener.Accept()
		if err != nil {
			return
		}
		out, err := (&net.Dialer{}).DialContext(ctx, "tcp", server)
		if err != nil {
			_ = in.Close()
			continue
		}
		w.mu.Lock()
		w.ends = append(w.ends, in, out)
		w.mu.Unlock()
		go func() { _, _ = io.Copy(in, out); _ = in.Close() }()
		go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
	}
}

func (w *cuttable) cut() {
	_ = w.listener.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, end := range w.ends {
		_ = end.Close()
	}
}
