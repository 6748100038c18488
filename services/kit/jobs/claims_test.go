package jobs_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

var chosenByIN = regexp.MustCompile(`\bIN \(\s*SELECT\b`)

// Where the planner puts the subquery of IN inside a nested loop it is run for each row of the table, and each run locks the next rows that
// nobody has: LIMIT 8 has claimed 40.
func TestClaims_ChooseTheirRowsInAWITHQuery(t *testing.T) {
	services := os.DirFS("../..")
	claims := 0
	err := fs.WalkDir(services, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := fs.ReadFile(services, path)
		if err != nil {
			return err
		}
		text := string(source)
		claims += strings.Count(text, "SKIP LOCKED")
		for _, at := range chosenByIN.FindAllStringIndex(text, -1) {
			if strings.Contains(inBrackets(text[at[0]:]), "SKIP LOCKED") {
				t.Errorf("%s:%d claims by IN (SELECT … SKIP LOCKED)", path, 1+strings.Count(text[:at[0]], "\n"))
			}
		}
		return nil
	})
	if err != nil || claims < 10 {
		t.Errorf("%v, %d claims were read", err, claims)
	}
}

// inBrackets is what stands between the first bracket and the one that closes it.
func inBrackets(text string) string {
	depth := 0
	for i, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return text[:i]
			}
		}
	}
	return text
}
