//go:build unix

package review_test

import (
	"fmt"
	"net/http"
	"testing"

	"talkoot.fi/content/internal/contenttest"
)

// What a review needs is there until the campaign opens: what staff have approved is what backers get.
func TestApproved_KeepsWhatTheReviewNeeds(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Send(http.MethodPost, r.review, "", r.creator))
	r.must(r.Send(http.MethodPost, r.decisions, `{"decision": "approve"}`, r.editor))
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
	id := w.ReadyDraft("katto", staff, friend)
	review := fmt.Sprintf("/campaigns/%d/review/", id)
	if got := w.Send(http.MethodPost, review, "", staff); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := w.Patch(fmt.Sprintf("/campaigns/%d/admin/", id), fmt.Sprintf(`{"team": [{"user_id": %d}]}`, friend), staff); got.Status != http.StatusOK {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := w.Send(http.MethodPost, review+"decisions/", `{"decision": "approve"}`, staff); got.Status == http.StatusOK {
		t.Error("its creator has approved a campaign")
	}
}
