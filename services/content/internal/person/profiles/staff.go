package profiles

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Words that only staff may have in their names, as skeletons: staffWords as whole words, staffStems as beginnings of
// words.
var (
	staffWords = skeletons("admin", "admins", "support", "webmaster", "sysadmin", "superadmin", "mangopay")
	staffStems = skeletons("talkoot", "moderator", "moderaat", "administr", "ylläpit", "yllapit", "asiakaspalvel", "asiakastuk",
		"kundtjänst", "kundservice", "customerservice", "customersupport")
)

// Words that make a name an office's or a payment service's when it has nothing but them: at least one of officeWords or brands, and
// besides only officeFillers. With other words they are trades (a security firm) and surnames, but a name that begins with a brand is its.
var (
	brands      = skeletons("stripe", "paypal", "mobilepay", "klarna", "mastercard", "paytrail", "trustly", "applepay", "googlepay") // some are surnames as well
	officeWords = append(skeletons("mangopay", "security", "safety", "fraud", "billing", "payment", "payments", "verification", "helpdesk", "official", "staff",
		"tietoturva", "turvallisuus", "maksupalvelu", "maksut", "virallinen", "henkilökunta", "säkerhet", "säkerhets", "betalning", "betalningar",
		"betalnings", "officiell", "personalen"), brands...)
	officeFillers = skeletons("team", "teamet", "tiimi", "the", "and", "trust", "account", "accounts", "department", "desk", "help", "service", "services",
		"prevention", "tuki", "palvelu", "osasto", "ryhmä", "avdelningen", "gruppen", "tjänst", "oy", "ab", "oyj", "inc", "ltd", "llc", "sa")
)

func skeletons(words ...string) []string {
	for i, word := range words {
		words[i] = skeleton(word)
	}
	return words
}

// looksLikeStaff reports whether a name looks like the platform's, its staff's, an office's or a payment service's, also with spaces
// between letters, in capitals or with confusable characters. A word that only ends so is allowed: kylätalkoot is a common word.
func looksLikeStaff(name string) bool {
	words := strings.FieldsFunc(splitAtCapitals(plainLetters(name)), func(r rune) bool { return !unicode.IsLetter(r) })
	for i, word := range words {
		words[i] = skeleton(word)
	}
	for i := range words {
		for end := i + 1; end <= len(words); end++ {
			text, isWhole := strings.Join(words[i:end], ""), end == i+1 || end == len(words)
			if slices.Contains(staffWords, text) || i == 0 && slices.Contains(brands, text) ||
				isWhole && slices.ContainsFunc(staffStems, func(stem string) bool { return strings.HasPrefix(text, stem) }) {
				return true
			}
		}
	}
	return isOffice(strings.Join(words, ""))
}

// isBrandAlone reports whether a name is the one word of a brand, which some people are called.
func isBrandAlone(name string) bool {
	return slices.Contains(brands, skeleton(strings.TrimSpace(name)))
}

// isOffice reports whether letters, read as words one after the other in any way, are one of officeWords and besides only fillers.
func isOffice(letters string) bool {
	const none, filler, office = 0, 1, 2 // what the letters up to a place are
	reached := make([]int, len(letters)+1)
	reached[0] = filler
	for at := range letters {
		for kind, words := range map[int][]string{filler: officeFillers, office: officeWords} {
			for _, word := range words {
				if reached[at] != none && strings.HasPrefix(letters[at:], word) {
					end := at + len(word)
					reached[end] = max(reached[end], reached[at], kind)
				}
			}
		}
	}
	return reached[len(letters)] == office
}

// plainLetters replaces compatibility forms (ａ, ⓐ, 𝐚) and signs that stand for letters by plain letters, and removes
// combining marks.
func plainLetters(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.M, r) {
			return -1
		}
		if letter, ok := confusables[r]; ok && !unicode.IsLetter(r) {
			return letter
		}
		return r
	}, norm.NFKD.String(name))
}

// splitAtCapitals splits TheAdmin into two words.
func splitAtCapitals(name string) string {
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

// skeleton maps words that look alike to the same text (as in Unicode TR 39).
func skeleton(word string) string {
	seen := strings.Map(func(r rune) rune {
		if letter, ok := confusables[r]; ok { // some capitals look like another letter than the small ones do
			r = letter
		}
		r = unicode.ToLower(r)
		if letter, ok := confusables[r]; ok {
			r = letter
		}
		if r == 'i' || r == 'j' { // a capital i is a small l
			r = 'l'
		}
		return r
	}, plainLetters(word))
	return pairs.Replace(seen)
}

// pairs are two letters that look like one.
var pairs = strings.NewReplacer("rn", "m", "vv", "w")

// confusables are characters that look like a Latin letter.
var confusables = map[rune]rune{
	'0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', '$': 's', '!': 'l', '|': 'l', '€': 'e',
	// Cyrillic
	'а': 'a', 'е': 'e', 'о': 'o', 'р': 'p', 'с': 'c', 'х': 'x', 'у': 'y', 'к': 'k', 'м': 'm', 'т': 't', 'н': 'h', 'в': 'b',
	'і': 'i', 'ј': 'j', 'ѕ': 's', 'ԁ': 'd', 'ԛ': 'q', 'ԝ': 'w', 'һ': 'h', 'ӏ': 'l', 'п': 'n', 'ո': 'n', 'ѵ': 'v',
	// Greek
	'α': 'a', 'β': 'b', 'ε': 'e', 'η': 'n', 'ι': 'i', 'κ': 'k', 'μ': 'm', 'Ν': 'n', 'ν': 'v', 'ο': 'o', 'ρ': 'p', 'σ': 'o', 'τ': 't',
	'υ': 'u', 'χ': 'x', 'Η': 'h', 'Υ': 'y', 'Ρ': 'p',
	// Latin letters without a decomposition
	'ı': 'i', 'ɩ': 'i', 'ł': 'l', 'ø': 'o', 'đ': 'd', 'ð': 'd', 'ɑ': 'a', 'ɡ': 'g', 'ŧ': 't', 'ƚ': 'l', 'ǀ': 'l', 'ᴀ': 'a', 'ᴅ': 'd',
	'ɪ': 'i', 'ᴋ': 'k', 'ʟ': 'l', 'ᴍ': 'm', 'ɴ': 'n', 'ᴏ': 'o', 'ᴛ': 't', 'ꓔ': 't', 'ꓮ': 'a', 'ꓡ': 'l', 'ꓗ': 'k', 'ꓳ': 'o',
}
