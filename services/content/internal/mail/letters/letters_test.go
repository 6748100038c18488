//go:build unix

package letters_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/mail/letters"
)

func TestLetters_LeaveOnceToEachAddressThatMayReadAndWants(t *testing.T) {
	p := newPost(t)
	p.back("aino@a.fi fi 10", "Aino@a.fi en 10", "bo@a.fi sv 19", "carl@a.fi fi 20", "gone@a.fi fi 50 refunded",
		"slow@a.fi fi 50 processing",
		"disputed@a.fi en 30 disputed", "refuser@a.fi fi 40")
	p.refuse("refuser@a.fi")
	if got := p.change(`{"meta": {"level": 20}}`).Letters; got.Total != 3 || got.Declined != 1 || got.ByLanguage["en"] != 2 || got.ByLanguage["fi"] != 1 || got.SentAt != nil {
		t.Errorf("before: %+v", got)
	}
	p.change(`{"status": "published"}`)
	p.deliver()
	if got := p.receivers(); got != "Aino@a.fi carl@a.fi disputed@a.fi" {
		t.Errorf("letters went to %s", got)
	}
	for _, body := range []string{`{"status": "draft"}`, `{"status": "published"}`, `{"meta": {"level": 0}}`, `{"content": {"title": "Korjattu"}}`} {
		p.change(body)
		p.deliver()
	}
	p.back("late@a.fi fi 100")
	p.deliver()
	if len(p.sent) != 3 {
		t.Errorf("letters went to %s", p.receivers())
	}
	got := p.change(`{}`)
	if got.Letters.SentAt == nil || got.Letters.Total != 3 || got.Letters.ByLanguage["en"] != 2 ||
		got.Letters.Declined != 1 {
		t.Errorf("after: %+v", got.Letters)
	}
	if readers := fmt.Sprint(got.Readers); readers != "[{0 6} {1 6}]" {
		t.Errorf("readers %s", readers)
	}
	if readers := fmt.Sprint(p.change(`{"meta": {"level": 30}}`).Readers); readers != "[{0 6} {1 6} {30 3}]" {
		t.Errorf("readers of level 30: %s", readers)
	}
}

func (p *post) refuse(address string) {
	p.t.Helper()
	var hash []byte
	if err := p.DB.Raw(`SELECT sha256(convert_to(lower(?), 'UTF8'))`, address).Row().Scan(&hash); err != nil {
		p.t.Fatal(err)
	}
	if got := p.Call(http.MethodPost, "/letters/"+p.Links.Letters.Token(p.campaign, hash)+"/unsubscribe/",
		0); got.Status != http.StatusNoContent {
		p.t.Fatalf("%d %s", got.Status, got.Body)
	}
}

func TestLetters_AreInTheBackersLanguageElseInThePostsOwn(t *testing.T) {
	p := newPost(t)
	p.change(`{"language": "sv", "content": {"title": "Bara en rubrik"}}`)
	p.change(`{"language": "en", "content": {"title": "The stove is chosen", "html": "<p>First.</p>"}}`)
	p.back("fi@a.fi fi 10", "en@a.fi en 10", "sv@a.fi sv 10")
	p.change(`{"status": "published"}`)
	p.deliver()
	for _, m := range p.sent {
		want := map[string][]string{
			"fi@a.fi": {"Kiuas on valittu", "Sitten.", "En halua enää kirjeitä", "Höyry",
				"https://talkoot.test/1/hoyry/posts/1/", "https://talkoot.test/letters/#token="},
			"en@a.fi": {"The stove is chosen", "First.", "No more letters", "Steam", "https://talkoot.test/en/1/hoyry/posts/1/",
				"https://talkoot.test/en/letters/#token="},
			"sv@a.fi": {"Kiuas on valittu", "Sitten.", "Inga fler brev", "Höyry", "https://talkoot.test/sv/1/hoyry/posts/1/", `lang="fi"`},
		}[m.To]
		if m.Subject != want[0] {
			t.Errorf("%s: subject %q", m.To, m.Subject)
		}
		for _, words := range want[1:] {
			if !strings.Contains(m.HTML, words) || !strings.HasPrefix(words, "lang") && !strings.Contains(m.Text, words) {
				t.Errorf("%s: no %q in %s\n%s", m.To, words, m.Text, m.HTML)
			}
		}
	}
	if len(p.sent) != 3 {
		t.Errorf("letters went to %s", p.receivers())
	}
}

func TestUnsubscribe_TakesTheMailedLinkFromMailProgramsAndPeople(t *testing.T) {
	p := newPost(t)
	p.back("leena@a.fi fi 10", "toinen@a.fi fi 10")
	p.change(`{"status": "published"}`)
	p.deliver()
	link := strings.TrimPrefix(p.sent[0].Unsubscribe, "https://talkoot.test/content")
	if !strings.HasPrefix(link, "/letters/") || !strings.Contains(p.sent[0].Text, strings.Split(link, "/")[2]) {
		t.Fatalf("link %q", p.sent[0].Unsubscribe)
	}
	for range 2 { // RFC 8058's form, twice
		if got := p.Post(link, "List-Unsubscribe=One-Click", 0, "Content-Type",
			"application/x-www-form-urlencoded"); got.Status != http.StatusNoContent {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	token := strings.Split(link, "/")[2]
	flipped := strings.Map(func(r rune) rune {
		if r == rune(token[10]) {
			return r ^ 1
		}
		return r
	}, token)
	for name, bad := range map[string]string{"changed": flipped, "short": token[:30], "longer": token + "AA",
		"of another key": strings.Repeat("A", len(token))} {
		if got := p.Call(http.MethodPost, "/letters/"+bad+"/unsubscribe/", 0).Status; got != http.StatusNotFound {
			t.Errorf("%s: %d", name, got)
		}
	}
	left := map[string]string{"leena@a.fi": "toinen@a.fi", "toinen@a.fi": "leena@a.fi"}[p.sent[0].To]
	p.sent = nil
	made := p.Post(fmt.Sprintf("/campaigns/%d/posts/", p.campaign),
		`{"status": "published", "content": {"title": "Toinen", "html": "<p>Teksti.</p>"}}`, p.creator)
	if made.Status != http.StatusCreated {
		t.Fatalf("%s", made.Body)
	}
	p.deliver()
	if got := p.receivers(); got != left {
		t.Errorf("after one refusal letters go to %q", got)
	}
}

func TestTestLetter_GoesToWhoWritesIfTheirAddressIsConfirmed(t *testing.T) {
	p := newPost(t)
	p.back("backer@a.fi fi 10")
	ask := func(want int, status string) {
		t.Helper()
		got := p.Call(http.MethodPost, p.address+"test_letter/?language=en", p.creator)
		if got.Status != want || !strings.Contains(string(got.Body), status) {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		p.deliver()
	}
	ask(http.StatusAccepted, "")
	if len(p.sent) != 1 || !strings.HasPrefix(p.sent[0].To, "Reijo.") || p.sent[0].Subject != "Test: Kiuas on valittu" ||
		p.sent[0].Unsubscribe == "" {
		t.Errorf("sent %+v", p.sent)
	}
	// An error and not silence: the author would wait for a letter that never comes.
	p.Exec(`UPDATE users SET verified = false`)
	ask(http.StatusForbidden, "address_unconfirmed")
	p.Exec(`UPDATE users SET verified = true`)
	p.Exec(`UPDATE post_texts SET title = ''`)
	ask(http.StatusUnprocessableEntity, "invalid_fields")
	if len(p.sent) != 1 {
		t.Errorf("letters went to %s", p.receivers())
	}
	p.count(0)
}

// The letters to backers are queued before the test letter; it makes no difference whether they have been sent.
func TestTestLetter_GoesAlsoWhileAPostIsPublishedTakenBackAndPublishedAgain(t *testing.T) {
	for _, delivered := range []bool{false, true} {
		p := newPost(t)
		p.back("backer@a.fi fi 10")
		for _, status := range []string{"published", "draft", "published"} {
			p.change(`{"status": "` + status + `"}`)
			if delivered {
				p.deliver()
			}
		}
		if got := p.Call(http.MethodPost, p.address+"test_letter/", p.creator); got.Status != http.StatusAccepted {
			t.Errorf("%d %s", got.Status, got.Body)
		}
		p.deliver()
		subjects := []string{}
		for _, m := range p.sent {
			subjects = append(subjects, m.Subject)
		}
		slices.Sort(subjects)
		if len(subjects) != 2 || subjects[0] != "Kiuas on valittu" || !strings.HasSuffix(subjects[1], ": Kiuas on valittu") {
			t.Errorf("with letters that have left %v: %q", delivered, subjects)
		}
	}
}

// A post that cannot be published queues nothing.
func TestLetters_AreQueuedByThePublishingTransaction(t *testing.T) {
	p := newPost(t)
	err := p.DB.Transaction(func(tx *gorm.DB) error {
		if err := letters.Begin(t.Context(), tx, p.id); err != nil {
			return err
		}
		return context.Canceled
	})
	var queued int
	if scan := p.DB.Raw(`SELECT count(*) FROM outbox`).Scan(&queued).Error; err == nil || scan != nil || queued != 0 {
		t.Errorf("%d messages, %v %v", queued, err, scan)
	}
}

func TestLetters_TheAddressOfMailProgramsOpenedInABrowserLeadsToThePageAndChangesNothing(t *testing.T) {
	p := newPost(t)
	token := p.Links.Letters.Token(p.campaign, make([]byte, 32))
	for language, page := range map[string]string{"": "/letters/", "en-GB": "/en/letters/", "sv": "/sv/letters/", "de": "/letters/"} {
		got := p.Send(http.MethodGet, "/letters/"+token+"/unsubscribe/", nil, 0, "Accept-Language", language)
		if to := got.Header.Get("Location"); got.Status != http.StatusSeeOther || to != page+"#token="+token {
			t.Errorf("%s: %d, to %s", language, got.Status, to)
		}
	}
	var refusals int
	if err := p.DB.Raw("SELECT count(*) FROM letter_refusals").Scan(&refusals).Error; err != nil || refusals != 0 {
		t.Errorf("%d letters refused by looking, %v", refusals, err)
	}
}
