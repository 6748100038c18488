package mails

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// The app's test of moneyTexts has the same table, so that the receipt's mail and page never contradict each other.
func TestRender_AReceiptSaysOfTheMoneyWhatItsPageSays(t *testing.T) {
	file, err := os.ReadFile("../../../../../proto-docs/money-words.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Case       string
		Rule       campaigns.FundingRule `json:"funding_rule"`
		Stage      campaigns.Stage
		MinGoal    float64 `json:"min_goal"`
		TargetGoal float64 `json:"target_goal"`
		Reached    float64 `json:"funding_reached"`
		IsHidden   bool    `json:"hide_funding_amount"`
		LastDay    string  `json:"last_day_of_funding"`
		Receipt    map[string]string
	}
	if err := json.Unmarshal(file, &cases); err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	minor := func(amount float64) int64 { return int64(math.Round(amount * 100)) }
	rewardWords := map[string]string{"fi": "Vastik", "en": "eward", "sv": "Belöning"}
	for _, c := range cases {
		if c.Stage == campaigns.StageRecurring {
			for language, want := range c.Receipt {
				m, err := r.renderSubscription(KindMonthlyReceipt, support(language, ""))
				if err != nil || !strings.Contains(strings.ReplaceAll(m.Text, noBreak, " "), " "+want+"\n") {
					t.Errorf("%s, %s: no %q in\n%s%v", c.Case, language, want, m.Text, err)
				}
			}
			continue
		}
		f := funding{c.Rule, c.Stage, minor(c.MinGoal), minor(c.TargetGoal), minor(c.Reached), c.IsHidden}
		for language, want := range c.Receipt {
			for _, hasReward := range []bool{true, false} {
				p := pledge(language)
				p.Outcome, p.GoalMinor, p.HasReward, p.Deadline = f.outcome(), f.goalMinor(), hasReward, time.Time{}
				if c.LastDay != "" {
					if p.Deadline, err = time.ParseInLocation(time.DateOnly, c.LastDay, helsinki); err != nil {
						t.Fatal(err)
					}
				}
				m, err := r.render(KindReceipt, p)
				if err != nil {
					t.Fatal(err)
				}
				text := strings.ReplaceAll(m.Text, noBreak, " ")
				if !strings.Contains(text, "\n\n"+want+"\n\n") {
					t.Errorf("%s, %s: no %q in\n%s", c.Case, language, want, text)
				}
				if strings.Contains(text, rewardWords[language]) != hasReward {
					t.Errorf("%s, %s, reward %t:\n%s", c.Case, language, hasReward, text)
				}
			}
		}
	}
}

func TestRender_AFailedPaymentCanBeTriedAgainOnlyWhileTheCampaignTakesPledges(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, helsinki)
	for name, c := range map[string]struct {
		stage    campaigns.Stage
		deadline time.Time
		want     bool
	}{
		"open":                    {campaigns.StageFunding, now.Add(time.Hour), true},
		"open, past its last day": {campaigns.StageFunding, now, false},
		"closed by staff":         {campaigns.StageClosed, now.Add(time.Hour), false},
	} {
		for language, words := range map[string]string{"fi": "uudelleen", "en": "again", "sv": "igen på"} {
			p := pledge(language)
			p.IsOpen = funding{Stage: c.stage}.takesPledges(&c.deadline, now)
			m, err := r.render(KindPaymentFailed, p)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(m.Text, words) != c.want {
				t.Errorf("%s, %s: %s", name, language, m.Text)
			}
		}
	}
}
