//go:build unix

package rewards_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/contenttest"
)

// Supporters come back, change their level and are told of late, so that "25 left" could not be kept.
func TestLevelOfMonthlySupport_HasNoStock(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Pekka")
	id := w.Campaign(campaigns.New{Slug: "kuoro", Language: "fi", CategoryID: w.Category("c"), TeamUserIDs: []int64{creator}, OpensAs: campaigns.StageRecurring,
		Texts: map[string]campaigns.Text{"fi": {Title: "Kuoro"}}}, campaigns.StageRecurring)
	var reward int64
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		reward, err = rewards.Create(ctx, tx, rewards.New{CampaignID: id, AmountMinor: 700, Stock: 25, Active: true, Texts: map[string]rewards.Text{"fi": {Title: "Kortti"}}}, w.Now())
		return err
	})
	var list api.RewardsAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/rewards/fi/", id), 0).JSON(&list)
	if got := list.Rewards[0]; got.Stock != 0 || got.StockReserved != 0 {
		t.Errorf("everybody reads %d of %d", got.StockReserved, got.Stock)
	}
	var a api.RewardAdminAnswer
	address := fmt.Sprintf("/rewards/%d/admin/", reward)
	w.Get(address, creator).JSON(&a)
	if !a.Reward.IsMonthly || a.Reward.Stock != 0 {
		t.Errorf("its team reads %+v", a.Reward)
	}
	if answer := w.Patch(fmt.Sprintf("/rewards/%d/", reward), `{"stock": 30}`, creator); answer.Status != http.StatusUnprocessableEntity {
		t.Errorf("a stock was taken: %d %s", answer.Status, answer.Body)
	}
}
