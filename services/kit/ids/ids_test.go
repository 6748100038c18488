package ids

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

func TestNew_IsCanonicalAndNeverRepeats(t *testing.T) {
	seen := map[string]bool{}
	for range 10_000 {
		id := New()
		if got, err := Parse(id); err != nil || got != id {
			t.Fatalf("Parse(%q) = %q, %v", id, got, err)
		}
		if seen[id] {
			t.Fatalf("%q came twice", id)
		}
		seen[id] = true
	}
}

func TestNew_UsesEveryBit(t *testing.T) {
	ones, zeros := new(big.Int), new(big.Int)
	for range 200 {
		n := decode(t, New())
		ones.Or(ones, n)
		zeros.Or(zeros, new(big.Int).Not(n))
	}
	all := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))
	if ones.Cmp(all) != 0 || new(big.Int).And(zeros, all).Cmp(all) != 0 {
		t.Errorf("some of the 128 bits never changed: %x %x", ones, zeros)
	}
}

func TestEncode_IsBase32OfTheWholeNumber(t *testing.T) {
	tests := []struct {
		name string
		raw  [16]byte
		want string
	}{
		{"zero", [16]byte{}, "00000000000000000000000000"},
		{"one", [16]byte{15: 1}, "00000000000000000000000001"},
		{"carries over the halves", [16]byte{7: 1}, "0000000000000g000000000000"},
		{"all ones", [16]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, "7" + strings.Repeat("z", 25)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := encode(tt.raw); got != tt.want {
				t.Errorf("encode = %q, want %q", got, tt.want)
			}
			if got := decode(t, encode(tt.raw)); got.Cmp(new(big.Int).SetBytes(tt.raw[:])) != 0 {
				t.Errorf("decoded %x, want %x", got, tt.raw)
			}
		})
	}
}

func TestParse_AcceptsAnyCaseAndReturnsLower(t *testing.T) {
	id := New()
	for _, text := range []string{strings.ToUpper(id), strings.ToUpper(id[:9]) + id[9:]} {
		if got, err := Parse(text); err != nil || got != id {
			t.Errorf("Parse(%q) = %q, %v, want %q", text, got, err, id)
		}
	}
}

func TestParse_RefusesWhatIsNoID(t *testing.T) {
	for _, text := range []string{
		"", "0", strings.Repeat("0", 25), strings.Repeat("0", 27),
		"8" + strings.Repeat("0", 25),      // above 128 bits
		strings.Repeat("0", 25) + "u",      // not in the alphabet
		strings.Repeat("0", 25) + "l",      // look-alikes have no second spelling
		" " + strings.Repeat("0", 25),      // spaces
		strings.Repeat("0", 24) + "é",      // two bytes, one letter
		strings.Repeat("0", 23) + "\u212a", // the Kelvin sign lowers to k
	} {
		if got, err := Parse(text); !errors.Is(err, ErrMalformed) {
			t.Errorf("Parse(%q) = %q, %v, want ErrMalformed", text, got, err)
		}
	}
}

func decode(t *testing.T, id string) *big.Int {
	t.Helper()
	n := new(big.Int)
	for _, r := range id {
		n.Lsh(n, 5).Or(n, big.NewInt(int64(strings.IndexRune(alphabet, r))))
	}
	return n
}
