package stripe

import (
	"context"
	"crypto/hmac"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	sdk "github.com/stripe/stripe-go/v76"
	sdkwebhook "github.com/stripe/stripe-go/v76/webhook"

	"talkoot.fi/payments/internal/provider"
)

// SignatureTolerance is how far a webhook's timestamp may be from our clock, on both sides; the official client bounds
// the past only.
const SignatureTolerance = sdkwebhook.DefaultTolerance

// APIVersion is the version in which events have to be made.
const APIVersion = sdk.APIVersion

// ReadHook checks a delivery's signature and reads which object it is about.
func (c *Client) ReadHook(d provider.Delivery) (provider.Hook, error) {
	if err := VerifySignature(d.Body, d.Header.Get("Stripe-Signature"), c.config.WebhookSecrets, d.At); err != nil {
		return provider.Hook{}, err
	}
	h, err := ParseEvent(d.Body)
	if err != nil {
		return provider.Hook{}, err
	}
	h.WrongVersion, h.Foreign = h.APIVersion != APIVersion, h.Live != c.isLive()
	return h, nil
}

// MoneyOf is never needed: events name the intent.
func (c *Client) MoneyOf(context.Context, provider.About, string) (string, error) {
	return "", provider.ErrNotFound
}

func aboutOf(eventType string) provider.About {
	switch {
	case strings.HasPrefix(eventType, "payment_intent."), strings.HasPrefix(eventType, "checkout.session."):
		return provider.AboutPayment
	case eventType == "charge.refunded", strings.HasPrefix(eventType, "charge.refund."),
		strings.HasPrefix(eventType, "refund."):
		return provider.AboutRefund
	case strings.HasPrefix(eventType, "charge.dispute."):
		return provider.AboutDispute
	case strings.HasPrefix(eventType, "radar.early_fraud_warning."):
		return provider.AboutWarning
	case eventType == "payment_method.automatically_updated", eventType == "payment_method.updated",
		eventType == "payment_method.detached":
		return provider.AboutInstrument
	case eventType == "customer.deleted":
		return provider.AboutPayer
	case strings.HasPrefix(eventType, "transfer."):
		return provider.AboutSent
	}
	return provider.AboutNothing
}

// aboutAccount is what an event of a connected account is about.
func aboutAccount(eventType string) provider.About {
	if eventType == "account.application.deauthorized" {
		return provider.AboutPayeeGone
	}
	if strings.HasPrefix(eventType, "account.") || strings.HasPrefix(eventType, "capability.") || strings.HasPrefix(eventType, "person.") {
		return provider.AboutPayee
	}
	if strings.HasPrefix(eventType, "payout.") {
		return provider.AboutSent
	}
	return provider.AboutNothing
}

// VerifySignature checks the Stripe-Signature header of a raw body against any of the secrets. Error:
// provider.ErrSignature, with the reason.
func VerifySignature(body []byte, header string, secrets []string, now time.Time) error {
	var at time.Time
	var given [][]byte
	for pair := range strings.SplitSeq(header, ",") {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "t":
			seconds, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return fmt.Errorf("%w: timestamp", provider.ErrSignature)
			}
			at = time.Unix(seconds, 0)
		case "v1":
			if signature, err := hex.DecodeString(value); err == nil {
				given = append(given, signature)
			}
		}
	}
	if at.IsZero() || len(given) == 0 {
		return fmt.Errorf("%w: incomplete header", provider.ErrSignature)
	}
	if age := now.Sub(at); age > SignatureTolerance || age < -SignatureTolerance {
		return fmt.Errorf("%w: its timestamp is %s away", provider.ErrSignature, age)
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
	return provider.ErrSignature
}

// ParseEvent reads a verified body. Error: provider.ErrHook.
func ParseEvent(body []byte) (provider.Hook, error) {
	var raw struct {
		ID         string `json:"id"`
		Object     string `json:"object"`
		Type       string `json:"type"`
		APIVersion string `json:"api_version"`
		Live       bool   `json:"livemode"`
		Account    string `json:"account"` // of a connected account's
		Data       *struct {
			Object struct {
				ID            string          `json:"id"`
				Object        string          `json:"object"`
				PaymentIntent json.RawMessage `json:"payment_intent"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return provider.Hook{}, fmt.Errorf("%w: %w", provider.ErrHook, err)
	}
	if raw.ID == "" || raw.Object != "event" || raw.Type == "" || raw.Data == nil || raw.Data.Object.ID == "" {
		return provider.Hook{}, fmt.Errorf("%w: a part is missing", provider.ErrHook)
	}
	h := provider.Hook{Key: raw.ID, Type: raw.Type, APIVersion: raw.APIVersion, Live: raw.Live, Object: raw.Data.Object.ID}
	if raw.Data.Object.Object == "payment_intent" {
		h.Money = raw.Data.Object.ID
	} else {
		_ = json.Unmarshal(raw.Data.Object.PaymentIntent, &h.Money) // null or an expanded object: then there is none to use
	}
	h.About = aboutOf(h.Type)
	if raw.Account != "" { // what they have at Stripe besides being paid by us is not ours
		h.About, h.Money = aboutAccount(h.Type), ""
		if h.About == provider.AboutPayee || h.About == provider.AboutPayeeGone { // the object may be an application, a person, a bank account
			h.Object = raw.Account
		}
	}
	for _, text := range []string{h.Key, h.Type, h.APIVersion, h.Object, h.Money} {
		if !plain(text) {
			return provider.Hook{}, fmt.Errorf("%w: an id is no plain text", provider.ErrHook)
		}
	}
	return h, nil
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
