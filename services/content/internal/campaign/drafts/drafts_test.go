//go:build unix

package drafts_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

type fixture struct {
	*contenttest.World
	t               *testing.T
	person          int64
	first, category int64
}

func setup(t *testing.T) *fixture {
	f := &fixture{World: contenttest.New(t), t: t}
	f.first, f.category = f.Category("yhteiso"), f.Category("musiikki")
	f.person = f.Person("Aino")
	return f
}

// begun is the campaign of an answer of status 201.
func (f *fixture) begun(answer contenttest.Answer) (made struct {
	CampaignID int64 `json:"campaign_id"`
	Slug       string
	Version    int64
}) {
	f.t.Helper()
	var body struct{ Campaign any }
	body.Campaign = &made
	if err := json.Unmarshal(answer.Body, &body); err != nil || answer.Status != http.StatusCreated {
		f.t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	return made
}

func (f *fixture) page(id int64) (shown api.CampaignAnswer) {
	f.t.Helper()
	f.Get(fmt.Sprintf("/campaigns/%d/fi/", id), f.person).JSON(&shown)
	return shown
}

// refused checks an error and its faults.
func (f *fixture) refused(answer contenttest.Answer, status int, key string, fields ...string) {
	f.t.Helper()
	var fault api.APIError
	if err := json.Unmarshal(answer.Body, &fault); err != nil {
		f.t.Fatal(err)
	}
	var got []string
	if fault.Fields != nil {
		for _, one := range *fault.Fields {
			got = append(got, one.Path+" "+one.Rule)
		}
	}
	slices.Sort(got)
	slices.Sort(fields)
	if answer.Status != status || fault.Status != key || !slices.Equal(got, fields) {
		f.t.Errorf("%d %s %q, want %d %s %q", answer.Status, fault.Status, got, status, key, fields)
	}
}

func TestCreate_ABareDraftIsItsCreatorsAlone(t *testing.T) {
	f := setup(t)
	for body, want := range map[string]struct {
		opensAs int
		slug    string
	}{"": {2, "luonnos"}, `{"stage": 6}`: {6, "luonnos"}, `{"stage": 0}`: {2, "luonnos"}} {
		made := f.begun(f.Post("/campaigns/", body, f.person, "Accept-Language", "fi"))
		shown := f.page(made.CampaignID).Campaign
		if made.Slug != want.slug || made.Version != 1 || shown.Stage != 0 || int(*shown.OpensAs) != want.opensAs ||
			shown.Title != "" || shown.Creator.UserID != f.person || *shown.Category != "yhteiso fi" {
			t.Errorf("%s: %+v, the page shows %+v", body, made, shown)
		}
		if answer := f.Get(fmt.Sprintf("/campaigns/%d/fi/", made.CampaignID),
			f.Person("Stranger")); answer.Status != http.StatusNotFound {
			t.Errorf("a stranger sees it: %d", answer.Status)
		}
	}
	if made := f.begun(f.Post("/campaigns", `{}`, f.person, "Accept-Language", "sv")); made.Slug != "utkast" {
		t.Errorf("in Swedish: %s", made.Slug)
	}
	if answer := f.Post("/campaigns/", `{}`, 0); answer.Status != http.StatusUnauthorized {
		t.Errorf("anonymous: %d", answer.Status)
	}
	f.fresh()
}

// What stands for the erasure is what it does to the person's row, which it locks first.
func TestCreate_WhileTheAccountIsErasedComesToNothing(t *testing.T) {
	f := setup(t)
	answers := f.Race(func(_ context.Context, tx *gorm.DB) error {
		return tx.Exec(`UPDATE users SET erased_at = now(), blocked_at = now(), email = 'erased-' || id, password_hash = '', verified = false
			WHERE id = ?`, f.person).Error
	}, func() contenttest.Answer { return f.Post("/campaigns/", `{}`, f.person) })
	f.refused(answers[0], http.StatusUnauthorized, "not_authenticated")
	var left int
	if err := f.DB.Raw(`SELECT count(*) FROM campaigns`).Scan(&left).Error; err != nil || left != 0 {
		t.Errorf("%d drafts of nobody, %v", left, err)
	}
}

// fresh fails the test when the read model differs from one that is computed anew from its sources.
func (f *fixture) fresh() {
	f.t.Helper()
	if rows, err := campaigns.RecomputePreviews(f.t.Context(), f.DB); err != nil || len(rows) != 0 {
		f.t.Errorf("stale %v, %v", rows, err)
	}
}

func TestCreate_ANamedDraftHasItsTextsAndCategories(t *testing.T) {
	f := setup(t)
	made := f.begun(f.Post("/v2/campaigns/", fmt.Sprintf(`{"title": " Kylän sauna ", "tagline": "Löylyä", "categories": [%d, %d], "place": "Inari", "language": "en", "stage": 6}`,
		f.category, f.first), f.person))
	shown := f.page(made.CampaignID).Campaign
	if made.Slug != "kylan-sauna" || shown.Title != "Kylän sauna" || shown.Tagline != "Löylyä" ||
		*shown.Category != "musiikki fi" || len(shown.Categories) != 2 || shown.Place != "Inari" || shown.Language != "en" {
		t.Errorf("%+v, the page shows %+v", made, shown)
	}
	f.refused(f.Post("/v2/campaigns/", `{"title": " ", "categories": [4711]}`, f.person), 422, "invalid_fields", "title required", "categories[0] one_of")
	f.refused(f.Post("/v2/campaigns/", `{"tagline": "x"}`, f.person), 422, "invalid_fields", "title required")
	f.refused(f.Post("/v2/campaigns/", `{"title": "x", "creator": 1}`, f.person), 400, "unknown_field", "creator unknown_field")
	f.refused(f.Post("/v2/campaigns/", `{"title": "x", "stage": 3}`, f.person), 422, "invalid_fields", "stage one_of")
	f.refused(f.Post("/v2/campaigns/", `{"title": "x", "language": "de"}`, f.person), 422, "invalid_fields", "language format")
	f.fresh()
}

const guided = `{"title": "Kylän sauna", "min_goal": 1000, "target_goal": 2000.5, "funding_rule": "keep_what_is_raised",
	"first_day_of_funding": "2026-12-01", "last_day_of_funding": "2026-12-24", "contact_email": "Aino@Example.fi", "legal_creator": "Sauna ry",
	"legal_creator_type": "association", "rewards": [{"title": "Löylyvuoro", "description": "Tunti", "amount": 20, "stock": 5}, {"title": "Kiitos", "amount": 5}],
	"subscriptions_goals": [{"target": 10, "title": "Kiuas"}]}`

func TestCreate_AGuidedDraftHasAllThatItBeginsWith(t *testing.T) {
	f := setup(t)
	made := f.begun(f.Post("/v3/campaigns/", guided, f.person))
	shown := f.page(made.CampaignID).Campaign
	if shown.MinGoal != 1000_00 || shown.TargetGoal != 2000_50 || shown.FundingRule != "keep_what_is_raised" ||
		shown.Settings.ContactEmail != "Aino@Example.fi" ||
		shown.Settings.LastDayOfFunding.String() != "2026-12-24" || shown.Counts.Rewards != 2 ||
		*shown.Meta.LegalCreatorType != "association" || shown.Creator.Name != "Sauna ry" {
		t.Errorf("the page shows %+v", shown)
	}
	var rewards, goals int
	if err := f.DB.Raw(`SELECT (SELECT count(*) FROM rewards r JOIN reward_texts x ON x.reward_id = r.id WHERE x.language = 'fi' AND r.active = 1), (SELECT count(*) FROM subscription_goals)`).
		Row().Scan(&rewards, &goals); err != nil || rewards != 2 || goals != 1 {
		t.Errorf("%d rewards, %d goals, %v", rewards, goals, err)
	}
	f.fresh()
}

// Each rule is that of the change: the same value is refused by both with the same rule.
func TestCreate_KeepsTheRulesOfChangesAndReportsAllFaults(t *testing.T) {
	f := setup(t)
	draft := f.begun(f.Post("/campaigns/", ``, f.person))
	settings := fmt.Sprintf("/campaigns/%d/settings/", draft.CampaignID)
	for fields, want := range map[string][]string{
		`"min_goal": 30, "target_goal": 20`:    {"target_goal min_value"},
		`"min_goal": 1.001`:                    {"min_goal decimals"},
		`"first_day_of_funding": "2026-11-01"`: {"first_day_of_funding date_from"},
		`"first_day_of_funding": "2026-12-24", "last_day_of_funding": "2026-12-01"`: {"last_day_of_funding date_from"},
		`"last_day_of_funding": "2027-02-30"`:                                       {"last_day_of_funding date"},
		`"contact_email": "nobody", "legal_creator": "Talkoot"`:                     {"contact_email email", "legal_creator name_reserved"},
		`"funding_rule": "free"`:                                                    {"funding_rule one_of"},
	} {
		f.refused(f.Post("/v3/campaigns/", `{"title": "x", `+fields+`}`, f.person), 422, "invalid_fields", want...)
		f.refused(f.Patch(settings, `{`+fields+`}`, f.person), 422, "invalid_fields", want...)
	}
	f.refused(f.Post("/v3/campaigns/", `{"title": "", "min_goal": 2, "target_goal": 1, "rewards": [{"title": " ", "amount": 0}], "subscriptions_goals": [{"target": 1, "title": ""}, {"target": 1, "title": "x"}]}`, f.person),
		422, "invalid_fields", "title required", "target_goal min_value", "rewards[0].title required",
		"rewards[0].amount min_value",
		"subscriptions_goals[0].title required", "subscriptions_goals[1].target min_value")
	f.refused(f.Post("/v3/campaigns/", `{"title": "x", "rewards": [{"title": "a", "amount": 1.5}]}`, f.person), 400, "malformed_body", "rewards[0].amount type")
	var made int
	if err := f.DB.Raw(`SELECT count(*) FROM campaigns`).Scan(&made).Error; err != nil || made != 1 {
		t.Errorf("%d campaigns, %v", made, err)
	}
}

func TestCreate_OfOneKeyIsOneCampaignHoweverOftenAtOnce(t *testing.T) {
	f := setup(t)
	var all sync.WaitGroup
	ids := make([]int64, 8)
	for i := range ids {
		all.Go(func() {
			ids[i] = f.begun(f.Post("/v3/campaigns/", guided, f.person, "Idempotency-Key", "one-of-mine")).CampaignID
		})
	}
	all.Wait()
	if slices.Sort(ids); ids[0] != ids[7] {
		t.Errorf("made %v", ids)
	}
	f.refused(f.Post("/v2/campaigns/", `{"title": "x"}`, f.person, "Idempotency-Key", "one-of-mine"), 409, "idempotency_mismatch")
	if other := f.begun(f.Post("/v3/campaigns/", guided, f.Person("Reijo"), "Idempotency-Key",
		"one-of-mine")); other.CampaignID == ids[0] {
		t.Error("another person's key gives this campaign")
	}
}

func TestCreate_OfUntouchedDraftsIsBounded(t *testing.T) {
	f := setup(t)
	var all sync.WaitGroup
	status := make([]int, 24)
	for i := range status {
		all.Go(func() { status[i] = f.Post("/campaigns/", ``, f.person).Status })
	}
	all.Wait()
	if slices.Sort(status); status[19] != http.StatusCreated || status[20] != http.StatusConflict {
		t.Fatalf("%v", status)
	}
	f.refused(f.Post("/campaigns/", ``, f.person), 409, "too_many_drafts")
	var id int64
	if err := f.DB.Raw(`SELECT min(id) FROM campaigns`).Scan(&id).Error; err != nil {
		t.Fatal(err)
	}
	f.Patch(fmt.Sprintf("/campaigns/%d/language/", id), `{"fi": {"title": "Nyt tehdään"}}`, f.person)
	f.begun(f.Post("/campaigns/", ``, f.person))
	if answer := f.Post("/v2/campaigns/", `{"title": "`+strings.Repeat("x", 2<<20)+`"}`, f.person); answer.Status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large body: %d", answer.Status)
	}
}

// A new installation has no categories before somebody has made them.
func TestCreate_WithoutAnyCategorySaysWhatIsMissing(t *testing.T) {
	f := &fixture{World: contenttest.New(t), t: t}
	f.refused(f.Post("/campaigns/", `{}`, f.Person("Aino")), http.StatusUnprocessableEntity, "invalid_fields",
		"categories required")
}
