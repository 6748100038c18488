package dbx

import (
	"database/sql/driver"
	"fmt"

	"github.com/jackc/pgx/v5/pgtype"
)

// TextArray is a text[] column for GORM, which would expand a plain slice into a list of parameters. Nil is written as
// an empty array.
type TextArray []string

// Value writes the column.
func (a TextArray) Value() (driver.Value, error) {
	if a == nil {
		return "{}", nil
	}
	text, err := pgtype.NewMap().Encode(pgtype.TextArrayOID, pgtype.TextFormatCode, []string(a), nil)
	return string(text), err
}

// Scan reads the column.
func (a *TextArray) Scan(value any) error {
	switch value := value.(type) {
	case string:
		return pgtype.NewMap().Scan(pgtype.TextArrayOID, pgtype.TextFormatCode, []byte(value), (*[]string)(a))
	case nil:
		*a = nil
		return nil
	default:
		return fmt.Errorf("scan %T as a text array", value)
	}
}
