//go:build unix

// Package contenttest is the fixture for tests of the public calls about campaigns, rewards, posts, experiments and
// taxonomy: a database of its own, the real middlewares, and signed-in people. Every answer is checked against the
// contract. Packages outside of it (app, sessions, pledges, files) have fixtures of their own, because they test other
// parts together. Only tests may import it.
package contenttest

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"gorm.io/gorm"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/drafts"
	"talkoot.fi/content/internal/campaign/editing"
	"talkoot.fi/content/internal/campaign/labels"
	"talkoot.fi/content/internal/campaign/overview"
	"talkoot.fi/content/internal/campaign/posts"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/campaign/taxonomy"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/campaign/variations"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/discovery/frontpage"
	"talkoot.fi/content/internal/discovery/recommend"
	"talkoot.fi/content/internal/discovery/search"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/media/uploads"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/person/ownmenu"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/pledging/holders"
	"talkoot.fi/content/internal/pledging/reminders"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/writing/audittrail"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/zone"
	"talkoot.fi/content/migrations"
)

// Start is the time of a new world's clock.
var Start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) //nolint:gochecknoglobals // a constant that Go cannot have

// proxy is where httptest's requests come from: tests say with X-Forwarded-For from which address they call.
var proxy = netip.MustParsePrefix("192.0.2.0/24") //nolint:gochecknoglobals // a constant that Go cannot have

// World is the fixture of one test.
type World struct {
	t       testing.TB
	DB      *gorm.DB
	checked http.Handler
	signer  *session.Signer
	people  map[int64][]string // scopes
	// Zone is the platform's.
	Zone *time.Location
	// Files keeps pictures in a temporary folder, FilesDir.
	Files    *files.Store
	FilesDir string
	// Subscriptions is the service of monthly support.
	Subscriptions *subscriptions.Service
	// Links are those by which people refuse mail.
	Links addresslinks.Links
	// Payments calls a payment service that says only which campaigns can be paid: all but the Unpayable, unless IsAway.
	Payments  *paymentsclient.Client
	Unpayable map[int64]bool
	IsAway    bool
	// OrderTokens are those of what guests have made.
	OrderTokens *ordertoken.Keys
	// VisitorHasher makes the hashes that visitors are stored as.
	VisitorHasher variations.VisitorHasher
	// KeepsSessions has a row for the session of each person who makes calls.
	KeepsSessions bool

	mu    sync.Mutex
	now   time.Time
	begun map[int64]bool // sessions, by person
	ended map[int64]bool // as begun
}

// unserved completes the interface with the calls that the world does not serve. It is embedded one level deeper, so
// the handlers' methods take precedence.
type unserved struct{ api.StrictServerInterface }

type (
	campaignCalls   = campaigns.Handlers
	draftCalls      = drafts.Handlers
	uploadCalls     = uploads.Handlers
	rewardCalls     = rewards.Handlers
	variationCalls  = variations.Handlers
	overviewCalls   = overview.Handlers
	postCalls       = posts.Handlers
	letterCalls     = letters.Handlers
	experimentCalls = experiments.Handlers
	supportCalls    = subscriptions.Handlers
	taxonomyCalls   = taxonomy.Handlers
	editingCalls    = editing.Handlers
	recommendCalls  = recommend.Handlers
	reminderCalls   = reminders.Handlers
	reviewCalls     = review.Handlers
	searchCalls     = search.Handlers
	teamCalls       = team.Handlers
	peopleCalls     = people.Handlers
	auditCalls      = audittrail.Handlers
	labelCalls      = labels.Handlers
	frontPageCalls  = frontpage.Handlers
	ownMenuCalls    = ownmenu.Handlers
)

type calls struct {
	unserved
	*campaignCalls
	*draftCalls
	*uploadCalls
	*rewardCalls
	*variationCalls
	*overviewCalls
	*postCalls
	*letterCalls
	*experimentCalls
	*supportCalls
	*taxonomyCalls
	*editingCalls
	*recommendCalls
	*reminderCalls
	*reviewCalls
	*searchCalls
	*teamCalls
	*peopleCalls
	*auditCalls
	*labelCalls
	*frontPageCalls
	*ownMenuCalls
}

// New makes a world with an empty database.
func New(t testing.TB) *World {
	t.Helper()
	return on(t, dbtest.New(t, migrations.FS).Gorm)
}

// NewBulk makes a world with thousands of rows: see package bulk.
func NewBulk(t testing.TB) *World {
	t.Helper()
	return on(t, bulk.New(t))
}

func on(t testing.TB, db *gorm.DB) *World {
	t.Helper()
	w := &World{t: t, DB: db, people: map[int64][]string{}, Unpayable: map[int64]bool{}, begun: map[int64]bool{}, ended: map[int64]bool{},
		now: Start}
	var err error
	if w.Zone, err = zone.Load(); err != nil {
		t.Fatal(err)
	}
	w.FilesDir = t.TempDir()
	if w.Files, err = files.Open(t.Context(), files.Options{BlobURL: "file://" + w.FilesDir,
		Log: slog.New(slog.DiscardHandler), Now: w.Now}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Files.Close() })
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	w.signer = session.NewSigner(key, w.Now)
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	public, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	if w.Links, err = addresslinks.New(key); err != nil {
		t.Fatal(err)
	}
	if w.Payments, err = w.newPayments(key); err != nil {
		t.Fatal(err)
	}
	if w.OrderTokens, err = ordertoken.New(key, w.Now); err != nil {
		t.Fatal(err)
	}
	if w.VisitorHasher, err = variations.NewVisitorHasher(key); err != nil {
		t.Fatal(err)
	}
	e := httpx.New(httpx.Options{Log: slog.New(slog.NewTextHandler(t.Output(),
		&slog.HandlerOptions{Level: slog.LevelError})), Now: w.Now,
		Name: "content", Uploads: public.Uploads(), TrustedProxies: []netip.Prefix{proxy}})
	w.Subscriptions = subscriptions.New(subscriptions.Options{DB: w.DB, Log: slog.New(slog.DiscardHandler), Now: w.Now, Zone: w.Zone,
		VisitorHasher: w.VisitorHasher})
	routes := httpx.Routes(e, session.Authenticate(session.NewVerifier(w.signer.Keys(), w.Now)), w.scoped,
		holders.Guard(w.DB, w.OrderTokens), public.Middleware())
	api.RegisterHandlers(routes, api.NewStrictHandler(calls{
		overviewCalls: overview.NewHandlers(w.DB, w.Now, w.Zone),
		campaignCalls: campaigns.NewHandlers(w.DB, w.Now, w.Zone, w.Files.Exists),
		draftCalls:    drafts.NewHandlers(w.DB, w.Now, w.Zone),
		uploadCalls: uploads.NewHandlers(uploads.Options{DB: w.DB, Put: w.Files.PutImage, Live: w.live, Now: w.Now,
			Zone: w.Zone}),
		rewardCalls:    rewards.NewHandlers(w.DB, w.Now, HasPicture),
		variationCalls: variations.NewHandlers(w.DB, w.Now, w.VisitorHasher, HasPicture), postCalls: posts.NewHandlers(w.DB, w.Now),
		supportCalls:    subscriptions.NewHandlers(w.Subscriptions, w.OrderTokens),
		letterCalls:     letters.NewHandlers(w.DB, w.Links.Letters, w.Now),
		experimentCalls: experiments.NewHandlers(w.DB, w.Now, w.Files.Exists), taxonomyCalls: taxonomy.NewHandlers(w.DB),
		editingCalls: editing.NewHandlers(w.DB, w.Now, w.Zone), reviewCalls: review.NewHandlers(w.DB, w.Now, w.Zone),
		teamCalls: team.NewHandlers(w.DB, w.Now), peopleCalls: people.NewHandlers(w.DB, w.Now, w.Files.Exists, everybody),
		recommendCalls: recommend.NewHandlers(w.DB, w.Now, w.Zone),
		reminderCalls:  reminders.NewHandlers(w.DB, w.Payments, w.Links.Reminders, w.Now),
		auditCalls:     audittrail.NewHandlers(w.DB, w.Zone),
		labelCalls:     labels.NewHandlers(w.DB, w.Now),
		frontPageCalls: frontpage.NewHandlers(w.DB, w.Now, w.Zone),
		searchCalls:    search.NewHandlers(w.DB),
		ownMenuCalls:   ownmenu.NewHandlers(w.DB, w.Now),
	}, nil))
	w.checked = contracttest.NewRecorder(t, spec).Handler(e)
	return w
}

// HasPicture stands for the store of pictures: it has those whose name does not begin with "missing".
func HasPicture(_ context.Context, name string) (bool, error) {
	return !strings.HasPrefix(name, "missing"), nil
}

// live refuses people whose session a test has ended, as sessions.Service.Live does.
func (w *World) live(_ context.Context, who session.Identity) (session.Identity, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended[who.UserID] {
		return who, sessions.ErrEnded
	}
	return who, nil
}

// sessionOf is the id of a person's session. With KeepsSessions it is written down when they make their first call.
func (w *World) sessionOf(userID int64) string {
	w.t.Helper()
	id := fmt.Sprint("s", userID)
	w.mu.Lock()
	begins := w.KeepsSessions && !w.begun[userID]
	w.begun[userID] = true
	w.mu.Unlock()
	if begins {
		w.Exec(`INSERT INTO sessions (id, user_id, created_at, expires_at) VALUES (@id, @user, @now, CAST(@now AS timestamptz) + interval '1 day')`,
			map[string]any{"id": id, "user": userID, "now": w.Now()})
	}
	return id
}

// EndSession ends the session of a person. Requests that are running and check the session again are refused.
func (w *World) EndSession(userID int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended[userID] = true
}

// scoped sets the caller's scope, as sessions.RequireLive does.
func (w *World) scoped(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if who, ok := session.From(c.Request().Context()); ok {
			who.Scope = w.people[who.UserID]
			c.SetRequest(c.Request().WithContext(session.With(c.Request().Context(), who)))
		}
		return next(c)
	}
}

// Now is the world's clock; it moves only by Advance.
func (w *World) Now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

// Advance moves the clock forward.
func (w *World) Advance(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// Tx runs fn in a transaction and fails the test on an error.
func (w *World) Tx(fn func(ctx context.Context, tx *gorm.DB) error) {
	w.t.Helper()
	ctx := w.t.Context()
	if err := dbx.InTx(ctx, w.DB, func(tx *gorm.DB) error { return fn(ctx, tx) }); err != nil {
		w.t.Fatal(err)
	}
}

// Exec runs a statement and fails the test on an error.
func (w *World) Exec(sql string, params ...any) {
	w.t.Helper()
	if err := w.DB.WithContext(w.t.Context()).Exec(sql, params...).Error; err != nil {
		w.t.Fatalf("%s: %v", sql, err)
	}
}

// Person makes a person with the scopes of the platform (view when none is given) and returns their id.
func (w *World) Person(firstName string, scopes ...string) (id int64) {
	w.t.Helper()
	if len(scopes) == 0 {
		scopes = []string{session.ScopeView}
	}
	err := w.DB.WithContext(w.t.Context()).Raw(`
		INSERT INTO users (email, password_hash, first_name, last_name, created_at, verified, scope)
		VALUES (?, '', ?, 'Testinen', ?, true, ?) RETURNING id`,
		fmt.Sprintf("%s.%d@example.com", firstName, len(w.people)), firstName, w.Now(), dbx.TextArray(scopes)).Scan(&id).Error
	if err != nil {
		w.t.Fatal(err)
	}
	w.people[id] = scopes
	return id
}

// Category makes a category with the labels "<key> fi", "<key> en" and "<key> sv".
func (w *World) Category(key string) (id int64) {
	w.t.Helper()
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		id, err = taxonomy.CreateCategory(ctx, tx, key, 0, map[string]string{"fi": key + " fi", "en": key + " en",
			"sv": key + " sv"})
		return err
	})
	return id
}

// Tag makes a tag with the labels "<key> fi" and "<key> en".
func (w *World) Tag(key string) (id int64) {
	w.t.Helper()
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		id, err = taxonomy.CreateTag(ctx, tx, key, map[string]string{"fi": key + " fi", "en": key + " en"})
		return err
	})
	return id
}

// Campaign makes a campaign and moves it to a stage through the stages before it.
func (w *World) Campaign(n campaigns.New, stage campaigns.Stage) (id int64) {
	w.t.Helper()
	path := map[campaigns.Stage][]campaigns.Stage{
		campaigns.StageDraft:      {},
		campaigns.StagePreparing:  {campaigns.StagePreparing},
		campaigns.StageFunding:    {campaigns.StageFunding},
		campaigns.StageSucceeded:  {campaigns.StageFunding, campaigns.StageSucceeded},
		campaigns.StageNotReached: {campaigns.StageFunding, campaigns.StageNotReached},
		campaigns.StageClosed:     {campaigns.StageRecurring, campaigns.StageClosed},
		campaigns.StageRecurring:  {campaigns.StageRecurring},
	}[stage]
	n.Zone = w.Zone
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		if id, err = campaigns.Create(ctx, tx, n, w.Now()); err != nil {
			return err
		}
		for _, to := range path {
			if err := campaigns.MoveStage(ctx, tx, id, to, changes.Actor{Name: "seed"}, w.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	return id
}

// everybody has just shown that it is them; what asks for that is tested with real sessions, in package app.
func everybody(context.Context, session.Identity) error { return nil }
