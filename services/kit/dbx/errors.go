package dbx

import (
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"net/url"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	tooManyConnections   = "53300"
	queryCanceled        = "57014"
	notInRepertoire      = "22021"
	untranslatable       = "22P05"
	connectionException  = "08"   // class
	operatorIntervention = "57P0" // admin shutdown, crash shutdown, cannot connect now, database dropped
)

// IsUnavailable reports whether a database call failed because PostgreSQL could not be reached, has no connection
// left, is stopping or starting, or cut the connection: trying again later makes sense. It is meant for errors of
// database work; a failed HTTP call of ours is not counted.
func IsUnavailable(err error) bool {
	if pg := pgError(err); pg != nil {
		return pg.Code == tooManyConnections || strings.HasPrefix(pg.Code, connectionException) ||
			strings.HasPrefix(pg.Code, operatorIntervention)
	}
	var connectErr *pgconn.ConnectError
	if errors.As(err, &connectErr) || errors.Is(err, driver.ErrBadConn) {
		return true
	}
	var httpErr *url.Error
	if errors.As(err, &httpErr) {
		return false
	}
	var netErr *net.OpError // the connection broke in the middle of a statement
	return errors.As(err, &netErr) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// IsTimeout reports whether PostgreSQL ended a statement after Config.StatementTimeout.
func IsTimeout(err error) bool {
	pg := pgError(err)
	return pg != nil && pg.Code == queryCanceled
}

// IsNoText reports whether PostgreSQL was sent bytes that are no text which it can store: no UTF-8, or U+0000. They came from whoever
// made the call.
func IsNoText(err error) bool {
	pg := pgError(err)
	return pg != nil && (pg.Code == notInRepertoire || pg.Code == untranslatable)
}

func isRetryable(err error) bool {
	pg := pgError(err)
	return pg != nil && (pg.Code == serializationFailure || pg.Code == deadlockDetected)
}

func isDeadlock(err error) bool {
	pg := pgError(err)
	return pg != nil && pg.Code == deadlockDetected
}

// pgError returns the server's error, if there is one; a refused login or a full server is a PgError inside a
// ConnectError.
func pgError(err error) *pgconn.PgError {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return pg
	}
	return nil
}
