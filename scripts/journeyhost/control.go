//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
)

// control lets a journey do what no user can: have a campaign's first day come at once. It listens on a port of its
// own, so that the services need no such call.
type control struct {
	contentDB string
	server    *http.Server
	URL       string
}

// serveControl serves the control on a random port of loopback, until Close.
func serveControl(ctx context.Context, contentDB string) (*control, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the journeys: %w", err)
	}
	c := &control{contentDB: contentDB, URL: "http://" + listener.Addr().String()}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /campaigns/{id}/first-day", c.moveFirstDay)
	c.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	go func() { _ = c.server.Serve(listener) }() // ends with Close
	return c, nil
}

func (c *control) Close() error { return c.server.Close() }

// moveFirstDay makes the first day of an approved campaign the day before yesterday, so that the worker opens it.
func (c *control) moveFirstDay(w http.ResponseWriter, r *http.Request) {
	err := func() (err error) {
		db, err := pgx.Connect(r.Context(), c.contentDB)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, db.Close(context.WithoutCancel(r.Context()))) }()
		done, err := db.Exec(r.Context(), `
			UPDATE campaigns SET first_day = current_date - 2, funding_start = now() - interval '2 days' WHERE id = $1 AND stage = 1`,
			r.PathValue("id"))
		if err == nil && done.RowsAffected() != 1 {
			err = errors.New("no approved campaign has this id")
		}
		return err
	}()
	if err != nil {
		http.Error(w, err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
