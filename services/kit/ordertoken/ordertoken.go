// Package ordertoken is what lets the browser in which a guest began a pledge or monthly support pay it and see how it
// went. Both services make sure of it by themselves, so that a guest can pay while one of them cannot ask the other.
//
// Invariants: a token opens one order, for a day from when that was made; it is handed out only by the call that makes the
// order, to whoever has no session; one of the kind Paying by mail, to the order's address, and with the pledge that a mailed link opens, for a
// further charge of it. It travels in a header, never in an address that a server sees. The id of an order opens nothing.
//
// It leaves to others: what a token allows, and whose an order is once somebody has an account.
package ordertoken

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Header carries the token.
const Header = "Order-Token"

// Lifetime of a token, from when its order was made.
const Lifetime = 24 * time.Hour

// The kinds of orders, as the internal contract names them.
const (
	Pledge       = "pledge"
	Subscription = "subscription"
)

// Paying is the kind of a token that a mail leads to, of whoever's pledge: it lets who has it pay that pledge, or a change of it, with what is
// theirs, and see how that went, in any browser, and nothing else. Nothing that the person of an account has paid with before is used by it.
const Paying = "pledge_payment"

// InPath is the order that a call's path names: of the path's parameters the first that is an order's id, and its value, which
// may be no id at all. An empty kind for none.
func InPath(names []string, value func(name string) string) (kind, id string) {
	for _, name := range names {
		switch name {
		case "pledge_id", "raise_id": // a further charge of a pledge is paid as a pledge is
			return Pledge, value(name)
		case "subscription_id":
			return Subscription, value(name)
		}
	}
	return "", ""
}

// Keys makes and checks tokens. It is safe for concurrent use.
type Keys struct {
	keys [][]byte // the first makes, all open
	now  func() time.Time
}

// New derives the key from the secret that both services have. Tokens that were made with a secret of before are still good.
func New(serviceSecret []byte, now func() time.Time, older ...[]byte) (*Keys, error) {
	k := &Keys{now: now}
	for _, secret := range append([][]byte{serviceSecret}, older...) {
		key, err := hkdf.Key(sha256.New, secret, nil, "order tokens", sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("derive the key of order tokens: %w", err)
		}
		k.keys = append(k.keys, key)
	}
	return k, nil
}

// Make is the token of an order that was made at a time. Making it again gives the same one.
func (k *Keys) Make(kind, id string, madeAt time.Time) string {
	until := strconv.FormatInt(madeAt.Add(Lifetime).Unix(), 10)
	return until + "." + mac(k.keys[0], kind, id, until)
}

// Opens reports whether a token is that of an order and its time is not over.
func (k *Keys) Opens(token, kind, id string) bool {
	until, given, _ := strings.Cut(token, ".")
	if !slices.ContainsFunc(k.keys, func(key []byte) bool { return hmac.Equal([]byte(given), []byte(mac(key, kind, id, until))) }) {
		return false
	}
	end, err := strconv.ParseInt(until, 10, 64)
	return err == nil && k.now().Before(time.Unix(end, 0))
}

func mac(key []byte, kind, id, until string) string {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(kind + "\n" + id + "\n" + until))
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}
