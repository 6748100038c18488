//go:build unix

package rewards_test

import (
	"testing"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/contenttest"
)

func TestRewards_HideTheCountsThatTheirCampaignHides(t *testing.T) {
	for name, hide := range map[string]campaigns.New{"the sum": {HideFundingAmount: true}, "the backers": {HideMemberCount: true}} {
		t.Run(name, func(t *testing.T) {
			w := contenttest.New(t)
			creator := w.Person("Reijo")
			hide.Slug, hide.Language, hide.CategoryID, hide.TeamUserIDs, hide.LastDay = "x", "sv", w.Category("c"), []int64{creator}, "2026-12-01"
			hide.Texts = map[string]campaigns.Text{"sv": {Title: "Flotte"}}
			id := w.Campaign(hide, campaigns.StageFunding)
			texts := map[string]rewards.Text{"sv": {Title: "R"}}
			for i, n := range []rewards.New{{Stock: 0}, {Stock: 10}, {Stock: 4}} {
				n.CampaignID, n.AmountMinor, n.Active, n.Texts = id, int64(i+1)*1_000, true, texts
				create(w, n)
			}
			w.Exec(`UPDATE rewards SET backers = 4, stock_reserved = least(stock, 4) WHERE campaign_id = ?`, id)

			seen := list(w, id, "sv", 0)
			for i, want := range []struct{ stock, reserved int }{{0, 0}, {6, 0}, {1, 1}} { // unlimited, 6 left, gone
				if r := seen[i]; r.Stock != want.stock || r.StockReserved != want.reserved || r.Backers != 0 {
					t.Errorf("reward %d: stock %d, reserved %d, backers %d; want %+v and nobody", i, r.Stock, r.StockReserved, r.Backers, want)
				}
			}
			if r := list(w, id, "sv", creator)[1]; r.Stock != 10 || r.StockReserved != 4 || r.Backers != 4 {
				t.Errorf("the creator sees %+v", r)
			}
		})
	}
}
