//go:build unix

package editing_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/contenttest"
)

// atOnce makes calls at the same time and counts their statuses; a fault of the server fails the test.
func atOnce(t *testing.T, calls ...func() contenttest.Answer) map[int]int {
	t.Helper()
	var all sync.WaitGroup
	var mu sync.Mutex
	statuses := map[int]int{}
	for _, call := range calls {
		all.Go(func() {
			answer := call()
			mu.Lock()
			defer mu.Unlock()
			statuses[answer.Status]++
			if answer.Status >= 500 {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
	all.Wait()
	return statuses
}

func times(n int, call func() contenttest.Answer) (calls []func() contenttest.Answer) {
	for range n {
		calls = append(calls, call)
	}
	return calls
}

func (e *editing) number(sql string, params ...any) (n int) {
	e.t.Helper()
	if err := e.DB.Raw(sql, params...).Scan(&n).Error; err != nil {
		e.t.Fatal(err)
	}
	return n
}

// fresh fails the test when the read model differs from one that is computed anew from its sources.
func (e *editing) fresh() {
	e.t.Helper()
	if stale, err := campaigns.RecomputePreviews(e.t.Context(), e.DB); err != nil || len(stale) > 0 {
		e.t.Errorf("stale: %v %v", stale, err)
	}
}

func TestRaces_OfOneVersionOneSaves(t *testing.T) {
	e := newEditing(t)
	path := fmt.Sprintf("/campaigns/%d/language/", e.id)
	n := 0
	var mu sync.Mutex
	got := atOnce(t, times(10, func() contenttest.Answer {
		mu.Lock()
		n++
		body := fmt.Sprintf(`{"fi": {"title": "Katto %d"}}`, n)
		mu.Unlock()
		return e.Patch(path, body, e.creator, "If-Match", `"1"`)
	})...)
	if got[200] != 1 || got[412] != 9 {
		t.Errorf("%v", got)
	}
	e.fresh()
}

func TestRaces_OfDecisionsAndWithdrawalOneCounts(t *testing.T) {
	e := newEditing(t)
	staff, other := e.Person("Henna", "view", "edit"), e.Person("Joonas", "view", "admin")
	review := fmt.Sprintf("/campaigns/%d/review/", e.id)
	for range 8 {
		if got := atOnce(t, times(4, func() contenttest.Answer { return e.Post(review, "", e.creator) })...); got[200] != 1 {
			t.Fatalf("requests: %v", got)
		}
		got := atOnce(t,
			func() contenttest.Answer { return e.Call(http.MethodDelete, review, e.second) },
			func() contenttest.Answer {
				return e.Post(review+"decisions/", `{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "Kuka?"}]}`, staff)
			},
			func() contenttest.Answer { return e.Call(http.MethodDelete, review, e.creator) },
			func() contenttest.Answer {
				return e.Post(review+"decisions/", `{"decision": "ask_for_changes", "notes": [{"part": "goal", "text": "Kuka?"}]}`, other)
			})
		if got[200] != 1 {
			t.Fatalf("decisions: %v", got)
		}
	}
	e.succeeds(e.Post(review, "", e.creator))
	approval := e.Approval(e.id)
	got := atOnce(t,
		func() contenttest.Answer { return e.Call(http.MethodDelete, review, e.second) },
		func() contenttest.Answer { return e.Post(review+"decisions/", approval, staff) },
		func() contenttest.Answer { return e.Post(review+"decisions/", approval, other) })
	if got[200] != 1 || e.number(`SELECT count(*) FROM campaigns WHERE (stage, review) NOT IN ((0, 'none'), (1, 'approved'))`) != 0 {
		t.Errorf("%v", got)
	}
	e.fresh()
}

func (e *editing) succeeds(answer contenttest.Answer) {
	e.t.Helper()
	if answer.Status >= 300 {
		e.t.Fatalf("%d %s", answer.Status, answer.Body)
	}
}

func TestRaces_OpeningClosingAndEditingAtOnce(t *testing.T) {
	e := newEditing(t)
	staff := e.Person("Henna", "view", "edit")
	review := fmt.Sprintf("/campaigns/%d/review/", e.id)
	e.succeeds(e.Post(review, "", e.creator))
	e.succeeds(e.Post(review+"decisions/", e.Approval(e.id), staff))
	e.Advance(9 * 24 * time.Hour)
	open := func() contenttest.Answer {
		if _, err := schedule.OpenDue(t.Context(), e.DB, e.Now()); err != nil {
			t.Error(err)
		}
		return contenttest.Answer{Status: 1}
	}
	calls := times(6, open)
	calls = append(calls, times(2, func() contenttest.Answer { return e.Patch(e.admin, `{"stage": 5, "reason": "x"}`, staff) })...)
	calls = append(calls, times(4, func() contenttest.Answer {
		return e.Patch(fmt.Sprintf("/campaigns/%d/settings/", e.id), `{"target_goal": 5000, "last_day_of_funding": "2027-01-05"}`, e.creator)
	})...)
	got := atOnce(t, calls...)
	opened := e.number(`SELECT count(*) FROM outbox WHERE kind = 'mail.campaign_opened'`)
	moved := e.number(`SELECT count(*) FROM audit_log WHERE action = 'move_stage' AND after ->> 'stage' = '2'`)
	if moved > 1 || opened != 3*moved || got[200] < 1 || e.number(`SELECT stage FROM campaigns`) != 5 {
		t.Errorf("%v, opened %d times, %d mails, stage %d", got, moved, opened, e.number(`SELECT stage FROM campaigns`))
	}
	e.fresh()
}

func TestRaces_AVariationIsAdoptedOrStoppedOnce(t *testing.T) {
	e := newEditing(t)
	at := fmt.Sprintf("/campaigns/%d/content_variations/", e.id)
	for i := range 4 {
		var added api.ContentExperimentAnswer
		e.Post(at, fmt.Sprintf(`{"field": "tagline", "language": "fi", "value": "Uusi %d"}`, i), e.creator).JSON(&added)
		one := fmt.Sprintf("%s%d/", at, added.ContentExperiment.Variations[1].Variation)
		got := atOnce(t, append(times(3, func() contenttest.Answer { return e.Post(one+"adopt/", "", e.creator) }),
			times(3, func() contenttest.Answer { return e.Call(http.MethodDelete, one, e.second) })...)...)
		if got[200] != 1 || got[404] != 5 {
			t.Errorf("%v", got)
		}
	}
	if got := atOnce(t, times(8, func() contenttest.Answer {
		return e.Post(at, `{"field": "tagline", "language": "fi", "value": "Sama"}`, e.creator)
	})...); got[200] != 1 {
		t.Errorf("%v", got)
	}
	e.fresh()
}

func TestRaces_APostIsPublishedOnceAndADraftBegunOnce(t *testing.T) {
	e := newEditing(t)
	posts := fmt.Sprintf("/campaigns/%d/posts/", e.id)
	e.succeeds(e.Post(posts, `{"content": {"title": "A", "html": "<p>A</p>"}}`, e.creator))
	one := fmt.Sprintf("%s%d/", posts, e.number(`SELECT id FROM posts`))
	atOnce(t, append(times(6, func() contenttest.Answer { return e.Patch(one, `{"status": "published"}`, e.creator) }),
		times(3, func() contenttest.Answer { return e.Patch(one, `{"status": "draft"}`, e.second) })...)...)
	if n := e.number(`SELECT count(*) FROM outbox WHERE kind = 'letters.batch'`); n != 1 {
		t.Errorf("%d rounds of letters", n)
	}
	key := []string{"Idempotency-Key", "the same key of everybody"}
	before := e.number(`SELECT count(*) FROM campaigns`)
	got := atOnce(t, append(times(6, func() contenttest.Answer { return e.Post("/v2/campaigns/", `{"title": "Uusi"}`, e.creator, key...) }),
		times(6, func() contenttest.Answer { return e.Post("/v2/campaigns/", `{"title": "Uusi"}`, e.second, key...) })...)...)
	if n := e.number(`SELECT count(*) FROM campaigns`); got[201] != 12 || n != before+2 {
		t.Errorf("%v, %d campaigns", got, n-before)
	}
	if got := e.Post("/campaigns/", `{}`, e.creator, key...); got.Status < 400 {
		t.Errorf("another call with the same key: %d", got.Status)
	}
}

// A part of one campaign cannot be reached through another campaign's address.
func TestOthers_ThroughOnesOwnCampaign(t *testing.T) {
	e := newEditing(t)
	thief, staff := e.Person("Varas"), e.Person("Henna", "view", "edit")
	own := e.ReadyDraft("oma", thief)
	posts := fmt.Sprintf("/campaigns/%d/posts/", e.id)
	e.succeeds(e.Post(posts, `{"content": {"title": "A", "html": "<p>A</p>"}}`, e.creator))
	e.succeeds(e.Post(fmt.Sprintf("/campaigns/%d/review/", e.id), "", e.creator))
	e.succeeds(e.Post(fmt.Sprintf("/campaigns/%d/review/decisions/", e.id), `{"decision": "ask_for_changes", "notes": [{"part": "story", "text": "Kuka?"}]}`, staff))
	e.succeeds(e.Post(fmt.Sprintf("/campaigns/%d/content_variations/", e.id), `{"field": "tagline", "language": "fi", "value": "Uusi"}`, e.creator))
	e.succeeds(e.Post(fmt.Sprintf("/campaigns/%d/subscriptions_goals/", e.id), `{"subscriptions_goals": [{"target": 5, "title": "x"}]}`, e.creator))
	post, note, variation := e.number(`SELECT id FROM posts`), e.number(`SELECT id FROM review_notes`), e.number(`SELECT id FROM content_variations`)
	goal, reward := e.number(`SELECT id FROM subscription_goals`), e.number(`SELECT min(id) FROM rewards WHERE campaign_id = ?`, e.id)
	for _, c := range []struct {
		method, path, body string
	}{
		{"GET", fmt.Sprintf("/campaigns/%d/posts/%d/", own, post), ""}, {"GET", fmt.Sprintf("/campaigns/%d/posts/%d/admin/", own, post), ""},
		{"PATCH", fmt.Sprintf("/campaigns/%d/posts/%d/", own, post), `{"status": "published"}`}, {"DELETE", fmt.Sprintf("/campaigns/%d/posts/%d/", own, post), ""},
		{"POST", fmt.Sprintf("/campaigns/%d/posts/%d/test_letter/", own, post), ""},
		{"PATCH", fmt.Sprintf("/campaigns/%d/review/notes/%d/", own, note), `{"mended": true}`},
		{"POST", fmt.Sprintf("/campaigns/%d/content_variations/%d/adopt/", own, variation), ""}, {"DELETE", fmt.Sprintf("/campaigns/%d/content_variations/%d/", own, variation), ""},
		{"PATCH", fmt.Sprintf("/rewards/%d/", reward), `{"amount": 1}`}, {"PATCH", fmt.Sprintf("/rewards/%d/language/", reward), `{"fi": {"title": "x"}}`},
		{"DELETE", fmt.Sprintf("/rewards/%d/", reward), ""}, {"GET", fmt.Sprintf("/rewards/%d/admin/", reward), ""},
		{"POST", fmt.Sprintf("/campaigns/%d/subscriptions_goals/", own), fmt.Sprintf(`{"subscriptions_goals": [{"goal_id": %d, "target": 5, "title": "mine"}]}`, goal)},
	} {
		if got := e.Send(c.method, c.path, strings.NewReader(c.body), thief, "Content-Type", "application/json"); got.Status != 404 && got.Status != 422 {
			t.Errorf("%s %s: %d %s", c.method, c.path, got.Status, got.Body)
		}
	}
	if n := e.number(`SELECT count(*) FROM audit_log WHERE actor_user_id = ?`, thief); n != 0 {
		t.Errorf("%d changes by a stranger", n)
	}
}
