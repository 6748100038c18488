package money

import (
	"encoding/json"
	"testing"
)

func TestFromInput_SaysWhyANumberIsNoAmount(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"0": "", "0.5": "", "12": "", "12.50": "", "92233720368547758.07": "",
		"-5": "Vähintään 0.", "-0": "Vähintään 0.", "-0.01": "Vähintään 0.", "-1.005": "Vähintään 0.",
		"-99999999999999999999": "Vähintään 0.",
		"20.005":                "Enintään kaksi desimaalia.", "1.000": "Enintään kaksi desimaalia.", "0.001": "Enintään kaksi desimaalia.",
		"99999999999999999999.999": "Enintään kaksi desimaalia.",
		"92233720368547758.08":     "At most 92233720368547758.07.", "99999999999999999999": "At most 92233720368547758.07.",
		"2e3": "Tämä ei ole oikeassa muodossa.", "1E-1": "Tämä ei ole oikeassa muodossa.", "-2e3": "Tämä ei ole oikeassa muodossa.",
		"1.5e400": "Tämä ei ole oikeassa muodossa.", "": "Tämä ei ole oikeassa muodossa.", "-": "Tämä ei ole oikeassa muodossa.",
		"01": "Tämä ei ole oikeassa muodossa.", "NaN": "Tämä ei ole oikeassa muodossa.", "5,00": "Tämä ei ole oikeassa muodossa.",
		" 5": "Tämä ei ole oikeassa muodossa.", ".5": "Tämä ei ole oikeassa muodossa.", "+5": "Tämä ei ole oikeassa muodossa.",
	} {
		amount, faults := FromInput("goals[1].amount", json.Number(number), EUR)
		got := ""
		if len(faults) > 0 {
			got = faults[0].Message("fi")
		}
		if got != want || len(faults) > 1 || len(faults) == 1 && (faults[0].Path != "goals[1].amount" || !amount.IsZero()) {
			t.Errorf("%q: %q, want %q (%v)", number, got, want, faults)
		}
		if want == "" && amount.Currency != EUR {
			t.Errorf("%q has the currency %q", number, amount.Currency)
		}
	}
}
