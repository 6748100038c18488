//go:build unix

package campaigns

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/contenttest/bulk"
)

// fourThousand is a database with 4000 campaigns, of which 1200 are in funding.
func fourThousand(t *testing.T) *gorm.DB {
	t.Helper()
	return bulk.NewLists(t, 4000)
}

func TestTotal_IsExactToAHundredOrElseAtLeastTheNextPage(t *testing.T) {
	db := fourThousand(t)
	for _, tt := range []struct {
		offset, limit int
		words         []string
		tail          string
	}{
		{0, 24, nil, `],"total":101,"total_is_more":true}`},
		{48, 48, nil, `],"total":101,"total_is_more":true}`},
		{1000, 24, nil, `],"total":1025,"total_is_more":true}`},
		{1152, 48, nil, `],"total":1200}`},
		{1190, 24, nil, `],"total":1200}`},
		{5000, 24, nil, `{"previews":[],"total":1200}`},
		{0, 24, []string{"kampanja"}, `],"total":25,"total_is_more":true}`},
		{48, 24, []string{"kampanja"}, `],"total":73,"total_is_more":true}`},
		{0, 24, []string{"zyxwv"}, `{"previews":[],"total":0}`},
	} {
		q := query{language: "fi", stages: []int64{2}, sort: SortNewest, offset: tt.offset, limit: tt.limit, words: tt.words}
		l, err := readList(t.Context(), db, q, time.Now())
		if body := strings.TrimSpace(string(l)); err != nil || !strings.HasSuffix(body, tt.tail) {
			t.Errorf("at %d: …%s, %v, want …%s", tt.offset, body[max(0, len(body)-50):], err, tt.tail)
		}
	}
}

func TestTotal_LeadsAReaderOfPagesToTheEnd(t *testing.T) {
	db := fourThousand(t)
	for name, q := range map[string]query{
		"all":                  {},
		"tags":                 {tags: []int64{1, 2}},
		"a word in all":        {words: []string{"kampanja"}},
		"a word in one of 20":  {words: []string{"sauna"}},
		"a word in a category": {words: []string{"sauna"}, categories: []int64{3, 8}},
	} {
		t.Run(name, func(t *testing.T) {
			q.language, q.stages, q.sort, q.limit = "fi", []int64{1, 2, 3, 4, 5, 6}, SortPopular, 48
			seen := map[int64]bool{}
			for {
				var answer struct {
					Previews []struct {
						ID int64 `json:"campaign_id"`
					}
					Total int
				}
				l, err := readList(t.Context(), db, q, time.Now())
				if err == nil {
					err = json.Unmarshal(l, &answer)
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range answer.Previews {
					if seen[p.ID] {
						t.Errorf("campaign %d comes again", p.ID)
					}
					seen[p.ID] = true
				}
				if q.offset += len(answer.Previews); q.offset >= answer.Total {
					break
				}
				if len(answer.Previews) == 0 {
					t.Fatalf("nothing at %d of %d", q.offset, answer.Total)
				}
			}
			var want int
			if err := db.Raw(`SELECT count(DISTINCT l.campaign_id) FROM campaign_listings l JOIN campaign_search s USING (campaign_id)
				WHERE stage > 0 AND tag_id IN @tags AND category_id IN @categories AND search LIKE @word AND language = 'fi'`,
				map[string]any{"tags": orAny(q.tags), "categories": orAny(q.categories), "word": "%" + strings.Join(q.words, "") + "%"}).
				Scan(&want).Error; err != nil {
				t.Fatal(err)
			}
			if len(seen) != want || want < 30 {
				t.Errorf("read %d campaigns, want %d", len(seen), want)
			}
		})
	}
}

func TestSearch_FindsTheSameByTrigramIndexAndInListOrder(t *testing.T) {
	db := fourThousand(t)
	now := time.Now()
	r := rand.New(rand.NewPCG(1, 2))
	compared, nonempty := 0, 0
	for n := range 150 {
		q := query{language: []string{"fi", "en", "sv"}[r.IntN(3)], limit: 1 + r.IntN(60), offset: r.IntN(3) * r.IntN(40),
			sort: []Sort{SortNewest, SortEnding, SortMostFunded, SortPopular, sortOpenFirst, sortMixed}[r.IntN(6)]}
		for stage := range int64(7) {
			if r.IntN(2) == 0 {
				q.stages = append(q.stages, stage)
			}
		}
		few := func(of, most int64) (ids []int64) {
			for range r.IntN(int(most) + 1) {
				ids = append(ids, 1+r.Int64N(of))
			}
			return ids
		}
		switch r.IntN(4) {
		case 0:
			q.tags, q.categories = few(200, 30), few(12, 12) // also too many pairs to walk
		case 1:
			q.tags, q.excludedTags = few(10, 3), few(10, 3)
		case 2:
			q.categories = few(12, 3)
		}
		for range 1 + r.IntN(2) {
			q.words = append(q.words, []string{"kampanja", "sauna", "jarvi", "ka", "lasten", fmt.Sprint(r.IntN(400))}[r.IntN(6)])
		}
		q = q.normalised()
		if len(q.stages) == 0 {
			continue
		}
		walked, err := find(t.Context(), db, q.walk(now, lookAt))
		if err != nil {
			t.Fatal(err)
		}
		if walked.Total < q.pageEnd() && walked.Looked >= lookAt {
			continue // the walk has not filled the page, so its answer would not be used
		}
		picked, err := find(t.Context(), db, q.pick(now))
		if err != nil {
			t.Fatal(err)
		}
		if walked.Previews != picked.Previews || min(walked.Total, q.pageEnd()) != min(picked.Total, q.pageEnd()) {
			t.Fatalf("%d: %+v\nwalked %d %.300s\npicked %d %.300s", n, q, walked.Total, walked.Previews, picked.Total, picked.Previews)
		}
		compared++
		if walked.Total > 0 {
			nonempty++
		}
	}
	if compared < 100 || nonempty < 60 {
		t.Errorf("compared %d, of which %d found something", compared, nonempty)
	}
}

func TestSearch_ReadsInListOrderForCommonWordsOnly(t *testing.T) {
	now := time.Now()
	q := query{stages: []int64{2}, sort: SortNewest, limit: 24}
	for _, tt := range []struct {
		sampled found
		want    int
	}{
		{found{Looked: 600, Total: 600, All: 1_000_000}, 100},
		{found{Looked: 600, Total: 6, All: 1_000_000}, 5000}, // the index would find 10,000
		{found{Looked: 600, Total: 6, All: 10_000}, 0},       // it would find 100
		{found{Looked: 600, Total: 1, All: 1_000_000}, 0},
		{found{Looked: 600, Total: 0, All: 1_000_000}, 0},
		{found{}, 0},
	} {
		if got := q.budget(now, tt.sampled); got != tt.want {
			t.Errorf("after %+v: %d, want %d", tt.sampled, got, tt.want)
		}
	}
	q.stages, q.tags = []int64{1, 2, 3, 4, 5, 6}, make([]int64, 50)
	if got := q.budget(now, found{Looked: 600, Total: 6, All: 1_000_000}); got != 0 {
		t.Errorf("300 branches: %d each", got)
	}
}

func TestSample_EstimatesHowCommonWordsAreAndAllCampaigns(t *testing.T) {
	db := fourThousand(t)
	for word, want := range map[string]float64{"kampanja": 1, "sauna": 0.05, "zyxwv": 0} {
		var sum found
		for range 20 {
			f, err := find(t.Context(), db, query{language: "sv", words: []string{word}}.sample())
			if err != nil {
				t.Fatal(err)
			}
			sum.Looked, sum.Total, sum.All = sum.Looked+f.Looked, sum.Total+f.Total, sum.All+f.All/20
		}
		if share := float64(sum.Total) / float64(sum.Looked); share < want*0.8 || share > want*1.2 {
			t.Errorf("%s: in %v, want %v", word, share, want)
		}
		if sum.Looked > 20*1500 || sum.All < 3000 || sum.All > 5000 {
			t.Errorf("%s: looked at %d, all %d", word, sum.Looked/20, sum.All)
		}
	}
}
