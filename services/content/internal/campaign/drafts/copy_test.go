//go:build unix

package drafts_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"talkoot.fi/content/internal/api"
)

// written is a campaign that says something in each of its parts, with its reward.
func (f *fixture) written() (id, reward int64) {
	f.t.Helper()
	made := f.begun(f.Post("/v3/campaigns/", `{"title": "Höyry", "tagline": "Puuttuu kiuas", "place": "Pielavesi", "language": "fi",
		"target_goal": 24000, "contact_email": "aino@example.fi", "legal_creator": "Kylä ry", "legal_creator_type": "association",
		"first_day_of_funding": "2027-05-01", "last_day_of_funding": "2027-06-01",
		"rewards": [{"title": "Löylyvuoro", "amount": 35, "stock": 20}]}`, f.person))
	id = made.CampaignID
	f.Patch(fmt.Sprintf("/campaigns/%d/language/", id), `{"sv": {"title": "Ånga"}, "fi": {"json_description": {"type": "doc",
		"content": [{"type": "paragraph", "content": [{"type": "text", "text": "Lautta kelluu."}]}]}}}`, f.person)
	f.Patch(fmt.Sprintf("/campaigns/%d/custom_language/fi/", id), `{"match_funding": {"value": "Kunta antaa saman verran."}}`, f.person)
	if err := f.DB.Raw(`SELECT id FROM rewards WHERE campaign_id = ?`, id).Scan(&reward).Error; err != nil {
		f.t.Fatal(err)
	}
	f.Patch(fmt.Sprintf("/rewards/%d/", reward), `{"vat_percentage": 25.5, "delivery": "2027-08"}`, f.person)
	return id, reward
}

func (f *fixture) admin(id int64) (shown api.CampaignAdminAnswer) {
	f.t.Helper()
	f.Get(fmt.Sprintf("/campaigns/%d/admin/", id), f.person).JSON(&shown)
	return shown
}

func (f *fixture) rewards(id int64) (shown api.RewardsAnswer) {
	f.t.Helper()
	f.Get(fmt.Sprintf("/campaigns/%d/rewards/fi/", id), f.person).JSON(&shown)
	return shown
}

func TestCopy_IsADraftThatSaysTheSameWithoutMoneyPeopleAndDates(t *testing.T) {
	f := setup(t)
	id, _ := f.written()
	path := fmt.Sprintf("/campaigns/%d/copy/", id)
	made := f.begun(f.Post(path, "", f.person, "Idempotency-Key", "a copy of the sauna"))
	if again := f.begun(f.Post(path, "", f.person, "Idempotency-Key", "a copy of the sauna")); again.CampaignID != made.CampaignID {
		t.Errorf("the same key made %d and %d", made.CampaignID, again.CampaignID)
	}
	was, is := f.admin(id).Campaign, f.admin(made.CampaignID).Campaign
	story, _ := is.Texts.Fi.JSONDescription.MarshalJSON()
	before, _ := was.Texts.Fi.JSONDescription.MarshalJSON()
	if is.Texts.Fi.Title != "Höyry" || is.Texts.Sv.Title != "Ånga" || string(story) != string(before) || is.Place != "Pielavesi" ||
		is.TargetGoal != was.TargetGoal || (*is.CustomLanguage.Fi)["match_funding"].Value != "Kunta antaa saman verran." {
		t.Errorf("the copy says %+v", is)
	}
	if is.Stage != 0 || is.Settings.ContactEmail != "" || is.Settings.FirstDayOfFunding != nil || is.Settings.LastDayOfFunding != nil ||
		is.Settings.LegalCreator != nil && *is.Settings.LegalCreator != "" || len(is.Team) != 1 {
		t.Errorf("the copy has taken along %+v, team %+v", is.Settings, is.Team)
	}
	rewards := f.rewards(made.CampaignID).Rewards
	if len(rewards) != 1 || rewards[0].Title != "Löylyvuoro" || rewards[0].Amount != 35 || rewards[0].Stock != 20 ||
		rewards[0].Delivery != nil {
		t.Errorf("rewards of the copy: %+v", rewards)
	}
	f.fresh()
}

func TestCopy_IsForTheCreatorAloneAndBounded(t *testing.T) {
	f := setup(t)
	id, _ := f.written()
	member := f.Person("Tuomo")
	f.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 1)`, id, member)
	f.refused(f.Post(fmt.Sprintf("/campaigns/%d/copy/", id), "", member), 403, "forbidden")
	for range 20 {
		f.begun(f.Post(fmt.Sprintf("/campaigns/%d/copy/", id), "", f.person))
	}
	f.refused(f.Post(fmt.Sprintf("/campaigns/%d/copy/", id), "", f.person), 409, "too_many_drafts")
}

func TestCopyReward_IsHiddenAndSaysTheSame(t *testing.T) {
	f := setup(t)
	id, reward := f.written()
	path := fmt.Sprintf("/rewards/%d/copy/", reward)
	var made, again api.CreatedRewardAnswer
	for _, answer := range []*api.CreatedRewardAnswer{&made, &again} {
		got := f.Post(path, "", f.person, "Idempotency-Key", "a copy of the reward")
		if err := json.Unmarshal(got.Body, answer); err != nil || got.Status != http.StatusCreated {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	var is api.RewardAdminAnswer
	f.Get(fmt.Sprintf("/rewards/%d/admin/", made.Reward.RewardID), f.person).JSON(&is)
	if again != made || made.Reward.RewardID == reward || is.Reward.Amount != 35 || is.Reward.Stock != 20 || is.Reward.Active != 0 ||
		is.Reward.Delivery != "2027-08" || is.Reward.Texts.Fi.Title != "Löylyvuoro" {
		t.Errorf("%+v and %+v: %+v", made, again, is.Reward)
	}
	if n := len(f.rewards(id).Rewards); n != 2 {
		t.Errorf("%d rewards", n)
	}
}

func TestDiscard_DeletesADraftWithAllThatBelongsToIt(t *testing.T) {
	f := setup(t)
	id, reward := f.written()
	if answer := f.Call(http.MethodDelete, fmt.Sprintf("/campaigns/%d/", id), f.person); answer.Status != http.StatusNoContent {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	for _, path := range []string{fmt.Sprintf("/campaigns/%d/fi/", id), fmt.Sprintf("/campaigns/%d/admin/", id), fmt.Sprintf("/rewards/%d/admin/", reward)} {
		if answer := f.Get(path, f.person); answer.Status != http.StatusNotFound {
			t.Errorf("%s is still there: %d", path, answer.Status)
		}
	}
	if again := f.Call(http.MethodDelete, fmt.Sprintf("/campaigns/%d/", id), f.person); again.Status != http.StatusNotFound {
		t.Errorf("twice: %d", again.Status)
	}
	var words int
	err := f.DB.Raw(`SELECT count(*) FROM audit_log WHERE campaign_id = ? AND concat(before, after) LIKE '%Höyry%'`, id).Scan(&words).Error
	if err != nil || words != 0 {
		t.Errorf("the history keeps its words %d times, %v", words, err)
	}
	var kept int
	err = f.DB.Raw(`SELECT count(*) FROM audit_log WHERE campaign_id = ? AND action = 'delete' AND actor_user_id = ?`, id, f.person).Scan(&kept).Error
	if err != nil || kept != 1 {
		t.Errorf("the history says %d times who deleted it, %v", kept, err)
	}
}

func TestDiscard_IsForTheCreatorAloneAndNotOfWhatWasPublic(t *testing.T) {
	f := setup(t)
	id, _ := f.written()
	path := fmt.Sprintf("/campaigns/%d/", id)
	member := f.Person("Tuomo")
	f.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 1)`, id, member)
	f.refused(f.Call(http.MethodDelete, path, member), 403, "forbidden")
	f.refused(f.Call(http.MethodDelete, path, f.Person("Stranger")), 404, "not_found")
	// Approved and taken back: its page was public for a while.
	f.Exec(`INSERT INTO review_events (campaign_id, at, event, round, user_id) VALUES (?, now(), 'approved', 1, ?)`, id, f.person)
	f.refused(f.Call(http.MethodDelete, path, f.person), 409, "campaign_was_public")
	f.Exec(`DELETE FROM review_events WHERE campaign_id = ?`, id)
	// Pledged for, whatever has become of it: payments and bookkeeping refer to the pledge.
	f.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name, language, reserved_until,
		created_at, updated_at) VALUES (?, ?, 'expired', 1000, 'EUR', 1, '[]', 'a@b.fi', 'A', 'B', 'fi', now(), now(), now())`, fmt.Sprintf("%026d", 1), id)
	f.refused(f.Call(http.MethodDelete, path, f.person), 409, "campaign_was_public")
	f.Exec(`DELETE FROM pledges`)
	for _, stage := range []int{1, 2, 5} {
		f.Exec(`UPDATE campaigns SET stage = ? WHERE id = ?`, stage, id)
		f.refused(f.Call(http.MethodDelete, path, f.person), 409, "campaign_was_public")
	}
}
