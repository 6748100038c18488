//go:build unix

package posts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
)

// writing is the fixture of a campaign whose creator writes posts.
type writing struct {
	*contenttest.World
	t           *testing.T
	id, creator int64
	posts       string // address
}

func newWriting(t *testing.T) *writing {
	w := contenttest.New(t)
	f := &writing{World: w, t: t, creator: w.Person("Reijo")}
	f.id = campaign(w, f.creator)
	f.posts = fmt.Sprintf("/campaigns/%d/posts/", f.id)
	return f
}

const twoParagraphs = `{"type":"doc","content":[{"type":"heading","attrs":{"level":2},"content":[{"type":"text","text":"Alku"}]},
	{"type":"paragraph"},{"type":"paragraph","content":[{"type":"text","text":"Ensimmäinen."}]},
	{"type":"paragraph","content":[{"type":"text","text":"Vain tukijoille."}]}]}`

// post makes a post of a body and returns its address and what it is.
func (f *writing) post(body string) (address string, made api.PostAdmin) {
	f.t.Helper()
	answer := f.Post(f.posts, body, f.creator)
	var got api.PostAdminAnswer
	if err := json.Unmarshal(answer.Body, &got); err != nil || answer.Status != http.StatusCreated {
		f.t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	if want := fmt.Sprintf("%q", fmt.Sprint(got.Post.Version)); answer.Header.Get("ETag") != want {
		f.t.Errorf("ETag %s, want %s", answer.Header.Get("ETag"), want)
	}
	return fmt.Sprintf("%s%d/", f.posts, got.Post.ID), got.Post
}

func (f *writing) change(address, body string, headers ...string) api.PostAdmin {
	f.t.Helper()
	var got api.PostAdminAnswer
	f.Patch(address, body, f.creator, headers...).JSON(&got)
	return got.Post
}

// wants checks an error: its status, and its fields with their rules.
func (f *writing) wants(answer contenttest.Answer, status int, key string, fields ...string) {
	f.t.Helper()
	var fault api.APIError
	if err := json.Unmarshal(answer.Body, &fault); err != nil {
		f.t.Fatalf("%v in %s", err, answer.Body)
	}
	var got []string
	if fault.Fields != nil {
		for _, field := range *fault.Fields {
			got = append(got, field.Path+" "+field.Rule)
		}
	}
	if answer.Status != status || fault.Status != key || strings.Join(got, ", ") != strings.Join(fields, ", ") {
		f.t.Errorf("%d %s %q, want %d %s %q", answer.Status, fault.Status, got, status, key, fields)
	}
}

func (f *writing) read(path string, as int64) api.Post {
	f.t.Helper()
	var answer api.PostAnswer
	f.Get(path, as).JSON(&answer)
	return answer.Post
}

func TestCreatePost_IsADraftOfLevelZeroInTheCampaignsLanguage(t *testing.T) {
	f := newWriting(t)
	address, made := f.post(`{}`)
	if made.Status != "draft" || made.Meta.Level != 0 || made.Language != "fi" || made.Version != 1 || made.Number != 1 ||
		len(made.Texts) != 0 ||
		made.PublishedAt != nil || made.Author != "Reijo Testinen" {
		t.Errorf("made %+v", made)
	}
	if got := f.Get(address, 0).Status; got != http.StatusNotFound {
		t.Errorf("a stranger reads it: %d", got)
	}
	_, second := f.post(`{"language": "en", "content": {"title": " New \n wheels ", "json": ` + twoParagraphs + `}, "meta": {"level": 20}}`)
	if second.Number != 2 || second.Language != "en" || second.Meta.Level != 20 ||
		second.Texts["en"].Title != "New wheels" {
		t.Errorf("second %+v", second)
	}
	_, third := f.post(`{"status": "published", "content": {"title": "Heti", "html": "<p>Valmis <b>jo</b></p><script>alert(1)</script>"}}`)
	if third.Status != "published" || third.PublishedAt == nil {
		t.Errorf("published at once: %+v", third)
	}
	if got := f.read(fmt.Sprintf("%s%d/", f.posts, third.ID), 0).Content.HTML; got != "<p>Valmis <strong>jo</strong></p>" {
		t.Errorf("HTML became %s", got)
	}
}

func TestChangePost_PublishesWithTitleAndTextInItsOwnLanguageOnly(t *testing.T) {
	f := newWriting(t)
	address, _ := f.post(`{}`)
	publish := `{"status": "published"}`
	f.wants(f.Patch(address, publish, f.creator), 422, "invalid_fields", "content.title required", "content.json required")
	f.change(address, `{"language": "en", "content": {"title": "Hello", "json": `+twoParagraphs+`}}`)
	f.wants(f.Patch(address, publish, f.creator), 422, "invalid_fields", "content.title required", "content.json required")
	f.change(address, `{"content": {"title": "Moi"}}`)
	f.wants(f.Patch(address, publish, f.creator), 422, "invalid_fields", "content.json required")
	f.change(address, `{"content": {"json": `+twoParagraphs+`}}`)
	if got := f.change(address, publish); got.Status != "published" || got.Texts["fi"].Title != "Moi" ||
		got.Texts["en"].Title != "Hello" {
		t.Errorf("published %+v", got)
	}
	f.wants(f.Patch(address, `{"content": {"title": " "}}`, f.creator), 422, "invalid_fields", "content.title required")
	if got := f.read(address+"?language=fi", 0); got.Title != "Moi" || got.Intro != "Ensimmäinen." {
		t.Errorf("a refused change is there: %+v", got)
	}
}

// Each first publication mails all backers; the limit bounds what a stolen account can send.
func TestChangePost_PublishesABoundedNumberADay_HoweverManyAtOnce(t *testing.T) {
	f := newWriting(t)
	const tried, most = 14, 10
	drafts := make([]string, tried)
	for i := range drafts {
		drafts[i], _ = f.post(`{"content": {"title": "Uutinen", "json": ` + twoParagraphs + `}}`)
	}
	statuses := make([]int, tried)
	var all sync.WaitGroup
	for i, draft := range drafts {
		all.Go(func() { statuses[i] = f.Patch(draft, `{"status": "published"}`, f.creator).Status })
	}
	all.Wait()
	var published, left []string
	for i, status := range statuses {
		switch status {
		case http.StatusOK:
			published = append(published, drafts[i])
		case http.StatusTooManyRequests:
			left = append(left, drafts[i])
		}
	}
	if len(published) != most || len(left) != tried-most {
		t.Fatalf("answers %v", statuses)
	}
	f.wants(f.Patch(left[0], `{"status": "published"}`, f.creator), http.StatusTooManyRequests, "too_many_posts")
	f.wants(f.Post(f.posts, `{"status": "published", "content": {"title": "Uutinen", "json": `+twoParagraphs+`}}`, f.creator),
		http.StatusTooManyRequests, "too_many_posts")
	f.change(left[0], `{"content": {"title": "Toinen"}}`) // a draft can still be written
	f.change(published[0], `{"status": "draft"}`)
	f.change(published[0], `{"status": "published"}`) // its letters have been counted
	f.Call(http.MethodDelete, published[1], f.creator)
	f.wants(f.Patch(left[0], `{"status": "published"}`, f.creator), http.StatusTooManyRequests, "too_many_posts")
	f.Advance(24 * time.Hour)
	f.change(left[0], `{"status": "published"}`)
}

func TestChangePost_KeepsTheTimeOfItsFirstPublication(t *testing.T) {
	f := newWriting(t)
	address, made := f.post(`{"status": "published", "content": {"title": "Moi", "json": ` + twoParagraphs + `}}`)
	f.Advance(time.Hour)
	if got := f.change(address, `{"status": "draft"}`); got.Status != "draft" || f.Get(address, 0).Status != http.StatusNotFound {
		t.Errorf("taken back %+v", got)
	}
	f.Advance(time.Hour)
	if got := f.change(address, `{"status": "published"}`); !got.PublishedAt.Equal(*made.PublishedAt) || f.Get(address, 0).Status != http.StatusOK {
		t.Errorf("published at %v, first at %v", got.PublishedAt, made.PublishedAt)
	}
	var actions []string
	if err := f.DB.Raw(`SELECT actor || ' ' || action || ' ' || version FROM audit_log WHERE entity = 'post' ORDER BY id`).Scan(&actions).Error; err != nil {
		t.Fatal(err)
	}
	want := "user create_post 0, user publish_post 2, user unpublish_post 3, user publish_post 4"
	if got := strings.Join(actions, ", "); got != want {
		t.Errorf("audit rows %q, want %q", got, want)
	}
}

func TestChangePost_OfAnOlderVersionSaysWhatHasChangedSince(t *testing.T) {
	f := newWriting(t)
	address, made := f.post(`{"content": {"title": "Moi"}}`)
	tag := fmt.Sprintf("%q", fmt.Sprint(made.Version))
	f.change(address, `{"language": "sv", "content": {"title": "Hej"}, "meta": {"level": 1}}`)
	late := f.Patch(address, `{"content": {"title": "Terve"}}`, f.creator, "If-Match", tag)
	f.wants(late, 412, "changed_meanwhile", "content.sv.title changed_meanwhile", "meta.level changed_meanwhile")
	f.wants(f.Send(http.MethodDelete, address, strings.NewReader(""), f.creator, "If-Match", tag), 412,
		"changed_meanwhile",
		"content.sv.title changed_meanwhile", "meta.level changed_meanwhile")
	same := f.change(address, `{"content": {"title": "Moi", "json": {"type": "doc", "content": []}}, "status": "draft", "meta": {"level": 1}}`)
	if same.Version != made.Version+1 {
		t.Errorf("what is so already made version %d after %d", same.Version, made.Version+1)
	}
	var all sync.WaitGroup
	for i := range 6 {
		all.Go(func() { f.Patch(address, fmt.Sprintf(`{"content": {"title": "%d"}}`, i), f.creator) })
	}
	all.Wait()
	if got := f.change(address, `{}`); got.Version != same.Version+6 {
		t.Errorf("version %d after six changes of %d", got.Version, same.Version)
	}
}

func TestDeletePost_HidesItFromEverybodyAndKeepsItsRow(t *testing.T) {
	f := newWriting(t)
	address, made := f.post(`{"status": "published", "content": {"title": "Moi", "json": ` + twoParagraphs + `}}`)
	if got := f.Call(http.MethodDelete, address, f.creator); got.Status != http.StatusNoContent {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	for path, method := range map[string]string{address: "GET", address + "admin/": "GET",
		address + "test_letter/": "POST"} {
		if got := f.Call(method, path, f.creator).Status; got != http.StatusNotFound {
			t.Errorf("%s after it: %d", path, got)
		}
	}
	for _, as := range []int64{0, f.creator} {
		if got := f.Get(f.posts, as); !strings.Contains(string(got.Body), `"total":0`) {
			t.Errorf("it is listed: %s", got.Body)
		}
	}
	if got := f.Patch(address, `{}`, f.creator).Status; got != http.StatusNotFound {
		t.Errorf("it can be changed: %d", got)
	}
	if got := f.Call(http.MethodDelete, address, f.creator).Status; got != http.StatusNotFound {
		t.Errorf("it can be deleted twice: %d", got)
	}
	var kept int
	if err := f.DB.Raw(`SELECT count(*) FROM posts JOIN post_texts ON post_id = id WHERE id = ?`, made.ID).Scan(&kept).Error; err != nil || kept != 1 {
		t.Errorf("%d rows kept, %v", kept, err)
	}
}

func TestPosts_RefuseBadInputByName(t *testing.T) {
	f := newWriting(t)
	address, _ := f.post(`{"content": {"title": "Moi"}}`)
	for body, want := range map[string]string{
		`{"status": "sent"}`: "422 invalid_fields status one_of",
		`{"content": {"html": "<p>a</p><img src=\"https://a.fi/a.jpg\">"}}`:          "422 invalid_fields content.html.content[1].attrs.src rich_text",
		`{"content": {"html": "<p>a</p><img src=\"http://a.fi/a.jpg\">"}}`:           "422 invalid_fields content.html.content[1].attrs.src rich_text",
		`{"content": {"html": "<p>a <img src=\"cid:image001.png@01DC\"> b</p>"}}`:    "422 invalid_fields content.html.content[1].attrs.src rich_text",
		`{"content": {"html": "<img src=\"data:image/png;base64,AAAA\">"}}`:          "422 invalid_fields content.html.content[0].attrs.src rich_text",
		`{"content": {"html": "<iframe src=\"https://framatube.org/a\"></iframe>"}}`: "422 invalid_fields content.html.content[0].attrs.src rich_text",
		`{"meta": {"level": -1}}`:  "422 invalid_fields meta.level min_value",
		`{"meta": {"level": 1.5}}`: "400 malformed_body meta.level type",
		`{"meta": {}}`:             "422 invalid_fields meta.level required",
		`{"number": 7}`:            "400 unknown_field number unknown_field",
		`{"content": {"title": "` + strings.Repeat("a", 121) + `"}}`: "422 invalid_fields content.title max_length",
		`{"language": "de"}`: "422 invalid_fields language format",
		`{"content": {"json": {"type": "doc", "content": []}, "html": "<p>x</p>"}}`: "422 invalid_fields content.html one_of",
		`{"content": {"json": {"type": "doc", "content": [{"type": "script"}]}}}`:   "422 invalid_fields content.json.content[0].type rich_text",
	} {
		for _, at := range []struct{ method, address string }{{"PATCH", address}, {"POST", f.posts}} {
			answer := f.Send(at.method, at.address, strings.NewReader(body), f.creator)
			var fault api.APIError
			if err := json.Unmarshal(answer.Body, &fault); err != nil || fault.Fields == nil || len(*fault.Fields) != 1 {
				t.Errorf("%s %.80s: %s", at.method, body, answer.Body)
				continue
			}
			field := (*fault.Fields)[0]
			if got := fmt.Sprint(answer.Status, " ", fault.Status, " ", field.Path, " ", field.Rule); got != want {
				t.Errorf("%s %.80s: %s, want %s", at.method, body, got, want)
			}
		}
	}
	other := campaign(f.World, f.Person("Other"))
	for path, want := range map[string]int{fmt.Sprintf("/campaigns/%d/posts/1/", other): 403, f.posts + "4711/": 404,
		"/campaigns/4711/posts/1/": 404} {
		if got := f.Patch(path, `{}`, f.creator).Status; got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if got := f.Patch(fmt.Sprintf("/campaigns/%d/posts/%s", other, strings.TrimPrefix(address, f.posts)), `{}`, f.Person("Editor", "view", "edit")).Status; got != 404 {
		t.Errorf("a post by another campaign's address: %d", got)
	}
}

// A form that is sent again after its answer was lost makes one post, with letters once.
func TestCreatePost_WithAnIdempotencyKeyMakesOnePost(t *testing.T) {
	f := newWriting(t)
	body := `{"status": "published", "content": {"title": "Otsikko", "json": ` + twoParagraphs + `}}`
	var all sync.WaitGroup
	ids := make([]int64, 4)
	for i := range ids {
		all.Go(func() {
			var made api.PostAdminAnswer
			answer := f.Post(f.posts, body, f.creator, "Idempotency-Key", "one-of-mine")
			if err := json.Unmarshal(answer.Body, &made); err != nil || answer.Status != http.StatusCreated {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
			ids[i] = made.Post.ID
		})
	}
	all.Wait()
	var n int64
	if err := f.DB.Raw(`SELECT count(*) FROM posts`).Scan(&n).Error; err != nil || n != 1 {
		t.Errorf("%d posts with the ids %v, %v", n, ids, err)
	}
	f.wants(f.Post(f.posts, `{"content": {"title": "Muu"}}`, f.creator, "Idempotency-Key", "one-of-mine"),
		http.StatusConflict, "idempotency_mismatch")
	f.Advance(time.Second)
	f.id = campaign(f.World, f.creator)
	f.wants(f.Post(fmt.Sprintf("/campaigns/%d/posts/", f.id), body, f.creator, "Idempotency-Key", "one-of-mine"),
		http.StatusConflict, "idempotency_mismatch")
	other := f.Person("Editor", "view", "edit")
	if answer := f.Post(f.posts, body, other, "Idempotency-Key", "one-of-mine"); answer.Status != http.StatusCreated {
		t.Errorf("the same key of somebody else: %d %s", answer.Status, answer.Body)
	}
	if err := f.DB.Raw(`SELECT count(*) FROM posts`).Scan(&n).Error; err != nil || n != 2 {
		t.Errorf("%d posts, %v", n, err)
	}
}
