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
	// minPassword is in characters; the contract has the same.
	minPassword = 8
	// maxAffix is how many digits and signs before and after a common password may be cut off for the comparison.
	maxAffix = 6
	// platform is its name, which passwords are made of as they are of people's.
	platform = "talkoot"
	// minOwnRest is how many letters and digits a password needs beside the person's names and address.
	minOwnRest = 6
)

// checkPassword returns the rule of the catalogue that a new password breaks, empty if none. It refuses what attackers
// try first: common passwords, and those made of the person's name or address, or of the platform's.
func checkPassword(password, email string, names ...string) string {
	folded := fold(password)
	switch {
	case len([]rune(norm.NFC.String(password))) < minPassword:
		return apperr.RuleMinLength
	case isOwn(folded, append(names, email, platform)):
		return apperr.RulePasswordOwn
	case isCommon(folded):
		return apperr.RulePasswordCommon
	}
	return ""
}

func fold(text string) string { return strings.ToLower(norm.NFKC.String(text)) }

// isCommon reports whether a password is on the list of common passwords, also repeated, with signs in place of
// letters, or with a few digits and signs around it; or whether it has at most three different characters.
func isCommon(folded string) bool {
	different := map[rune]bool{}
	for _, r := range folded {
		different[r] = true
	}
	if len(different) <= 3 {
		return true
	}
	bare := strings.TrimFunc(folded, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(folded)-len(bare) > maxAffix {
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

// asLetters replaces signs by the letters that they stand for in passwords.
var asLetters = strings.NewReplacer("@", "a", "4", "a", "0", "o", "3", "e", "$", "s", "5", "s", "1", "i", "!", "i")

// isListed searches 50 kB of text, in less than a thousandth of the time of hashing a password.
func isListed(word string) bool {
	return word != "" && !strings.ContainsAny(word, "\n# ") && strings.Contains(commonPasswords, "\n"+word+"\n")
}

// isOwn reports whether fewer than minOwnRest characters are left of a password without the person's names and address.
func isOwn(folded string, own []string) bool {
	var parts []string
	for _, text := range own {
		parts = append(parts, plain(fold(text)))
		parts = append(parts, strings.FieldsFunc(fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })...)
	}
	slices.SortFunc(parts, func(a, b string) int { return cmp.Compare(len(b), len(a)) }) // the longest is removed first
	rest := plain(folded)
	before := len(rest)
	for _, part := range parts {
		if len([]rune(part)) >= 3 {
			rest = strings.ReplaceAll(rest, part, "")
		}
	}
	return len(rest) < before && len([]rune(rest)) < minOwnRest
}

// plain is the letters and digits of a text.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}
