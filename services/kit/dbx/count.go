package dbx

import (
	"context"
	"slices"
	"sync"

	"gorm.io/gorm"
)

// Statements collects the SQL that ran under a context of CountStatements; safe for concurrent use.
type Statements struct {
	mu   sync.Mutex
	list []string
}

// Count is the number of statements so far; BEGIN, COMMIT and ROLLBACK are not counted.
func (s *Statements) Count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.list)
}

// List is the statements so far, oldest first, without their parameters.
func (s *Statements) List() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

type statementsKey struct{}

// CountStatements returns a context under which every statement of a pool made by Open is collected. Tests use it to
// assert that a request does not run more statements when there is more data.
func CountStatements(ctx context.Context) (context.Context, *Statements) {
	s := &Statements{}
	return context.WithValue(ctx, statementsKey{}, s), s
}

// statementCounter is the GORM plugin behind CountStatements.
type statementCounter struct{}

func (statementCounter) Name() string { return "dbx:statement_counter" }

func (statementCounter) Initialize(db *gorm.DB) error {
	callbacks := db.Callback()
	for _, register := range []func(string, func(*gorm.DB)) error{
		callbacks.Create().After("gorm:create").Register,
		callbacks.Query().After("gorm:query").Register,
		callbacks.Update().After("gorm:update").Register,
		callbacks.Delete().After("gorm:delete").Register,
		callbacks.Row().After("gorm:row").Register,
		callbacks.Raw().After("gorm:raw").Register,
	} {
		if err := register("dbx:count_statement", countStatement); err != nil {
			return err
		}
	}
	return nil
}

func countStatement(db *gorm.DB) {
	if sql := db.Statement.SQL.String(); sql != "" {
		collect(db.Statement.Context, sql)
	}
}

func collect(ctx context.Context, sql string) {
	s, ok := ctx.Value(statementsKey{}).(*Statements)
	if !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, sql)
}
