// Package keywords is how lists are searched: every word of a keyword must occur in a text that SQL's searchable has made
// (lower case, no accents) and that begins with a space. A trigram index on the text serves the conditions.
package keywords

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxWords bounds the cost of a keyword; of a longer one the first words count.
const maxWords = 8

// around is what stands around words and belongs to none; other signs do, as in C++.
const around = "\"'`´“”„‟‘’‚«»‹›()[]{}<>.,;:!?…*"

// unseen takes out of words what is not to be seen in them.
var unseen = strings.NewReplacer("\u00ad", "", "\u200b", "", "\u2060", "", "\ufeff", "")

// Words splits a keyword into the words that must occur, in lower case and without repeats. Control characters
// separate words, as spaces do, and dashes: what one joins is found with it and without. Signs around words are left out, as are
// words without a letter or digit.
func Words(keyword string) []string {
	words := strings.FieldsFunc(strings.ToLower(unseen.Replace(strings.ToValidUTF8(keyword, " "))), separates)
	for i, word := range words {
		words[i] = strings.Trim(word, around)
	}
	words = slices.DeleteFunc(words, func(word string) bool { return !strings.ContainsFunc(word, alphanumeric) })
	slices.Sort(words)
	words = slices.Compact(words)
	return words[:min(len(words), maxWords)]
}

func separates(r rune) bool {
	return r <= ' ' || r == 0x7f || unicode.IsSpace(r) || unicode.Is(unicode.Pd, r)
}

// Conditions are the SQL conditions that an expression, such as a column, contains each of the Words. They set the
// parameters word0, word1 ... Words are normalised like the text, then wildcards are escaped; subqueries do so once and not
// for each row.
func Conditions(expression string, words []string, params map[string]any) (conditions []string) {
	for i, word := range words {
		name := fmt.Sprintf("word%d", i)
		params[name] = substringOf(word)
		conditions = append(conditions, expression+` LIKE (SELECT '%' || regexp_replace(searchable(@`+name+`), '([\\%_])', '\\\1', 'g') || '%')`)
	}
	return conditions
}

func alphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// substringOf is the substring to search for a word. The trigram index serves three letters or digits in a row anywhere,
// fewer only at the beginning of a word.
func substringOf(word string) string {
	run := 0
	for _, r := range word {
		if run++; !alphanumeric(r) {
			run = 0
		}
		if run == 3 {
			return word
		}
	}
	return " " + word
}
