package keywords

import (
	"slices"
	"testing"
)

// Signs at a word's edges, as in a sentence, a quotation or a list of names, count for nothing; what a dash joins is found joined, too.
func TestWords_SignsAtTheEdgesCountForNothing(t *testing.T) {
	for typed, want := range map[string][]string{
		`"Kirjasto"`: {"kirjasto"}, "kasetti.": {"kasetti"}, "kasetti?!": {"kasetti"}, "(kasetti)": {"kasetti"}, "“kasetti”,": {"kasetti"}, "»kasetti»": {"kasetti"},
		"Kukkonen, Reijo": {"kukkonen", "reijo"}, "'sauna'": {"sauna"}, "sauna…": {"sauna"}, "sauna*": {"sauna"},
		"hilla-keittiö": {"hilla", "keittiö"}, "hilla–keittiö": {"hilla", "keittiö"}, "hilla\u2011keittiö": {"hilla", "keittiö"}, "-sauna": {"sauna"}, "sau\u00adna": {"sauna"}, "\ufeffsauna": {"sauna"},
		"tuki@hoyry.fi": {"tuki@hoyry.fi"}, "C++": {"c++"}, "50_50": {"50_50"}, "100 %": {"100"}, "24/7": {"24/7"}, "2,5": {"2,5"}, "bee's": {"bee's"}, "#sauna": {"#sauna"},
		"": {}, `"" - … ?`: {}, "Sauna sauna": {"sauna"},
	} {
		if got := Words(typed); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", typed, got, want)
		}
	}
}
