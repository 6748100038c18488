package personaldata_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/contenttest"
)

// stands is who is in a campaign's team, its stage and its review.
func (w *world) stands(id int64) (got string) {
	w.t.Helper()
	err := w.DB.Raw(`SELECT concat_ws(' ', (SELECT array_agg(user_id ORDER BY position) FROM campaign_team WHERE campaign_id = c.id), stage, review)
		FROM campaigns c WHERE id = ?`, id).Scan(&got).Error
	if err != nil {
		w.t.Fatal(err)
	}
	return got
}

func (w *world) eraseAlso(userID int64) {
	w.t.Helper()
	if err := w.EraseProven(w.t.Context(), userID); err != nil {
		w.t.Fatal(err)
	}
}

// Nobody answers for a campaign without agreeing: not the next in its team either, when its creator has erased their account. Whoever of
// the team puts themself first has agreed.
func TestErase_OfACreatorMakesNobodyTheCreatorUntilTheyTakeItOver(t *testing.T) {
	for name, stage := range map[string]campaigns.Stage{"a draft that is asked about": campaigns.StageDraft, "one that is approved": campaigns.StagePreparing} {
		t.Run(name, func(t *testing.T) {
			w := withAamu(t)
			w.KeepsSessions = true
			third, staff := w.Person("Tuomo"), w.Person("Henna", "view", "edit")
			id := w.ReadyDraft("katto", w.aamu, w.other, third)
			team, review := fmt.Sprintf("/campaigns/%d/admin/", id), fmt.Sprintf("/campaigns/%d/review/", id)
			if a := w.Post(review, "", w.aamu); a.Status != 200 {
				t.Fatalf("%d %s", a.Status, a.Body)
			}
			if stage == campaigns.StagePreparing {
				w.Exec(`UPDATE campaigns SET stage = 1, review = 'approved' WHERE id = ?`, id)
			}
			w.mustErase()
			if got, want := w.stands(id), fmt.Sprintf("{%d,%d,%d} 0 none", w.aamu, w.other, third); got != want {
				t.Fatalf("afterwards it is %q, want %q", got, want)
			}
			if n, err := schedule.OpenDue(t.Context(), w.DB, w.Now().AddDate(1, 0, 0)); n != 0 || err != nil {
				t.Errorf("%d open, %v", n, err)
			}
			if a := w.Post(review, "", w.other); a.Status != 409 || errorOf(a) != "creator_gone" {
				t.Errorf("a review without a creator: %d %s", a.Status, a.Body)
			}
			for what, body := range map[string]string{
				"putting somebody else first": fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}]}`, third, w.other, w.aamu),
				"putting out the others":      fmt.Sprintf(`{"team": [{"user_id": %d}]}`, w.other),
			} {
				if a := w.Patch(team, body, w.other); a.Status != 403 || errorOf(a) != "team_of_creator" {
					t.Errorf("%s: %d %s", what, a.Status, a.Body)
				}
			}
			ask := fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}]}`, w.other, w.aamu, third)
			if a := w.Patch(team, ask, staff); a.Status != 200 { // who is put first by others is asked
				t.Fatalf("%d %s", a.Status, a.Body)
			}
			if got, want := w.stands(id), fmt.Sprintf("{%d,%d,%d} 0 none", w.aamu, w.other, third); got != want {
				t.Errorf("by staff's word it is %q, want %q", got, want)
			}
			take := fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}]}`, third, w.aamu, w.other)
			if a := w.Patch(team, take, third); a.Status != 200 {
				t.Fatalf("%d %s", a.Status, a.Body)
			}
			if got, want := w.stands(id), fmt.Sprintf("{%d,%d} 0 none", third, w.other); got != want {
				t.Errorf("who took it over: %q, want %q", got, want)
			}
			again := fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}]}`, w.other, third)
			if a := w.Patch(team, again, w.other); a.Status != 403 {
				t.Errorf("another one takes it over, too: %d %s", a.Status, a.Body)
			}
		})
	}
}

// A draft that only people without an account would be left with goes, as one that its creator was alone with.
func TestErase_OfTheLastOneOfATeamWithoutACreatorDeletesTheDraft(t *testing.T) {
	w := withAamu(t)
	w.Exec(`UPDATE campaign_team SET user_id = ? WHERE campaign_id IN (?, (SELECT id FROM campaigns WHERE slug = 'kuoro'))`, w.Person("Sirkka"), w.open)
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM campaigns WHERE id = ?`, w.shared); n != 1 {
		t.Fatal("the draft of two is gone with the first")
	}
	w.eraseAlso(w.other)
	if n := w.number(`SELECT count(*) FROM campaigns WHERE id = ?`, w.shared); n != 0 {
		t.Error("the draft stays with nobody")
	}
}

func TestErase_OfAnOwnerMakesNobodyTheOwnerUntilTheyTakeItOver(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	owners := func() (got string) {
		w.DB.Raw(`SELECT CAST(array_agg(user_id ORDER BY position) AS text) FROM experiment_team WHERE experiment_id = ?`, w.laboratory).Scan(&got)
		return got
	}
	if got, want := owners(), fmt.Sprintf("{%d,%d}", w.aamu, w.other); got != want {
		t.Fatalf("afterwards the team is %s, want %s", got, want)
	}
	settings := fmt.Sprintf("/experiments/%d/settings/", w.laboratory)
	if a := w.Patch(settings, fmt.Sprintf(`{"team": [%d]}`, w.other), w.Person("Tuomo")); a.Status != 404 && a.Status != 403 {
		t.Errorf("a stranger: %d %s", a.Status, a.Body)
	}
	if a := w.Patch(settings, fmt.Sprintf(`{"team": [%d, %d]}`, w.other, w.aamu), w.other); a.Status != 200 {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	if got, want := owners(), fmt.Sprintf("{%d}", w.other); got != want {
		t.Errorf("who took it over: %s, want %s", got, want)
	}
}

// errorOf is the key of a refusal.
func errorOf(a contenttest.Answer) string {
	var fault api.APIError
	if json.Unmarshal(a.Body, &fault) != nil {
		return string(a.Body)
	}
	return fault.Status
}
