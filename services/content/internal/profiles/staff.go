package profiles

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words of staff, as skeleton writes them: a name has none of them as a word, or begins a word with one of the stems.
var (
	staffWords = skeletons("admin", "admins", "support", "webmaster", "sysadmin", "superadmin")
	staffStems = skeletons("talkoot", "moderator", "moderaat", "administr", "ylläpit", "yllapit", "asiakaspalvel", "asiakastuk",
		"kundtjänst", "kundservice", "customerservice", "customersupport")
)

func skeletons(words ...string) []string {
	for i, word := range words {
		words[i] = skeleton(word)
	}
	return words
}

// isStaffs reports whether readers could take a name for the platform's or its staff's: also spaced out, in capitals or
// with letters that look like others. A word that only ends so is a name like any other: kylätalkoot are held everywhere.
func isStaffs(name string) bool {
	words := strings.FieldsFunc(apartAtCapitals(spelt(name)), func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range words {
		words[i] = skeleton(word)
	}
	for _, word := range append(words, strings.Join(words, "")) {
		if slices.Contains(staffWords, word) || slices.ContainsFunc(staffStems, func(stem string) bool { return strings.HasPrefix(word, stem) }) {
			return true
		}
	}
	return false
}

// spelt writes compatibility forms (ａ, ⓐ, 𝐚) as plain letters, takes marks off, and has signs that stand for letters be
// letters.
func spelt(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		if letter, ok := lookalikes[r]; ok && !unicode.IsLetter(r) {
			return letter
		}
		return r
	}, norm.NFKD.String(name))
}

// apartAtCapitals has TheAdmin be two words.
func apartAtCapitals(name string) string {
	var b strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		before = r
	}
	return b.String()
}

// skeleton is what a word looks like: two words with one skeleton are told apart by few readers.
func skeleton(word string) string {
	seen := strings.Map(func(r rune) rune {
		if letter, ok := lookalikes[r]; ok { // capitals may look like another letter than their small ones do
			r = letter
		}
		r = unicode.ToLower(r)
		if letter, ok := lookalikes[r]; ok {
			r = letter
		}
		if r == 'i' || r == 'j' { // a capital i is a small l
			r = 'l'
		}
		return r
	}, spelt(word))
	return pairs.Replace(seen)
}

// pairs are two letters that are read as one.
var pairs = strings.NewReplacer("rn", "m", "vv", "w")

// lookalikes are letters and signs that are read as a Latin letter.
var lookalikes = map[rune]rune{
	'0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', '$': 's', '!': 'l', '|': 'l', '€': 'e',
	// Cyrillic
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'х': 'x', 'у': 'y', 'к': 'k', 'м': 'm', 'т': 't', 'н': 'h', 'в': 'b',
	'і': 'i', 'ј': 'j', 'ѕ': 's', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w', 'һ': 'h', 'ӏ': 'l', 'п': 'n', 'ո': 'n', 'ѵ': 'v',
	// Greek
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'μ': 'm', 'Ν': 'n', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'σ': 'o', 'τ': 't',
	'υ': 'u', 'χ': 'x', 'Η': 'h', 'Υ': 'y', 'Ρ': 'p',
	// Latin that no decomposition makes plain
	'ı': 'i', 'ɩ': 'i', 'ł': 'l', 'ø': 'o', 'đ': 'd', 'ð': 'd', 'ɑ': 'a', 'ɡ': 'g', 'ŧ': 't', 'ƚ': 'l', 'ǀ': 'l', 'ᴀ': 'a', 'ᴅ': 'd',
	'ɪ': 'i', 'ᴋ': 'k', 'ʟ': 'l', 'ᴍ': 'm', 'ɴ': 'n', 'ᴏ': 'o', 'ᴛ': 't', 'ꓔ': 't', 'ꓮ': 'a', 'ꓡ': 'l', 'ꓗ': 'k', 'ꓳ': 'o',
}
