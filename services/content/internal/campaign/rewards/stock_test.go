package rewards_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/migrations"
)

// withReward makes a reward of a minimal campaign.
func withReward(t *testing.T, stock, active int) (db *gorm.DB, id int64) {
	t.Helper()
	db = dbtest.New(t, migrations.FS).Gorm
	err := db.Exec(`
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, language, category_id, picture, created_at, updated_at) VALUES ('c', 'fi', 1, 'x.svg', now(), now())`).Error
	if err == nil {
		err = db.Raw(`INSERT INTO rewards (campaign_id, amount_minor, stock, active, created_at) VALUES (1, 1000, ?, ?, ?) RETURNING id`,
			stock, active, time.Now()).Scan(&id).Error
	}
	if err != nil {
		t.Fatal(err)
	}
	return db, id
}

func inTx(t *testing.T, db *gorm.DB, do func(ctx context.Context, tx *gorm.DB) error) error {
	t.Helper()
	return dbx.InTx(t.Context(), db, func(tx *gorm.DB) error { return do(t.Context(), tx) })
}

func TestReserve_ReservesWhatIsLeftOrSaysWhyNot(t *testing.T) {
	for name, c := range map[string]struct {
		stock, active, first, second int
		counted                      bool
		want                         error
	}{
		"all that is there":       {5, 1, 3, 2, true, nil},
		"more than is left":       {5, 1, 3, 3, false, rewards.ErrAboveStock},
		"nothing is left":         {5, 1, 5, 1, false, rewards.ErrGone},
		"unlimited":               {0, 1, 500, 500, false, nil},
		"closed, however many":    {5, 0, 0, 1, false, rewards.ErrClosed},
		"closed and unlimited":    {0, 0, 0, 1, false, rewards.ErrClosed},
		"more than there ever is": {5, 1, 0, 6, false, rewards.ErrAboveStock},
	} {
		t.Run(name, func(t *testing.T) {
			db, id := withReward(t, c.stock, c.active)
			err := inTx(t, db, func(ctx context.Context, tx *gorm.DB) error {
				if c.first > 0 {
					if _, err := rewards.Reserve(ctx, tx, id, c.first); err != nil {
						return err
					}
				}
				counted, err := rewards.Reserve(ctx, tx, id, c.second)
				if counted != c.counted {
					t.Errorf("counted: %v", counted)
				}
				return err
			})
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
		})
	}
}

func TestRelease_NeverReleasesMoreThanIsReserved(t *testing.T) {
	db, id := withReward(t, 2, 1)
	err := inTx(t, db, func(ctx context.Context, tx *gorm.DB) error {
		if _, err := rewards.Reserve(ctx, tx, id, 2); err != nil {
			return err
		}
		return rewards.Release(ctx, tx, id, 2)
	})
	if err != nil {
		t.Fatal(err)
	}
	err = inTx(t, db, func(ctx context.Context, tx *gorm.DB) error { return rewards.Release(ctx, tx, id, 1) })
	if err == nil {
		t.Error("stock was given back twice")
	}
	var reserved int
	if err := db.Raw(`SELECT stock_reserved FROM rewards WHERE id = ?`, id).Scan(&reserved).Error; err != nil || reserved != 0 {
		t.Errorf("%d reserved, %v", reserved, err)
	}
}

func TestAddedCost_FallsBackToEnglish(t *testing.T) {
	cost := rewards.AddedCost{Description: map[string]string{"FI": "Kirje", "EN": "By post"}}
	for language, want := range map[string]string{"fi": "Kirje", "en": "By post", "sv": "By post"} {
		if got := cost.In(language); got != want {
			t.Errorf("%s: %q, want %q", language, got, want)
		}
	}
	only := rewards.AddedCost{Description: map[string]string{"SV": "Brev"}}
	if got := only.In("fi"); got != "Brev" {
		t.Errorf("the only text: %q", got)
	}
}

func TestQuestions_AreNumberedFromOne(t *testing.T) {
	questions := rewards.QuestionTexts{"Koko?", "ask_for_address"}.Keyed()
	if questions[0].Key != "custom_question_1" || questions[1].Key != "custom_question_2" || !rewards.AskForAddress(questions) ||
		rewards.AskForAddress(questions[:1]) {
		t.Errorf("%+v", questions)
	}
	var read rewards.QuestionTexts
	for _, kept := range []any{`["a"]`, []byte(`["a"]`)} {
		if err := read.Scan(kept); err != nil || len(read) != 1 {
			t.Errorf("%T: %v %v", kept, read, err)
		}
	}
	if err := read.Scan(7); err == nil {
		t.Error("a number was read as a list")
	}
	if value, err := (rewards.QuestionTexts)(nil).Value(); err != nil || value != "[]" {
		t.Errorf("%v %v", value, err)
	}
}
