package sessions

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"talkoot.fi/kit/apperr"
)

//go:embed common/passwords.txt
var commonPasswords string

const (
	// minPassword is in letters; the contract says the same.
	minPassword = 8
	// around is how many digits and signs before and behind a common password leave it common.
	around = 6
	// ownRest is how many letters and digits a password must have besides its person's own names.
	ownRest = 6
)

// checkPassword is the rule of the catalogue that a new password breaks, empty for one that is fine. Guesses begin with what
// many people use, and with what is known of the person.
func checkPassword(password, email string, names ...string) string {
	folded := fold(password)
	switch {
	case len([]rune(password)) < minPassword:
		return apperr.RuleMinLength
	case isOwn(folded, append(names, email)):
		return apperr.RulePasswordOwn
	case isCommon(folded):
		return apperr.RulePasswordCommon
	}
	return ""
}

func fold(text string) string { return strings.ToLower(norm.NFKC.String(text)) }

// isCommon reports whether a password is on the list, also twice in a row, with signs that stand for letters, or with a
// few digits and signs around it; or has three different signs at most.
func isCommon(folded string) bool {
	different := map[rune]bool{}
	for _, r := range folded {
		different[r] = true
	}
	if len(different) <= 3 {
		return true
	}
	bare := strings.TrimFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(folded)-len(bare) > around {
		bare = folded
	}
	for _, word := range []string{folded, bare} {
		if half := len(word) / 2; word[:half] == word[half:] {
			word = word[:half]
		}
		if isListed(word) || isListed(asLetters.Replace(word)) {
			return true
		}
	}
	return false
}

// asLetters takes signs for the letters that they stand for in passwords.
var asLetters = strings.NewReplacer("@", "a", "4", "a", "0", "o", "3", "e", "$", "s", "5", "s", "1", "i", "!", "i")

// isListed looks through 50 kB, which takes less than a thousandth of hashing a password.
func isListed(word string) bool {
	return word != "" && !strings.ContainsAny(word, "\n# ") && strings.Contains(commonPasswords, "\n"+word+"\n")
}

// isOwn reports whether little is left of a password without its person's names, address and parts of it.
func isOwn(folded string, own []string) bool {
	var parts []string
	for _, text := range own {
		parts = append(parts, plain(fold(text)))
		parts = append(parts, strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
	}
	slices.SortFunc(parts, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest is cut out first
	rest := plain(folded)
	before := len(rest)
	for _, part := range parts {
		if len([]rune(part)) >= 3 {
			rest = strings.ReplaceAll(rest, part, "")
		}
	}
	return len(rest) < before && len([]rune(rest)) < ownRest
}

// plain is a text without its spaces and signs.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
