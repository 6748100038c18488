package subscriptions_test

import (
	"strings"
	"testing"
)

func TestSupport_TellsTheLanguageThatItsRewardsTitleIsIn(t *testing.T) {
	w := setup(t)
	for _, c := range []struct {
		language     string
		reward       int64
		amount, want string
	}{{"en", w.choir, "7", "Front row/en"}, {"sv", w.patron, "20", "Mesenaatti/fi"}} {
		s := w.begins(0, strings.TrimSuffix(body(c.amount, c.reward), "}")+`, "subscription_meta": {"language": "`+c.language+`"}}`)
		w.mustPay(w.paid(s, 1), "applied")
		a := w.read(s.SubscriptionID)
		if a.RewardTitle == nil || a.RewardLanguage == nil || *a.RewardTitle+"/"+*a.RewardLanguage != c.want {
			t.Errorf("in %s: %v in %v, want %s", c.language, a.RewardTitle, a.RewardLanguage, c.want)
		}
		view, err := w.View(t.Context(), s.SubscriptionID, "fi")
		if err != nil || len(view.Charges) != 1 || view.Charges[0].Title+"/"+view.Charges[0].TitleLanguage != c.want {
			t.Errorf("in %s: its month's receipt says %+v (%v), want %s", c.language, view.Charges, err, c.want)
		}
	}
}
