//go:build unix

package rewards_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// shown makes a visible reward of the campaign.
func (e *editing) shown() (id int64) {
	id = e.begin()
	e.patch(id, "language/", `{"fi": {"title": "Lippu"}}`)
	e.patch(id, "", `{"amount": 10, "active": 1}`)
	return id
}

// ways are the two by which a reward goes out of sight.
var ways = map[string]func(e *editing, id int64) string{
	"hidden": func(e *editing, id int64) string {
		return faults(e.Patch(fmt.Sprintf("/rewards/%d/", id), `{"active": 0}`, e.creator))
	},
	"deleted": func(e *editing, id int64) string {
		return faults(e.Call(http.MethodDelete, fmt.Sprintf("/rewards/%d/", id), e.creator))
	},
}

// An approved campaign keeps at least one visible reward until it is over, because its backers come to choose one.
func TestReward_ThatIsTheLastVisibleOneStaysWhileTheCampaignIsApprovedOrOpen(t *testing.T) {
	for way, do := range ways {
		t.Run(way, func(t *testing.T) {
			e := newEditing(t)
			e.begin() // a hidden one does not count
			one, other := e.shown(), e.shown()
			if got := do(e, other); got != "200" && got != "204" {
				t.Errorf("one of two: %s", got)
			}
			for _, stage := range []campaigns.Stage{campaigns.StagePreparing, campaigns.StageFunding} {
				e.Exec(`UPDATE campaigns SET stage = ? WHERE id = ?`, stage, e.campaign)
				if got := do(e, one); got != "409 last_reward" {
					t.Errorf("the last one in stage %d: %s", stage, got)
				}
			}
			e.Exec(`UPDATE campaigns SET stage = ? WHERE id = ?`, campaigns.StageDraft, e.campaign)
			if got := do(e, one); got != "200" && got != "204" {
				t.Errorf("the last one of a draft: %s", got)
			}
		})
	}
}

func TestReward_OfAMonthlyCampaignMayBeTheLast(t *testing.T) {
	for way, do := range ways {
		e := newEditing(t)
		id := e.shown()
		e.Exec(`UPDATE campaigns SET stage = 6, opens_as = 6 WHERE id = ?`, e.campaign)
		if got := do(e, id); got != "200" && got != "204" {
			t.Errorf("%s: %s", way, got)
		}
	}
}

// However many go at the same time, by whichever way, one stays.
func TestReward_OfManyThatGoAtOnceOneStays(t *testing.T) {
	e := newEditing(t)
	var ids []int64
	for range 6 {
		ids = append(ids, e.shown())
	}
	var all sync.WaitGroup
	got := make([]string, len(ids))
	for i, id := range ids {
		do := ways["hidden"]
		if i%2 == 0 {
			do = ways["deleted"]
		}
		all.Go(func() { got[i] = do(e, id) })
	}
	all.Wait()
	refused := slices.DeleteFunc(got, func(status string) bool { return status != "409 last_reward" })
	if visible := list(e.World, e.campaign, "fi", 0); len(visible) != 1 || len(refused) != 1 {
		t.Errorf("%d are visible, refused %q", len(visible), refused)
	}
}
