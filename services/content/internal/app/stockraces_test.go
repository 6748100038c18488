package app_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
)

// Whatever its creator does to a reward while people pledge for it and give up: what is reserved is what is held, a stock
// is never exceeded, and a reward that somebody holds is not deleted.
func TestStock_FlippedWhilePeoplePledge(t *testing.T) {
	p := setupDemo(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE stage = 2 AND funding_deadline > now() ORDER BY id LIMIT 1`)
	creator := bearer(p.token(t, p.number(t, `SELECT user_id FROM campaign_team WHERE campaign_id = ? AND position = 0`, campaign)))
	for range 3 {
		var made struct {
			Reward struct {
				RewardID int64 `json:"reward_id"`
			} `json:"reward"`
		}
		answer := call(t.Context(), p.handler, http.MethodPost, fmt.Sprintf("/campaigns/%d/rewards/", campaign), "", creator...)
		if err := json.Unmarshal(answer.Body.Bytes(), &made); err != nil || answer.Code != 201 {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
		reward := fmt.Sprintf("/rewards/%d/", made.Reward.RewardID)
		for path, body := range map[string]string{"language/": `{"fi": {"title": "Kauha"}}`, "": `{"amount": 10}`} {
			if answer := call(t.Context(), p.handler, http.MethodPatch, reward+path, body, creator...); answer.Code != 200 {
				t.Fatalf("%d %s", answer.Code, answer.Body)
			}
		}
		call(t.Context(), p.handler, http.MethodPatch, reward, `{"active": 1}`, creator...)
		statuses := map[string]int{}
		var mu sync.Mutex
		note := func(what string, code int, body string) {
			mu.Lock()
			defer mu.Unlock()
			statuses[fmt.Sprint(what, " ", code)]++
			if code >= 500 {
				t.Errorf("%s: %d %s", what, code, body)
			}
		}
		var all sync.WaitGroup
		for who := range 6 {
			all.Go(func() {
				for n := range 12 {
					body := fmt.Sprintf(`{"amount": 1000, "reward_id": %d, "pledge_meta": {"email": "a%d.%d@b.fi", "first_name": "A", "last_name": "B", "quantity": %d}}`,
						made.Reward.RewardID, who, n, 1+rand.IntN(3))
					answer := call(t.Context(), p.handler, http.MethodPost, fmt.Sprintf("/campaigns/%d/pledges/", campaign), body)
					note("pledge", answer.Code, answer.Body.String())
					var pledged struct {
						Pledge struct {
							ID string `json:"pledge_id"`
						} `json:"pledge"`
					}
					if json.Unmarshal(answer.Body.Bytes(), &pledged) == nil && pledged.Pledge.ID != "" && rand.IntN(2) == 0 {
						answer = call(t.Context(), p.handler, http.MethodDelete, "/pledges/"+pledged.Pledge.ID+"/", "")
						note("release", answer.Code, answer.Body.String())
					}
				}
			})
		}
		for range 2 {
			all.Go(func() {
				for range 20 {
					body := fmt.Sprintf(`{"stock": %d, "amount": %d}`, rand.IntN(2)*(20+rand.IntN(150)), 5+rand.IntN(10))
					answer := call(t.Context(), p.handler, http.MethodPatch, reward, body, creator...)
					note("stock", answer.Code, answer.Body.String())
				}
			})
		}
		all.Go(func() {
			for range 10 {
				answer := call(t.Context(), p.handler, http.MethodDelete, reward, "", creator...)
				note("delete", answer.Code, answer.Body.String())
			}
		})
		all.Wait()
		var got struct {
			Stock, StockReserved, Held, Live int
			Deleted                          bool
		}
		err := p.db.Raw(`SELECT r.stock, r.stock_reserved, r.deleted_at IS NOT NULL AS deleted,
				coalesce(sum(p.quantity) FILTER (WHERE p.stock_held AND p.status NOT IN ('failed', 'expired', 'refunded', 'withdrawn')), 0) AS held,
				count(p.id) FILTER (WHERE p.status NOT IN ('failed', 'expired', 'refunded', 'withdrawn')) AS live
			FROM rewards r LEFT JOIN pledges p ON p.reward_id = r.id WHERE r.id = ? GROUP BY r.id`, made.Reward.RewardID).Scan(&got).Error
		if err != nil {
			t.Fatal(err)
		}
		if got.StockReserved != got.Held || got.Stock > 0 && got.StockReserved > got.Stock || got.Deleted && got.Live > 0 {
			t.Errorf("%+v", got)
		}
		t.Logf("%+v %v", got, statuses)
	}
}
