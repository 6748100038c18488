package app_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// The database may hold hostile values, from before a rule existed or by SQL.
func TestHostileLinks_AreLeftOut(t *testing.T) {
	p := setupDemo(t)
	handler := p.checked(t)
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	experiment := p.number(t, `SELECT min(id) FROM experiments WHERE NOT disabled`)
	person := p.number(t, `SELECT id FROM users WHERE email = 'backer@talkoot.example'`)
	token := bearer(p.token(t, person))
	for _, c := range []struct {
		link string
		told bool
	}{
		{"https://höyry.example/sauna?a=1", true}, {"http://example.fi", true},
		{"javascript:alert(document.domain)", false}, {"JAVASCRIPT:alert(1)//https://", false}, {"data:text/html,<script>alert(1)</script>", false},
		{"https://a b/", false}, {"https://[", false}, {"https://x\u202e.example/", false}, {"https://example.fi/\n<script>", false},
		{"</script><script>alert(1)</script>", false}, {"https://example.fi/" + strings.Repeat("x", 100_000), false}, {"https://1.2.3.999/", false},
	} {
		list, err := json.Marshal([]map[string]string{{"url": c.link, "title": "x"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range []struct {
			sql   string
			value string
			id    int64
		}{
			{`UPDATE campaigns SET external_link_1 = ? WHERE id = ?`, c.link, campaign},
			{`UPDATE campaigns SET video_url = ? WHERE id = ?`, c.link, campaign},
			{`UPDATE experiments SET links = ? WHERE id = ?`, string(list), experiment},
			{`UPDATE users SET links = ? WHERE id = ?`, string(list), person},
		} {
			if err := p.db.Exec(change.sql, change.value, change.id).Error; err != nil {
				t.Fatal(err)
			}
		}
		for _, address := range []string{fmt.Sprintf("/campaigns/%d/fi/", campaign), fmt.Sprintf("/experiments/%d/fi/", experiment), "/users/me/profile/"} {
			answer := call(t.Context(), handler, "GET", address, "", token...)
			var told any
			if err := json.Unmarshal(answer.Body.Bytes(), &told); answer.Code != 200 || err != nil {
				t.Fatalf("%s with %.60q: %d %v", address, c.link, answer.Code, err)
			}
			if has := strings.Contains(fmt.Sprint(told), c.link); has != c.told {
				t.Errorf("%s tells %.60q: %t", address, c.link, has)
			}
		}
		page := call(t.Context(), p.handler, "GET", fmt.Sprintf("/%d/x/", campaign), "")
		if page.Code != 200 || page.Body.Len() > 100_000 || strings.Contains(page.Body.String(), "<script>alert") {
			t.Errorf("the page with %.60q: %d, %d bytes", c.link, page.Code, page.Body.Len())
		}
	}
}

func TestHostileNames_AreRefusedAtRegistration(t *testing.T) {
	p := setupDemo(t)
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	for name, rule := range map[string]string{
		"Talkoot": "name_reserved", "Tаlkооt": "name_reserved", "T a l k o o t": "name_reserved", "Ylläpito": "name_reserved", "Moder\u0430tor": "name_reserved",
		"Adm1n": "name_reserved", "www.evil.example": "name_link", "Voitit: https://evil.example": "name_link", "Tal\u200bkoot": "format", "Kylätalkoot": "", "\u202aAino\u202c": "", "Pau\u00adla": "", "\u202aTalkoot\u202c": "name_reserved",
	} {
		for address, body := range map[string]string{
			"/users/": fmt.Sprintf(`{"email": "n@new.example", "password": "long enough", "first_name": %q, "last_name": "B"}`, name),
			fmt.Sprintf("/campaigns/%d/pledges/", campaign): fmt.Sprintf(`{"amount": 20, "pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": %q}}`, name),
		} {
			answer := call(t.Context(), p.handler, "POST", address, body)
			if rule == "" && answer.Code != 201 || rule != "" && (answer.Code != 422 || !strings.Contains(answer.Body.String(), `"rule":"`+rule+`"`)) {
				t.Errorf("%s as %q: %d %s", address, name, answer.Code, answer.Body)
			}
		}
	}
}
