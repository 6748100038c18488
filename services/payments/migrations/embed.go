// Package migrations holds the payment service's database schema as ordered, forward-only goose migrations.
package migrations

import "embed"

// FS is the migration files, in the order of their names.
//
//go:embed *.sql
var FS embed.FS
