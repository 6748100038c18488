package sessions_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/migrations"
)

type world struct {
	*sessions.Service
	db      *gorm.DB
	handler http.Handler
	mu      sync.Mutex
	at      time.Time
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *world) advance(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at = w.at.Add(by)
}

// calls is the public API with the calls of sessions only.
type calls struct {
	others
	*sessions.Handlers
	*stepCalls
}

type stepCalls = secondstep.Handlers

// origin is where the platform is.
const origin = "https://talkoot.test"

type others struct{ api.StrictServerInterface }

// setup is for tests that are not about hashing.
func setup(t *testing.T, limit ratelimit.Limit) *world {
	t.Helper()
	w := setupHashing(t, limit)
	w.HashCheaply()
	return w
}

// setupHashing hashes passwords as production does.
func setupHashing(t *testing.T, limit ratelimit.Limit) *world {
	t.Helper()
	w := &world{db: dbtest.New(t, migrations.FS).Gorm, at: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	signer := session.NewSigner(ed25519.NewKeyFromSeed(make([]byte, 32)), w.now)
	steps, err := secondstep.New(secondstep.Options{DB: w.db, Now: w.now, Keys: sessions.SealsOf(signer), PublicURL: origin})
	if err != nil {
		t.Fatal(err)
	}
	w.Service = sessions.New(w.db, signer, steps, people.Empty, w.now)
	redis, err := jobs.OpenRedis("redis://127.0.0.1:1/0") // nobody listens there: the limits hold all the same
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = redis.Close() })
	log := slog.New(slog.DiscardHandler)
	spec, err := api.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Load(spec)
	if err != nil {
		t.Fatal(err)
	}
	e := httpx.New(httpx.Options{Log: log, Now: w.now, Name: "content"})
	limiter := ratelimit.New(redis, w.now, log)
	routes := httpx.Routes(e, limiter.ByAddress(sessions.Rules(limit)), session.Authenticate(session.NewVerifier(signer.Keys(), w.now)), w.RequireLive, sessions.Devices, c.Middleware())
	handlers := sessions.NewHandlers(w.Service)
	api.RegisterHandlers(routes, api.NewStrictHandler(calls{Handlers: handlers, stepCalls: secondstep.NewHandlers(steps, w.Confirmed)}, nil))
	w.handler = contracttest.NewRecorder(t, spec).Handler(e)
	return w
}

var plenty = ratelimit.Per(10_000, time.Second)

type answer struct {
	code       int
	retryAfter string
	Status     string
	Fields     []struct{ Path, Rule, Message string }
	Token      struct {
		String    string
		ExpiresAt time.Time `json:"expires_at"`
	}
	User struct {
		UserID            int64 `json:"user_id"`
		Email             string
		Scope             []string
		SecondStepMissing bool `json:"second_step_missing"`
	}
	SecondStep struct {
		Challenge string
		Methods   []string
		Passkey   json.RawMessage
	} `json:"second_step"`
	// of other calls
	Secret, Challenge string
	Options           json.RawMessage
	BackupCodes       []string `json:"backup_codes"`
	BackupCodesLeft   int      `json:"backup_codes_left"`
	Totp              *struct{}
	Passkeys          []struct {
		PasskeyID int64 `json:"passkey_id"`
		Name      string
	}
	IsRequired           bool `json:"is_required"`
	SessionHasSecondStep bool `json:"session_has_second_step"`
	Sessions             []struct {
		SessionID             string `json:"session_id"`
		Kind, Browser, System string
		SeenAt                time.Time `json:"seen_at"`
		IsCurrent             bool      `json:"is_current"`
	}
}

func (w *world) call(t *testing.T, method, address, body, token string, headers ...string) answer {
	t.Helper()
	if token != "" {
		headers = append(headers, "Authorization", "Bearer "+token)
	}
	return w.callIn(t.Context(), t, method, address, body, headers...)
}

// callIn makes a call in a context.
func (w *world) callIn(ctx context.Context, t *testing.T, method, address, body string, headers ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(ctx, method, address, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	got := httptest.NewRecorder()
	w.handler.ServeHTTP(got, r)
	a := answer{code: got.Code, retryAfter: got.Header().Get("Retry-After")}
	if b := bytes.TrimSpace(got.Body.Bytes()); len(b) > 0 {
		if err := json.Unmarshal(b, &a); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

const (
	leena  = `{"email": "Leena@Example.fi", "password": "long enough", "first_name": "Leena", "last_name": "H", "language": "SV"}`
	signIn = "/users/tokens/"
)

func TestRegister_SignsIn(t *testing.T) {
	w := setupHashing(t, plenty)
	made := w.call(t, "POST", "/users/", leena, "")
	if made.code != 201 || made.Token.String == "" || made.User.Email != "Leena@Example.fi" || len(made.User.Scope) != 1 {
		t.Fatalf("%+v", made)
	}
	if until := made.Token.ExpiresAt; !until.Equal(w.now().Add(12 * time.Hour)) {
		t.Errorf("valid until %s", until)
	}
	var stored struct{ PasswordHash, Language string }
	if err := w.db.Raw(`SELECT password_hash, language FROM users`).Scan(&stored).Error; err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stored.PasswordHash, "$argon2id$v=19$m=19456,t=2,p=1$") || stored.Language != "sv" {
		t.Errorf("stored %+v", stored)
	}
}

func TestPassword_ItsLettersMayBeWrittenInEitherWay(t *testing.T) {
	const oneLetter, letterAndDots = "hy\u00e4 y\u00f6 kaikille", "hya\u0308 yo\u0308 kaikille"
	for _, c := range []struct{ registered, again string }{{oneLetter, letterAndDots}, {letterAndDots, oneLetter}} {
		w := setupHashing(t, plenty)
		if made := w.call(t, "POST", "/users/", strings.ReplaceAll(leena, "long enough", c.registered), ""); made.code != 201 {
			t.Fatalf("%+q registered: %d %s", c.registered, made.code, made.Status)
		}
		for password, want := range map[string]int{c.registered: 200, c.again: 200, "hya yo kaikille": 401} {
			body := fmt.Sprintf(`{"email": "leena@example.fi", "password": %q}`, password)
			if a := w.call(t, "POST", signIn, body, ""); a.code != want {
				t.Errorf("registered with %+q, signs in with %+q: %d, want %d", c.registered, password, a.code, want)
			}
		}
	}
}

// A Mac's keyboard may write ä as a and a combining mark, a phone as one letter: both are the same address.
func TestEmail_ItsLettersMayBeWrittenInEitherWay(t *testing.T) {
	const capitals = "P\u00c4IVI@EXAMPLE.FI"
	const oneLetter, letterAndDots = "p\u00e4ivi@example.fi", "pa\u0308ivi@example.fi"
	for _, c := range []struct{ registered, again string }{{oneLetter, letterAndDots}, {letterAndDots, oneLetter}} {
		w := setup(t, plenty)
		made := w.call(t, "POST", "/users/", strings.ReplaceAll(leena, "Leena@Example.fi", c.registered), "")
		if made.code != 201 || made.User.Email != oneLetter {
			t.Errorf("%+q registered: %d, as %+q", c.registered, made.code, made.User.Email)
		}
		if a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": "long enough"}`, c.again), ""); a.code != 200 {
			t.Errorf("%+q signs in as %+q: %d %s", c.registered, c.again, a.code, a.Status)
		}
		if a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": %q, "password": "long enough"}`, capitals), ""); a.code != 200 {
			t.Errorf("%+q signs in in capitals: %d %s", c.registered, a.code, a.Status)
		}
	}
}

func TestRegister_FaultsAllAtOnce(t *testing.T) {
	w := setup(t, plenty)
	for body, want := range map[string]string{
		`{"email": "le", "password": "short", "first_name": "", "last_name": ""}`:                                "email password first_name last_name",
		`{"email": "leena@fi", "password": "long enough", "first_name": " ", "last_name": " "}`:                  "email first_name last_name",
		`{"email": "a@b.fi", "password": "long enough", "first_name": "A"}`:                                      "last_name",
		`{"email": "a@b.fi", "password": "long enough", "first_name": "Talkoot", "last_name": "Ylläpito"}`:       "first_name last_name",
		`{"email": "a@b.fi", "password": "long enough", "first_name": "Ad", "last_name": "min"}`:                 "first_name",
		`{"email": "a@b.fi", "password": "long enough", "first_name": "https://evil.example", "last_name": "B"}`: "first_name",
	} {
		a := w.call(t, "POST", "/users/", body, "")
		if a.code != 422 || len(a.Fields) == 0 {
			t.Errorf("%s: %d %s", body, a.code, a.Status)
		}
		for _, f := range a.Fields {
			if !strings.Contains(want, f.Path) {
				t.Errorf("%s: unexpected fault %v", body, f)
			}
		}
		if len(a.Fields) != len(strings.Fields(want)) {
			t.Errorf("%s: faults %v, want on %s", body, a.Fields, want)
		}
	}
}

func TestSignIn_UnknownAndWrongAreTheSame_EmailInAnyCase(t *testing.T) {
	w := setupHashing(t, plenty)
	w.call(t, "POST", "/users/", leena, "")
	if err := w.db.Exec(`INSERT INTO users (email, password_hash, first_name, last_name, created_at) VALUES ('none@example.fi', '', 'A', 'B', now())`).Error; err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		body string
		code int
	}{
		"right":                       {`{"email": "leena@example.fi", "password": "long enough"}`, 200},
		"right in capitals, spaces":   {`{"email": " LEENA@EXAMPLE.FI ", "password": "long enough"}`, 200},
		"wrong password":              {`{"email": "leena@example.fi", "password": "long enougH"}`, 401},
		"unknown account":             {`{"email": "nobody@example.fi", "password": "long enough"}`, 401},
		"account without a password":  {`{"email": "none@example.fi", "password": "x"}`, 401},
		"a hash is not the password":  {`{"email": "none@example.fi", "password": "$argon2id$v=19$m=19456,t=2,p=1$"}`, 401},
		"like patterns are no emails": {`{"email": "%@example.fi", "password": "long enough"}`, 401},
	} {
		a := w.call(t, "POST", signIn, c.body, "")
		if a.code != c.code || c.code == 401 && a.Status != "sign_in_failed" {
			t.Errorf("%s: %d %s, want %d", name, a.code, a.Status, c.code)
		}
	}
}

func TestSignOut_EndsTheSessionAtOnce(t *testing.T) {
	w := setup(t, plenty)
	first := w.call(t, "POST", "/users/", leena, "").Token.String
	second := w.call(t, "POST", signIn, `{"email": "leena@example.fi", "password": "long enough"}`, "").Token.String
	if a := w.call(t, "DELETE", signIn, "", ""); a.code != 401 {
		t.Errorf("without a token: %d", a.code)
	}
	if a := w.call(t, "DELETE", signIn, "", first); a.code != 204 {
		t.Fatalf("sign out: %d %s", a.code, a.Status)
	}
	if a := w.call(t, "DELETE", signIn, "", first); a.code != 401 || a.Status != "token_expired" {
		t.Errorf("second time: %d %s", a.code, a.Status)
	}
	if a := w.call(t, "GET", "/.well-known/jwks.json", "", first); a.code != 401 {
		t.Errorf("an ended token anywhere: %d", a.code)
	}
	if a := w.call(t, "DELETE", signIn, "", second); a.code != 204 {
		t.Errorf("the other session: %d", a.code)
	}
}

func TestPrune_DeletesSessionsWhoseTokensHaveExpired(t *testing.T) {
	w := setup(t, plenty)
	w.call(t, "POST", "/users/", leena, "")
	for _, c := range []struct {
		after time.Duration
		left  int64
	}{{12*time.Hour + 30*time.Minute, 1}, {time.Hour, 0}} {
		w.advance(c.after)
		if err := sessions.Prune(t.Context(), w.db, w.now()); err != nil {
			t.Fatal(err)
		}
		var left int64
		err := w.db.Raw(`SELECT count(*) FROM sessions`).Scan(&left).Error
		if err != nil || left != c.left {
			t.Errorf("%d rows left, %v; want %d", left, err, c.left)
		}
	}
}

func TestSignIns_AreLimitedByAddress(t *testing.T) {
	w := setup(t, ratelimit.Per(2, time.Minute))
	for i, want := range []int{401, 401, 429} {
		a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": "a%d@example.fi", "password": "wrong"}`, i), "")
		if a.code != want || (want == 429) != (a.retryAfter != "") {
			t.Errorf("try %d: %d, Retry-After %q", i, a.code, a.retryAfter)
		}
	}
}

// The scope is read from the account at each request, not from the token.
func TestScope_IsThatOfTheAccountAtEachRequest(t *testing.T) {
	w := setup(t, plenty)
	token := w.call(t, "POST", "/users/", leena, "").Token.String
	signer := session.NewSigner(ed25519.NewKeyFromSeed(make([]byte, 32)), w.now)
	who, err := session.NewVerifier(signer.Keys(), w.now).Verify(token)
	if err != nil {
		t.Fatal(err)
	}
	may := func(step, want string) {
		t.Helper()
		ctx, ran := dbx.CountStatements(t.Context())
		live, err := w.Live(ctx, who)
		if got := strings.Join(live.Scope, " "); got != want || (want == "") != errors.Is(err, sessions.ErrEnded) || len(ran.List()) != 1 {
			t.Errorf("%s: %q by %d statements, %v; want %q by one", step, got, len(ran.List()), err, want)
		}
	}
	do := func(_ bool, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	may("registered", "view")
	if err := w.db.Exec(`UPDATE users SET verified = true`).Error; err != nil {
		t.Fatal(err)
	}
	do(sessions.MakeAdmin(t.Context(), w.db, "leena@example.fi", w.now()))
	may("made an admin, signed in with a password alone", "view")
	if err := w.db.Exec(`UPDATE sessions SET second_step_at = now()`).Error; err != nil {
		t.Fatal(err)
	}
	may("an admin with a second step", "view edit admin")
	do(sessions.RemoveAdmin(t.Context(), w.db, "leena@example.fi", w.now()))
	may("no admin any more", "view")
	do(sessions.SetBlocked(t.Context(), w.db, "leena@example.fi", true, w.now()))
	may("blocked", "")
	if a := w.call(t, "DELETE", signIn, "", token); a.code != 401 || a.Status != "token_expired" {
		t.Errorf("a blocked person's call: %d %s", a.code, a.Status)
	}
	for password, want := range map[string]string{"long enough": "403 account_blocked", "long enougH": "401 sign_in_failed"} {
		a := w.call(t, "POST", signIn, fmt.Sprintf(`{"email": "leena@example.fi", "password": %q}`, password), "")
		if got := fmt.Sprint(a.code, " ", a.Status); got != want {
			t.Errorf("a blocked person signs in with %s: %s, want %s", password, got, want)
		}
	}
	do(sessions.SetBlocked(t.Context(), w.db, "leena@example.fi", false, w.now()))
	may("not blocked any more, but the session has ended", "")
	if in := w.call(t, "POST", signIn, rightCredentials, ""); in.code != 200 {
		t.Errorf("signing in after it: %d %s", in.code, in.Status)
	}
	who.UserID++
	may("a session of somebody else", "")
}
