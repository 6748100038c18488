package seed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// ErrDemo says what to do about a real platform on a database with demo content.
var ErrDemo = errors.New("the database holds the demo content, with an admin whose password everybody knows: " +
	"point DATABASE_URL at an empty database and make your own with `content admin`, or set SANDBOX=1 if no real money moves here")

// mark notes that demo content is in the database.
func mark(ctx context.Context, db *gorm.DB, now time.Time) error {
	err := db.WithContext(ctx).Exec(`INSERT INTO demo_content (filled_at) VALUES (?) ON CONFLICT DO NOTHING`, now).Error
	if err != nil {
		return fmt.Errorf("mark the demo content: %w", err)
	}
	return nil
}

// Refuse returns ErrDemo when demo content has ever been filled into the database.
func Refuse(ctx context.Context, db *gorm.DB) error {
	var isThere bool
	if err := db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM demo_content)`).Scan(&isThere).Error; err != nil {
		return fmt.Errorf("look for demo content: %w", err)
	}
	if isThere {
		return ErrDemo
	}
	return nil
}
