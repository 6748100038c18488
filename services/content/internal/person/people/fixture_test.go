//go:build unix

package people_test

import (
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

// campaignOf makes a campaign of a person in a stage.
func campaignOf(w *contenttest.World, creator, category int64, title string, stage campaigns.Stage) int64 {
	return w.Campaign(campaigns.New{Slug: campaigns.SlugOf(title, "fi"), Language: "fi", CategoryID: category,
		TeamUserIDs: []int64{creator}, FirstDay: "2026-11-01", LastDay: "2026-12-20", TargetGoalMinor: 100_00,
		Texts: map[string]campaigns.Text{"fi": {Title: title}}}, stage)
}
