//go:build unix

package review_test

import (
	"fmt"
	"net/http"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
)

// An approved campaign keeps everything that its review required, so that backers get what staff have approved.
func TestApproved_KeepsWhatTheReviewNeeds(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	r.must(r.Post(r.decisions, r.Approval(r.id), r.editor))
	for _, body := range []string{`{"last_day_of_funding": "2036-12-31"}`, `{"target_goal": 0, "min_goal": 0}`, `{"contact_email": ""}`, `{"legal_creator": ""}`} {
		if got := r.Patch(fmt.Sprintf("/campaigns/%d/settings/", r.id), body, r.creator); got.Status == http.StatusOK {
			t.Errorf("after the approval %s is taken", body)
		}
	}
}

// Leaving the team for a moment does not make a member a reviewer.
func TestDecide_NotByAMemberWhoHasLeft(t *testing.T) {
	w := contenttest.New(t)
	staff, friend := w.Person("Henna", "view", "edit"), w.Person("Maija")
	id := w.ReadyDraft("katto", friend, staff)
	review := fmt.Sprintf("/campaigns/%d/review/", id)
	if got := w.Post(review, "", friend); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := w.Patch(fmt.Sprintf("/campaigns/%d/admin/", id), fmt.Sprintf(`{"team": [{"user_id": %d}]}`, friend), staff); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := w.Post(review+"decisions/", w.Approval(id), staff); got.Status == http.StatusOK {
		t.Error("one of its team has approved a campaign")
	}
}

// Four eyes: staff may ask for a review of any campaign, and then somebody else decides about it.
func TestDecide_NotByWhoAskedForThisReview(t *testing.T) {
	r := newReviewing(t)
	if asked := r.must(r.Post(r.review, "", r.editor)); asked.Review.Barred == nil || *asked.Review.Barred != "asker" {
		t.Errorf("who asked is told %v", asked.Review.Barred)
	}
	for _, body := range []string{r.Approval(r.id), twoNotes} {
		r.refused(r.Post(r.decisions, body, r.editor), http.StatusForbidden, "review_of_asker")
	}
	if sent := r.must(r.Post(r.decisions, twoNotes, r.second)); sent.Review.Barred != nil {
		t.Errorf("who decided is told %v", *sent.Review.Barred)
	}
	r.must(r.Post(r.review, "", r.second)) // of the next review, the other one is who asked
	r.refused(r.Post(r.decisions, r.Approval(r.id), r.second), http.StatusForbidden, "review_of_asker")
	if approved := r.must(r.Post(r.decisions, r.Approval(r.id), r.editor)); approved.Stage != 1 {
		t.Errorf("approved by who had asked for the review before: stage %d", approved.Stage)
	}
}

// Staff who cannot decide see that before they try.
func TestReview_TellsStaffWhyTheyCannotDecide(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	r.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 2)`, r.id, r.second)
	for who, want := range map[int64]string{r.editor: "", r.second: "team", r.creator: ""} { // the creator is no staff
		var a api.CampaignAdminAnswer
		r.Get(fmt.Sprintf("/campaigns/%d/admin/", r.id), who).JSON(&a)
		got := ""
		if a.Campaign.Review.Barred != nil {
			got = string(*a.Campaign.Review.Barred)
		}
		if got != want {
			t.Errorf("%d is told %q, want %q", who, got, want)
		}
	}
}
