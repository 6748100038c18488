package app_test

import (
	"context"
	"crypto/ed25519"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/closing"
	"talkoot.fi/content/internal/contenttest/webtest"
	"talkoot.fi/content/internal/files"
	"talkoot.fi/content/internal/forum"
	"talkoot.fi/content/internal/secondstep"
	"talkoot.fi/content/internal/seed"
	"talkoot.fi/content/internal/sessions"
	"talkoot.fi/content/internal/web"
	"talkoot.fi/content/internal/zone"
	"talkoot.fi/content/migrations"
)

const (
	demoDir       = "../../../../scripts/demo"
	serviceSecret = "a secret of the tests that is long enough"
	publicURL     = "https://talkoot.test"
)

// platform is the whole service on a database of its own, without Redis.
type platform struct {
	handler http.Handler
	db      *gorm.DB
	signer  *session.Signer
	options app.Options
}

// noLimits stands for a payment service where nobody has a spending limit.
type noLimits struct{}

func (noLimits) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"spending_limits": []}`)), Request: r}, nil
}

func setup(t *testing.T, change ...func(*app.Options, *dbtest.DB)) *platform {
	t.Helper()
	ctx := t.Context()
	database := dbtest.New(t, migrations.FS)
	log := slog.New(slog.DiscardHandler)
	redis, err := jobs.OpenRedis("redis://127.0.0.1:1/0") // nobody listens there: the service works without Redis
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Close() })
	folder := t.TempDir()
	store, err := files.Open(ctx, files.Options{BlobURL: "file://" + filepath.Join(folder, "media"), Log: log,
		Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	location, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	plenty := ratelimit.Per(1000, time.Second)
	o := app.Options{Log: log, Now: time.Now, DB: database.Gorm, Redis: redis, Files: store, SigningKey: key, ServiceSecret: []byte(serviceSecret),
		Payments: closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(serviceSecret), Now: time.Now, Transport: noLimits{}},
		WebDir:   webtest.Built(t), Web: web.Config{PublicURL: publicURL}, Zone: location, PledgeHold: 30 * time.Minute, PledgeFirstHold: 5 * time.Minute,
		Forum: forum.Config{Secret: []byte(forumSecret), ReturnURLs: []string{forumReturn}},
		Limits: app.Limits{Pledges: plenty, SignIn: plenty, Likes: plenty, Drafts: plenty, Uploads: plenty, Edits: plenty, Reviews: plenty,
			Reads: app.ReadLimits{Lists: plenty, Searches: plenty}}}
	for _, c := range change {
		c(&o, database)
	}
	handler, err := app.New(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return &platform{handler: handler, db: o.DB, signer: session.NewSigner(key, time.Now), options: o}
}

// withDemo fills in the demo content.
func (p *platform) withDemo(t *testing.T) *platform {
	t.Helper()
	o := p.options
	steps, err := secondstep.New(secondstep.Options{DB: o.DB, Now: o.Now, Key: sessions.SealOf(p.signer), PublicURL: publicURL})
	if err != nil {
		t.Fatal(err)
	}
	err = seed.Fill(t.Context(), seed.Options{DB: o.DB, Files: o.Files, Steps: steps, Log: o.Log, Now: o.Now, Zone: o.Zone,
		Dir: demoDir})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checked is the handler whose answers are checked against the public contract.
func (p *platform) checked(t *testing.T) http.Handler {
	t.Helper()
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	return contracttest.NewRecorder(t, spec).Handler(p.handler)
}

// token makes a session of a person, who has just passed a second step.
func (p *platform) token(t *testing.T, userID int64) string {
	t.Helper()
	return p.session(t, userID, true)
}

// session makes a session of a person, with or without a second step.
func (p *platform) session(t *testing.T, userID int64, hasSecondStep bool) string {
	t.Helper()
	id := ids.New()
	token, expires, err := p.signer.Sign(session.Identity{UserID: userID, SessionID: id})
	if err != nil {
		t.Fatal(err)
	}
	err = p.db.Exec(`
		INSERT INTO sessions (id, user_id, created_at, expires_at, second_step_at, confirmed_at)
		VALUES (@id, @user, now(), @expires, CASE WHEN @stepped THEN now() END, now())`,
		map[string]any{"id": id, "user": userID, "expires": expires, "stepped": hasSecondStep}).Error
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func (p *platform) number(t *testing.T, query string, args ...any) (n int64) {
	t.Helper()
	if err := p.db.Raw(query, args...).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// call makes a call; headers are alternating names and values.
func call(ctx context.Context, h http.Handler, method, address, body string,
	headers ...string) *httptest.ResponseRecorder {
	var content io.Reader = http.NoBody
	if body != "" {
		content = strings.NewReader(body)
	}
	r := httptest.NewRequestWithContext(ctx, method, address, content)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, r)
	return answer
}

func bearer(token string) []string {
	if token == "" {
		return nil
	}
	return []string{"Authorization", "Bearer " + token}
}
