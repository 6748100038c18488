//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"talkoot.fi/kit/localpg"
)

// The databases, one for each service.
const (
	contentDatabase  = "talkoot_content"
	paymentsDatabase = "talkoot_payments"
)

// The payment service owns none of its tables, so that it can neither switch the ledger's triggers off nor remove
// history. What it may do is granted to the group by its migrations; the login is a member.
const (
	paymentsGroup = "talkoot_payments"
	paymentsLogin = "talkoot_payments_service"
)

// databases are addresses, passwords included.
type databases struct {
	content, payments string // as the owner: for migrations and the audit
	// paymentsService is the payments database for the service's processes: with its own role, or as the owner where
	// that role cannot be created.
	paymentsService string
	// ownerBecause says why paymentsService is the owner's; "" when it is not.
	ownerBecause string
}

// prepareDatabases makes the services' databases, and the payment service's role with this password, where they are
// missing. server is the address of any database on the server. A server whose user may not make roles is no error.
func prepareDatabases(ctx context.Context, server, paymentsPassword string) (databases, error) {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" {
		// its text may hold a password
		return databases{}, errors.New("DATABASE_URL is not an address like postgres://user:password@host:5432/database")
	}
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return databases{}, fmt.Errorf("reach PostgreSQL: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx)) // nothing is open on it
	var version int
	if err := conn.QueryRow(ctx, "SELECT current_setting('server_version_num')::int / 10000").Scan(&version); err != nil {
		return databases{}, fmt.Errorf("ask for PostgreSQL's version: %w", err)
	}
	if version < localpg.MinMajor {
		return databases{}, fmt.Errorf("PostgreSQL %d at %s is too old: %d or newer is needed", version, base.Host,
			localpg.MinMajor)
	}
	for _, name := range []string{contentDatabase, paymentsDatabase} {
		if err := makeDatabase(ctx, conn, name); err != nil {
			return databases{}, err
		}
	}
	made := databases{content: address(base, contentDatabase, nil), payments: address(base, paymentsDatabase, nil)}
	made.paymentsService = address(base, paymentsDatabase, url.UserPassword(paymentsLogin, paymentsPassword))
	err = makePaymentsLogin(ctx, conn, paymentsPassword)
	if err == nil {
		err = tryAddress(ctx, made.paymentsService)
	}
	if reason := refusal(err); reason != "" {
		made.paymentsService, made.ownerBecause = made.payments, reason
		return made, nil
	}
	return made, err
}

func makeDatabase(ctx context.Context, conn *pgx.Conn, name string) error {
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)",
		name).Scan(&there); err != nil {
		return fmt.Errorf("look for database %s: %w", name, err)
	}
	if there {
		return nil
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
		return fmt.Errorf("create database %s: %w", name, err)
	}
	return nil
}

// makePaymentsLogin makes the payment service's role, gives it the password, whatever it had before, and makes it a
// member of the group. Roles belong to the whole server: a migration or another launcher may be creating the same
// ones, so a role that appears meanwhile is no error.
func makePaymentsLogin(ctx context.Context, conn *pgx.Conn, password string) error {
	err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// Two that change one role at once would fail ("tuple concurrently updated").
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock(hashtext($1))", paymentsLogin); err != nil {
			return err
		}
		var setPassword string // ALTER ROLE takes no parameters
		if err := tx.QueryRow(ctx, "SELECT format('ALTER ROLE %I LOGIN INHERIT PASSWORD %L', $1::text, $2::text)",
			paymentsLogin, password).Scan(&setPassword); err != nil {
			return err
		}
		for _, sql := range []string{
			makeRole(paymentsGroup, "NOLOGIN"), makeRole(paymentsLogin, "LOGIN"), setPassword,
			"GRANT " + paymentsGroup + " TO " + paymentsLogin,
		} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("make role %s: %w", paymentsLogin, err)
	}
	return nil
}

// makeRole is CREATE ROLE IF NOT EXISTS, which PostgreSQL lacks.
func makeRole(name, attributes string) string {
	return `DO $$ BEGIN
		IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '` + name + `') THEN
			CREATE ROLE ` + name + ` ` + attributes + `;
		END IF;
	EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
	END $$`
}

// address is that of a database on the server, as user unless that is nil.
func address(server *url.URL, database string, user *url.Userinfo) string {
	u := *server
	u.Path = "/" + database
	if user != nil {
		u.User = user
		query := u.Query()
		query.Del("user") // would win over ours
		query.Del("password")
		u.RawQuery = query.Encode()
	}
	return u.String()
}

// tryAddress connects once: the server's rules (pg_hba.conf) may refuse a role that it let us create.
func tryAddress(ctx context.Context, url string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return fmt.Errorf("connect as %s: %w", paymentsLogin, err)
	}
	return conn.Close(ctx)
}

// refusal is what PostgreSQL said when it did not allow something or did not let us in; "" for any other error or none.
func refusal(err error) string {
	var answer *pgconn.PgError
	// insufficient_privilege, invalid authorization
	if errors.As(err, &answer) && (answer.Code == "42501" || strings.HasPrefix(answer.Code, "28")) {
		return answer.Message
	}
	return ""
}
