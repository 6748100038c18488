// Package ids makes and reads the platform's random ids: 128 bits from crypto/rand, written as 26 lower-case letters
// and digits of Crockford's base32 (https://www.crockford.com/base32.html), without i, l, o and u.
//
// The canonical form is lower case and has exactly one spelling per id, so ids compare as strings. Such an id cannot be
// guessed, and does not reveal when or where it was made. It is no permission: it stands in addresses and files for good.
package ids

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"strings"
)

// Len is the length of an id in characters.
const Len = 26

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// ErrMalformed is Parse's error for a text that is not an id.
var ErrMalformed = errors.New("malformed id")

// New makes a fresh id. It cannot fail: without a source of randomness the program stops (see crypto/rand).
func New() string {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // never returns an error, as documented
	return encode(raw)
}

// Event makes the id of an event for another service, which ignores a second one with the same id.
func Event() string { return New() }

// Parse accepts an id in upper, lower or mixed case and returns its canonical form, or ErrMalformed.
func Parse(text string) (string, error) {
	if len(text) != Len {
		return "", ErrMalformed
	}
	var canonical [Len]byte
	for i := range Len {
		c := text[i]
		if 'A' <= c && c <= 'Z' { // bytes, not strings.ToLower: that turns letters such as the Kelvin sign into ASCII
			c += 'a' - 'A'
		}
		if strings.IndexByte(alphabet, c) < 0 {
			return "", ErrMalformed
		}
		canonical[i] = c
	}
	// 26 characters hold 130 bits; the two above 128 must be zero, or two texts would stand for one id.
	if canonical[0] > '7' {
		return "", ErrMalformed
	}
	return string(canonical[:]), nil
}

func encode(raw [16]byte) string {
	hi, lo := binary.BigEndian.Uint64(raw[:8]), binary.BigEndian.Uint64(raw[8:])
	var out [Len]byte
	for i := Len - 1; i >= 0; i-- {
		out[i] = alphabet[lo&31]
		lo = lo>>5 | hi<<59
		hi >>= 5
	}
	return string(out[:])
}
