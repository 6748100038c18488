//go:build unix

package platform

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// secrets are made once per data folder, so that sessions, webhooks and the sandbox's state survive a restart. Those
// that a file of an older version lacks are added.
type secrets struct {
	SessionKey        string `json:"session_key"`    // base64 of an ed25519 seed
	ServiceSecret     string `json:"service_secret"` // between the two services
	StripeSecretKey   string `json:"stripe_secret_key"`
	StripePublishable string `json:"stripe_publishable_key"`
	StripeWebhook     string `json:"stripe_webhook_secret"`
	MangopayKey       string `json:"mangopay_api_key"`
	PaymentsDatabase  string `json:"payments_database_password"` // of the payment service's role
	Forum             string `json:"discourse_connect_secret"`
}

func loadSecrets(path string) (secrets, error) {
	var s secrets
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
	case err != nil:
		return secrets{}, fmt.Errorf("read secrets: %w", err)
	default:
		if err := json.Unmarshal(raw, &s); err != nil {
			return secrets{}, fmt.Errorf("read %s: %w", path, err)
		}
	}
	before := s
	if s.complete(); s == before {
		return s, nil
	}
	raw, err = json.MarshalIndent(s, "", "  ") // #nosec G117 -- the file is there to keep them, for its owner only
	if err != nil {
		return secrets{}, fmt.Errorf("make secrets: %w", err)
	}
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return secrets{}, fmt.Errorf("keep secrets: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return secrets{}, fmt.Errorf("keep secrets: %w", err)
	}
	return s, nil
}

// complete makes what is missing.
func (s *secrets) complete() {
	seed := make([]byte, 32)
	_, _ = rand.Read(seed) // never fails
	for secret, made := range map[*string]string{
		&s.SessionKey:        base64.StdEncoding.EncodeToString(seed),
		&s.ServiceSecret:     rand.Text() + rand.Text(),
		&s.StripeSecretKey:   "sk_test_" + rand.Text(),
		&s.StripePublishable: "pk_test_" + rand.Text(),
		&s.StripeWebhook:     "whsec_" + rand.Text(),
		&s.MangopayKey:       rand.Text(),
		&s.PaymentsDatabase:  rand.Text() + rand.Text(),
		&s.Forum:             rand.Text() + rand.Text(),
	} {
		if *secret == "" {
			*secret = made
		}
	}
}
