package seed_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/seed"
	"talkoot.fi/content/internal/zone"
	"talkoot.fi/content/migrations"
)

// demoDir is the real demo content, which these tests fill in.
const demoDir = "../../../../scripts/demo"

var noon = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func setup(t *testing.T) (seed.Options, *gorm.DB) {
	t.Helper()
	db := dbtest.New(t, migrations.FS).Gorm
	log := slog.New(slog.DiscardHandler)
	now := func() time.Time { return noon }
	store, err := files.Open(t.Context(), files.Options{BlobURL: "file://" + filepath.Join(t.TempDir(), "media"), Log: log,
		Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	location, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	steps, err := secondstep.New(secondstep.Options{DB: db, Now: now, Keys: [][]byte{make([]byte, 32)}, PublicURL: "https://talkoot.test"})
	if err != nil {
		t.Fatal(err)
	}
	return seed.Options{DB: db, Files: store, Steps: steps, Log: log, Now: now, Zone: location, Dir: demoDir}, db
}

func TestFill_CanBeRepeated(t *testing.T) {
	o, db := setup(t)
	began := time.Now()
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Logf("filled in %s", time.Since(began).Round(time.Millisecond))
	before := counts(t, db)
	if before["campaigns"] < 30 || before["experiments"] < 12 || before["users"] < 20 || before["rewards"] < 60 ||
		before["posts"] < 30 {
		t.Errorf("too little: %v", before)
	}
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for table, n := range counts(t, db) {
		if n != before[table] {
			t.Errorf("%s: %d rows after the second time, %d after the first", table, n, before[table])
		}
	}
}

func TestFill_LinksACampaignToAnExperiment(t *testing.T) {
	o, db := setup(t)
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, `SELECT count(*) FROM experiments e JOIN campaigns c ON c.id = e.crowd_campaign_id
		WHERE c.stage = 2 AND c.currency = e.currency AND e.raised_minor = 0 AND e.open`); n != 1 {
		t.Errorf("%d experiments show an open campaign's money", n)
	}
}

func TestFill_OpensCampaignsThatAreToBeClosed_FinishClosesThemOnce(t *testing.T) {
	o, db := setup(t)
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage IN (3, 4, 5)`); n != 0 {
		t.Errorf("%d campaigns are closed before their pledges are paid", n)
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage = 2 AND funding_deadline <= ?`, noon); n != 0 {
		t.Errorf("%d open campaigns take no pledges", n)
	}
	if n := number(t, db, `SELECT count(*) FROM campaign_listings l JOIN campaigns c ON c.id = l.campaign_id WHERE l.stage <> c.stage`); n != 0 {
		t.Errorf("%d campaigns are listed in another stage", n)
	}
	for range 2 {
		if err := seed.Finish(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		for stage, least := range map[int]int64{0: 1, 1: 2, 2: 10, 3: 3, 4: 1, 5: 1, 6: 5} {
			if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage = ?`, stage); n < least {
				t.Errorf("stage %d: %d campaigns, want at least %d", stage, n, least)
			}
		}
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage IN (3, 4, 5) AND funding_deadline > ?`, noon); n != 0 {
		t.Errorf("%d closed campaigns end in the future", n)
	}
	if drifts, err := campaigns.Recompute(t.Context(), db); err != nil || len(drifts) > 0 {
		t.Errorf("totals: %v %v", drifts, err)
	}
}

func TestFinish_LeavesACampaignWithUndecidedPledgesOpen(t *testing.T) {
	o, db := setup(t)
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	err := db.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
		language, reserved_until, created_at, updated_at)
		SELECT to_char(id, 'FM00000000000000000000000000'), id, 'created', 2000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', CAST(@now AS timestamptz) + interval '1 minute', @now, @now
		FROM campaigns WHERE stage = 2`, map[string]any{"now": noon}).Error
	if err != nil {
		t.Fatal(err)
	}
	if err := seed.Finish(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage IN (3, 4)`); n != 0 {
		t.Errorf("%d campaigns were settled over the heads of their backers", n)
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage = 2 AND funding_deadline <= ?`, noon); n != 0 {
		t.Errorf("%d open campaigns take no pledges", n)
	}
	later := noon.Add(2 * time.Minute)
	o.Now = func() time.Time { return later }
	if err := seed.Finish(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage IN (3, 4)`); n < 4 {
		t.Errorf("only %d campaigns are settled when nobody pays any more", n)
	}
}

func TestFill_PostsAndCreatorsHaveTextsInEveryLanguage(t *testing.T) {
	o, db := setup(t)
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, `SELECT count(*) FROM posts p WHERE status = 'published' AND (SELECT count(*) FROM post_texts x WHERE x.post_id = p.id) < 3`); n != 0 {
		t.Errorf("%d updates are not told in all three languages", n)
	}
	if n := number(t, db, `SELECT count(*) FROM campaign_texts WHERE about_creator = ''`); n != 0 {
		t.Errorf("%d times a campaign says nothing of who is behind it, so that a person's own words stand there", n)
	}
}

func TestFill_PicturesAreThere(t *testing.T) {
	o, db := setup(t)
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	var names []string
	err := db.Raw(`SELECT picture FROM campaigns UNION SELECT image FROM experiments UNION SELECT image FROM users WHERE image <> ''
		UNION SELECT image FROM rewards WHERE image <> ''`).Scan(&names).Error
	if err != nil || len(names) < 40 {
		t.Fatalf("%d names, %v", len(names), err)
	}
	for _, name := range names {
		if there, err := o.Files.Exists(t.Context(), name); err != nil || !there {
			t.Errorf("%s: %v %v", name, there, err)
		}
	}
}

// The demo's creator has a campaign in each state of a review.
func TestFill_ReviewsAreInEachState(t *testing.T) {
	o, db := setup(t)
	if err := seed.Fill(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	for slug, want := range map[string]string{
		"kylan-lumilapio": "none 0 4/9 0/0", "torstain-puupaja": "none 0 8/9 0/0",
		"leivinuuni-kylaraitille": "requested 0 9/9 0/0",
		"soutukoulu-aikuisille":   "changes_requested 0 9/9 1/2", "lyhtypolku-rantaan": "approved 1 9/9 0/0",
	} {
		id := number(t, db, `SELECT c.id FROM campaigns c JOIN campaign_team m ON m.campaign_id = c.id AND m.position = 0
			JOIN users u ON u.id = m.user_id AND u.email = 'creator@talkoot.example' WHERE c.slug = ?`, slug)
		work, err := review.Work(t.Context(), db, []int64{id}, noon, o.Zone)
		if err != nil {
			t.Fatal(err)
		}
		w, notes, mended := work[id], 0, 0
		if w.Notes != nil {
			notes, mended = *w.Notes, *w.NotesMended
		}
		got := fmt.Sprintf("%s %d %d/%d %d/%d", w.Review, number(t, db, `SELECT stage FROM campaigns WHERE id = ?`, id), w.Done, w.Of, mended, notes)
		if got != want {
			t.Errorf("%s: %s, want %s", slug, got, want)
		}
	}
	if n := number(t, db, `SELECT count(*) FROM campaigns WHERE stage = 6 AND opens_as <> 6`); n != 0 {
		t.Errorf("%d monthly campaigns would open as others", n)
	}
}

func TestFill_WithoutTheFilesSaysSo(t *testing.T) {
	o, _ := setup(t)
	o.Dir = t.TempDir()
	if err := seed.Fill(t.Context(), o); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func counts(t *testing.T, db *gorm.DB) map[string]int64 {
	t.Helper()
	found := map[string]int64{}
	for _, table := range []string{"users", "categories", "tags", "campaigns", "campaign_texts", "campaign_likes",
		"rewards", "reward_texts",
		"posts", "experiments", "audit_log", "subscription_goals"} {
		found[table] = number(t, db, `SELECT count(*) FROM `+table)
	}
	return found
}

func number(t *testing.T, db *gorm.DB, query string, args ...any) (n int64) {
	t.Helper()
	if err := db.Raw(query, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}
