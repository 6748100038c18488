//go:build unix

package campaigns_test

import (
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

// setGoals sets the campaign's goals as its creator; it must succeed. It answers their ids, and "target title in
// fi|title in en".
func (c *changing) setGoals(language, list string) (ids []int64, goals []string) {
	c.t.Helper()
	var answer api.SubscriptionGoalsAnswer
	c.Post(c.goals()+"?language="+language, `{"subscriptions_goals": [`+list+`]}`, c.creator).JSON(&answer)
	for _, g := range answer.SubscriptionsGoals {
		ids = append(ids, g.GoalID)
		goals = append(goals, fmt.Sprint(g.Target, " ", g.Texts["fi"].Title, "|", g.Texts["en"].Title))
	}
	return ids, goals
}

func (c *changing) goals() string { return fmt.Sprintf("/campaigns/%d/subscriptions_goals/", c.id) }

func TestGoals_AreAWholeListThatKeepsTheTextsOfOtherLanguages(t *testing.T) {
	c := newChanging(t, campaigns.StageRecurring)
	first := c.version()
	ids, _ := c.setGoals("fi", `{"target": 10, "title": " Sauna "}, {"target": 50, "title": "Uima-allas", "description": "Iso"}`)
	if got := c.version(); got != first+1 {
		t.Errorf("version %d after %d", got, first)
	}
	if got := page(c.World, c.id, "fi", 0).Campaign.Subscriptions.SubscriptionsGoals; len(got) != 2 ||
		got[0].Title != "Sauna" || got[1].Description != "Iso" {
		t.Errorf("readers see %+v", got)
	}
	again, _ := c.setGoals("fi", fmt.Sprintf(`{"goal_id": %d, "target": 10, "title": "Sauna"}, {"goal_id": %d, "target": 50, "title": "Uima-allas", "description": "Iso"}`, ids[0], ids[1]))
	if c.version() != first+1 || fmt.Sprint(again) != fmt.Sprint(ids) {
		t.Errorf("the same again makes version %d, goals %v after %v", c.version(), again, ids)
	}
	// The two swap their targets, a third one comes, all in English.
	_, got := c.setGoals("en", fmt.Sprintf(`{"goal_id": %d, "target": 10, "title": "Pool"}, {"target": 20, "title": "New"}, {"goal_id": %d, "target": 50, "title": "Sauna"}`, ids[1], ids[0]))
	if want := "[10 Uima-allas|Pool 20 |New 50 Sauna|Sauna]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
	if trace := c.trace(); len(trace) != 2 || !strings.Contains(trace[1], "change_goals") ||
		!strings.Contains(trace[1], "Uima-allas") {
		t.Errorf("history %q", trace)
	}
	if _, got := c.setGoals("fi", ""); len(got) != 0 ||
		len(page(c.World, c.id, "fi", 0).Campaign.Subscriptions.SubscriptionsGoals) != 0 {
		t.Errorf("goals that were all removed: %v", got)
	}
}

func TestGoals_WhatIsRefused(t *testing.T) {
	c := newChanging(t, campaigns.StageDraft)
	for name, tt := range map[string]struct {
		list   string
		status int
		key    string
		fields []string
	}{
		"targets that fall":  {`{"target": 10, "title": "A"}, {"target": 9, "title": "B"}`, 422, "invalid_fields", []string{"subscriptions_goals[1].target min_value"}},
		"equal targets":      {`{"target": 10, "title": "A"}, {"target": 10, "title": "B"}`, 422, "invalid_fields", []string{"subscriptions_goals[1].target min_value"}},
		"no title":           {`{"target": 10, "title": " "}`, 422, "invalid_fields", []string{"subscriptions_goals[0].title required"}},
		"somebody else's":    {`{"goal_id": 987, "target": 10, "title": "A"}`, 422, "invalid_fields", []string{"subscriptions_goals[0].goal_id unknown_goal"}},
		"a target of nobody": {`{"target": 0, "title": "A"}`, 422, "invalid_fields", []string{"subscriptions_goals[0].target min_value"}},
		"a field of no goal": {`{"target": 1, "title": "A", "reached": true}`, 400, "unknown_field", []string{"subscriptions_goals[0].reached unknown_field"}},
		"eleven":             {strings.TrimSuffix(strings.Repeat(`{"target": 1, "title": "A"},`, 11), ","), 422, "invalid_fields", []string{"subscriptions_goals max_value"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.wants(c.Post(c.goals(), `{"subscriptions_goals": [`+tt.list+`]}`, c.creator), tt.status, tt.key, tt.fields...)
		})
	}
	if trace := c.trace(); len(trace) != 0 {
		t.Errorf("what is refused is in the history: %q", trace)
	}
}

func TestGoals_ThatAnOpenCampaignHasReachedStay(t *testing.T) {
	c := newChanging(t, campaigns.StageRecurring)
	ids, _ := c.setGoals("fi", `{"target": 10, "title": "A"}, {"target": 20, "title": "B"}`)
	c.Exec(`UPDATE campaign_totals SET subscriptions = 12 WHERE campaign_id = ?`, c.id)
	c.wants(c.Post(c.goals(), `{"subscriptions_goals": []}`, c.creator), 409, "goal_reached", "subscriptions_goals fixed")
	c.wants(c.Post(c.goals(), fmt.Sprintf(`{"subscriptions_goals": [{"goal_id": %d, "target": 15, "title": "A"}]}`, ids[0]), c.creator),
		409, "goal_reached", "subscriptions_goals[0].target fixed")
	_, got := c.setGoals("fi", fmt.Sprintf(`{"goal_id": %d, "target": 10, "title": "Parempi"}, {"goal_id": %d, "target": 30, "title": "B"}`, ids[0], ids[1]))
	if want := "[10 Parempi| 30 B|]"; fmt.Sprint(got) != want {
		t.Errorf("a reached goal's words, and a goal that is not reached, may change: %v, want %s", got, want)
	}
}
