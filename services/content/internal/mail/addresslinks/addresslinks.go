// Package addresslinks makes and reads the tokens of links by which people refuse mail about a campaign. A token has the campaign, the hash
// of the address and a MAC over both: it works without signing in and without being stored, and is good for as long as the key is.
package addresslinks

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"
)

// Links are those of all kinds of mail.
type Links struct{ Letters, Reminders Kind }

// Kind makes and reads the tokens of one kind of mail; those of another are none of its.
type Kind struct{ keys [][]byte } // the first makes, all read

// Sizes of a token's parts in bytes. Half of an HMAC-SHA-256 is kept (RFC 2104, 5): forging one is a guess in 2^128.
const (
	campaignSize = 8
	hashSize     = sha256.Size
	macSize      = 16
)

// New derives the keys from a secret that every process of the service has. Links that were made with a secret of before are still good.
func New(secret []byte, older ...[]byte) (l Links, err error) {
	for name, kind := range map[string]*Kind{"letters": &l.Letters, "reminders": &l.Reminders} {
		for _, one := range append([][]byte{secret}, older...) {
			key, err := hkdf.Key(sha256.New, one, nil, "links in "+name, sha256.Size)
			if err != nil {
				return Links{}, fmt.Errorf("derive the key of links in %s: %w", name, err)
			}
			kind.keys = append(kind.keys, key)
		}
	}
	return l, nil
}

// Token is that of an address, by its hash, for a campaign.
func (k Kind) Token(campaignID int64, addressHash []byte) string {
	body := binary.BigEndian.AppendUint64(make([]byte, 0, campaignSize+hashSize+macSize), uint64(campaignID)) //nolint:gosec // ids are positive
	body = append(body, addressHash...)
	return base64.RawURLEncoding.EncodeToString(append(body, macOf(k.keys[0], body)...))
}

// Read takes a token apart. False for one of another kind, or that nobody here has made.
func (k Kind) Read(token string) (campaignID int64, addressHash []byte, ok bool) {
	all, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(all) != campaignSize+hashSize+macSize {
		return 0, nil, false
	}
	body, mac := all[:campaignSize+hashSize], all[campaignSize+hashSize:]
	if !slices.ContainsFunc(k.keys, func(key []byte) bool { return hmac.Equal(mac, macOf(key, body)) }) {
		return 0, nil, false
	}
	return int64(binary.BigEndian.Uint64(body)), body[campaignSize:], true //nolint:gosec // as it was made
}

func macOf(key, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(body)
	return h.Sum(nil)[:macSize]
}
