package forum

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// request is what the forum asks.
type request struct {
	nonce     string
	returnURL string // one of the configured ones
}

// read checks a request's signature and decodes it. Its errors are for the log: callers are told the same for each.
func (c Config) read(sso, sig string) (request, error) {
	given, err := hex.DecodeString(sig) // with an error it returns what stands before the fault
	if err != nil || !hmac.Equal(given, c.mac(sso)) {
		return request{}, errors.New("wrong signature")
	}
	text, err := base64.StdEncoding.DecodeString(sso) // it ignores the line breaks of Ruby's encode64
	if err != nil {
		return request{}, fmt.Errorf("payload: %w", err)
	}
	fields, err := url.ParseQuery(string(text))
	if err != nil {
		return request{}, fmt.Errorf("payload: %w", err)
	}
	for _, values := range fields {
		if len(values) > 1 {
			return request{}, errors.New("payload with a repeated field")
		}
	}
	r := request{nonce: fields.Get("nonce"), returnURL: c.ReturnURLs[0]}
	if r.nonce == "" {
		return request{}, errors.New("payload without a nonce")
	}
	if fields.Has("return_sso_url") {
		r.returnURL = fields.Get("return_sso_url")
	}
	// Compared as text: two programs may read one address differently, but not one text.
	if !slices.Contains(c.ReturnURLs, r.returnURL) {
		return request{}, errors.New("return address that is not configured")
	}
	return r, nil
}

func (c Config) mac(text string) []byte {
	mac := hmac.New(sha256.New, c.Secret)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// field is one field of an answer.
type field struct{ name, value string }

// encode is a payload of fields in base64. Fields without a value are left out.
func encode(fields []field) string {
	var parts []string
	for _, f := range fields {
		if f.value != "" {
			parts = append(parts, f.name+"="+url.QueryEscape(f.value))
		}
	}
	return base64.StdEncoding.EncodeToString([]byte(strings.Join(parts, "&")))
}

// signed is the query with a payload and its signature.
func (c Config) signed(payload string) string {
	return "sso=" + url.QueryEscape(payload) + "&sig=" + hex.EncodeToString(c.mac(payload))
}
