//go:build unix

package review_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/writing/changes"
)

// What was approved is what people see, however the change of it is spelt: in another language, by another member, as a variation, by a
// reward that is new, copied or gone. None passes as if staff had read it.
func TestApproved_NoSpellingOfAChangePassesUnread(t *testing.T) {
	rewardOf := func(r *reviewing) (id int64) {
		r.DB.Raw(`SELECT min(id) FROM rewards WHERE campaign_id = ?`, r.id).Scan(&id)
		return id
	}
	send := func(method, path, body string) func(*reviewing) contenttest.Answer {
		return func(r *reviewing) contenttest.Answer {
			path := strings.NewReplacer("{id}", fmt.Sprint(r.id), "{reward}", fmt.Sprint(rewardOf(r))).Replace(path)
			return r.Send(method, path, strings.NewReader(body), r.creator)
		}
	}
	text := `{"type": "doc", "content": [{"type": "paragraph", "content": [{"type": "text", "text": "` + strings.Repeat("Uusi tarina. ", 30) + `"}]}]}`
	rename, settings := "/campaigns/{id}/language/", "/campaigns/{id}/settings/"
	for name, c := range map[string]struct {
		do   func(*reviewing) contenttest.Answer
		want string // changed parts and state; none of a change that is none
	}{
		"a title in another language": {send(http.MethodPatch, rename, `{"sv": {"title": "Köp bitcoin"}}`), "[title back_to_queue] 1 requested"},
		"a title that looks the same": {send(http.MethodPatch, rename, `{"fi": {"title": "Kylätalоn katto"}}`), "[title back_to_queue] 1 requested"},
		"the title in pieces":         {send(http.MethodPatch, rename, `{"fi": {"title": "Kyla\u0308talon katto"}}`), "[] 1 approved"},
		"the creator's own name": {send(http.MethodPatch, "/users/me/profile", `{"first_name": "Suomen", "last_name": "Kirkko"}`),
			"[creator to_be_seen] 1 approved"},
		"the creator's own words": {send(http.MethodPatch, "/users/me/profile", `{"short_description": "Osta heti"}`), "[creator to_be_seen] 1 approved"},
		"a member's own name": {func(r *reviewing) contenttest.Answer {
			return r.Patch("/users/me/profile", `{"first_name": "Suomen", "last_name": "Kirkko"}`, r.member)
		}, "[] 1 approved"}, // no page of the campaign names them
		"who answers, before a member erases their account": {func(r *reviewing) contenttest.Answer {
			r.ok(r.patch("settings", `{"legal_creator": "Muu ry"}`), r.patch("meta", `{"external_link_1": "https://muu.example"}`))
			r.Tx(func(ctx context.Context, tx *gorm.DB) error {
				_, err := campaigns.Edit{CampaignID: r.id, By: changes.Actor{Name: "user"}, Now: r.Now()}.Leave(ctx, tx, r.member, "")
				return err
			})
			return r.patch("language", `{"fi": {"tagline": "Heti"}}`)
		}, "[legal_creator back_to_queue link to_be_seen tagline to_be_seen team to_be_seen] 1 requested"},
		"the title with other spaces": {send(http.MethodPatch, rename, `{"fi": {"title": "  Kylätalon   katto "}}`), "[] 1 approved"},
		"a story in another language": {send(http.MethodPatch, rename, `{"en": {"title": "Roof", "json_description": `+text+`}}`),
			"[story to_be_seen title back_to_queue] 1 requested"},
		"a variation of the title": {send(http.MethodPost, "/campaigns/{id}/content_variations/",
			`{"field": "title", "language": "fi", "value": "Osta bitcoinia"}`), "[variations back_to_queue] 1 requested"},
		"a variation of the tagline": {send(http.MethodPost, "/campaigns/{id}/content_variations/",
			`{"field": "tagline", "language": "fi", "value": "Osta heti"}`), "[variations to_be_seen] 1 approved"},
		"a new reward":    {send(http.MethodPost, "/campaigns/{id}/rewards/", `{}`), "[reward: to_be_seen] 1 approved"},
		"a copied reward": {send(http.MethodPost, "/rewards/{reward}/copy/", ``), "[reward: to_be_seen] 1 approved"},
		"a title by another member": {func(r *reviewing) contenttest.Answer {
			return r.Patch(fmt.Sprintf("/campaigns/%d/language/", r.id), `{"fi": {"title": "Osta"}}`, r.member)
		}, "[title back_to_queue] 1 requested"},
		"a goal and back": {func(r *reviewing) contenttest.Answer {
			r.ok(r.patch("settings", `{"target_goal": 7000}`))
			return r.patch("settings", `{"target_goal": 3200}`)
		}, "[] 1 approved"},
		"who answers, in capitals": {send(http.MethodPatch, settings, `{"legal_creator": "OSTA BITCOINIA OY"}`), "[legal_creator back_to_queue] 1 requested"},
		"the day today":            {send(http.MethodPatch, settings, `{"first_day_of_funding": "2026-11-20"}`), "[dates back_to_queue] 1 requested"},
	} {
		r := approved(t)
		if a := c.do(r); a.Status >= 300 {
			t.Errorf("%s: %d %s", name, a.Status, a.Body)
			continue
		}
		if got := fmt.Sprint(r.changed(), " ", r.state()); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if r.open() != 0 {
			t.Errorf("%s: it has opened", name)
		}
	}
}
