package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/ordertoken"

	"talkoot.fi/content/internal/pledging/orderlinks"
	"talkoot.fi/content/migrations"
)

// askLinks asks for the links of an address, and gives what was answered and the mails that it got.
func (p *mailedPlatform) askLinks(t *testing.T, email string) (answer string, texts []string) {
	t.Helper()
	before := len(p.sent)
	body, err := json.Marshal(map[string]string{"email": email, "language": "en"})
	if err != nil {
		t.Fatal(err)
	}
	a := call(t.Context(), p.checked(t), "POST", "/order-links/", string(body))
	p.deliver(t, email)
	for _, m := range p.sent[before:] {
		if m.Kind == orderlinks.KindMail {
			texts = append(texts, m.To+"\n"+m.Text)
		}
	}
	return fmt.Sprint(a.Code, a.Body), texts
}

var linked = regexp.MustCompile(`(support-link|pledge-link)/#token=([A-Z2-7]{26})`)

// A guest has the links to their support by mail; who asks learns nothing, and no link tells an id or more than its one thing.
func TestOrderLinks_GoToTheAddressAlone(t *testing.T) {
	p := withMails(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	of := p.paidBy(t, campaign, 0, "Guest@example.fi")
	p.do(t, `UPDATE subscriptions SET next_charge_on = begun_on + interval '1 month' WHERE id = ?`, of[ordertoken.Subscription])
	owner := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	p.paidBy(t, campaign, owner, "backer@talkoot.example")

	answer, texts := p.askLinks(t, "guest@example.fi")
	for _, other := range []string{"nobody@example.fi", "backer@talkoot.example"} { // of the second, what has an account
		if got, mailed := p.askLinks(t, other); got != answer || len(mailed) != 0 {
			t.Errorf("%s: %s and %d mails; the guest: %s", other, got, len(mailed), answer)
		}
	}
	if len(texts) != 1 || !strings.HasPrefix(texts[0], "guest@example.fi\n") {
		t.Fatalf("mails %q", texts)
	}
	acts := map[string]bool{}
	shown := 0
	for _, found := range linked.FindAllStringSubmatch(texts[0], -1) {
		token := fmt.Sprintf(`{"token": %q}`, found[2])
		if found[1] == "pledge-link" {
			a := call(t.Context(), p.checked(t), "POST", "/pledge-links/receipt/", token)
			if a.Code != http.StatusOK || !strings.Contains(a.Body.String(), "TK-") || strings.Contains(strings.ToLower(a.Body.String()), "guest@") ||
				strings.Contains(a.Body.String(), of[ordertoken.Pledge]) {
				t.Errorf("a receipt: %d %s", a.Code, a.Body)
			}
			shown++
			continue
		}
		a := call(t.Context(), p.handler, "POST", "/internal/subscription-links", token, bearer(p.serviceToken(t))...)
		var link struct {
			ID     string `json:"subscription_id"`
			Act    string
			Period int
		}
		decode(t, a.Body.Bytes(), &link)
		if link.ID != of[ordertoken.Subscription] || (link.Act == "pause" || link.Act == "skip") && link.Period != 2 {
			t.Errorf("%+v", link)
		}
		acts[link.Act] = true
	}
	if shown != 1 || len(acts) != 4 || !acts["skip"] || !acts["pause"] || !acts["cancel"] || !acts["card"] {
		t.Errorf("%d receipts and %v in %s", shown, acts, texts[0])
	}
	for _, id := range of {
		if strings.Contains(texts[0], id) {
			t.Errorf("the mail names %s", id)
		}
	}
	mailed := 0
	for range 8 {
		got, texts := p.askLinks(t, "guest@example.fi")
		if got != answer {
			t.Errorf("many times: %s", got)
		}
		mailed += len(texts)
	}
	if mailed > 3 {
		t.Errorf("an address gets %d of these mails at once", mailed+1)
	}
	p.ahead = 46 * 24 * time.Hour
	found := linked.FindAllStringSubmatch(texts[0], -1)
	if a := call(t.Context(), p.checked(t), "POST", "/pledge-links/receipt/", fmt.Sprintf(`{"token": %q}`, found[len(found)-1][2])); a.Code != http.StatusGone {
		t.Errorf("after 45 days: %d %s", a.Code, a.Body)
	}
}

// Support whose first month its bank still has is nowhere else for a guest, once the browser in which it was begun is gone: it can be ended.
func TestOrderLinks_OfAFirstMonthAtItsBank_EndIt(t *testing.T) {
	p := withMails(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	of := p.paidBy(t, campaign, 0, "guest@example.fi")[ordertoken.Subscription]
	p.do(t, `DELETE FROM subscription_charges WHERE subscription_id = ?`, of)
	p.do(t, `UPDATE subscriptions SET status = 'created', is_processing = true, begun_on = NULL WHERE id = ?`, of)
	_, texts := p.askLinks(t, "guest@example.fi")
	if len(texts) != 1 || !strings.Contains(texts[0], "confirming the first month") {
		t.Fatalf("mails %q", texts)
	}
	var acts []string
	for _, found := range linked.FindAllStringSubmatch(texts[0], -1) {
		if found[1] != "support-link" {
			continue
		}
		a := call(t.Context(), p.handler, "POST", "/internal/subscription-links", fmt.Sprintf(`{"token": %q}`, found[2]), bearer(p.serviceToken(t))...)
		var link struct{ Act string }
		decode(t, a.Body.Bytes(), &link)
		acts = append(acts, link.Act)
	}
	if len(acts) != 1 || acts[0] != "cancel" {
		t.Errorf("its links do %v", acts)
	}
}

// Mails that were sent before have the pledge's id: it goes on showing that one receipt for as long as a token does, and opens
// nothing else. Of a pledge that is paid since, it shows nothing.
func TestOldReceiptLinks_ShowTheirReceiptForAWhile(t *testing.T) {
	p := withMails(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	old := p.paidBy(t, campaign, 0, "old@example.fi")[ordertoken.Pledge]
	text, err := migrations.FS.ReadFile("00034_receipt_links.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, statement, found := strings.Cut(string(text), "INSERT INTO")
	if !found {
		t.Fatal("the migration knows no old links")
	}
	p.do(t, "INSERT INTO"+statement)
	later := p.paidBy(t, campaign, 0, "later@example.fi")[ordertoken.Pledge]
	read := func(id string) int {
		return call(t.Context(), p.checked(t), "POST", "/pledge-links/receipt/", fmt.Sprintf(`{"token": %q}`, id)).Code
	}
	if read(old) != http.StatusOK || read(later) != http.StatusGone {
		t.Errorf("an old link: %d, the id of a later pledge: %d", read(old), read(later))
	}
	if a := call(t.Context(), p.checked(t), "GET", "/pledges/"+old+"/", ""); a.Code != http.StatusForbidden {
		t.Errorf("its id: %d", a.Code)
	}
	p.ahead = 46 * 24 * time.Hour
	if got := read(old); got != http.StatusGone {
		t.Errorf("after 45 days: %d", got)
	}
}
