package pledges_test

import (
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/pledges"
)

func TestAPledge_TellsTheLanguageThatItsRewardsTitleIsIn(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	leena := w.person(t, "leena@example.fi")
	in := func(language string, reward int64) string {
		return w.backs(t, leena, "leena@example.fi", func(in *pledges.Input) {
			w.byPost(in)
			in.Language = language
			if reward == w.unlimited {
				in.RewardID, in.Amount, in.Meta.AddedCost = &w.unlimited, "10", nil
				in.Meta.Answers = map[string]string{"custom_question_1": "Leena"}
			}
		}).ID
	}
	translated, untranslated, before := in("en", w.unlimited), in("sv", w.posted), in("sv", w.posted)
	without := w.backs(t, leena, "leena@example.fi", nil).ID
	w.exec(t, `UPDATE pledges SET bought = bought - 'language' WHERE id = ?`, before) // from before languages were kept
	var a api.OwnPledgesAnswer
	as(t, h, leena, "GET", "/users/me/pledges/en/", "", &a)
	got := map[string]string{}
	for _, p := range a.Pledges {
		got[p.PledgeID] = p.RewardTitle + "/"
		if p.RewardLanguage != nil {
			got[p.PledgeID] += *p.RewardLanguage
		}
	}
	for _, c := range []struct{ name, id, want, language string }{
		{"a title in the backer's language", translated, "Ladle/en", "en"},
		{"a title that there is in another language alone", untranslated, "Iltavuoro/fi", "fi"},
		{"a title of a language that was not kept", before, "Iltavuoro/", ""},
		{"no reward", without, "/", ""},
	} {
		if got[c.id] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got[c.id], c.want)
		}
		if p, err := w.View(t.Context(), c.id, "en"); err != nil || p.RewardLanguage != c.language {
			t.Errorf("%s: its receipt says %q (%v), want %q", c.name, p.RewardLanguage, err, c.language)
		}
	}
	w.exec(t, `UPDATE pledges SET status = 'processing' WHERE id = ?`, untranslated)
	list, err := w.ListOwnIn(t.Context(), leena, w.campaign)
	if err != nil || len(list) != 1 || list[0].RewardLanguage != "fi" {
		t.Errorf("the campaign's page says %+v (%v)", list, err)
	}
}
