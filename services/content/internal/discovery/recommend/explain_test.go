//go:build unix

package recommend

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/contenttest/bulk"
)

// Neither a suggestion nor a recount reads a growing table whole, whatever the plan is made for.
func TestStatements_ReadNoGrowingTableWhole(t *testing.T) {
	db := bulk.New(t)
	ask := asked{language: "fi", limit: 12, now: time.Now(), zone: time.UTC}
	statementsOf := func(run func(ctx context.Context) error) []string {
		ctx, ran := dbx.CountStatements(t.Context())
		if err := run(ctx); err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(ran.List(), func(s string) bool { return !strings.Contains(s, "SELECT") || strings.Contains(s, "advisory") })
	}
	bulk.MustNotReadWhole(t, db, statementsOf(func(ctx context.Context) error {
		_, err := Refresh(ctx, db, ask.now)
		return err
	}))
	bulk.MustNotReadWhole(t, db, statementsOf(func(ctx context.Context) error {
		s, err := ofCampaign(ctx, db, 44)
		if err != nil {
			return err
		}
		_, err = suggest(ctx, db, s, reader{}, ask)
		return err
	}))
	bulk.MustNotReadWhole(t, db, statementsOf(func(ctx context.Context) error {
		s, r, err := ofPerson(ctx, db, 17)
		if err != nil {
			return err
		}
		_, err = suggest(ctx, db, s, r, ask)
		return err
	}))
	bulk.MustNotReadWhole(t, db, statementsOf(func(ctx context.Context) error {
		s, err := ofPage(ctx, db, "t7, muu", "Turku")
		if err != nil {
			return err
		}
		_, err = suggest(ctx, db, s, reader{}, ask)
		return err
	}))
	bulk.MustNotReadWhole(t, db, statementsOf(func(ctx context.Context) error {
		s, err := ofExperiment(ctx, db, 44)
		if err != nil {
			return err
		}
		_, err = suggest(ctx, db, s, reader{}, ask)
		return err
	}))
	if err := db.Exec(`INSERT INTO recommendation_changes (user_id) SELECT 17`).Error; err != nil {
		t.Fatal(err)
	}
	bulk.MustNotReadWhole(t, db, statementsOf(func(ctx context.Context) error {
		return dbx.InTx(ctx, db, func(tx *gorm.DB) error { _, err := recountBatchOf(ctx, tx, 1); return err })
	}))
}
