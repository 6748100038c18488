package app_test

import (
	"context"
	"crypto/ed25519"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/mail/addresslinks"
)

// While keys are replaced, what those of before have made is good: sessions, calls between the services, what opens a guest's order. With the new keys
// alone it is not.
func TestKeys_AreReplaced_AndNobodyIsSignedOut(t *testing.T) {
	t.Parallel()
	p := setupDemo(t)
	var member int64
	if err := p.db.Raw(`SELECT min(id) FROM users`).Scan(&member).Error; err != nil {
		t.Fatal(err)
	}
	session, service := p.token(t, member), p.serviceToken(t)
	guests, err := ordertoken.New([]byte(serviceSecret), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	const newSecret = "a new secret of the services, long enough"
	pledge := ids.New()
	order := guests.Make(ordertoken.Pledge, pledge, time.Now())

	newKey := ed25519.NewKeyFromSeed([]byte(strings.Repeat("n", 32)))
	with := func(change func(o *app.Options)) http.Handler {
		t.Helper()
		o := p.options
		o.SigningKey, o.ServiceSecret, o.Payments.Secret = newKey, []byte(newSecret), []byte(newSecret)
		change(&o)
		handler, err := app.New(context.WithoutCancel(t.Context()), o)
		if err != nil {
			t.Fatal(err)
		}
		return handler
	}
	status := func(h http.Handler, path, header, value string) int {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Header.Set(header, value)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code
	}
	both := with(func(o *app.Options) {
		o.OlderKeys, o.OlderSecrets = []ed25519.PrivateKey{signingKey}, [][]byte{[]byte(serviceSecret)}
	})
	alone := with(func(*app.Options) {})
	for name, call := range map[string]struct {
		path, header, value string
		good, bad           int
	}{
		"a session":        {"/users/me/sessions/", "Authorization", "Bearer " + session, http.StatusOK, http.StatusUnauthorized},
		"a service's call": {"/internal/orders/pledge/" + pledge, "Authorization", "Bearer " + service, http.StatusNotFound, http.StatusUnauthorized},
		"a guest's order":  {"/pledges/" + pledge + "/", ordertoken.Header, order, http.StatusNotFound, http.StatusForbidden},
	} {
		if got := status(both, call.path, call.header, call.value); got != call.good {
			t.Errorf("%s with both keys: %d, want %d", name, got, call.good)
		}
		if got := status(alone, call.path, call.header, call.value); got != call.bad {
			t.Errorf("%s with the new keys alone: %d, want %d", name, got, call.bad)
		}
	}
	published := httptest.NewRecorder()
	both.ServeHTTP(published, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/.well-known/jwks.json", nil))
	if n := strings.Count(published.Body.String(), `"kid"`); n != 2 {
		t.Errorf("%d keys are published: %s", n, published.Body)
	}
}

// A mailed link is good as long as its key is listed, and new ones are made with the first.
func TestKeys_MailedLinks(t *testing.T) {
	t.Parallel()
	links := func(secret string, older ...string) addresslinks.Links {
		t.Helper()
		var list [][]byte
		for _, one := range older {
			list = append(list, []byte(one))
		}
		l, err := addresslinks.New([]byte(secret), list...)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	hash := []byte(strings.Repeat("h", 32))
	mailed := links("old").Letters.Token(7, hash)
	if id, got, ok := links("new", "old").Letters.Read(mailed); !ok || id != 7 || string(got) != string(hash) {
		t.Errorf("the old link: %d, %t", id, ok)
	}
	if _, _, ok := links("new").Letters.Read(mailed); ok {
		t.Error("a link of a key that is gone is read")
	}
	if _, _, ok := links("new").Letters.Read(links("new", "old").Letters.Token(7, hash)); !ok {
		t.Error("a new link is not made with the key in use")
	}
}
