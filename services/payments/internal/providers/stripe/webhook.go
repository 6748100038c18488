package stripe

import (
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"
	sdkwebhook "github.com/stripe/stripe-go/v76/webhook"
)

// SignatureTolerance is how far a webhook's timestamp may be from our clock, on both sides; the official client bounds
// the past only.
const SignatureTolerance = sdkwebhook.DefaultTolerance

// APIVersion is the version in which events have to be made.
const APIVersion = sdk.APIVersion

// Errors of webhooks; test with errors.Is.
var (
	ErrSignature = errors.New("webhook signature does not match")
	ErrEvent     = errors.New("webhook body is not an event")
)

// Event is what we read of a webhook; the object itself is always fetched again.
type Event struct {
	ID         string
	Type       string
	APIVersion string
	Live       bool
	// ObjectID is the object's own id; IntentID that of the payment intent it belongs to, when it says so.
	ObjectID string
	IntentID string
}

// VerifySignature checks the Stripe-Signature header of a raw body against any of the secrets (several while one is
// being rolled). Error: ErrSignature, with the reason.
func VerifySignature(body []byte, header string, secrets []string, now time.Time) error {
	var at time.Time
	var given [][]byte
	for pair := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "t":
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return fmt.Errorf("%w: timestamp", ErrSignature)
			}
			at = time.Unix(seconds, 0)
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				given = append(given, signature)
			}
		}
	}
	if at.IsZero() || len(given) == 0 {
		return fmt.Errorf("%w: incomplete header", ErrSignature)
	}
	if age := now.Sub(at); age > SignatureTolerance || age < -SignatureTolerance {
		return fmt.Errorf("%w: its timestamp is %s away", ErrSignature, age)
	}
	for _, secret := range secrets {
		if secret == "" { // an empty key would match whatever was signed with nothing
			continue
		}
		want := sdkwebhook.ComputeSignature(at, body, secret)
		for _, signature := range given {
			if hmac.Equal(want, signature) {
				return nil
			}
		}
	}
	return ErrSignature
}

// ParseEvent reads a verified body. Error: ErrEvent.
func ParseEvent(body []byte) (Event, error) {
	var raw struct {
		ID         string `json:"id"`
		Object     string `json:"object"`
		Type       string `json:"type"`
		APIVersion string `json:"api_version"`
		Live       bool   `json:"livemode"`
		Data       *struct {
			Object struct {
				ID            string          `json:"id"`
				Object        string          `json:"object"`
				PaymentIntent json.RawMessage `json:"payment_intent"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return Event{}, fmt.Errorf("%w: %w", ErrEvent, err)
	}
	if raw.ID == "" || raw.Object != "event" || raw.Type == "" || raw.Data == nil || raw.Data.Object.ID == "" {
		return Event{}, fmt.Errorf("%w: a part is missing", ErrEvent)
	}
	e := Event{ID: raw.ID, Type: raw.Type, APIVersion: raw.APIVersion, Live: raw.Live, ObjectID: raw.Data.Object.ID}
	if raw.Data.Object.Object == "payment_intent" {
		e.IntentID = raw.Data.Object.ID
	} else {
		_ = json.Unmarshal(raw.Data.Object.PaymentIntent, &e.IntentID) // null or an expanded object: then there is none to use
	}
	for _, text := range []string{e.ID, e.Type, e.APIVersion, e.ObjectID, e.IntentID} {
		if !plain(text) {
			return Event{}, fmt.Errorf("%w: an id is no plain text", ErrEvent)
		}
	}
	return e, nil
}

// maxPlain is longer than any id or type of Stripe.
const maxPlain = 255

// plain reports whether a text can be kept as an id: printable ASCII, and not long.
func plain(text string) bool {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] > 0x7e {
			return false
		}
	}
	return len(text) <= maxPlain
}
