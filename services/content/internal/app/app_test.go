package app_test

import (
	"context"
	"crypto/ed25519"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
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
	"talkoot.fi/content/internal/contenttest/webtest"
	"talkoot.fi/content/internal/person/forum"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/web"
	"talkoot.fi/content/internal/zone"
	"talkoot.fi/content/migrations"
)

const (
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

// noLimits stands for a payment service where nobody has a spending limit, no campaign can be paid to and nobody was paid.
type noLimits struct{}

func (noLimits) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path == "/internal/payments/page" {
		return &http.Response{StatusCode: http.StatusConflict, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"status": "pledge_already_paid"}`)), Request: r}, nil
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"spending_limits": [], "campaign_ids": [], "reported": []}`)), Request: r}, nil
}

// signingKey is that of all platforms: the demo's second steps are sealed with it.
var signingKey = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

// setup is a platform without content.
func setup(t *testing.T, change ...func(*app.Options, *dbtest.DB)) *platform {
	t.Helper()
	return on(t, dbtest.New(t, migrations.FS), fstest.MapFS{}, change...)
}

// setupDemo is a platform with the demo content.
func setupDemo(t *testing.T, change ...func(*app.Options, *dbtest.DB)) *platform {
	t.Helper()
	database := demo.New(t)
	return on(t, database, demoPictures, change...)
}

func on(t *testing.T, database *dbtest.DB, pictures fs.FS, change ...func(*app.Options, *dbtest.DB)) *platform {
	t.Helper()
	ctx := t.Context()
	redis, err := jobs.OpenRedis("redis://127.0.0.1:1/0") // nobody listens there: the service works without Redis
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Close() })
	media := filepath.Join(t.TempDir(), "media")
	if err := os.CopyFS(media, pictures); err != nil {
		t.Fatal(err)
	}
	store, err := openStore(ctx, media)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	location, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	plenty := ratelimit.Per(1000, time.Second)
	log := slog.New(slog.DiscardHandler)
	o := app.Options{Log: log, Now: time.Now, DB: database.Gorm, Limiter: ratelimit.New(redis, time.Now, log), Files: store, SigningKey: signingKey, ServiceSecret: []byte(serviceSecret),
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
	return &platform{handler: handler, db: o.DB, signer: session.NewSigner(signingKey, time.Now), options: o}
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
