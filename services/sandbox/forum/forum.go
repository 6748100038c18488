package forum

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"strings"
	"sync"
	"time"
)

const (
	// nonceLife is how long a log-in may take; Discourse allows as much.
	nonceLife = 10 * time.Minute
	// maxKept bounds the log-ins under way, and the people who are logged in.
	maxKept = 10_000
)

// refusal is why a log-in fails, in words for the person.
type refusal string

func (r refusal) Error() string { return string(r) }

// Errors of take.
const (
	errSignature refusal = "The answer of the log-in has a wrong signature."
	errNonce     refusal = "The log-in has expired, was used or began in another browser."
	errMember    refusal = "The answer of the log-in does not say for certain who it is."
)

// Options are what the forum needs.
type Options struct {
	// Secret is shared with the platform.
	Secret string
	// SiteURL is the platform's address, URL that of this forum's origin; without a final slash.
	SiteURL, URL string
	Now          func() time.Time
}

// Forum is the stand-in.
type Forum struct {
	opts Options

	mu      sync.Mutex
	nonces  map[string]begun
	members map[string]Member // by the browser's cookie
}

// begun is a log-in under way.
type begun struct {
	browser string
	at      time.Time
}

// Member is what the platform has told of somebody.
type Member struct {
	ExternalID, Email, Name, Username, AvatarURL, Bio string
	Groups                                            []string
	Admin, Moderator                                  bool
}

// New makes a forum.
func New(o Options) *Forum {
	return &Forum{opts: o, nonces: map[string]begun{}, members: map[string]Member{}}
}

// prefixes of the platform's addresses, by language.
var prefixes = map[string]string{"en": "/en", "sv": "/sv"}

// begin makes a nonce for a browser, and returns where the browser is sent with it. Language is that of the platform's
// page, empty for its first.
func (f *Forum) begin(browser, language string) string {
	nonce := rand.Text()
	f.mu.Lock()
	now := f.opts.Now()
	for n, b := range f.nonces {
		if now.Sub(b.at) > nonceLife || len(f.nonces) >= maxKept {
			delete(f.nonces, n)
		}
	}
	f.nonces[nonce] = begun{browser, now}
	f.mu.Unlock()
	return f.opts.SiteURL + prefixes[language] + "/forum/sso/?" + f.signed(url.Values{"nonce": {nonce}, "return_sso_url": {f.opts.URL + returnPath}}).Encode()
}

// take checks the platform's answer and logs the browser in. The errors' texts are for the person.
func (f *Forum) take(browser string, answer url.Values) error {
	mac, err := hex.DecodeString(answer.Get("sig"))
	if err != nil || !hmac.Equal(mac, f.mac(answer.Get("sso"))) {
		return errSignature
	}
	text, err := base64.StdEncoding.DecodeString(answer.Get("sso"))
	if err != nil {
		return errSignature
	}
	told, err := url.ParseQuery(string(text))
	if err != nil {
		return errSignature
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	b, ok := f.nonces[told.Get("nonce")]
	if !ok || browser == "" || b.browser != browser || f.opts.Now().Sub(b.at) > nonceLife {
		return errNonce
	}
	delete(f.nonces, told.Get("nonce"))
	if told.Get("external_id") == "" || told.Get("email") == "" || told.Get("require_activation") == "true" {
		return errMember
	}
	for other := range f.members {
		if len(f.members) >= maxKept {
			delete(f.members, other)
		}
	}
	f.members[browser] = Member{ExternalID: told.Get("external_id"), Email: told.Get("email"), Name: told.Get("name"),
		Username: told.Get("username"), AvatarURL: told.Get("avatar_url"), Bio: told.Get("bio"),
		Groups: strings.FieldsFunc(told.Get("add_groups"), func(r rune) bool { return r == ',' }),
		Admin:  told.Get("admin") == "true", Moderator: told.Get("moderator") == "true"}
	return nil
}

// member is who is logged in in a browser.
func (f *Forum) member(browser string) (Member, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m, ok := f.members[browser]
	return m, ok
}

func (f *Forum) logOut(browser string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.members, browser)
}

func (f *Forum) mac(text string) []byte {
	mac := hmac.New(sha256.New, []byte(f.opts.Secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// signed is a payload with its signature.
func (f *Forum) signed(payload url.Values) url.Values {
	sso := base64.StdEncoding.EncodeToString([]byte(payload.Encode()))
	return url.Values{"sso": {sso}, "sig": {hex.EncodeToString(f.mac(sso))}}
}
