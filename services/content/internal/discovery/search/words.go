package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// maxWords bounds the cost of a search; of a longer one the first words count.
const maxWords = 8

// word is a word to search for.
type word struct {
	Text  string   // as search_words has it: lower case, without accents and signs
	Typed string   // in lower case
	Stems []string // search_stems; of a region that it names, alone or with the word beside it, also search_marked and all forms
	Stop  bool     // one of a language's commonest, such as "and"
}

// read splits what was typed into the words to search for, in their order. Signs, repeats and, beside other words, single
// letters and the commonest words count for nothing.
func read(ctx context.Context, db *gorm.DB, typed string) ([]word, error) {
	// Parts that a hyphen joins are found in documents with and without it, so each of them is looked for. What is pasted has marks that
	// nobody sees, and accents beside their letters.
	typed = norm.NFC.String(invisible().Replace(strings.ToValidUTF8(typed, " ")))
	all, err := dbx.Select[word](ctx, db, `
		WITH words AS (
			SELECT row_number() OVER (ORDER BY t.n, w.part) AS n, w.word, t.typed
			FROM regexp_split_to_table(lower(@typed), '[\x01-/:-@\[-`+"`"+`{-\u00bf\u2000-\u206f]+') WITH ORDINALITY AS t (typed, n)
			CROSS JOIN unnest(string_to_array(btrim(search_words(t.typed)), ' ')) WITH ORDINALITY AS w (word, part)
			WHERE w.word <> ''),
		regions AS ( -- of one word or two
			SELECT DISTINCT within.n, f.region FROM (
				SELECT n AS first, n AS last, word AS name FROM words
				UNION ALL SELECT a.n, b.n, a.word || b.word FROM words a JOIN words b ON b.n = a.n + 1) named
			JOIN region_forms f ON f.form = named.name OR length(named.name) >= greatest(5, length(f.form) - 2) AND starts_with(f.form, named.name)
			CROSS JOIN generate_series(named.first, named.last) AS within (n))
		SELECT w.word AS text, w.typed, search_stems(w.word) || search_stems(regexp_replace(regexp_replace(regexp_replace(w.word, 'eja$', 'i'),
		               '(..[auoy])j(a|en)$', '\1'), '(.([aeiouy][nt]|na))s$', '\1'))
		           || search_marked(ARRAY(SELECT region FROM regions r WHERE r.n = w.n))
		           || ARRAY(SELECT form FROM regions r JOIN region_forms f USING (region) WHERE r.n = w.n) AS stems,
		       '{}' IN (ts_lexize('pg_catalog.finnish_stem', w.word), ts_lexize('pg_catalog.english_stem', w.word),
		           ts_lexize('pg_catalog.swedish_stem', w.word)) AS stop
		FROM words w ORDER BY w.n`, pgx.NamedArgs{"typed": typed})
	if err != nil {
		return nil, fmt.Errorf("read the words of a search: %w", err)
	}
	var words []word
	for _, w := range all {
		isKnown := slices.ContainsFunc(words, func(known word) bool { return known.Text == w.Text })
		if strings.ContainsFunc(w.Text, isLetter) && !isKnown {
			words = append(words, w)
		}
	}
	if slices.ContainsFunc(words, word.counts) {
		words = slices.DeleteFunc(words, func(w word) bool { return !w.counts() })
	}
	return words[:min(len(words), maxWords)], nil
}

// invisible takes out of words what is not to be seen in them: soft hyphens, spaces without width and marks of direction.
func invisible() *strings.Replacer {
	return strings.NewReplacer("-", " ", "\x00", " ", "\u00ad", "", "\u200b", "", "\u200e", "", "\u200f", "", "\u2060", "", "\ufeff", "",
		"\u202a", "", "\u202b", "", "\u202c", "", "\u202d", "", "\u202e", "", "\u2066", "", "\u2067", "", "\u2068", "", "\u2069", "")
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// counts reports whether a word says anything beside others.
func (w word) counts() bool { return !w.Stop && utf8.RuneCountInString(w.Text) > 1 }

// pattern is a text that a document has which has the word: like, for LIKE, which an index serves, and within, a regular
// expression, which says where in a word. No word has a sign that either knows.
type pattern struct{ like, within string }

// pattern is the word's, without the ending that Finnish plurals and genitives have. A word is found where another begins, and one
// that is long enough not to be there by chance also inside of compounds, after two letters or more: there is no Oulu in koulu.
func (w word) pattern() pattern {
	if utf8.RuneCountInString(w.Text) < shortestPart {
		text := w.Text
		if w.needsAccents() {
			text = w.Typed // that of Åbo is not in about
		}
		switch utf8.RuneCountInString(text) {
		case 1:
			return pattern{"% " + text + " %", " " + text + " "}
		case 2:
			return pattern{"% " + text + "%", " " + text}
		default: // as the end of a compound, too
			return pattern{"%" + text + "%", "( " + text + "|[^ ]{2}" + text + " )"}
		}
	}
	return pattern{"%" + w.base() + "%", "( |[^ ]{2})" + w.base()}
}

// needsAccents reports whether a word is so short that others are meant by those with its accents alone.
func (w word) needsAccents() bool {
	letters := utf8.RuneCountInString(w.Text)
	return letters < shortestPart && w.Typed != w.Text && utf8.RuneCountInString(w.Typed) == letters
}

const (
	// shortestPart is the fewest letters of a word that is also found inside of others.
	shortestPart = 4
	// shortestBase is the same of what is left of a word without its ending.
	shortestBase = 5
)

// singular is a word without the Finnish endings of many, of lyhtyjä and lyhtyjen lyhty, of torneja torni, and without the Swedish
// genitive, which stands after the article: of bibliotekets biblioteket. Others stay. The statement of read does the same.
func singular(text string) string {
	if rest, ok := strings.CutSuffix(text, "eja"); ok {
		return rest + "i"
	}
	for _, ending := range []string{"ja", "jen"} {
		if rest, ok := strings.CutSuffix(text, ending); ok && endsIn(rest, "auoy") {
			return rest
		}
	}
	if rest, ok := strings.CutSuffix(text, "s"); ok && (strings.HasSuffix(rest, "na") || endsIn(rest, "nt") && endsIn(rest[:len(rest)-1], vowels)) {
		return rest
	}
	return text
}

const vowels = "aeiouy"

func endsIn(text, letters string) bool {
	return text != "" && strings.ContainsRune(letters, rune(text[len(text)-1]))
}

// base is the word without its ending, if it is still long enough to be looked for inside of others.
func (w word) base() string {
	text := singular(w.Text)
	if n := len(text); n > shortestBase && endsIn(text, "nt") && endsIn(text[:n-1], vowels) {
		return text[:n-1]
	}
	if text != w.Text && utf8.RuneCountInString(text) >= shortestBase {
		return text
	}
	base := w.Text
	for _, stem := range w.Stems {
		if utf8.RuneCountInString(stem) >= shortestBase && strings.HasPrefix(w.Text, stem) && len(stem) < len(base) {
			base = stem
		}
	}
	return base
}

const (
	// mostHaving is how many words of documents stand for one that was typed.
	mostHaving = 200
	// mostCompared is how many are looked at for that; the shortest of them are nearest to what was typed.
	mostCompared = 2000
)

// vocabulary is, for each word, the words of documents that it begins or is inside of, as its pattern says.
func vocabulary(ctx context.Context, db *gorm.DB, words []word) ([][]string, error) {
	type row struct{ Words []string }
	var like, within []string
	var isAccented []bool
	for _, w := range words {
		like, within, isAccented = append(like, w.likeWord()), append(within, w.pattern().within), append(isAccented, w.needsAccents())
	}
	rows, err := dbx.Select[row](ctx, db, `
		SELECT ARRAY(SELECT word FROM (
		           SELECT v.word FROM search_vocabulary v
		           WHERE v.word LIKE p.likes AND regexp_like(' ' || CASE WHEN p.accented THEN v.shown ELSE v.word END || ' ', p.within)
		           LIMIT @compared) near
		       ORDER BY length(word), word LIMIT @most) AS words
		FROM unnest(CAST(@like AS text[]), CAST(@within AS text[]), CAST(@accented AS boolean[])) WITH ORDINALITY AS p (likes, within, accented, n)
		ORDER BY p.n`, pgx.NamedArgs{"like": like, "within": within, "accented": isAccented, "compared": mostCompared, "most": mostHaving})
	if err != nil {
		return nil, fmt.Errorf("look for words of documents: %w", err)
	}
	having := make([][]string, len(rows))
	for i, row := range rows {
		having[i] = row.Words
	}
	return having, nil
}

// likeWord is what a word of the vocabulary is like that has the word, for its index; a single letter is no part of others.
func (w word) likeWord() string {
	switch utf8.RuneCountInString(w.Text) {
	case 1:
		return w.Text
	case 2:
		return w.Text + "%"
	case shortestPart - 1:
		return "%" + w.Text + "%"
	}
	return "%" + w.base() + "%"
}

// shortestMark is the fewest letters of a stem that is underlined.
const shortestMark = 3

// marks are what to underline, the longest first.
func marks(words []word) []string {
	list := []string{}
	for _, w := range words {
		list = append(list, w.Text, w.base())
		for _, stem := range w.Stems {
			if len(stem) >= shortestMark && strings.HasPrefix(w.Text, stem) {
				list = append(list, stem)
			}
		}
	}
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(list)
}

func textOf(words []word) string {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = w.Text
	}
	return strings.Join(texts, " ")
}
