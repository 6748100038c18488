package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Nothing of a draft, and nothing of a restricted post but its first paragraph, reaches a stranger by any address.
func TestSecrets_ReachNoStrangerByAnyAddress(t *testing.T) {
	p := setupDemo(t)
	draft := p.target(t, "torstain-puupaja")
	public := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	creator := bearer(p.token(t, draft.creator))
	owner := bearer(p.token(t, p.number(t, `SELECT user_id FROM campaign_team WHERE campaign_id = ? AND position = 0`, public)))
	must := func(method, path, body string, as []string) string {
		t.Helper()
		answer := call(t.Context(), p.handler, method, path, body, as...)
		if answer.Code >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, answer.Code, answer.Body)
		}
		return answer.Body.String()
	}
	must("PATCH", fmt.Sprintf("/campaigns/%d/language/", draft.campaign), `{"fi": {"title": "Salainenluonnos", "tagline": "Salainenluonnos", "short_description": "Salainenluonnos"}}`, creator)
	must("POST", fmt.Sprintf("/campaigns/%d/posts/", draft.campaign), `{"content": {"title": "Salainenluonnos", "html": "<p>Salainenluonnos</p>"}, "status": "published"}`, creator)
	must("POST", fmt.Sprintf("/campaigns/%d/posts/", public), `{"content": {"title": "Vain tukijoille", "html": "<p>Ensin.</p><p>Salaisetsanat</p>"}, "meta": {"level": 1}, "status": "published"}`, owner)
	must("POST", fmt.Sprintf("/campaigns/%d/posts/", public), `{"content": {"title": "Salainenkirje", "html": "<p>Salainenkirje</p>"}}`, owner)
	ofDraft := p.number(t, `SELECT max(id) FROM posts WHERE campaign_id = ?`, draft.campaign)
	restricted := p.number(t, `SELECT max(id) FROM posts WHERE campaign_id = ? AND level = 1`, public)
	letter := p.number(t, `SELECT max(id) FROM posts WHERE campaign_id = ? AND status = 'draft'`, public)
	var addresses []string
	for _, language := range []string{"fi", "en", "sv"} {
		for _, list := range []string{"/campaigns/preview/%s/", "/v2/campaigns/preview/%s/", "/v6/campaigns/preview/%s/", "/campaigns/preview/%s/most_funded/", "/v2/campaigns/preview/preparing/%s/",
			"/v3/campaigns/preview/preparing/%s/", "/campaigns/preview/subscriptions/%s/"} {
			for _, query := range []string{"", "stages=0", "stages=0,1,2", fmt.Sprintf("campaign_ids=%d", draft.campaign), fmt.Sprintf("campaign_ids=%d&stages=0", draft.campaign), "keyword=Salainenluonnos", "keyword=Salainen&stages=0"} {
				addresses = append(addresses, fmt.Sprintf(list, language)+"?limit=300&"+query)
			}
		}
		for _, query := range []string{"Salainenluonno", "salainen", "Salaisetsan", "Salainenkirj", "Salainenluonnoz"} {
			addresses = append(addresses, "/v6/search/"+language+"/?limit=48&q="+query, "/v6/search/"+language+"/?exact=true&place=Tampere&q="+query)
		}
		prefix := map[string]string{"fi": "", "en": "/en", "sv": "/sv"}[language]
		for _, id := range []int64{draft.campaign, public} {
			for _, rest := range []string{"", "x/", "x/pledge/", "x/thanks/", fmt.Sprintf("x/posts/%d/", ofDraft), fmt.Sprintf("x/posts/%d/", restricted), fmt.Sprintf("x/posts/%d/", letter),
				fmt.Sprintf("x/posts/%d/edit/", restricted), "x/edit/", "edit/", "admin/"} {
				addresses = append(addresses, fmt.Sprintf("%s/%d/%s", prefix, id, rest))
			}
			for _, rest := range []string{language + "/", "rewards/" + language + "/", "posts/?language=" + language, "posts/preview/?language=" + language, "backers/", "history/", "overview/", "admin/", "backers/table/", "deliveries/", "supporters/table/",
				fmt.Sprintf("posts/%d/", ofDraft), fmt.Sprintf("posts/%d/?language=%s", restricted, language), fmt.Sprintf("posts/%d/", letter), fmt.Sprintf("posts/%d/admin/", restricted)} {
				addresses = append(addresses, fmt.Sprintf("/campaigns/%d/%s", id, rest))
			}
		}
		addresses = append(addresses, prefix+"/", prefix+"/campaigns/", "/sitemap.xml", "/campaigns/mycampaigns/preview/"+language+"/")
	}
	stranger := bearer(p.tokenOf(t, "stranger", target{}))
	for _, address := range addresses {
		for _, as := range [][]string{nil, stranger} {
			answer := call(t.Context(), p.handler, http.MethodGet, address, "", as...)
			for _, secret := range []string{"Salainenluonnos", "salainenluonnos", "Salaisetsanat", "Salainenkirje"} {
				if strings.Contains(answer.Body.String(), secret) || strings.Contains(fmt.Sprint(answer.Header()), secret) {
					t.Errorf("%s tells %s: %d", address, secret, answer.Code)
				}
			}
			if answer.Code >= 500 {
				t.Errorf("%s: %d", address, answer.Code)
			}
		}
	}
	t.Logf("%d addresses", len(addresses))
}
