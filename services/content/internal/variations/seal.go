package variations

import (
	"crypto/hmac"
	"crypto/sha256"
	"strconv"
)

// sealedBytes is the length of a sealed visitor: enough that no two are equal by chance.
const sealedBytes = 16

// Seal hides visitors behind a keyed hash.
type Seal struct{ key []byte }

// NewSeal makes a seal from a secret key. With another key everybody is a new visitor.
func NewSeal(key []byte) Seal { return Seal{key: key} }

// Visitor is the sealed visitor of a campaign; nil for an empty one.
func (s Seal) Visitor(visitor string, campaignID int64) []byte {
	if visitor == "" {
		return nil
	}
	mac := hmac.New(sha256.New, s.key)
	_, _ = mac.Write([]byte(visitor + ":" + strconv.FormatInt(campaignID, 10))) // a hash's Write never fails
	return mac.Sum(nil)[:sealedBytes]
}
