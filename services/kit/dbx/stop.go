package dbx

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"runtime"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// errStopped is the error of a statement at which Config.Tracer ended the goroutine.
var errStopped = errors.New("the goroutine is ended at this statement")

// stopper calls Config.Tracer in a goroutine of its own, because database/sql does not survive runtime.Goexit inside
// the driver: the connection would never be returned, and the rollback would wait for it for ever. The tracer ends
// that goroutine; the statement fails with errStopped, and its own goroutine ends after database/sql has returned
// (exitIfStopped).
type stopper struct{ tracer pgx.QueryTracer }

// stopNote records that the tracer has ended the goroutine, for one call of the driver.
type stopNote struct{ asked bool }

type stopKey struct{}

func noteOf(ctx context.Context) *stopNote {
	if note, ok := ctx.Value(stopKey{}).(*stopNote); ok {
		return note
	}
	return &stopNote{} // not a call of a stoppableConn: the statement only fails
}

// TraceQueryStart is called by pgx before a statement. A statement that is not to run gets a context that has ended.
func (s stopper) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	traced := ctx
	if endsGoroutine(func() { traced = s.tracer.TraceQueryStart(ctx, conn, data) }) {
		noteOf(ctx).asked = true
		ended, cancel := context.WithCancel(ctx)
		cancel()
		return ended
	}
	return traced
}

// TraceQueryEnd is called by pgx when the statement's last row is read.
func (s stopper) TraceQueryEnd(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryEndData) {
	note := noteOf(ctx)
	if !note.asked && endsGoroutine(func() { s.tracer.TraceQueryEnd(ctx, conn, data) }) {
		note.asked = true
	}
}

// endsGoroutine runs f in a goroutine and reports whether f ended it instead of returning.
func endsGoroutine(f func()) bool {
	ended := make(chan bool)
	go func() {
		returned := false
		defer func() { ended <- !returned }()
		f()
		returned = true
	}()
	return <-ended
}

// exitIfStopped ends the goroutine when err is that of a statement at which it is to end.
func exitIfStopped(err error) {
	if errors.Is(err, errStopped) {
		runtime.Goexit()
	}
}

// stoppableConnector makes connections whose statements a tracer may end.
type stoppableConnector struct{ driver.Connector }

func (c stoppableConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &stoppableConn{conn.(*stdlib.Conn)}, nil //nolint:forcetypeassert // connect made the connector
}

// stoppableConn returns errStopped for a stopped statement; for the driver's own error database/sql would retry on
// another connection.
type stoppableConn struct{ *stdlib.Conn }

func (c *stoppableConn) ExecContext(ctx context.Context, sql string, args []driver.NamedValue) (result driver.Result, err error) {
	err = stopping(ctx, func(ctx context.Context) error {
		result, err = c.Conn.ExecContext(ctx, sql, args)
		return err
	})
	return result, err
}

// QueryContext reads all rows at once: the tracer is called after the last row, and a caller that wants one row never
// reads that far.
func (c *stoppableConn) QueryContext(ctx context.Context, sql string, args []driver.NamedValue) (driver.Rows, error) {
	var read *readRows
	err := stopping(ctx, func(ctx context.Context) error {
		rows, err := c.Conn.QueryContext(ctx, sql, args)
		if err != nil {
			return err
		}
		read = &readRows{Rows: rows.(*stdlib.Rows)} //nolint:forcetypeassert // the driver's only kind
		return errors.Join(read.all(), rows.Close())
	})
	if err != nil {
		return nil, err
	}
	return read, nil
}

func (c *stoppableConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	note := &stopNote{}
	tx, err := c.Conn.BeginTx(context.WithValue(ctx, stopKey{}, note), opts)
	switch {
	case note.asked && err == nil: // begun, and the goroutine that would end it is ending
		return nil, errors.Join(errStopped, c.Close())
	case note.asked:
		return nil, errStopped
	case err != nil:
		return nil, err
	}
	return stoppableTx{tx, note}, nil
}

// stopping runs a call of the driver and returns errStopped when the tracer ended the goroutine in it.
func stopping(ctx context.Context, call func(ctx context.Context) error) error {
	note := &stopNote{}
	err := call(context.WithValue(ctx, stopKey{}, note))
	if note.asked {
		return errStopped
	}
	return err
}

// readRows are rows that have been read.
type readRows struct {
	*stdlib.Rows
	left [][]driver.Value
}

func (r *readRows) all() error {
	for {
		row := make([]driver.Value, len(r.Columns()))
		if err := r.Rows.Next(row); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		r.left = append(r.left, row)
	}
}

func (r *readRows) Next(dest []driver.Value) error {
	if len(r.left) == 0 {
		return io.EOF
	}
	copy(dest, r.left[0])
	r.left = r.left[1:]
	return nil
}

type stoppableTx struct {
	driver.Tx
	note *stopNote // that of the begin, whose context the driver uses to the end
}

func (t stoppableTx) Commit() error {
	err := t.Tx.Commit()
	if t.note.asked {
		return errStopped
	}
	return err
}

func (t stoppableTx) Rollback() error {
	err := t.Tx.Rollback()
	if t.note.asked {
		return errStopped
	}
	return err
}
