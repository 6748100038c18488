package variations

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strconv"
)

// sealedBytes is the length of a sealed visitor: enough that no two are equal by chance.
const sealedBytes = 16

// Seal hides visitors behind a keyed hash.
type Seal struct{ key []byte }

// NewSeal derives the key from a secret. With another secret everybody is a new visitor.
func NewSeal(secret []byte) (Seal, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "visitors of campaigns", sha256.Size)
	if err != nil {
		return Seal{}, fmt.Errorf("derive the key of visitors: %w", err)
	}
	return Seal{key}, nil
}

// Visitor is the sealed visitor of a campaign; nil for an empty one.
func (s Seal) Visitor(visitor string, campaignID int64) []byte {
	if visitor == "" {
		return nil
	}
	mac := hmac.New(sha256.New, s.key)
	_, _ = mac.Write([]byte(visitor + ":" + strconv.FormatInt(campaignID, 10))) // a hash's Write never fails
	return mac.Sum(nil)[:sealedBytes]
}
