package stripe_test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	sdkwebhook "github.com/stripe/stripe-go/v76/webhook"

	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

// A body and its signature as the official clients compute it.
const (
	vectorBody = `{"id":"evt_1","object":"event","api_version":"2023-10-16","created":1700000000,"livemode":false,"pending_webhooks":1,` +
		`"type":"payment_intent.succeeded","request":{"id":null,"idempotency_key":null},"data":{"object":{"id":"pi_1","object":"payment_intent"}}}`
	vectorSignature = "b29ddf3a0606dadd06a125fc081245d95e45d520cb5ccb98f1cae7171efece52"
)

func TestVerifySignature(t *testing.T) {
	t.Parallel()
	at := time.Unix(1700000000, 0)
	secret := []string{"whsec_test"}
	zeros := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		header  string
		secrets []string
		now     time.Time
		ok      bool
	}{
		"right":                   {"t=1700000000,v1=" + vectorSignature, secret, at, true},
		"second signature":        {"t=1700000000,v1=" + zeros + ",v1=" + vectorSignature, secret, at, true},
		"second secret":           {"t=1700000000,v1=" + vectorSignature, []string{"whsec_new", "whsec_test"}, at, true},
		"other scheme":            {"t=1700000000,v0=" + vectorSignature, secret, at, false},
		"other secret":            {"t=1700000000,v1=" + vectorSignature, []string{"whsec_other"}, at, false},
		"no secret":               {"t=1700000000,v1=" + vectorSignature, nil, at, false},
		"other time":              {"t=1700000001,v1=" + vectorSignature, secret, at, false},
		"at the end of tolerance": {"t=1700000000,v1=" + vectorSignature, secret, at.Add(stripe.SignatureTolerance), true},
		"late": {"t=1700000000,v1=" + vectorSignature, secret,
			at.Add(stripe.SignatureTolerance + time.Second), false},
		"early":     {"t=1700000000,v1=" + vectorSignature, secret, at.Add(-stripe.SignatureTolerance - time.Second), false},
		"no hex":    {"t=1700000000,v1=zz", secret, at, false},
		"huge time": {"t=9223372036854775807,v1=" + vectorSignature, secret, at, false},
		"empty":     {"", secret, at, false},
	} {
		if err := stripe.VerifySignature([]byte(vectorBody), c.header, c.secrets, c.now); (err == nil) != c.ok ||
			err != nil && !errors.Is(err, provider.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nothing but the secret opens the door, whatever header and body come.
func FuzzVerifySignature(f *testing.F) {
	at := time.Unix(1700000000, 0)
	f.Add(vectorBody, "t=1700000000,v1="+vectorSignature)
	f.Add("", "t=,v1=,v1,=")
	f.Fuzz(func(t *testing.T, body, header string) {
		if stripe.VerifySignature([]byte(body), header, []string{"another secret"}, at) == nil {
			t.Errorf("%q opened %q", header, body)
		}
		signature := hex.EncodeToString(sdkwebhook.ComputeSignature(at, []byte(body), "another secret"))
		if err := stripe.VerifySignature([]byte(body), fmt.Sprintf("t=%d,v1=%s", at.Unix(), signature),
			[]string{"another secret"}, at); err != nil {
			t.Errorf("a right signature of %q: %v", body, err)
		}
	})
}

// What parses can be stored: ids are short printable ASCII.
func FuzzParseEvent(f *testing.F) {
	f.Add(vectorBody)
	f.Add(`{"id":"evt\u0000","object":"event","type":"x","data":{"object":{"id":"a"}}}`)
	f.Add(`{"data":null}`)
	f.Fuzz(func(t *testing.T, body string) {
		e, err := stripe.ParseEvent([]byte(body))
		if err != nil {
			return
		}
		for _, text := range []string{e.Key, e.Type, e.APIVersion, e.Object, e.Money} {
			if len(text) > 255 || strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
				t.Errorf("%q was taken as an id", text)
			}
		}
		if e.Key == "" || e.Type == "" || e.Object == "" {
			t.Errorf("%+v was taken as an event", e)
		}
	})
}
