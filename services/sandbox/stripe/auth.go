package stripe

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
)

// authenticate takes any well-formed test key as Bearer token, Basic user name or key parameter.
func authenticate(c *call, ep endpoint, r *http.Request) *apiError {
	key := bearer(r)
	switch {
	case secretKey.MatchString(key):
		return nil
	case publishableKey.MatchString(key):
		if !ep.client {
			return invalidRequest(http.StatusForbidden, "secret_key_required",
				"This API call cannot be made with a publishable API key. Please use a secret API key.")
		}
		c.clientKey = true
		return nil
	case key == "":
		return invalidRequest(http.StatusUnauthorized, "",
			"You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth.")
	default:
		return invalidRequest(http.StatusUnauthorized, "", "Invalid API Key provided: "+masked(key))
	}
}

func masked(key string) string {
	if len(key) <= 12 {
		return strings.Repeat("*", len(key))
	}
	return key[:8] + "****" + key[len(key)-4:]
}

func bearer(r *http.Request) string {
	scheme, rest, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch strings.ToLower(scheme) {
	case "bearer":
		return strings.TrimSpace(rest)
	case "basic":
		raw, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest))
		if err != nil {
			return "malformed"
		}
		user, _, _ := strings.Cut(string(raw), ":")
		return user
	}
	return ""
}

// servesAccounts tells the calls that can be about a connected account.
func servesAccounts(pattern string) bool {
	_, path, _ := strings.Cut(pattern, " ")
	return strings.HasPrefix(path, "/v1/balance") || strings.HasPrefix(path, "/v1/payouts")
}

func checkHeaders(c *call, ep endpoint, r *http.Request) *apiError {
	// Another version has other shapes, which nothing here renders: what asks for it must not pass as if it had them.
	if v := r.Header.Get("Stripe-Version"); v != "" && v != APIVersion {
		return badRequest("Invalid Stripe API version: " + v)
	}
	if len(c.idemKey) > 255 {
		return badRequest("Idempotency keys can be at most 255 characters long.")
	}
	if c.account = r.Header.Get("Stripe-Account"); c.account != "" && !servesAccounts(ep.pattern) {
		return badRequest("The sandbox makes this call for the platform's own account only.")
	}
	return nil
}

func readForm(r *http.Request) (*node, *apiError) {
	encoded := r.URL.RawQuery
	if r.Method != http.MethodGet {
		body, err := io.ReadAll(io.LimitReader(r.Body, maxBody+1))
		if err != nil || len(body) > maxBody {
			return nil, invalidRequest(http.StatusBadRequest, "", "The request body could not be read or is too large.")
		}
		if t := r.Header.Get("Content-Type"); len(body) > 0 && t != "" && !strings.HasPrefix(t, "application/x-www-form-urlencoded") {
			return nil, badRequest("Invalid request: the body must be application/x-www-form-urlencoded.")
		}
		encoded = string(body) + "&" + encoded
	}
	return parseForm(encoded)
}
