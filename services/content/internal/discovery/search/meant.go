package search

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// candidate is a word that there is, for one that was typed.
type candidate struct {
	N           int // which of the words, from 1
	Word, Shown string
}

// meant is what somebody may have meant who typed words of which nothing was found: for each the nearest word there is, if one
// is near. Empty when none is another.
func meant(ctx context.Context, db *gorm.DB, words []word) (string, error) {
	typed := make([]string, len(words))
	var swapped []string // two letters swapped leave few triples of a short word
	var of []int
	for i, w := range words {
		typed[i] = w.Text
		letters := []rune(w.Text)
		for j := 1; j < len(letters); j++ {
			other := slices.Clone(letters)
			other[j-1], other[j] = other[j], other[j-1]
			swapped, of = append(swapped, string(other)), append(of, i+1)
		}
	}
	candidates, err := dbx.Select[candidate](ctx, db, `
		SELECT w.n, v.word, v.shown
		FROM unnest(CAST(@typed AS text[])) WITH ORDINALITY AS w (word, n)
		CROSS JOIN LATERAL (
			SELECT DISTINCT word, shown, similarity(word, w.word) AS near FROM search_vocabulary WHERE suggested AND word % w.word
			ORDER BY near DESC, word LIMIT 40) v
		UNION
		SELECT s.n, v.word, v.shown
		FROM unnest(CAST(@swapped AS text[]), CAST(@of AS bigint[])) AS s (word, n) JOIN search_vocabulary v ON v.word = s.word AND v.suggested
		UNION
		SELECT w.n, searchable(name), lower(name)
		FROM unnest(CAST(@typed AS text[])) WITH ORDINALITY AS w (word, n) CROSS JOIN regions CROSS JOIN unnest(ARRAY[fi, en, sv]) AS name
		WHERE searchable(name) % w.word
		ORDER BY n, word`, pgx.NamedArgs{"typed": typed, "swapped": swapped, "of": of})
	if err != nil {
		return "", fmt.Errorf("look for what was meant: %w", err)
	}
	isOther := false
	for i, w := range words {
		typed[i] = w.Typed
		if c, ok := nearest(words[i].Text, i+1, candidates); ok {
			typed[i], isOther = c.Shown, isOther || c.Word != words[i].Text
		}
	}
	if !isOther {
		return "", nil
	}
	return strings.Join(typed, " "), nil
}

// nearest is the candidate with the fewest mistakes between it and the typed word, of those the likeliest. A word of four letters
// may have one mistake, one of seven letters two.
func nearest(typed string, n int, candidates []candidate) (best candidate, ok bool) {
	length := utf8.RuneCountInString(typed)
	most := 0
	switch {
	case length >= 7:
		most = 2
	case length >= 4:
		most = 1
	}
	for _, c := range candidates {
		if c.N != n {
			continue
		}
		mistakes := distance(typed, c.Word)
		if mistakes < most || mistakes == most && (!ok || isLikelier(typed, c.Word, best.Word)) {
			best, most, ok = c, mistakes, true
		}
	}
	return best, ok
}

// isLikelier reports whether a word was rather meant than another with as many mistakes: the first letter is seldom mistyped.
func isLikelier(typed, word, other string) bool {
	first, _ := utf8.DecodeRuneInString(typed)
	if has, had := strings.HasPrefix(word, string(first)), strings.HasPrefix(other, string(first)); has != had {
		return has
	}
	return utf8.RuneCountInString(word) < utf8.RuneCountInString(other)
}

// distance is how many letters have to be added, left out, replaced or swapped with the next to make one word of another
// (optimal string alignment).
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	rows := make([][]int, len(from)+1)
	for i := range rows {
		rows[i] = make([]int, len(to)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(from); i++ {
		for j := 1; j <= len(to); j++ {
			replaced := 1
			if from[i-1] == to[j-1] {
				replaced = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+replaced)
			if i > 1 && j > 1 && from[i-1] == to[j-2] && from[i-2] == to[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(from)][len(to)]
}
