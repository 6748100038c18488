//go:build unix

package rewards_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// editing is a campaign whose creator edits its rewards.
type editing struct {
	*contenttest.World
	t                 *testing.T
	campaign, creator int64
}

func newEditing(t *testing.T) *editing {
	t.Helper()
	w := contenttest.New(t)
	e := &editing{World: w, t: t, creator: w.Person("Reijo")}
	e.campaign = campaign(w, e.creator)
	return e
}

// begin makes a reward as the creator.
func (e *editing) begin() (id int64) {
	e.t.Helper()
	answer := e.Call(http.MethodPost, fmt.Sprintf("/campaigns/%d/rewards/", e.campaign), e.creator)
	var made api.CreatedRewardAnswer
	if err := json.Unmarshal(answer.Body, &made); err != nil || answer.Status != http.StatusCreated {
		e.t.Fatalf("%d %s, %v", answer.Status, answer.Body, err)
	}
	return made.Reward.RewardID
}

func (e *editing) admin(id int64) api.RewardAdmin {
	e.t.Helper()
	var answer api.RewardAdminAnswer
	e.Get(fmt.Sprintf("/rewards/%d/admin/", id), e.creator).JSON(&answer)
	return answer.Reward
}

// patch changes a reward, or its texts, as the creator; it must succeed.
func (e *editing) patch(id int64, part, body string) api.RewardAdmin {
	e.t.Helper()
	var answer api.RewardAdminAnswer
	e.Patch(fmt.Sprintf("/rewards/%d/%s", id, part), body, e.creator).JSON(&answer)
	return answer.Reward
}

// faults is an error's status and its fields with their rules.
func faults(answer contenttest.Answer) string {
	var fault api.APIError
	_ = json.Unmarshal(answer.Body, &fault)
	var fields []string
	if fault.Fields != nil {
		for _, f := range *fault.Fields {
			fields = append(fields, f.Path+" "+f.Rule)
		}
	}
	slices.Sort(fields)
	return strings.TrimSpace(fmt.Sprint(answer.Status, " ", fault.Status, " ", strings.Join(fields, ", ")))
}

func TestReward_BeginsEmptyAndHiddenAndIsChangedWithVersionAndHistory(t *testing.T) {
	e := newEditing(t)
	id := e.begin()
	if r := e.admin(id); r.Version != 1 || r.Active != 0 || r.Amount != 0 || r.Texts.Fi != nil || len(r.Bought) != 0 {
		t.Errorf("a new reward is %+v", r)
	}
	got := e.patch(id, "", `{"amount": 45, "stock": 10, "vat_percentage": 25.5, "delivery": "2027-05/2027-09", "image": "a.svg", "added_costs": [
		{"amount": 6.5, "description": {"fi": " Kirje ", "en": "By post"}}, {"amount": 0, "description": {"en": "Pick up"}, "without_address": true}]}`)
	if got.Version != 2 || got.Amount != 45 || got.Stock != 10 || *got.VatPercentage != 25.5 || got.Delivery != "2027-05/2027-09" ||
		got.AddedCosts[0].Amount != 6_50 ||
		*got.AddedCosts[0].Description.Fi != "Kirje" || !*got.AddedCosts[1].WithoutAddress {
		t.Errorf("changed %+v", got)
	}
	if same := e.patch(id, "", `{"amount": 45, "vat_percentage": 25.5}`); same.Version != 2 {
		t.Errorf("no change is version %d", same.Version)
	}
	if none := e.patch(id, "", `{"vat_percentage": null}`); none.Version != 3 || none.VatPercentage != nil {
		t.Errorf("a rate that is taken away: %+v", none)
	}
	late := e.Patch(fmt.Sprintf("/rewards/%d/", id), `{"amount": 50}`, e.creator, "If-Match", `"2"`)
	if got := faults(late); got != "412 changed_meanwhile vat_percentage changed_meanwhile" {
		t.Errorf("a change of an older version: %s", got)
	}
	var trace []string
	if err := e.DB.Raw(`SELECT concat_ws(' ', actor_user_id, action, version, before ->> 'amount', after ->> 'amount') FROM audit_log
		WHERE entity = 'reward' AND entity_id = ? ORDER BY id`, fmt.Sprint(id)).Scan(&trace).Error; err != nil {
		t.Fatal(err)
	}
	want := []string{"create_reward 0", "change_reward 2 0 45", "change_reward 3"}
	for i := range want {
		want[i] = fmt.Sprint(e.creator, " ", want[i])
	}
	if !slices.Equal(trace, want) {
		t.Errorf("history %q, want %q", trace, want)
	}
}

func TestReward_TextsHoldNoInvisibleOrBidirectionalControlCharacters(t *testing.T) {
	e := newEditing(t)
	id := e.begin()
	e.patch(id, "language/", `{"fi": {"title": "\u202eKirja\n1", "description": "\u2066a\n\nb", "image_alt": "\u202eKuva", "custom_questions": [{"text": "\u202eKoko?"}]}}`)
	got := e.patch(id, "", `{"added_costs": [{"amount": 1, "description": {"fi": "\u202ePosti", "en": "\u200bPost"}}]}`)
	text, cost := got.Texts.Fi, got.AddedCosts[0].Description
	if text.Title != "Kirja 1" || text.Description != "a\n\nb" || text.ImageAlt != "Kuva" || text.CustomQuestions[0].Text != "Koko?" ||
		*cost.Fi != "Posti" || *cost.En != "Post" {
		t.Errorf("%q, %q %q", text, *cost.Fi, *cost.En)
	}
}

func TestReward_ShowsOnlyWithTitleAndPrice(t *testing.T) {
	e := newEditing(t)
	id := e.begin()
	address := fmt.Sprintf("/rewards/%d/", id)
	show := func() string { return faults(e.Patch(address, `{"active": 1}`, e.creator)) }
	if got := show(); got != "422 invalid_fields amount min_value, title required" {
		t.Errorf("empty: %s", got)
	}
	e.patch(id, "", `{"amount": 20}`)
	if got := show(); got != "422 invalid_fields title required" {
		t.Errorf("without a title: %s", got)
	}
	e.patch(id, "language/", `{"en": {"title": "Evening"}, "fi": {"description": "Kolme tuntia"}}`)
	if r := e.patch(id, "", `{"active": 1}`); r.Active != 1 {
		t.Errorf("not shown: %+v", r)
	}
	if got := list(e.World, e.campaign, "fi", 0); len(got) != 1 || got[0].Title != "Evening" {
		t.Errorf("a reader of Finnish, in which it has no title, sees %+v", got)
	}
	if got := faults(e.Patch(address+"language/", `{"en": {"title": " "}}`, e.creator)); got != "422 invalid_fields title required" {
		t.Errorf("its last title taken away: %s", got)
	}
	if got := faults(e.Patch(address, `{"amount": 0}`, e.creator)); got != "422 invalid_fields amount min_value" {
		t.Errorf("its price taken away: %s", got)
	}
	other := e.shown() // so that it is not the last one
	e.patch(id, "", `{"active": 0}`)
	e.patch(id, "language/", `{"en": {"title": ""}}`)
	if got := list(e.World, e.campaign, "fi", 0); len(got) != 1 || got[0].RewardID != other {
		t.Errorf("readers see a hidden one: %+v", got)
	}
	if got := list(e.World, e.campaign, "fi", e.creator); len(got) != 2 {
		t.Errorf("its creator sees %+v", got)
	}
}

func TestReward_QuestionsAreTheWholeListAndNumberedAnew(t *testing.T) {
	e := newEditing(t)
	id := e.begin()
	keys := func(r api.RewardAdmin) (all []string) {
		for _, q := range r.Texts.Sv.CustomQuestions {
			all = append(all, q.Key+" "+q.Text)
		}
		return all
	}
	e.patch(id, "language/", `{"sv": {"title": "R", "custom_questions": [{"text": "A"}, {"text": "ask_for_address"}, {"text": "C"}]}}`)
	got := keys(e.patch(id, "language/", `{"sv": {"custom_questions": [{"key": "custom_question_2", "text": "ask_for_address"}, {"key": "custom_question_3", "text": "C"}]}}`))
	if want := []string{"custom_question_1 ask_for_address", "custom_question_2 C"}; !slices.Equal(got, want) {
		t.Errorf("after the first is removed: %q, want %q", got, want)
	}
	e.patch(id, "", `{"amount": 10, "active": 1}`)
	e.patch(id, "language/", `{"fi": {"title": "Palkkio"}}`)
	if q := list(e.World, e.campaign, "fi", 0)[0].CustomQuestions; len(q) != 2 || q[1].Text != "C" {
		t.Errorf("a language without questions of its own asks %+v", q)
	}
	twice := e.Patch(fmt.Sprintf("/rewards/%d/language/", id), `{"sv": {"custom_questions": [{"text": "ask_for_address"}, {"text": "ask_for_address"}]}}`, e.creator)
	if got := faults(twice); got != "422 invalid_fields sv.custom_questions[1].text once" {
		t.Errorf("the address asked for twice: %s", got)
	}
}

func TestReward_WhatIsRefused(t *testing.T) {
	e := newEditing(t)
	id := e.begin()
	e.patch(id, "", `{"amount": 10, "stock": 5}`)
	e.Exec(`UPDATE rewards SET stock_reserved = 3 WHERE id = ?`, id)
	whole, texts := fmt.Sprintf("/rewards/%d/", id), fmt.Sprintf("/rewards/%d/language/", id)
	for name, tt := range map[string]struct{ address, body, want string }{
		"stock below what is reserved": {whole, `{"stock": 2}`, "422 invalid_fields stock min_value"},
		"two decimals of tax":          {whole, `{"vat_percentage": 25.55}`, "422 invalid_fields vat_percentage one_decimal"},
		"a cost without a description": {whole, `{"added_costs": [{"amount": 1, "description": {"fi": " "}}]}`, "422 invalid_fields added_costs[0].description required"},
		"a cost of three decimals":     {whole, `{"added_costs": [{"amount": 1.005, "description": {"fi": "a"}}]}`, "422 invalid_fields added_costs[0].amount decimals"},
		"a picture that is not there":  {whole, `{"image": "missing.jpg"}`, "422 invalid_fields image unknown_picture"},
		"a month that is none":         {whole, `{"delivery": "2027-13"}`, "422 invalid_fields delivery format"},
		"months in the wrong order":    {whole, `{"delivery": "2027-09/2027-05"}`, "422 invalid_fields delivery format"},
		"a range of one month":         {whole, `{"delivery": "2027-05/2027-05"}`, "422 invalid_fields delivery format"},
		"an amount of cents":           {whole, `{"amount": 1.5}`, "400 malformed_body amount type"},
		"an unknown field":             {whole, `{"version": 3}`, "400 unknown_field version unknown_field"},
		"null":                         {whole, `{"stock": null}`, "422 invalid_fields stock required"},
		"a wrong type":                 {whole, `{"amount": "ten"}`, "400 malformed_body amount type"},
		"a language that there is not": {texts, `{"de": {"title": "R"}}`, "400 unknown_field de unknown_field"},
		"a title that is too long":     {texts, `{"fi": {"title": "` + strings.Repeat("a", 81) + `"}}`, "422 invalid_fields fi.title max_length"},
		"a question without words":     {texts, `{"fi": {"custom_questions": [{"text": " "}]}}`, "422 invalid_fields fi.custom_questions[0].text required"},
		"a reward that there is not":   {"/rewards/987654/", `{"amount": 1}`, "404 not_found"},
		"no JSON":                      {whole, `{`, "400 malformed_body"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := faults(e.Patch(tt.address, tt.body, e.creator)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
	if r := e.admin(id); r.Version != 2 {
		t.Errorf("what is refused has made version %d", r.Version)
	}
	if r := e.patch(id, "", `{"stock": 3}`); r.Stock != 3 || r.StockReserved != 3 {
		t.Errorf("stock may fall to what is reserved: %+v", r)
	}
}

func TestReward_OfADraftIsUnknownToOthers(t *testing.T) {
	e := newEditing(t)
	public := e.begin()
	e.campaign = e.Campaign(campaigns.New{Slug: "d", Language: "fi", CategoryID: e.Category("d"),
		TeamUserIDs: []int64{e.creator},
		Texts:       map[string]campaigns.Text{"fi": {Title: "D"}}}, campaigns.StageDraft)
	draft := e.begin()
	stranger := e.Person("Stranger")
	for _, tt := range []struct {
		id, as int64
		want   int
	}{{public, 0, 401}, {public, stranger, 403}, {draft, stranger, 404},
		{draft, e.Person("Editor", "view", "edit"), 200}} {
		if got := e.Patch(fmt.Sprintf("/rewards/%d/", tt.id), `{"amount": 3}`, tt.as); got.Status != tt.want {
			t.Errorf("reward %d by %d: %d, want %d", tt.id, tt.as, got.Status, tt.want)
		}
	}
}

func TestRewards_AreBounded(t *testing.T) {
	e := newEditing(t)
	e.Exec(`INSERT INTO rewards (campaign_id, amount_minor, active, created_at) SELECT ?, 100, 0, now() FROM generate_series(1, 100)`, e.campaign)
	answer := e.Call(http.MethodPost, fmt.Sprintf("/campaigns/%d/rewards/", e.campaign), e.creator)
	if got := faults(answer); got != "409 too_many_rewards" {
		t.Errorf("the 101st: %s", got)
	}
}

// A call that is sent again after its answer was lost begins one reward.
func TestCreateReward_WithAnIdempotencyKeyMakesOneReward(t *testing.T) {
	e := newEditing(t)
	key := []string{"Idempotency-Key", "one-of-mine"}
	post := func(campaign, as int64) contenttest.Answer {
		return e.Post(fmt.Sprintf("/campaigns/%d/rewards/", campaign), "", as, key...)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if answer := post(e.campaign, e.creator); answer.Status != http.StatusCreated {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
	all.Wait()
	made := list(e.World, e.campaign, "fi", e.creator)
	if len(made) != 1 {
		t.Fatalf("%d rewards", len(made))
	}
	e.patch(made[0].RewardID, "", `{"amount": 20}`)
	var again api.CreatedRewardAnswer
	if err := json.Unmarshal(post(e.campaign, e.creator).Body, &again); err != nil ||
		again.Reward.RewardID != made[0].RewardID || again.Reward.Version != 2 {
		t.Errorf("a repeat gives %+v, %v", again.Reward, err)
	}
	other := e.Campaign(campaigns.New{Slug: "d", Language: "fi", CategoryID: e.Category("d"),
		TeamUserIDs: []int64{e.creator}, Texts: map[string]campaigns.Text{"fi": {Title: "D"}}}, campaigns.StageDraft)
	if got := faults(post(other, e.creator)); got != "409 idempotency_mismatch" {
		t.Errorf("the key for another campaign: %s", got)
	}
	if got := post(e.campaign, e.Person("Editor", "view", "edit")); got.Status != http.StatusCreated ||
		len(list(e.World, e.campaign, "fi", e.creator)) != 2 {
		t.Errorf("the same key of somebody else: %d %s", got.Status, got.Body)
	}
	if got := e.Call(http.MethodDelete, fmt.Sprintf("/rewards/%d/", made[0].RewardID), e.creator); got.Status != http.StatusNoContent {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := post(e.campaign, e.creator); got.Status != http.StatusNotFound {
		t.Errorf("a repeat after it was deleted: %d %s", got.Status, got.Body)
	}
}

func TestReward_IsDeletedUnlessSomebodyHoldsIt(t *testing.T) {
	e := newEditing(t)
	id := e.begin()
	address := fmt.Sprintf("/rewards/%d/", id)
	for i, status := range []string{"created", "expired"} {
		e.Exec(`INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language,
			reserved_until, created_at, updated_at) VALUES (?, ?, ?, ?, 2000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', now(), now(), now())`,
			fmt.Sprintf("%026d", i), e.campaign, id, status)
	}
	held := e.Call(http.MethodDelete, address, e.creator)
	if got := faults(held); got != "409 reward_paid_for reward_id paid_for" ||
		!strings.Contains(string(held.Body), ": 1.") {
		t.Errorf("held by one: %s", held.Body)
	}
	e.Exec(`UPDATE pledges SET status = 'refunded' WHERE status = 'created'`)
	if got := e.Call(http.MethodDelete, address, e.creator); got.Status != http.StatusNoContent {
		t.Errorf("held by nobody: %d %s", got.Status, got.Body)
	}
	if got := list(e.World, e.campaign, "fi", e.creator); len(got) != 0 {
		t.Errorf("its creator sees it still: %+v", got)
	}
	for _, answer := range []contenttest.Answer{e.Call(http.MethodDelete, address, e.creator), e.Get(address+"admin/", e.creator), e.Patch(address, `{"active": 1}`, e.creator)} {
		if answer.Status != http.StatusNotFound {
			t.Errorf("after it is deleted: %d %s", answer.Status, answer.Body)
		}
	}
}
