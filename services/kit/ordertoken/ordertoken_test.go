package ordertoken_test

import (
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/ordertoken"
)

func TestToken_OpensItsOrderForADay(t *testing.T) {
	t.Parallel()
	madeAt := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	now := madeAt
	clock := func() time.Time { return now }
	keys := make([]*ordertoken.Keys, 2)
	for i, secret := range []string{"a secret of at least thirty-two bytes", "another secret of at least 32 bytes"} {
		var err error
		if keys[i], err = ordertoken.New([]byte(secret), clock); err != nil {
			t.Fatal(err)
		}
	}
	id := ids.New()
	token := keys[0].Make(ordertoken.Pledge, id, madeAt)
	until, mac, _ := strings.Cut(token, ".")
	for _, c := range []struct {
		what            string
		keys            *ordertoken.Keys
		token, kind, id string
		after           time.Duration
		want            bool
	}{
		{"its own", keys[0], token, ordertoken.Pledge, id, 0, true},
		{"its own, a day later", keys[0], token, ordertoken.Pledge, id, ordertoken.Lifetime - time.Second, true},
		{"after a day", keys[0], token, ordertoken.Pledge, id, ordertoken.Lifetime, false},
		{"another order", keys[0], token, ordertoken.Pledge, ids.New(), 0, false},
		{"another kind", keys[0], token, ordertoken.Subscription, id, 0, false},
		{"another secret", keys[1], token, ordertoken.Pledge, id, 0, false},
		{"a later end", keys[0], "9" + until + "." + mac, ordertoken.Pledge, id, 0, false},
		{"no mac", keys[0], until + ".", ordertoken.Pledge, id, 0, false},
		{"half a mac", keys[0], token[:len(token)-8], ordertoken.Pledge, id, 0, false},
		{"nothing", keys[0], "", ordertoken.Pledge, id, 0, false},
		{"the id", keys[0], id, ordertoken.Pledge, id, 0, false},
	} {
		now = madeAt.Add(c.after)
		if got := c.keys.Opens(c.token, c.kind, c.id); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	if keys[0].Make(ordertoken.Pledge, id, madeAt) != token {
		t.Error("making it again gives another one")
	}
}
