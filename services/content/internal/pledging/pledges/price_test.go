package pledges_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestCreatePledge_Prices(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	address := `, "address_street": "Katu 1", "address_postcode": "00100", "address_city": "Helsinki"`
	for name, c := range map[string]struct {
		body  string
		lines string
		vat   string
	}{
		"support":           {fmt.Sprintf(`{"amount": 20.5, "pledge_meta": {%s}}`, who), "Tuki ilman vastiketta 20.5", ""},
		"the least support": {fmt.Sprintf(`{"amount": 0.5, "reward_id": null, "pledge_meta": {%s}}`, who), "Tuki ilman vastiketta 0.5", ""},
		"the most support":  {fmt.Sprintf(`{"amount": 100000, "pledge_meta": {%s}}`, who), "Tuki ilman vastiketta 100000", ""},
		"a reward with more than its price": {fmt.Sprintf(`{"amount": 12, "reward_id": %d, "pledge_meta": {%s, "language": "EN",
			"custom_questions": {"custom_question_1": "Leena"}}}`, w.unlimited, who), "Ladle 10; Extra support 2", "2.03"},
		"many of a reward": {fmt.Sprintf(`{"amount": 30, "reward_id": %d, "pledge_meta": {%s, "quantity": 3,
			"custom_questions": {"custom_question_1": "Leena"}}}`, w.unlimited, who), "3 × Kauha 30", "6.1"},
		"a free added cost":              {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 0 %s}}`, w.posted, who, address), "Iltavuoro 45", ""},
		"fetched, so without an address": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 0}}`, w.posted, who), "Iltavuoro 45", ""},
		"an added cost": {fmt.Sprintf(`{"amount": 96.5, "reward_id": %d, "pledge_meta": {%s, "quantity": 2, "added_cost": 1 %s}}`, w.posted, who, address),
			"2 × Iltavuoro 90; Kirje 6.5", ""},
		"an address abroad": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 0, "address_street": "Gatan 1",
			"address_postcode": "SE-111 22", "address_city": "Stockholm", "address_country": "SE"}}`, w.posted, who), "Iltavuoro 45", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := post(t, h, w.address(), c.body)
			if a.code != http.StatusCreated {
				t.Fatalf("%d %s %v", a.code, a.status, a.fields)
			}
			var lines []string
			for _, l := range a.pledge.Lines {
				lines = append(lines, l.Label+" "+l.Amount.String())
			}
			if got := strings.Join(lines, "; "); got != c.lines || a.pledge.VAT.String() != c.vat {
				t.Errorf("lines %q, VAT %q", got, a.pledge.VAT)
			}
			if !a.pledge.ReservedUntil.Equal(noon.Add(firstHold)) || a.pledge.Status != "created" {
				t.Errorf("%s until %s", a.pledge.Status, a.pledge.ReservedUntil)
			}
		})
	}
	w.checkInvariants(t)
}

// The receipt is written later, and shows the rate that its tax was worked out by.
func TestCreatePledge_KeepsTheTaxRateThatItIsBoughtBy(t *testing.T) {
	w := setup(t)
	taxed, untaxed := w.addReward(t, 3), w.addReward(t, 3)
	rate := func(of string, id int64) {
		if err := w.db.Exec(`UPDATE rewards SET vat_tenths = `+of+` WHERE id = ?`, id).Error; err != nil {
			t.Fatal(err)
		}
	}
	rate("255", taxed)
	for reward, want := range map[int64]int{taxed: 255, untaxed: 0, 0: 0} { // 0 is support without a reward
		p := w.mustCreate(t, w.input(reward, "10"))
		rate("140", reward)
		var got int
		if err := w.db.Raw(`SELECT coalesce(CAST(bought ->> 'vat_tenths' AS int), 0) FROM pledges WHERE id = ?`, p.ID).Scan(&got).Error; err != nil {
			t.Fatal(err)
		}
		if got != want {
			t.Errorf("reward %d: the pledge has a rate of %d tenths, want %d", reward, got, want)
		}
	}
}
