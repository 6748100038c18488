//go:build unix

package search

import (
	"slices"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest/bulk"
)

// BenchmarkSearch searches among 100,000 campaigns, 20,000 creators and as many experiments: word forms, parts of compounds,
// places, words that nothing has and words that everything has.
func BenchmarkSearch(b *testing.B) {
	h := NewHandlers(bulk.NewLists(b, 100_000))
	for _, q := range []string{"sauna", "saunat", "kampanja", "kampanjat sauna", "kirja", "4242", "metsän polku", "puutarha verstas konsertti", "paikka 7",
		"saunna", "kosnertti", "yksisarvinen", "ka", "kyl", "c4ca4238a"} {
		b.Run(q, func(b *testing.B) {
			var took []time.Duration
			for b.Loop() {
				begun := time.Now()
				if _, err := h.Search(b.Context(), api.SearchRequestObject{Language: "fi", Params: api.SearchParams{Q: q}}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(begun))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
		})
	}
}
