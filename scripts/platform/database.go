//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/localpg"
)

// prepareDatabases makes the services' databases where they are missing and returns their addresses by name. server is
// the address of any database on the server.
func prepareDatabases(ctx context.Context, server string) (map[string]string, error) {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" {
		return nil, errors.New("DATABASE_URL is not an address like postgres://user:password@host:5432/database") // its text may hold a password
	}
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return nil, fmt.Errorf("reach PostgreSQL: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) // nothing is open on it
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int / 10000").Scan(&version); err != nil {
		return nil, fmt.Errorf("ask for PostgreSQL's version: %w", err)
	}
	if version < localpg.MinMajor {
		return nil, fmt.Errorf("PostgreSQL %d at %s is too old: %d or newer is needed", version, base.Host, localpg.MinMajor)
	}
	addresses := map[string]string{}
	for _, name := range []string{contentDatabase, paymentsDatabase} {
		var there bool
		if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&there); err != nil {
			return nil, fmt.Errorf("look for database %s: %w", name, err)
		}
		if !there {
			if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
				return nil, fmt.Errorf("create database %s: %w", name, err)
			}
		}
		u := *base
		u.Path = "/" + name
		addresses[name] = u.String()
	}
	return addresses, nil
}
