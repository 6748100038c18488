package pledges_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/migrations"
)

var noon = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

const (
	hold      = 30 * time.Minute
	firstHold = 5 * time.Minute
)

// world is a campaign in funding with rewards of every kind.
type world struct {
	*pledges.Service
	db       *gorm.DB
	clock    *clock
	log      *logged
	creator  int64
	campaign int64
	// rewards: free of questions and unlimited (10 euros); 100 items with added costs and an address (45 euros);
	// one item (120 euros); closed (60 euros).
	unlimited, posted, single, closed int64
}

// logged keeps what the service logs.
type logged struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// clock is moved by hand.
type clock struct{ at atomic.Pointer[time.Time] }

func (c *clock) now() time.Time           { return *c.at.Load() }
func (c *clock) set(t time.Time)          { c.at.Store(&t) }
func (c *clock) advance(by time.Duration) { c.set(c.now().Add(by)) }

func setup(t *testing.T) *world {
	t.Helper()
	ctx := t.Context()
	w := &world{db: dbtest.New(t, migrations.FS).Gorm, clock: &clock{}, log: &logged{}}
	w.clock.set(noon)
	zone, err := time.LoadLocation("Europe/Helsinki")
	if err != nil {
		t.Fatal(err)
	}
	w.Service = pledges.New(pledges.Options{DB: w.db, Log: slog.New(slog.NewTextHandler(w.log, nil)), Now: w.clock.now, Zone: zone, Hold: hold, FirstHold: firstHold})
	err = dbx.InTx(ctx, w.db, func(tx *gorm.DB) (err error) {
		if w.creator, err = profiles.Create(ctx, tx, profiles.New{Email: "reijo@example.fi", FirstName: "Reijo", LastName: "K",
			Language: "fi", Scope: []string{"view"}}, noon); err != nil {
			return err
		}
		category, err := taxonomy.CreateCategory(ctx, tx, "yhteiso", 1, map[string]string{"fi": "Yhteisö"})
		if err != nil {
			return err
		}
		w.campaign, err = campaigns.Create(ctx, tx, campaigns.New{Slug: "hoyry", Language: "fi", CategoryID: category,
			TeamUserIDs: []int64{w.creator}, TargetGoalMinor: 24_000_00, FirstDay: "2026-11-01", LastDay: "2026-11-30", Zone: zone,
			Texts: map[string]campaigns.Text{"fi": {Title: "Höyry"}, "en": {Title: "Steam"}}}, noon)
		if err != nil {
			return err
		}
		if err := campaigns.MoveStage(ctx, tx, w.campaign, campaigns.StageFunding, changes.Actor{Name: "test"}, noon); err != nil {
			return err
		}
		return w.createRewards(ctx, tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) createRewards(ctx context.Context, tx *gorm.DB) error {
	vat := 255
	for _, r := range []struct {
		into *int64
		new  rewards.New
	}{
		{&w.unlimited, rewards.New{AmountMinor: 10_00, Active: true, VATTenths: &vat, Texts: map[string]rewards.Text{
			"fi": {Title: "Kauha", Questions: rewards.QuestionTexts{"Minkä nimen poltamme?"}},
			"en": {Title: "Ladle", Questions: rewards.QuestionTexts{"Which name?"}}}}},
		{&w.posted, rewards.New{AmountMinor: 45_00, Stock: 100, Active: true, Delivery: "2027-05",
			AddedCosts: rewards.AddedCosts{{Description: map[string]string{"EN": "Pick up"}, WithoutAddress: true}, {AmountMinor: 6_50, Description: map[string]string{"FI": "Kirje", "EN": "By post"}}},
			Texts:      map[string]rewards.Text{"fi": {Title: "Iltavuoro", Questions: rewards.QuestionTexts{"ask_for_address"}}}}},
		{&w.single, rewards.New{AmountMinor: 120_00, Stock: 1, Active: true, Texts: map[string]rewards.Text{"fi": {Title: "Ensilöylyt"}}}},
		{&w.closed, rewards.New{AmountMinor: 60_00, Stock: 8, Texts: map[string]rewards.Text{"fi": {Title: "Kirves"}}}},
	} {
		r.new.CampaignID = w.campaign
		id, err := rewards.Create(ctx, tx, r.new, noon)
		if err != nil {
			return err
		}
		*r.into = id
	}
	return nil
}

// anotherCampaign makes a second one in funding.
func (w *world) anotherCampaign(t *testing.T) (id int64) {
	t.Helper()
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		if id, err = campaigns.Create(t.Context(), tx, campaigns.New{Slug: "other", Language: "fi", CategoryID: 1, TeamUserIDs: []int64{w.creator},
			LastDay: "2026-11-30", Zone: w.clock.now().Location(), Texts: map[string]campaigns.Text{"fi": {Title: "Toinen"}}}, noon); err != nil {
			return err
		}
		return campaigns.MoveStage(t.Context(), tx, id, campaigns.StageFunding, changes.Actor{Name: "test"}, noon)
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// addReward makes a limited reward of 10 euros without questions.
func (w *world) addReward(t *testing.T, stock int) (id int64) {
	t.Helper()
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) (err error) {
		id, err = rewards.Create(t.Context(), tx, rewards.New{CampaignID: w.campaign, AmountMinor: 10_00, Stock: stock, Active: true,
			Texts: map[string]rewards.Text{"fi": {Title: "Lippu"}}}, noon)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// input is a new backer's, who asks for a reward, or for support without one when rewardID is 0.
func (w *world) input(rewardID int64, amount string) pledges.Input {
	in := pledges.Input{CampaignID: w.campaign, Amount: json.Number(amount), Language: "fi", OnceMore: true,
		Meta: pledges.Meta{Email: fmt.Sprintf("leena%d@example.fi", sequence.Add(1)), FirstName: "Leena", LastName: "H"}}
	if rewardID != 0 {
		in.RewardID = &rewardID
	}
	return in
}

func (w *world) mustCreate(t *testing.T, in pledges.Input) pledges.View {
	t.Helper()
	view, err := w.Create(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return view
}

var sequence atomic.Int64

// event is one about a pledge's payment of its whole amount.
func event(p pledges.View, kind pledges.EventType) pledges.Event {
	n := sequence.Add(1)
	e := pledges.Event{ID: fmt.Sprintf("event-%d", n), Sequence: n, Type: kind, PledgeID: p.ID, PaymentID: "pay-" + p.ID,
		Amount: p.Amount, Method: "Visa ···· 4242", Body: []byte(`{}`)}
	if kind == pledges.PaymentRefunded {
		e.RefundMinor, e.RefundedMinor, e.RefundReason = p.Amount.Minor, p.Amount.Minor, "requested"
	}
	return e
}

func (w *world) mustApply(t *testing.T, e pledges.Event, want pledges.Outcome) {
	t.Helper()
	got, err := w.Apply(t.Context(), e)
	if err != nil || got != want {
		t.Fatalf("%s: %q, %v; want %q", e.Type, got, err, want)
	}
}

func (w *world) statusOf(t *testing.T, id string) pledges.Status {
	t.Helper()
	view, err := w.View(t.Context(), id, "fi")
	if err != nil {
		t.Fatal(err)
	}
	return view.Status
}

// tryStage moves the campaign; moveStage must succeed.
func (w *world) tryStage(ctx context.Context, to campaigns.Stage) error {
	return dbx.InTx(ctx, w.db, func(tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, w.campaign, to, changes.Actor{Name: "test"}, w.clock.now())
	})
}

func (w *world) moveStage(t *testing.T, to campaigns.Stage) {
	t.Helper()
	if err := w.tryStage(t.Context(), to); err != nil {
		t.Fatal(err)
	}
}

func (w *world) number(t *testing.T, query string, args ...any) (n int64) {
	t.Helper()
	if err := w.db.Raw(query, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func (w *world) reserved(t *testing.T, rewardID int64) int64 {
	t.Helper()
	return w.number(t, `SELECT stock_reserved FROM rewards WHERE id = ?`, rewardID)
}

// checkInvariants fails when totals, stock, backers or histories are not what the pledges say.
func (w *world) checkInvariants(t *testing.T) {
	t.Helper()
	drifts, err := campaigns.Recompute(context.WithoutCancel(t.Context()), w.db)
	if err != nil || len(drifts) > 0 {
		t.Fatalf("totals: %+v, %v", drifts, err)
	}
	for what, query := range map[string]string{
		"stock that is not what pledges hold": `SELECT count(*) FROM rewards r WHERE stock_reserved <>
			(SELECT coalesce(sum(quantity), 0) FROM pledges p WHERE p.reward_id = r.id AND p.stock_held)
			+ (SELECT coalesce(sum(held_quantity), 0) FROM pledge_raises p WHERE p.reward_id = r.id AND p.stock_held)`,
		"backers that are not there": `SELECT count(*) FROM rewards r WHERE backers <> (SELECT count(DISTINCT coalesce(user_id::text, nullif(lower(email), ''), erased_with, id)) FROM pledges p
			WHERE p.reward_id = r.id AND p.status IN ('paid', 'partly_refunded', 'disputed'))`,
		"stock held by the wrong statuses": `SELECT count(*) FROM pledges p JOIN rewards r ON r.id = p.reward_id
			WHERE r.stock > 0 AND p.stock_held <> (p.status NOT IN ('failed', 'expired', 'refunded', 'withdrawn'))`,
		"stock held for what waits no more": `SELECT count(*) FROM pledge_raises WHERE stock_held AND status NOT IN ('created', 'awaiting_payment', 'processing')`,
		"charges that are not what was paid": `SELECT count(*) FROM pledges p WHERE charged_minor < amount_minor + coalesce((SELECT sum(from_minor - to_minor)
			FROM pledge_changes WHERE pledge_id = p.id AND to_minor < from_minor), 0)`,
		"histories that end elsewhere": `SELECT count(*) FROM pledges p WHERE status <>
			(SELECT to_status FROM pledge_transitions x WHERE x.pledge_id = p.id ORDER BY id DESC LIMIT 1)`,
		"histories with a gap": `SELECT count(*) FROM (SELECT from_status, lag(to_status, 1, '') OVER (PARTITION BY pledge_id ORDER BY id) AS before
			FROM pledge_transitions) x WHERE from_status <> before`,
	} {
		if n := w.number(t, query); n != 0 {
			t.Fatalf("%s: %d", what, n)
		}
	}
}
