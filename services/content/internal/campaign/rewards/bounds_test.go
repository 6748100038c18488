//go:build unix

package rewards_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"talkoot.fi/content/internal/campaign/rewards"
)

// Concurrent calls cannot give a campaign more rewards than it may have.
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

// What is offered can be paid: no price is above the most that one pledge may be, alone or with the least added cost.
func TestReward_CostsNoMoreThanCanBePledged(t *testing.T) {
	const costs = `"added_costs": [{"amount": %s, "description": {"en": "By post"}}, {"amount": %s, "description": {"en": "By boat"}}]`
	for name, tt := range map[string]struct{ body, want string }{
		"the most":                 {`{"amount": 100000}`, "200"},
		"a euro more":              {`{"amount": 100001}`, "422 invalid_fields amount max_value"},
		"the most, one cost free":  {`{"amount": 100000, ` + fmt.Sprintf(costs, "5", "0") + `}`, "200"},
		"the most and any cost":    {`{"amount": 100000, ` + fmt.Sprintf(costs, "5", "0.01") + `}`, "422 invalid_fields added_costs[1].amount max_value"},
		"a cost above the most":    {`{"amount": 1, ` + fmt.Sprintf(costs, "0", "100000.01") + `}`, "422 invalid_fields added_costs[1].amount max_value"},
		"a price above its costs":  {`{"amount": 99999}`, "422 invalid_fields amount max_value"},
		"as much as its costs let": {`{"amount": 99998}`, "200"},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEditing(t)
			id := e.begin()
			if strings.Contains(name, "its costs") {
				e.patch(id, "", `{"amount": 1, `+fmt.Sprintf(costs, "2", "3")+`}`)
			}
			if got := faults(e.Patch(fmt.Sprintf("/rewards/%d/", id), tt.body, e.creator)); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
