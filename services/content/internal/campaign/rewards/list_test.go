//go:build unix

package rewards_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

func campaign(w *contenttest.World, creator int64) int64 {
	return w.Campaign(campaigns.New{Slug: "x", Language: "sv", CategoryID: w.Category("c"), TeamUserIDs: []int64{creator}, LastDay: "2026-12-01",
		Texts: map[string]campaigns.Text{"sv": {Title: "Flotte"}}}, campaigns.StageFunding)
}

func create(w *contenttest.World, n rewards.New) (id int64) {
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		id, err = rewards.Create(ctx, tx, n, w.Now())
		return err
	})
	return id
}

func list(w *contenttest.World, id int64, language string, as int64) []api.Reward {
	var answer api.RewardsAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/rewards/%s/", id, language), as).JSON(&answer)
	return answer.Rewards
}

func TestRewards_AreVisibleOnesByAmountThenId(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Reijo")
	id := campaign(w, creator)
	texts := map[string]rewards.Text{"sv": {Title: "R"}}
	dear := create(w, rewards.New{CampaignID: id, AmountMinor: 5_000, Active: true, Texts: texts})
	cheap := create(w, rewards.New{CampaignID: id, AmountMinor: 1_000, Active: true, Texts: texts})
	hidden := create(w, rewards.New{CampaignID: id, AmountMinor: 3_000, Texts: texts})
	again := create(w, rewards.New{CampaignID: id, AmountMinor: 1_000, Active: true, Texts: texts})

	order := func(as int64) (got []int64) {
		for _, r := range list(w, id, "fi", as) {
			got = append(got, r.RewardID)
		}
		return got
	}
	if got := order(0); fmt.Sprint(got) != fmt.Sprint([]int64{cheap, again, dear}) {
		t.Errorf("strangers see %v", got)
	}
	if got := order(w.Person("Stranger")); len(got) != 3 {
		t.Errorf("a signed-in stranger sees %v", got)
	}
	if got := order(creator); fmt.Sprint(got) != fmt.Sprint([]int64{cheap, again, hidden, dear}) {
		t.Errorf("the creator sees %v", got)
	}
	if got := w.Get(fmt.Sprintf("/campaigns/%d/rewards/fi/", id), 0).Statements; len(got) != 2 {
		t.Errorf("%d statements for four rewards: %q", len(got), got)
	}
}

func TestRewards_SpeakTheReadersLanguage(t *testing.T) {
	w := contenttest.New(t)
	id := campaign(w, w.Person("Reijo"))
	vat := 255
	create(w, rewards.New{CampaignID: id, AmountMinor: 4_500, Stock: 100, Active: true, VATTenths: &vat, Delivery: "2027-05", Image: "a.svg",
		AddedCosts: rewards.AddedCosts{
			{AmountMinor: 650, Description: map[string]string{"FI": "Kirje", "EN": "By post"}},
			{Description: map[string]string{"SV": "Hämtas", "EN": "Pick up"}}},
		Texts: map[string]rewards.Text{
			"sv": {Title: "Kväll", Description: "Tre timmar", Questions: rewards.QuestionTexts{"Vilken vecka?", "ask_for_address"}},
			"en": {Title: "Evening", Questions: rewards.QuestionTexts{"Which week?"}}}})
	w.Exec(`UPDATE rewards SET stock_reserved = 86, backers = 80`)
	w.Exec(`UPDATE reward_texts SET image_alt = 'En flotte' WHERE language = 'sv'`)

	fi := list(w, id, "fi", 0)[0] // no Finnish texts: those of the campaign's own language
	if fi.Title != "Kväll" || fi.ImageAlt != "En flotte" || fi.Description != "Tre timmar" || !fi.AsksForAddress || len(fi.CustomQuestions) != 2 ||
		fi.CustomQuestions[1].Key != "custom_question_2" || fi.AddedCosts[0].Description != "Kirje" || fi.AddedCosts[1].Description != "Pick up" {
		t.Errorf("fi: %+v", fi)
	}
	en := list(w, id, "EN", 0)[0]
	if en.Title != "Evening" || en.ImageAlt != "" || en.AsksForAddress || en.CustomQuestions[0].Text != "Which week?" {
		t.Errorf("en: %+v", en)
	}
	if sv := list(w, id, "sv", 0)[0]; sv.AddedCosts[0].Description != "By post" || sv.AddedCosts[0].Amount != 650 {
		t.Errorf("sv: %+v", sv.AddedCosts)
	}
	if fi.Amount != 45 || fi.Stock != 100 || fi.StockReserved != 86 || fi.Backers != 80 || *fi.VatPercentage != 25.5 || *fi.Delivery != "2027-05" || fi.Image != "a.svg" || fi.Active != 1 {
		t.Errorf("numbers: %+v", fi)
	}
}

func TestRewards_OfDraftsAndUnknownCampaignsAreNotFound(t *testing.T) {
	w := contenttest.New(t)
	if got := w.Get("/campaigns/4711/rewards/fi/", 0); got.Status != http.StatusNotFound || !strings.Contains(string(got.Body), "not_found") {
		t.Errorf("unknown: %d %s", got.Status, got.Body)
	}
}

func TestCreate_RefusesWhatTheTableRefuses(t *testing.T) {
	w := contenttest.New(t)
	id := campaign(w, w.Person("Reijo"))
	texts := map[string]rewards.Text{"sv": {Title: "R"}}
	for name, n := range map[string]rewards.New{
		"no texts":         {CampaignID: id, AmountMinor: 100},
		"cents":            {CampaignID: id, AmountMinor: 150, Texts: texts},
		"unknown campaign": {CampaignID: 4711, AmountMinor: 100, Texts: texts},
		"delivery":         {CampaignID: id, AmountMinor: 100, Delivery: "2027-13", Texts: texts},
		"language":         {CampaignID: id, AmountMinor: 100, Texts: map[string]rewards.Text{"de": {Title: "R"}}},
	} {
		err := w.DB.Transaction(func(tx *gorm.DB) error {
			_, err := rewards.Create(t.Context(), tx, n, w.Now())
			return err
		})
		if err == nil {
			t.Errorf("%s: created", name)
		}
	}
}

func TestRewards_ReadNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	bulk.MustNotReadWhole(t, w.DB, w.Get("/campaigns/9/rewards/sv/", 0).Statements)
}
