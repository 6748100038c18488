//go:build unix

package review_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

// reviewing is a draft that is ready, its team of two, and two of the platform's staff.
type reviewing struct {
	*contenttest.World
	t                               *testing.T
	id                              int64
	creator, member, editor, second int64
	review, decisions               string // addresses
}

func newReviewing(t *testing.T) *reviewing {
	w := contenttest.New(t)
	r := &reviewing{World: w, t: t, creator: w.Person("Pekka"), member: w.Person("Maija"),
		editor: w.Person("Henna", "view", "edit"), second: w.Person("Joonas", "view", "admin")}
	r.id = w.ReadyDraft("katto", r.creator, r.member)
	r.review = fmt.Sprintf("/campaigns/%d/review/", r.id)
	r.decisions = r.review + "decisions/"
	return r
}

func (r *reviewing) must(answer contenttest.Answer) (a api.ReviewAnswer) {
	r.t.Helper()
	answer.JSON(&a)
	return a
}

func (r *reviewing) refused(answer contenttest.Answer, status int, key string, fields ...string) {
	r.t.Helper()
	var fault api.APIError
	if err := json.Unmarshal(answer.Body, &fault); err != nil {
		r.t.Fatalf("%v in %s", err, answer.Body)
	}
	var got []string
	if fault.Fields != nil {
		for _, f := range *fault.Fields {
			got = append(got, f.Path)
		}
	}
	if answer.Status != status || fault.Status != key || !slices.Equal(got, fields) {
		r.t.Errorf("%d %s %q, want %d %s %q", answer.Status, fault.Status, got, status, key, fields)
	}
}

// mails lists what is in the outbox: kind and receiver's first name, in order; they are taken out.
func (r *reviewing) mails() (list []string) {
	r.t.Helper()
	err := r.DB.Raw(`WITH sent AS (DELETE FROM outbox WHERE kind LIKE 'mail.%' RETURNING id, kind, payload)
		SELECT s.kind || ' ' || u.first_name FROM sent s JOIN users u ON u.id = CAST(s.payload ->> 'user_id' AS bigint) ORDER BY s.id`).Scan(&list).Error
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

func (r *reviewing) audit() (list []string) {
	r.t.Helper()
	err := r.DB.Raw(`SELECT action || ' ' || u.first_name || ' ' || coalesce(a.before ->> 'review', a.before ->> 'stage', '') || '>' ||
		coalesce(a.after ->> 'review', a.after ->> 'stage', '') FROM audit_log a JOIN users u ON u.id = a.actor_user_id ORDER BY a.id`).Scan(&list).Error
	if err != nil {
		r.t.Fatal(err)
	}
	return list
}

const twoNotes = `{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "Kuka katolla?", "quote": "talkoot alkavat"}, {"part": "goal", "text": "Riittääkö?"}]}`

func TestReview_FromRequestOverChangesToApproval(t *testing.T) {
	r := newReviewing(t)
	asked := r.must(r.Post(r.review, "", r.creator))
	if asked.Review.State != "requested" || asked.Review.Round != 1 || asked.Stage != 0 || asked.Version != 2 ||
		asked.Review.AnswerBy.String() != "2026-11-24" {
		t.Errorf("asked: %+v", asked)
	}
	if got := r.mails(); !slices.Equal(got, []string{"mail.review_requested Henna", "mail.review_requested Joonas"}) {
		t.Errorf("mails %q", got)
	}
	changes := r.must(r.Post(r.decisions, twoNotes, r.editor))
	if changes.Review.State != "changes_requested" || len(changes.Review.Notes) != 2 ||
		changes.Review.Notes[0].By != "Henna Testinen" || changes.Review.AskedAt != nil {
		t.Errorf("changes: %+v", changes.Review)
	}
	if got := r.mails(); !slices.Equal(got, []string{"mail.review_changes Pekka", "mail.review_changes Maija"}) {
		t.Errorf("mails %q", got)
	}
	note := fmt.Sprintf("%snotes/%d/", r.review, changes.Review.Notes[0].NoteID)
	for range 2 { // the second time changes nothing
		if mended := r.must(r.Patch(note, `{"mended": true}`, r.member)); !mended.Review.Notes[0].Mended || mended.Review.Notes[1].Mended {
			t.Errorf("mended: %+v", mended.Review.Notes)
		}
	}
	r.Advance(time.Hour)
	r.must(r.Post(r.review, "", r.member))
	approved := r.must(r.Post(r.decisions, r.Approval(r.id), r.second))
	if approved.Review.State != "approved" || approved.Stage != 1 || approved.Review.Round != 2 {
		t.Errorf("approved: %+v", approved)
	}
	var history []string
	for _, h := range approved.Review.History {
		entry := string(h.Event) + " " + h.By
		if h.Notes != nil {
			entry += fmt.Sprintf(" %d notes", *h.Notes)
		}
		if h.Mended != nil {
			entry += fmt.Sprintf(" %d mended", *h.Mended)
		}
		history = append(history, entry)
	}
	if want := []string{"approved Joonas Testinen", "requested Maija Testinen 2 notes 1 mended",
		"changes_requested Henna Testinen 2 notes", "requested Pekka Testinen"}; !slices.Equal(history, want) {
		t.Errorf("history %q", history)
	}
	if got := r.mails(); !slices.Equal(got, []string{"mail.review_requested Henna", "mail.review_requested Joonas",
		"mail.review_approved Pekka", "mail.review_approved Maija"}) {
		t.Errorf("mails %q", got)
	}
	want := []string{"request_review Pekka none>requested", "ask_for_changes Henna requested>changes_requested",
		"mend_review_note Maija >",
		"request_review Maija changes_requested>requested", "approve Joonas requested>approved", "move_stage Joonas 0>1"}
	if got := r.audit(); !slices.Equal(got, want) {
		t.Errorf("audit %q", got)
	}
}

func TestApprove_OpensAtOnceWhenTheFirstDayHasComeOrNoneIsNamed(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	r.Advance(8 * 24 * time.Hour) // 28 November at noon
	if a := r.must(r.Post(r.decisions, r.Approval(r.id), r.editor)); a.Stage != int(campaigns.StageFunding) {
		t.Errorf("stage %d", a.Stage)
	}
	var listed int
	if err := r.DB.Raw(`SELECT max(stage) FROM campaign_listings WHERE campaign_id = ?`, r.id).Scan(&listed).Error; err != nil || listed != 2 {
		t.Errorf("listed in stage %d, %v", listed, err)
	}
	monthly := r.ReadyDraft("kuoro", r.creator)
	r.Exec(`UPDATE campaigns SET opens_as = 6, first_day = NULL, last_day = NULL, funding_start = NULL, funding_deadline = NULL WHERE id = ?`, monthly)
	r.Exec(`INSERT INTO subscription_goals (campaign_id, target) VALUES (?, 10)`, monthly)
	address := fmt.Sprintf("/campaigns/%d/review/", monthly)
	r.must(r.Post(address, "", r.creator))
	if a := r.must(r.Post(address+"decisions", r.Approval(monthly), r.editor)); a.Stage != int(campaigns.StageRecurring) {
		t.Errorf("stage %d", a.Stage)
	}
}

func TestReview_IsAskedForWhenNothingNeededIsMissing(t *testing.T) {
	r := newReviewing(t)
	r.Exec(`UPDATE campaigns SET contact_email = '', picture = 'scene-katto.svg' WHERE id = ?`, r.id)
	r.Exec(`UPDATE rewards SET active = 0`)
	r.refused(r.Post(r.review, "", r.creator), http.StatusConflict, "not_ready", "cover", "offer", "contact")
	if got := append(r.mails(), r.audit()...); len(got) != 0 {
		t.Errorf("a refused request leaves %q", got)
	}
}

// The team may edit while staff read, so the approval checks again that nothing required is missing.
func TestApprove_NeedsTheChecklistAsItIsNow(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	if answer := r.Patch(fmt.Sprintf("/campaigns/%d/meta", r.id), `{"legal_creator_type": ""}`, r.creator); answer.Status != http.StatusOK {
		t.Fatalf("edit in review: %s", answer.Body)
	}
	r.refused(r.Post(r.decisions, r.Approval(r.id), r.editor), http.StatusConflict, "not_ready", "legal_creator")
	r.must(r.Post(r.decisions, twoNotes, r.editor))
}

func TestReview_TakenBackIsAsIfNotAsked(t *testing.T) {
	r := newReviewing(t)
	r.refused(r.Call(http.MethodDelete, r.review, r.creator), http.StatusConflict, "review_moved")
	r.must(r.Post(r.review, "", r.creator))
	r.refused(r.Post(r.review, "", r.member), http.StatusConflict, "review_moved")
	if a := r.must(r.Call(http.MethodDelete, r.review, r.member)); a.Review.State != "none" || a.Review.AnswerBy != nil {
		t.Errorf("%+v", a.Review)
	}
	r.refused(r.Post(r.decisions, r.Approval(r.id), r.editor), http.StatusConflict, "review_moved")
	if a := r.must(r.Post(r.review, "", r.creator)); a.Review.Round != 2 {
		t.Errorf("round %d", a.Review.Round)
	}
}

func TestDecide_IsForStaffOutsideOfTheTeamAndNeedsNotes(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	r.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 2)`, r.id, r.second)
	stranger := r.Person("Outi")
	r.refused(r.Post(r.decisions, r.Approval(r.id), r.second), http.StatusForbidden, "review_of_own")
	r.refused(r.Post(r.decisions, r.Approval(r.id), r.creator), http.StatusForbidden, "forbidden")
	r.refused(r.Post(r.decisions, r.Approval(r.id), stranger), http.StatusNotFound, "not_found")
	r.refused(r.Post(r.decisions, `{"decision": "ask_for_changes"}`, r.editor), http.StatusUnprocessableEntity, "invalid_fields", "notes")
	for body, status := range map[string]int{
		`{"decision": "perhaps"}`: 422, `{}`: 422, `{"decision": 1}`: 422, `{"decision": "approve", "stage": 2}`: 400,
		`{"decision": "ask_for_changes", "notes": [{"part": "moon", "text": "a"}]}`:                                                               422,
		`{"decision": "ask_for_changes", "notes": [{"part": "story", "text": ""}]}`:                                                               422,
		`{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "` + strings.Repeat("a", 2001) + `"}]}`:                              422,
		`{"decision": "ask_for_changes", "notes": [` + strings.Repeat(`{"part": "story", "text": "a"},`, 50) + `{"part": "story", "text": "a"}]}`: 422,
	} {
		if answer := r.Post(r.decisions, body, r.editor); answer.Status != status {
			t.Errorf("%.60s: %d %s", body, answer.Status, answer.Body)
		}
	}
}

// Changes may be asked for after an approval, so each decision meets its own like.
func TestDecide_OfTwoAtOnceOneIsMade(t *testing.T) {
	for name, approves := range map[string]bool{"approved": true, "asked for changes": false} {
		t.Run(name, func(t *testing.T) {
			r := newReviewing(t)
			r.must(r.Post(r.review, "", r.creator))
			r.mails()
			body := twoNotes
			if approves {
				body = r.Approval(r.id)
			}
			var all sync.WaitGroup
			status := make([]int, 8)
			for i := range status {
				by := r.editor
				if i%2 == 0 {
					by = r.second
				}
				all.Go(func() { status[i] = r.Post(r.decisions, body, by).Status })
			}
			all.Wait()
			slices.Sort(status)
			if status[0] != http.StatusOK || status[1] != http.StatusConflict || status[7] != http.StatusConflict ||
				len(r.mails()) != 2 {
				t.Errorf("%v", status)
			}
			var decisions int
			if err := r.DB.Raw(`SELECT count(*) FROM review_events WHERE event <> 'requested'`).Scan(&decisions).Error; err != nil || decisions != 1 {
				t.Errorf("%d decisions, %v", decisions, err)
			}
		})
	}
}

func TestDecide_OfDifferentOnesAtOnceChangesAreAskedForAfterAnApproval(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	var all sync.WaitGroup
	for i := range 8 {
		body, by := r.Approval(r.id), r.editor
		if i%2 == 0 {
			body, by = twoNotes, r.second
		}
		all.Go(func() { r.Post(r.decisions, body, by) })
	}
	all.Wait()
	var decisions []string
	if err := r.DB.Raw(`SELECT event FROM review_events WHERE event <> 'requested' ORDER BY id`).Scan(&decisions).Error; err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(decisions, ", "); got != "changes_requested" && got != "approved" && got != "approved, changes_requested" {
		t.Errorf("decided %s", got)
	}
}

func TestMend_IsOfTheCampaignsOwnNotes(t *testing.T) {
	r := newReviewing(t)
	r.must(r.Post(r.review, "", r.creator))
	noted := r.must(r.Post(r.decisions, twoNotes, r.editor))
	other := r.ReadyDraft("toinen", r.creator)
	for _, note := range []int64{noted.Review.Notes[0].NoteID, 999} {
		r.refused(r.Patch(fmt.Sprintf("/campaigns/%d/review/notes/%d/", other, note), `{"mended": true}`, r.creator), http.StatusNotFound, "not_found")
	}
	r.refused(r.Patch(fmt.Sprintf("%snotes/%d/", r.review, noted.Review.Notes[0].NoteID), `{}`, r.creator), http.StatusUnprocessableEntity, "invalid_fields", "mended")
}

func TestCampaignsInReview_LongestWaitingFirst(t *testing.T) {
	r := newReviewing(t)
	first := r.ReadyDraft("toinen", r.creator)
	r.must(r.Post(fmt.Sprintf("/campaigns/%d/review/", first), "", r.creator))
	r.Advance(time.Minute)
	r.must(r.Post(r.review, "", r.member))
	var list api.ReviewsAnswer
	r.Get("/campaigns/review/en/", r.editor).JSON(&list)
	if list.Total != 2 || len(list.Reviews) != 2 {
		t.Fatalf("%+v", list)
	}
	a, b := list.Reviews[0], list.Reviews[1]
	if a.Campaign.CampaignID != first || a.AskedBy != "Pekka Testinen" || a.AnswerBy.String() != "2026-11-24" ||
		b.Round != 1 || b.Campaign.Title != "Kylätalon katto" {
		t.Errorf("%+v", list.Reviews)
	}
	r.Get("/campaigns/review/en/?limit=1&offset=1", r.second).JSON(&list)
	if list.Total != 2 || len(list.Reviews) != 1 || list.Reviews[0].Campaign.CampaignID != r.id {
		t.Errorf("second page %+v", list)
	}
	r.refused(r.Get("/campaigns/review/en/", r.creator), http.StatusForbidden, "forbidden")
	r.refused(r.Get("/campaigns/review/en/", 0), http.StatusUnauthorized, "not_authenticated")
}

func TestCampaignsInReview_SaysWhyTheReaderCannotDecide(t *testing.T) {
	r := newReviewing(t)
	inTeam := r.ReadyDraft("tiimi", r.creator, r.editor)
	left := r.ReadyDraft("lahtenyt", r.creator, r.editor)
	asked := r.ReadyDraft("pyytanyt", r.creator)
	for _, campaign := range []int64{inTeam, left} {
		r.must(r.Post(fmt.Sprintf("/campaigns/%d/review/", campaign), "", r.creator))
	}
	r.must(r.Post(fmt.Sprintf("/campaigns/%d/review/", asked), "", r.editor))
	r.must(r.Post(r.review, "", r.creator))
	without := fmt.Sprintf(`{"team": [{"user_id": %d}]}`, r.creator)
	if got := r.Patch(fmt.Sprintf("/campaigns/%d/admin/", left), without, r.editor); got.Status != http.StatusOK {
		t.Fatalf("leave the team: %d %s", got.Status, got.Body)
	}
	var list api.ReviewsAnswer
	r.Get("/campaigns/review/fi/", r.editor).JSON(&list)
	why := map[int64]api.ReviewBarred{}
	for _, one := range list.Reviews {
		if one.Barred != nil {
			why[one.Campaign.CampaignID] = *one.Barred
		}
	}
	want := map[int64]api.ReviewBarred{
		inTeam: api.ReviewBarredTeam, left: api.ReviewBarredTeam, asked: api.ReviewBarredAsker,
	}
	if len(list.Reviews) != 4 || !maps.Equal(why, want) {
		t.Errorf("%d waiting, %v", len(list.Reviews), why)
	}
}

// The waiting campaigns are found by an index, without reading the other ones.
func TestCampaignsInReview_ReadsNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	answer := w.Get("/campaigns/review/fi/", w.Person("Editor", "view", "edit"))
	if len(answer.Statements) != 3 {
		t.Errorf("%d statements", len(answer.Statements))
	}
	bulk.MustNotReadWhole(t, w.DB, answer.Statements)
}
