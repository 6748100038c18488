package forum_test

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/forum"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/migrations"
)

const (
	secret   = "d836444a9e4084d5b224a60c208dce14"
	returnTo = "https://forum.example/session/sso_login"
)

var start = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// bridge is the service on a database of its own.
type bridge struct {
	*forum.Service
	db  *gorm.DB
	log bytes.Buffer
}

func setup(t *testing.T) *bridge {
	t.Helper()
	b := &bridge{db: dbtest.New(t, migrations.FS).Gorm}
	var err error
	b.Service, err = forum.New(forum.Options{DB: b.db, Log: slog.New(slog.NewTextHandler(&b.log, nil)),
		Now:    func() time.Time { return start },
		Config: forum.Config{Secret: []byte(secret), ReturnURLs: []string{returnTo}}, PublicURL: "https://talkoot.test"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// person makes somebody and returns who they are once signed in, with no rights.
func (b *bridge) person(t *testing.T, n profiles.New) session.Identity {
	t.Helper()
	if n.Email == "" {
		n = profiles.New{Email: "eeva@x.fi", FirstName: "Eeva", LastName: "Halonen", Language: "fi", Verified: n.Verified,
			Image: n.Image, ShortDescription: n.ShortDescription}
	}
	n.Scope = []string{"view"}
	id, err := profiles.Create(t.Context(), b.db, n, start)
	if err != nil {
		t.Fatal(err)
	}
	return session.Identity{UserID: id, Scope: n.Scope}
}

func mac(text string) string {
	m := hmac.New(sha256.New, []byte(secret))
	m.Write([]byte(text))
	return hex.EncodeToString(m.Sum(nil))
}

func asked(nonce string) (sso, sig string) {
	sso = base64.StdEncoding.EncodeToString([]byte("nonce=" + nonce + "&return_sso_url=" + url.QueryEscape(returnTo)))
	return sso, mac(sso)
}

// told signs a person in with a nonce and returns what the forum is told, its signature checked.
func (b *bridge) told(t *testing.T, person session.Identity, nonce string) url.Values {
	t.Helper()
	sso, sig := asked(nonce)
	answer, err := b.SignIn(t.Context(), person, sso, sig)
	if err != nil || answer.ReturnURL != returnTo {
		t.Fatalf("%+v, %v", answer, err)
	}
	query, err := url.ParseQuery(answer.Query)
	if err != nil || query.Get("sig") != mac(query.Get("sso")) {
		t.Fatalf("%s: %v", answer.Query, err)
	}
	text, err := base64.StdEncoding.DecodeString(query.Get("sso"))
	if err != nil {
		t.Fatal(err)
	}
	fields, err := url.ParseQuery(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return fields
}

func TestSignIn_TellsTheForumWhoItIs(t *testing.T) {
	b := setup(t)
	id := b.person(t, profiles.New{Verified: true, Image: "0a1b.jpg", ShortDescription: "Sauna & järvi = kesä"})
	got := b.told(t, id, "n1")
	want := url.Values{"nonce": {"n1"}, "external_id": {fmt.Sprint(id.UserID)}, "email": {"eeva@x.fi"}, "name": {"Eeva Halonen"},
		"username": {"eeva_halonen"}, "avatar_url": {"https://talkoot.test/media/360x360/0a1b.jpg"}, "bio": {"Sauna & järvi = kesä"},
		"require_activation": {"false"}, "admin": {"false"}, "moderator": {"false"},
		"remove_groups": {"talkoot_editors,talkoot_admins"}}
	if got.Encode() != want.Encode() {
		t.Errorf("told\n%v, want\n%v", got, want)
	}
}

func TestSignIn_LeavesOutPicturesThatAreDrawnAndWhatIsEmpty(t *testing.T) {
	b := setup(t)
	got := b.told(t, b.person(t, profiles.New{Verified: true, Image: "avatar-3.svg"}), "n1")
	if got.Has("avatar_url") || got.Has("bio") || got.Has("add_groups") {
		t.Errorf("told %v", got)
	}
}

func TestSignIn_GroupsAndRightsFollowTheSessionsScopeAtEachLogIn(t *testing.T) {
	b := setup(t)
	id := b.person(t, profiles.New{Verified: true})
	for i, c := range []struct{ scope, admin, moderator, add, remove string }{
		{"view", "false", "false", "", "talkoot_editors,talkoot_admins"},
		{"view edit", "false", "true", "talkoot_editors", "talkoot_admins"},
		{"view edit admin", "true", "true", "talkoot_editors,talkoot_admins", ""},
		{"view", "false", "false", "", "talkoot_editors,talkoot_admins"},
	} {
		id.Scope = strings.Fields(c.scope)
		got := b.told(t, id, fmt.Sprint("n", i))
		if got.Get("admin") != c.admin || got.Get("moderator") != c.moderator || got.Get("add_groups") != c.add || got.Get("remove_groups") != c.remove {
			t.Errorf("%s: told %v", c.scope, got)
		}
	}
}

func TestSignIn_AnswersARequestOnceAlsoWhenItComesTwiceAtOnce(t *testing.T) {
	b := setup(t)
	id, other := b.person(t, profiles.New{Verified: true}), b.person(t, profiles.New{Email: "b@x.fi", FirstName: "B", Verified: true, Language: "fi"})
	sso, sig := asked("once")
	results := make([]error, 16)
	var begin, done sync.WaitGroup
	begin.Add(1)
	for i := range results {
		done.Go(func() {
			begin.Wait()
			_, results[i] = b.SignIn(t.Context(), []session.Identity{id, other}[i%2], sso, sig)
		})
	}
	begin.Done()
	done.Wait()
	answered := 0
	for _, err := range results {
		if err == nil {
			answered++
		} else if !errors.Is(err, forum.ErrUsed) {
			t.Error(err)
		}
	}
	if answered != 1 {
		t.Errorf("%d answers to one request", answered)
	}
	if err := forum.Prune(t.Context(), b.db, start.Add(6*24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.SignIn(t.Context(), id, sso, sig); !errors.Is(err, forum.ErrUsed) {
		t.Errorf("after six days: %v", err)
	}
}

func TestPrune_ForgetsOldRequests(t *testing.T) {
	b := setup(t)
	b.told(t, b.person(t, profiles.New{Verified: true}), "n1")
	if got := b.kept(t, start.Add(7*24*time.Hour)); got != 1 {
		t.Errorf("%d are kept for a week", got)
	}
	if got := b.kept(t, start.Add(7*24*time.Hour+time.Second)); got != 0 {
		t.Errorf("%d are kept for longer than a week", got)
	}
}

// Somebody could register with the address of a forum's member, and be taken for the member there.
func TestSignIn_RefusesAnUnconfirmedAddressAndAnswersTheSameRequestOnceItIsConfirmed(t *testing.T) {
	b := setup(t)
	id := b.person(t, profiles.New{})
	sso, sig := asked("n1")
	if _, err := b.SignIn(t.Context(), id, sso, sig); !errors.Is(err, forum.ErrUnconfirmed) {
		t.Fatalf("unconfirmed: %v", err)
	}
	if err := b.db.Exec(`UPDATE users SET verified = true WHERE id = ?`, id.UserID).Error; err != nil {
		t.Fatal(err)
	}
	if got := b.told(t, id, "n1"); got.Get("email") != "eeva@x.fi" {
		t.Errorf("told %v", got)
	}
}

// The log says which check failed, and holds nobody's name, address or nonce; the answer does not say it.
func TestSignIn_RefusesForgedRequestsAlikeAndLogsWhyWithoutPersonalData(t *testing.T) {
	b := setup(t)
	id := b.person(t, profiles.New{Verified: true})
	evil := base64.StdEncoding.EncodeToString([]byte("nonce=secretnonce&return_sso_url=https://evil.example/"))
	sso, sig := asked("secretnonce")
	for reason, request := range map[string][2]string{
		"wrong signature": {sso, strings.Repeat("0", 64)}, "return address that is not configured": {evil, mac(evil)}, "payload without a nonce": {"YQ==", mac("YQ==")},
	} {
		_, err := b.SignIn(t.Context(), id, request[0], request[1])
		if !errors.Is(err, forum.ErrLink) || err.Error() != forum.ErrLink.Error() || !strings.Contains(b.log.String(), reason) {
			t.Errorf("%s: %v, log %s", reason, err, b.log.String())
		}
	}
	if _, err := b.SignIn(t.Context(), id, sso, sig); err != nil {
		t.Errorf("the right request after forged ones: %v", err)
	}
	for _, personal := range []string{"eeva", "Halonen", "secretnonce", "evil.example"} {
		if strings.Contains(b.log.String(), personal) {
			t.Errorf("the log has %q: %s", personal, b.log.String())
		}
	}
}

func TestSignIn_SaysThatThereIsNoForum(t *testing.T) {
	none, err := forum.New(forum.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sso, sig := asked("n1")
	if _, err := none.SignIn(t.Context(), session.Identity{UserID: 1}, sso, sig); !errors.Is(err, forum.ErrNone) {
		t.Error(err)
	}
}

// kept prunes at a time and returns how many nonces are left.
func (b *bridge) kept(t *testing.T, now time.Time) (n int) {
	t.Helper()
	if err := forum.Prune(t.Context(), b.db, now); err != nil {
		t.Fatal(err)
	}
	if err := b.db.Raw(`SELECT count(*) FROM forum_nonces`).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}
