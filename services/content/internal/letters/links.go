package letters

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
)

// Links makes and reads the tokens of the links by which people refuse the letters of a campaign. A token has the
// campaign, the hash of the address and a MAC over both: it works without signing in and without being stored, and is
// good for as long as the key is.
type Links struct{ key []byte }

// Sizes of a token's parts in bytes. Half of an HMAC-SHA-256 is kept (RFC 2104, 5): forging one is a guess in 2^128.
const (
	campaignSize = 8
	hashSize     = sha256.Size
	macSize      = 16
)

// NewLinks derives the key from a secret that every process of the service has.
func NewLinks(secret []byte) (Links, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "links in letters", sha256.Size)
	if err != nil {
		return Links{}, fmt.Errorf("derive the key of links in letters: %w", err)
	}
	return Links{key}, nil
}

// Token is that of an address, by its hash, for a campaign.
func (l Links) Token(campaignID int64, addressHash []byte) string {
	body := binary.BigEndian.AppendUint64(make([]byte, 0, campaignSize+hashSize+macSize), uint64(campaignID)) //nolint:gosec // ids are positive
	body = append(body, addressHash...)
	return base64.RawURLEncoding.EncodeToString(append(body, l.mac(body)...))
}

// read takes a token apart. False for one that these Links have not made.
func (l Links) read(token string) (campaignID int64, addressHash []byte, ok bool) {
	all, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(all) != campaignSize+hashSize+macSize {
		return 0, nil, false
	}
	body, mac := all[:campaignSize+hashSize], all[campaignSize+hashSize:]
	if !hmac.Equal(mac, l.mac(body)) {
		return 0, nil, false
	}
	return int64(binary.BigEndian.Uint64(body)), body[campaignSize:], true //nolint:gosec // as it was made
}

func (l Links) mac(body []byte) []byte {
	h := hmac.New(sha256.New, l.key)
	h.Write(body)
	return h.Sum(nil)[:macSize]
}
