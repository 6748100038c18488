//go:build unix

package posts_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/posts"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
	"talkoot.fi/content/internal/writing/richtext"
)

func campaign(w *contenttest.World, creator int64) int64 {
	return w.Campaign(campaigns.New{Slug: "x", Language: "fi",
		CategoryID: w.Category(fmt.Sprint("c", creator, w.Now().UnixNano())), TeamUserIDs: []int64{creator},
		LastDay: "2026-12-01", Texts: map[string]campaigns.Text{"fi": {Title: "Lautta"}}}, campaigns.StageFunding)
}

func write(w *contenttest.World, n posts.New, published time.Time) (id int64) {
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		if id, err = posts.Create(ctx, tx, n, w.Now()); err != nil || published.IsZero() {
			return err
		}
		return posts.Publish(ctx, tx, id, published)
	})
	return id
}

func story(text string) richtext.Doc {
	return richtext.Doc{Content: []richtext.Node{{Type: richtext.Paragraph,
		Content: []richtext.Node{{Type: richtext.TextNode, Text: text}}}}}
}

func TestPosts_ArePublishedOnesLatestFirstAndDraftsForEditors(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	id := campaign(w, creator)
	post := func(title string, published time.Time) int64 {
		return write(w, posts.New{CampaignID: id, AuthorID: creator, Language: "fi",
			Texts: map[string]posts.Text{"fi": {Title: title, Story: story("<b>" + title)}}}, published)
	}
	now := w.Now()
	old, fresh, tie := post("Vanha", now.Add(-48*time.Hour)), post("Uusi", now.Add(-time.Hour)), post("Sama hetki",
		now.Add(-time.Hour))
	draft := post("Luonnos", time.Time{})

	order := func(path string, as int64) (got []int64, total int) {
		var answer api.PostsAnswer
		w.Get(fmt.Sprintf("/campaigns/%d/posts/%s", id, path), as).JSON(&answer)
		for _, p := range answer.Posts {
			got = append(got, p.ID)
		}
		return got, answer.Total
	}
	if got, total := order("", 0); fmt.Sprint(got) != fmt.Sprint([]int64{tie, fresh, old}) || total != 3 {
		t.Errorf("strangers see %v of %d", got, total)
	}
	if got, total := order("", creator); fmt.Sprint(got) != fmt.Sprint([]int64{draft, tie, fresh, old}) || total != 4 {
		t.Errorf("the creator sees %v of %d", got, total)
	}
	if got, total := order("?limit=2&offset=2", creator); fmt.Sprint(got) != fmt.Sprint([]int64{fresh, old}) ||
		total != 4 {
		t.Errorf("second page: %v of %d", got, total)
	}
	if got, total := order("?limit=1&offset=9", 0); len(got) != 0 || total != 3 {
		t.Errorf("past the end: %v of %d", got, total)
	}
	one := fmt.Sprintf("/campaigns/%d/posts/%%d/", id)
	if got := w.Get(fmt.Sprintf(one, draft), 0).Status; got != http.StatusNotFound {
		t.Errorf("a stranger reads the draft: %d", got)
	}
	var answer api.PostAnswer
	w.Get(fmt.Sprintf(one, draft), creator).JSON(&answer)
	if answer.Post.Status != "draft" || answer.Post.PublishedAt != nil ||
		answer.Post.Content.HTML != "<p>&lt;b&gt;Luonnos</p>" || *answer.Post.Author != "Reijo Testinen" {
		t.Errorf("draft: %+v", answer.Post)
	}
	other := campaign(w, w.Person("Other"))
	if got := w.Get(fmt.Sprintf("/campaigns/%d/posts/%d/", other, fresh), 0).Status; got != http.StatusNotFound {
		t.Errorf("a post under another campaign: %d", got)
	}
	if got := w.Get(fmt.Sprintf("/campaigns/%d/posts/preview/", id), 0); len(got.Statements) > 2 ||
		strings.Contains(string(got.Body), "html") {
		t.Errorf("previews: %d statements, %s", len(got.Statements), got.Body)
	}
	var previews api.PostPreviewsAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/posts/preview/", id), creator).JSON(&previews)
	for _, p := range previews.Previews {
		if isDraft := p.ID == draft; (p.UpdatedAt != nil) != isDraft {
			t.Errorf("post %d, a draft %v, was left at %v", p.ID, isDraft, p.UpdatedAt)
		}
	}
}

func TestPosts_TextsFallBackAndIntrosAreShort(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	id := campaign(w, creator)
	post := write(w, posts.New{CampaignID: id, AuthorID: creator, Language: "fi", Level: 2, Texts: map[string]posts.Text{
		"fi": {Title: "Suomeksi", Story: story(strings.Repeat("sana ", 100))},
		"en": {Title: "In English", Intro: "Short", Story: story("In short")}}}, w.Now())
	read := func(query string) api.PostPreview {
		var answer api.PostPreviewsAnswer
		w.Get(fmt.Sprintf("/campaigns/%d/posts/preview/%s", id, query), 0).JSON(&answer)
		return answer.Previews[0]
	}
	if en := read("?language=EN"); en.Title != "In English" || en.Language != "en" || en.Intro != "Short" ||
		en.Meta.Level != 2 {
		t.Errorf("en: %+v", en)
	}
	var one api.PostAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/posts/%d/?language=en", id, post), 0).JSON(&one)
	if one.Post.Title != "In English" || one.Post.Language != "en" {
		t.Errorf("the post by itself, asked for in English: %+v", one.Post)
	}
	for _, query := range []string{"?language=sv", ""} {
		if p := read(query); p.Title != "Suomeksi" || len([]rune(p.Intro)) > 240 || !strings.HasSuffix(p.Intro, "sana…") {
			t.Errorf("%q: %+v", query, p)
		}
	}
}

func TestPublish_KeepsItsFirstTime(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	first := w.Now().Add(-time.Hour)
	id := write(w, posts.New{CampaignID: campaign(w, creator), AuthorID: creator, Language: "fi",
		Texts: map[string]posts.Text{"fi": {Title: "T"}}}, first)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error { return posts.Publish(ctx, tx, id, w.Now()) })
	var at time.Time
	if err := w.DB.Raw(`SELECT published_at FROM posts WHERE id = ?`, id).Scan(&at).Error; err != nil || !at.Equal(first) {
		t.Errorf("published %v, %v, want %v", at, err, first)
	}
	if err := posts.Publish(t.Context(), w.DB, 4711, first); !errors.Is(err, posts.ErrUnknown) {
		t.Errorf("unknown post: %v", err)
	}
}

func TestPosts_ReadNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	for _, path := range []string{"posts/?limit=1", "posts/preview/", "posts/17/"} {
		bulk.MustNotReadWhole(t, w.DB, w.Get("/campaigns/9/"+path, 0).Statements)
	}
	ctx, ran := dbx.CountStatements(t.Context())
	if err := posts.Merge(ctx, w.DB, 17, 18); err != nil {
		t.Fatal(err)
	}
	bulk.MustNotReadWhole(t, w.DB, ran.List())
}
