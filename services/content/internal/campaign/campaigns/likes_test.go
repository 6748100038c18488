//go:build unix

package campaigns_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

func TestLikes_CountOncePerPerson(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), nil, w.Person("Reijo")), campaigns.StageFunding)
	path := fmt.Sprintf("/campaigns/%d/likes/", id)
	a, b := w.Person("A"), w.Person("B")
	for i, step := range []struct {
		method string
		as     int64
		likes  int
	}{
		{http.MethodDelete, a, 0}, {http.MethodPost, a, 1}, {http.MethodPost, a, 1}, {http.MethodPost, b, 2},
		{http.MethodDelete, a, 1}, {http.MethodDelete, a, 1},
	} {
		var got api.LikesAnswer
		w.Call(step.method, path, step.as).JSON(&got)
		if got.Likes != step.likes || got.Liked != (step.method == http.MethodPost) {
			t.Errorf("step %d: %+v", i, got)
		}
	}
	if c := page(w, id, "fi", b).Campaign; c.Likes != 1 || len(c.MyRelationships) != 1 {
		t.Errorf("b sees %d likes, %v", c.Likes, c.MyRelationships)
	}
	if c := page(w, id, "fi", a).Campaign; len(c.MyRelationships) != 0 {
		t.Errorf("a sees %v", c.MyRelationships)
	}
	if drifts, err := campaigns.Recompute(t.Context(), w.DB); err != nil || len(drifts) != 0 {
		t.Errorf("drifts %v, %v", drifts, err)
	}
	if got := w.Call(http.MethodPost, path, 0).Status; got != http.StatusUnauthorized {
		t.Errorf("anonymous: %d", got)
	}
}

func TestLikes_OfManyAtOnceAllCount(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), nil, w.Person("Reijo")), campaigns.StageFunding)
	path := fmt.Sprintf("/campaigns/%d/likes/", id)
	people := make([]int64, 12)
	for i := range people {
		people[i] = w.Person("P")
	}
	var all sync.WaitGroup
	for _, p := range people {
		for range 2 { // each clicks twice
			all.Go(func() {
				if got := w.Call(http.MethodPost, path, p); got.Status != http.StatusOK {
					t.Errorf("status %d: %s", got.Status, got.Body)
				}
			})
		}
	}
	all.Wait()
	if c := page(w, id, "fi", 0).Campaign; c.Likes != len(people) {
		t.Errorf("%d likes, want %d", c.Likes, len(people))
	}
}

// pledge inserts a paid pledge by SQL. Without a user it is of the address of the name.
func pledge(w *contenttest.World, campaign int64, user any, name, status string, amountMinor int64, anonymous bool, ago time.Duration) string {
	id := ids.New()
	paid, receipt := any(w.Now().Add(-ago)), any("TK-"+id)
	if status == "created" {
		paid, receipt = nil, nil
	}
	w.Exec(`INSERT INTO pledges (id, campaign_id, user_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
		    anonymous, language, reserved_until, paid_at, receipt_number, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, 'EUR', 1, '[]', lower(?) || '@example.com', ?, 'Tukija', ?, 'fi', ?, ?, ?, ?, ?)`,
		id, campaign, user, status, amountMinor, name, name, anonymous, w.Now(), paid, receipt, w.Now(), w.Now())
	return id
}

func TestBackers_AreThosePaidLatestFirst(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), nil, w.Person("Reijo")), campaigns.StageFunding)
	member := w.Person("Leena")
	w.Exec(`UPDATE users SET first_name = 'Leena', last_name = 'Tukija' WHERE id = ?`, member)
	guest := pledge(w, id, nil, "Pekka", "paid", 1_050, false, 3*time.Hour)
	pledge(w, id, member, "Leena", "disputed", 4_500, false, 2*time.Hour)
	pledge(w, id, w.Person("Salainen"), "Salainen", "paid", 700, true, time.Hour)
	pledge(w, id, nil, "Kesken", "created", 900, false, 0)
	w.Exec(`UPDATE campaign_totals SET backers = 3 WHERE campaign_id = ?`, id)

	var got api.BackersAnswer
	answer := w.Get(fmt.Sprintf("/campaigns/%d/backers/", id), 0)
	answer.JSON(&got)
	if len(answer.Statements) > 2 {
		t.Errorf("%d statements", len(answer.Statements))
	}
	if got.Total != 3 || len(got.Previews) != 3 {
		t.Fatalf("total %d of %d", got.Total, len(got.Previews))
	}
	secret, leena, pekka := got.Previews[0], got.Previews[1], got.Previews[2]
	if secret.Name != "" || !secret.Anonymous || *secret.Amount != 700 || secret.Image == fmt.Sprintf("avatar-%d.svg", member) {
		t.Errorf("anonymous: %+v", secret)
	}
	if leena.Name != "Leena Tukija" || leena.Image != fmt.Sprintf("avatar-%d.svg", member) {
		t.Errorf("with an account: %+v", leena)
	}
	if pekka.Name != "Pekka Tukija" || *pekka.Amount != 1_050 || pekka.Image == leena.Image {
		t.Errorf("guest: %+v", pekka)
	}
	if strings.Contains(string(answer.Body), guest) || strings.Contains(string(answer.Body), "Salainen") {
		t.Error("the answer holds a pledge's id or an anonymous name")
	}
	w.Get(fmt.Sprintf("/campaigns/%d/backers/?limit=1&offset=1", id), 0).JSON(&got)
	if got.Total != 3 || len(got.Previews) != 1 || got.Previews[0].Name != "Leena Tukija" {
		t.Errorf("second page: %+v", got)
	}
	w.Exec(`UPDATE pledges SET last_name_initial = true WHERE id = ?`, guest)
	initial := w.Get(fmt.Sprintf("/campaigns/%d/backers/?limit=1&offset=2", id), 0)
	if initial.JSON(&got); len(got.Previews) != 1 || got.Previews[0].Name != "Pekka T." || strings.Contains(string(initial.Body), "Tukija") {
		t.Errorf("by the initial: %s", initial.Body)
	}
	// The picture of an account leads to its page, which tells the whole name.
	w.Exec(`UPDATE pledges SET last_name_initial = true WHERE user_id = ?`, member)
	w.Exec(`UPDATE users SET image = 'leena.png' WHERE id = ?`, member)
	initial = w.Get(fmt.Sprintf("/campaigns/%d/backers/?limit=1&offset=1", id), 0)
	initial.JSON(&got)
	if one := got.Previews[0]; one.Name != "Leena T." || one.Image == "leena.png" || one.Image == fmt.Sprintf("avatar-%d.svg", member) {
		t.Errorf("by the initial, with an account: %s", initial.Body)
	}
	w.Exec(`UPDATE pledges SET last_name_initial = false, first_name = 'Peite', last_name = 'Nimi' WHERE user_id = ?`, member)
	other := w.Get(fmt.Sprintf("/campaigns/%d/backers/?limit=1&offset=1", id), 0)
	other.JSON(&got)
	if one := got.Previews[0]; one.Name != "Peite Nimi" || one.Image == "leena.png" {
		t.Errorf("by another name: %s", other.Body)
	}
}

func TestBackers_HideWhatTheCampaignHides(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	n := sauna(w.Category("yhteiso"), nil, creator)
	n.HideFundingAmount = true
	amounts := w.Campaign(n, campaigns.StageFunding)
	n.HideMemberCount = true
	members := w.Campaign(n, campaigns.StageFunding)
	for _, id := range []int64{amounts, members} {
		pledge(w, id, nil, "Pekka", "paid", 1_050, false, 0)
		w.Exec(`UPDATE campaign_totals SET backers = 1 WHERE campaign_id = ?`, id)
	}
	var got api.BackersAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/backers/", amounts), 0).JSON(&got)
	if len(got.Previews) != 1 || got.Previews[0].Amount != nil {
		t.Errorf("hidden amounts: %+v", got)
	}
	w.Get(fmt.Sprintf("/campaigns/%d/backers/", members), 0).JSON(&got)
	if len(got.Previews) != 0 || got.Total != 0 {
		t.Errorf("hidden members: %+v", got)
	}
	w.Get(fmt.Sprintf("/campaigns/%d/backers/", members), creator).JSON(&got)
	if len(got.Previews) != 1 || got.Total != 1 {
		t.Errorf("their creator sees %+v", got)
	}
}

// What was given anonymously is not in the sum under a name, and a person stands once whatever they chose.
func TestBackers_EachPersonStandsOnceWithWhatTheyShow(t *testing.T) {
	w := contenttest.New(t)
	id := w.Campaign(sauna(w.Category("yhteiso"), nil, w.Person("Reijo")), campaigns.StageFunding)
	pledge(w, id, nil, "Pekka", "paid", 1_000, false, 5*time.Hour)
	pledge(w, id, nil, "PEKKA", "partly_refunded", 2_050, false, 4*time.Hour)
	pledge(w, id, nil, "pekka", "paid", 500, true, time.Hour)
	pledge(w, id, nil, "Salla", "paid", 700, true, 3*time.Hour)
	pledge(w, id, nil, "salla", "paid", 800, true, 2*time.Hour)
	w.Exec(`UPDATE pledges SET amount_refunded_minor = 50 WHERE status = 'partly_refunded'`)
	w.Exec(`UPDATE campaign_totals SET backers = 2 WHERE campaign_id = ?`, id)
	list := func(query string) (total int, rows string) {
		t.Helper()
		var got api.BackersAnswer
		w.Get(fmt.Sprintf("/campaigns/%d/backers/%s", id, query), 0).JSON(&got)
		for _, b := range got.Previews {
			amount := "hidden"
			if b.Amount != nil {
				amount = fmt.Sprint(int64(*b.Amount))
			}
			rows += fmt.Sprintf("%s %v %s; ", b.Name, b.Anonymous, amount)
		}
		return got.Total, rows
	}
	if total, rows := list(""); total != 2 || rows != " true 1500; PEKKA Tukija false 3000; " {
		t.Errorf("%d: %s", total, rows)
	}
	if _, rows := list("?limit=1&offset=1"); rows != "PEKKA Tukija false 3000; " {
		t.Errorf("second page: %s", rows)
	}
	w.Exec(`UPDATE pledges SET hide_amount = true WHERE first_name IN ('PEKKA', 'Salla', 'salla')`)
	if _, rows := list(""); rows != " true hidden; PEKKA Tukija false 1000; " {
		t.Errorf("with hidden sums: %s", rows)
	}
}
