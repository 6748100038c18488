package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// hostileValues are put into each field of each body, in place of a good value.
var hostileValues = []string{`null`, `true`, `""`, `" "`, `"\u0000"`, `"\ud800"`, `"a\nb"`, `"\u202e"`, `-1`, `0`, `1.5`, `1e2`, `-0`, `1e999`, `1e-999`, `9223372036854775808`, `-9223372036854775808`, `100000000`, `1000001`, `0.001`,
	`[]`, `{}`, `[null]`, `[{}]`, `[[]]`, `{"fi":null}`, `{"type":"doc","content":null}`, `{"type":"doc","content":[{"type":"image","attrs":{"src":"x.png","width":-1,"height":1e9}}]}`,
	`{"type":"doc","content":[{"type":"budget","attrs":{"rows":[{"label":"a","amount_minor":1000000000000}]}}]}`,
	`{"type":"doc","content":[{"type":"budget"}]}`, `{"type":"doc","content":[{"type":"figures"}]}`, `{"type":"doc","content":[{"type":"heading"}]}`,
	`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"\u0000"}]}]}`,
	`"9999-12-31"`, `"0000-00-00"`, `"0000-01-01"`, `"2026-02-30"`, `"9999-12"`, `"0000-01"`, `"a@b"`, `"ä@ö.fi"`, `"scene-x.svg"`, `"../x"`, `"x.png"`, `"https://www.youtube.com/watch?v=aaaaaaaaaaa"`, `"acct_x"`,
	`[1,1,1]`, `[9223372036854775807]`, `[-1]`, `[{"target":1,"title":"a"},{"target":1,"title":"b"}]`, `[{"goal_id":9223372036854775807,"target":1,"title":"a"}]`,
	`[{"user_id":9223372036854775807}]`, `[{"email":"x@y.fi"}]`, `[{"text":"ask_for_address"},{"text":"ask_for_address"}]`, `[{"text":"\u0000"}]`,
	`[{"amount":0.001,"description":{}}]`, `[{"amount":100000000,"description":{"fi":"x"}}]`, `[{"part":"story","text":"\u0000"}]`, `[{"part":"story","text":"x","quote":"\ud83d"}]`,
	`{"level":1000000}`, `{"level":-1}`, `{"title":"x","html":"<p>x</p>","json":{"type":"doc"}}`, `{"html":"\u0000"}`, `{"html":"<ul><ul><ul><ul><ul><ul><ul><ul><ul><li>x"}`, `{"title":"\u0000"}`,
}

// However malformed a body is, it is refused with a 4xx that says why, never with a 5xx.
func TestSweep_NoBodyMakesAFaultOfTheServer(t *testing.T) {
	p := setupDemo(t)
	draft, public := p.target(t, "torstain-puupaja"), p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	admin := bearer(p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`)))
	if err := p.db.Exec(`UPDATE sessions SET step_confirmed_at = confirmed_at`).Error; err != nil {
		t.Fatal(err)
	}
	reward := p.number(t, fmt.Sprintf(`SELECT min(id) FROM rewards WHERE campaign_id = %d`, public))
	post := p.number(t, `SELECT min(id) FROM posts WHERE campaign_id = (SELECT min(campaign_id) FROM posts)`)
	ofPost := p.number(t, `SELECT min(campaign_id) FROM posts`)
	fields := map[string]string{
		"POST /v2/campaigns/":          "title tagline stage language categories place",
		"POST /v3/campaigns/":          "title tagline stage language categories place min_goal target_goal contact_email legal_creator legal_creator_type funding_rule first_day_of_funding last_day_of_funding subscriptions_goals rewards",
		"PATCH %d/settings/":           "video_url min_goal target_goal contact_email legal_creator funding_rule place project_pic creator_pic first_day_of_funding last_day_of_funding",
		"PATCH %d/meta/":               "external_link_1 hideFundingAmount hideMemberCount legal_creator_type",
		"PATCH %d/language/":           "fi en sv fi.title fi.tagline fi.short_description fi.about_creator fi.json_description fi.project_pic_alt",
		"PATCH %d/custom_language/fi/": "match_funding match_funding.value __proto__ A",
		"PATCH %d/admin/":              "team invitations stage reason",
		"POST %d/subscriptions_goals/": "subscriptions_goals",
		"POST %d/categories/":          "categories", "POST %d/tags/": "tags",
		"POST %d/content_variations/":                              "field language value",
		"POST %d/review/decisions/":                                "decision notes",
		"POST %d/review/changes/":                                  "seen",
		"POST %d/set_payment_account/":                             "stripe_account_id mangopay_user_id mangopay_wallet_id",
		"POST %d/posts/":                                           "language content status meta content.title content.html content.json",
		fmt.Sprintf("PATCH /campaigns/%d/posts/%d/", ofPost, post): "language content status meta content.title content.html content.json",
		fmt.Sprintf("PATCH /rewards/%d/", reward):                  "amount stock active image vat_percentage delivery added_costs",
		fmt.Sprintf("PATCH /rewards/%d/language/", reward):         "fi en sv fi.title fi.description fi.image_alt fi.custom_questions",
		"PATCH /users/me/profile":                                  "first_name last_name short_description meta meta.phone", "PATCH /users/me/settings/": "language mail show_backed mail.letters",
		"PATCH /users/me/profile/image_collection": "image_collection image_collection.profile",
		"POST /users/me/links/":                    "links", "POST /users/me/skills/": "skills", "POST /users/me/tags/": "tags",
		fmt.Sprintf("PATCH /users/%d/admin/", draft.creator): "settings scope blocked reason settings.verified",
		"POST /users/sso/discourse/":                         "sso sig",
		"POST /videos/lookup/":                               "url", "POST %d/visits/": "visitor source",
	}
	tried, taken := 0, 0
	for call1, names := range fields {
		method, path, _ := strings.Cut(call1, " ")
		for _, id := range []int64{draft.campaign, public} {
			at := path
			if strings.Contains(path, "%d") {
				at = "/campaigns/" + fmt.Sprintf(path, id)
			} else if id == public {
				continue
			}
			for name := range strings.FieldsSeq(names) {
				for _, value := range hostileValues {
					body := ""
					if outer, inner, nested := strings.Cut(name, "."); nested {
						body = fmt.Sprintf(`{%q: {%q: %s}}`, outer, inner, value)
					} else {
						body = fmt.Sprintf(`{%q: %s}`, name, value)
						if strings.HasSuffix(path, "campaigns/") && name != "title" {
							body = fmt.Sprintf(`{"title": "x", %q: %s}`, name, value)
						}
						if strings.HasSuffix(path, "variations/") && name == "value" {
							body = fmt.Sprintf(`{"field": "tagline", "language": "fi", %q: %s}`, name, value)
						}
					}
					answer := call(t.Context(), p.handler, method, at, body, admin...)
					tried++
					if answer.Code < 300 {
						taken++
					}
					if answer.Code >= 500 {
						t.Errorf("%s %s %s: %d %s", method, at, body, answer.Code, answer.Body)
					}
				}
			}
			for _, body := range []string{``, `null`, `[]`, `"x"`, `{`, `{"a":1}`, `{"a":1,"a":1}`, strings.Repeat(`[`, 100_000), `{"fi":` + strings.Repeat(`{"a":`, 50_000) + `1` + strings.Repeat(`}`, 50_001)} {
				if answer := call(t.Context(), p.handler, method, at, body, admin...); answer.Code >= 500 {
					t.Errorf("%s %s %.60s: %d %s", method, at, body, answer.Code, answer.Body)
				}
			}
			for _, tag := range []string{`"0"`, `W/"1"`, `1`, `"-1"`, `"999999999999999999"`, `"9999999999999999999"`, `*, "1"`, `""`} {
				if answer := call(t.Context(), p.handler, method, at, `{}`, append(admin, "If-Match", tag)...); answer.Code >= 500 {
					t.Errorf("%s %s If-Match %s: %d %s", method, at, tag, answer.Code, answer.Body)
				}
			}
			for _, read := range []string{"fi/", "admin/", "overview/", "history/", "posts/", "rewards/fi/"} { // what was taken can be read
				if answer := call(t.Context(), p.handler, http.MethodGet, fmt.Sprintf("/campaigns/%d/%s", id, read), "", admin...); answer.Code != 200 {
					t.Errorf("after %s %s: GET %s: %d %s", method, at, read, answer.Code, answer.Body)
				}
			}
		}
	}
	t.Logf("%d bodies, %d taken", tried, taken)
}
