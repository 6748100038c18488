//go:build unix

package posts_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api"
)

// backing is a pledge as the tests of levels need it.
type backing struct {
	user     int64 // 0 for one that was made without signing in
	email    string
	minor    int64
	refunded int64
	status   string // paid when empty
}

func (f *writing) back(b backing) {
	f.t.Helper()
	if b.status == "" {
		b.status = "paid"
	}
	var user *int64
	if b.user != 0 {
		user = &b.user
	}
	f.Exec(`INSERT INTO pledges (id, campaign_id, user_id, status, amount_minor, amount_refunded_minor, currency, quantity, lines, email, first_name, last_name,
			language, reserved_until, paid_at, receipt_number, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, 'EUR', 1, '[]', ?, 'A', 'B', 'fi', now(), now(), ?, now(), now())`,
		ids.New(), f.id, user, b.status, b.minor, b.refunded, b.email, ids.New())
}

func (f *writing) addressOf(user int64) (email string) {
	f.t.Helper()
	if err := f.DB.Raw(`SELECT email FROM users WHERE id = ?`, user).Scan(&email).Error; err != nil {
		f.t.Fatal(err)
	}
	return email
}

func TestLevels_LetInWhoHasBackedEnough(t *testing.T) {
	f := newWriting(t)
	stranger, twice, byMail, refunded, processing := f.Person("Stranger"), f.Person("Twice"), f.Person("Mail"), f.Person(
		"Refunded"), f.Person("Processing")
	unconfirmed, others, elsewhere := f.Person("Unconfirmed"), f.Person("Others"), f.Person("Elsewhere")
	staff := f.Person("Editor", "view", "edit")
	f.Exec(`UPDATE users SET verified = false WHERE id = ?`, unconfirmed)
	f.back(backing{user: twice, email: "a@example.com", minor: 60_00})
	f.back(backing{user: twice, email: "b@example.com", minor: 59_99})
	f.back(backing{email: strings.ToUpper(f.addressOf(byMail)), minor: 120_00})
	f.back(backing{email: f.addressOf(unconfirmed), minor: 120_00})
	f.back(backing{user: refunded, email: "c@example.com", minor: 200_00, refunded: 81_00, status: "partly_refunded"})
	f.back(backing{user: processing, email: "d@example.com", minor: 200_00, status: "processing"})
	f.back(backing{user: processing, email: "d@example.com", minor: 200_00, refunded: 200_00, status: "refunded"})
	// of another account
	f.back(backing{user: twice, email: f.addressOf(others), minor: 500, refunded: 400, status: "partly_refunded"})
	here := f.id
	f.id = campaign(f.World, stranger)
	f.back(backing{user: elsewhere, email: "e@example.com", minor: 500_00})
	f.id = here

	address, _ := f.post(`{"status": "published", "content": {"title": "Otsikko", "json": ` + twoParagraphs + `}}`)
	for level, readers := range map[int][]int64{
		0:   {0, stranger, unconfirmed, processing, others, elsewhere, twice, byMail, refunded, f.creator, staff},
		1:   {twice, byMail, refunded, f.creator, staff},
		119: {twice, byMail, refunded, f.creator, staff},
		120: {twice, byMail, f.creator, staff},
		121: {f.creator, staff},
	} {
		f.change(address, fmt.Sprintf(`{"meta": {"level": %d}}`, level))
		for _, as := range []int64{0, stranger, unconfirmed, processing, others, elsewhere, twice, byMail, refunded,
			f.creator, staff} {
			may := false
			for _, reader := range readers {
				may = may || reader == as
			}
			var list api.PostsAnswer
			f.Get(f.posts, as).JSON(&list)
			for where, got := range map[string]api.Post{"page": f.read(address, as), "list": list.Posts[0]} {
				whole := strings.Contains(got.Content.HTML, "Vain tukijoille")
				if got.Restricted == may || whole != may || !may && got.Content.HTML != "<p>Ensimmäinen.</p>" {
					t.Errorf("level %d, %s of person %d: restricted %t, %s; may read: %t", level, where, as, got.Restricted,
						got.Content.HTML, may)
				}
				if got.Intro != "Ensimmäinen." || got.Title != "Otsikko" || got.Meta.Level != level {
					t.Errorf("level %d: %+v", level, got)
				}
			}
		}
	}
}

// Support that has ended lets its supporter read through the last day that is paid, in Finland.
func TestLevels_PaidTimeEndsAtMidnightInFinland(t *testing.T) {
	f := newWriting(t)
	supporter := f.Person("Supporter")
	f.Exec(`INSERT INTO subscriptions (id, campaign_id, user_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, paid_until,
			created_at, updated_at)
		VALUES (?, ?, ?, 'canceled', 1000, 'EUR', 's@example.com', 'A', 'B', 'fi', now(), ?, now(), now())`,
		ids.New(), f.id, supporter, f.Now().Format(time.DateOnly))
	address, _ := f.post(`{"status": "published", "content": {"title": "Otsikko", "json": ` + twoParagraphs + `}, "meta": {"level": 1}}`)
	f.Advance(9*time.Hour + 30*time.Minute)
	if f.read(address, supporter).Restricted {
		t.Error("the last day is not read")
	}
	f.Advance(time.Hour)
	if !f.read(address, supporter).Restricted {
		t.Error("it is read after the last day")
	}
}

// No answer to a reader below a post's level has the restricted text, and checking levels takes no further statements.
func TestLevels_TheRestIsInNoAnswer(t *testing.T) {
	f := newWriting(t)
	backer, stranger := f.Person("Backer"), f.Person("Stranger")
	f.back(backing{user: backer, email: "a@example.com", minor: 1_00})
	address, _ := f.post(`{"status": "published", "content": {"title": "Otsikko", "json": ` + twoParagraphs + `}, "meta": {"level": 1}}`)
	f.post(`{"status": "published", "content": {"title": "Ilman kappaletta", "json": {"type":"doc","content":[
		{"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text","text":"Vain tukijoille."}]}]}]}]}}, "meta": {"level": 1}}`)
	for _, path := range []string{f.posts, f.posts + "preview/", address, fmt.Sprintf("/campaigns/%d/fi/", f.id),
		"/campaigns/preview/fi/", "/campaigns/preview/fi/?keyword=tukijoille"} {
		for _, as := range []int64{0, stranger} {
			answer := f.Get(path, as)
			if answer.Status != http.StatusOK || strings.Contains(string(answer.Body), "tukijoille.") {
				t.Errorf("%s to person %d: %d %s", path, as, answer.Status, answer.Body)
			}
			if personal := f.Get(path, backer); len(personal.Statements) > len(answer.Statements) ||
				personal.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%s: %d statements for a backer, %d for others; Cache-Control %s", path, len(personal.Statements),
					len(answer.Statements),
					personal.Header.Get("Cache-Control"))
			}
		}
	}
	for path, most := range map[string]int{f.posts: 2, f.posts + "preview/": 2, address: 2} {
		if ran := f.Get(path, backer).Statements; len(ran) > most {
			t.Errorf("%s takes %d statements: %q", path, len(ran), ran)
		}
	}
	f.Exec(`UPDATE pledges SET status = 'refunded', amount_refunded_minor = amount_minor`)
	f.Advance(time.Second)
	if got := f.read(address, backer); !got.Restricted {
		t.Error("who got the money back still reads the whole")
	}
}
