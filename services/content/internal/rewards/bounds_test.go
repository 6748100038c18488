//go:build unix

package rewards_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"talkoot.fi/content/internal/rewards"
)

// However many are asked for at the same time, a campaign has no more rewards than it may.
func TestBegin_OfManyAtOnceNoneIsTooMany(t *testing.T) {
	e := newEditing(t)
	e.Exec(`INSERT INTO rewards (campaign_id, amount_minor, stock, active, added_costs, created_at, updated_at)
		SELECT ?, 100, 0, 0, '[]', now(), now() FROM generate_series((SELECT count(*) FROM rewards WHERE campaign_id = ?), ?)`, e.campaign, e.campaign, rewards.MostOfCampaign-2)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() { e.Call(http.MethodPost, fmt.Sprintf("/campaigns/%d/rewards/", e.campaign), e.creator) })
	}
	all.Wait()
	var there int
	if err := e.DB.Raw(`SELECT count(*) FROM rewards WHERE campaign_id = ? AND deleted_at IS NULL`, e.campaign).Scan(&there).Error; err != nil {
		t.Fatal(err)
	}
	if there > rewards.MostOfCampaign {
		t.Errorf("%d rewards", there)
	}
}
