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

// secrets are made once per data folder, so that sessions, webhooks and the sandbox's state survive a restart.
type secrets struct {
	SessionKey        string `json:"session_key"`    // base64 of an ed25519 seed
	ServiceSecret     string `json:"service_secret"` // between the two services
	StripeSecretKey   string `json:"stripe_secret_key"`
	StripePublishable string `json:"stripe_publishable_key"`
	StripeWebhook     string `json:"stripe_webhook_secret"`
}

func loadSecrets(path string) (secrets, error) {
	var s secrets
	raw, err := os.ReadFile(path)
	if err == nil {
		if err := json.Unmarshal(raw, &s); err != nil {
			return secrets{}, fmt.Errorf("read %s: %w", path, err)
		}
		return s, nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return secrets{}, fmt.Errorf("read secrets: %w", err)
	}
	seed := make([]byte, 32)
	if _, err := rand.Read(seed); err != nil {
		return secrets{}, fmt.Errorf("make secrets: %w", err)
	}
	s = secrets{
		SessionKey:        base64.StdEncoding.EncodeToString(seed),
		ServiceSecret:     rand.Text() + rand.Text(),
		StripeSecretKey:   "sk_test_" + rand.Text(),
		StripePublishable: "pk_test_" + rand.Text(),
		StripeWebhook:     "whsec_" + rand.Text(),
	}
	raw, err = json.MarshalIndent(s, "", "  ") // #nosec G117 -- the file is there to keep them, for its owner only
	if err != nil {
		return secrets{}, fmt.Errorf("make secrets: %w", err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		return secrets{}, fmt.Errorf("keep secrets: %w", err)
	}
	return s, nil
}
