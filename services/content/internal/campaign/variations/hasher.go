package variations

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"fmt"
	"strconv"
)

// hashBytes is the length of a visitor's hash: enough that no two are equal by chance.
const hashBytes = 16

// VisitorHasher makes the keyed hashes that visitors are stored as, so that the database does not identify them.
type VisitorHasher struct{ key []byte }

// NewVisitorHasher derives the key from a secret. After a change of the secret everybody counts as a new visitor.
func NewVisitorHasher(secret []byte) (VisitorHasher, error) {
	key, err := hkdf.Key(sha256.New, secret, nil, "visitors of campaigns", sha256.Size)
	if err != nil {
		return VisitorHasher{}, fmt.Errorf("derive the key of visitors: %w", err)
	}
	return VisitorHasher{key}, nil
}

// Hash is the HMAC-SHA-256 of a visitor of a campaign, cut to 16 bytes; nil for an empty visitor. Another campaign
// gives another hash, so that nobody can be followed from one to the next.
func (h VisitorHasher) Hash(visitor string, campaignID int64) []byte {
	if visitor == "" {
		return nil
	}
	mac := hmac.New(sha256.New, h.key)
	_, _ = mac.Write([]byte(visitor + ":" + strconv.FormatInt(campaignID, 10))) // a hash's Write never fails
	return mac.Sum(nil)[:hashBytes]
}
