package mangopay

import (
	"maps"
	"slices"
	"testing"

	"talkoot.fi/kit/apperr"
)

// What the product's specification says each result means, and which of them clear the card that was kept.
func TestResults_MeanWhatTheSpecificationSays(t *testing.T) {
	t.Parallel()
	codes := map[string]string{
		"101105": "card_expired", "02624": "card_expired", "101410": "card_not_active", "01902": "this_card_is_not_active",
		"009499": "bank_technical_error", "009199": "psp_technical_error", "009103": "psp_configuration_error", "008006": "fraud_suspected_by_the_bank",
		"008005": "security_violation", "101115": "debit_limit_exceeded", "101111": "maximum_number_of_attempts_reached", "101104": "card_limit_reached",
		"101199": "transaction_refused_by_bank", "101103": "transaction_refused_by_the_terminal", "101102": "amount_limit", "101101": "do_not_honor",
		"105103": "invalid_pin_code", "105101": "invalid_card_number", "001013": "invalid_transaction_amount", "105202": "card_number_format_error",
		"105203": "card_date_format_error", "105204": "card_cvv_format_error",
	}
	clearing := []string{"001013", "105101", "105103", "101101", "101102", "101103", "101104", "101105", "101199", "101111", "101115", "008005", "008006", "009103",
		"009199", "009499"}
	if got, want := slices.Sorted(maps.Keys(meanings)), slices.Sorted(maps.Keys(codes)); !slices.Equal(got, want) {
		t.Errorf("the results %v, not %v", got, want)
	}
	for result, code := range codes {
		got := meanings[result]
		if got.Code != code || got.ClearsCard != slices.Contains(clearing, result) || resultOf(result, "").IsSpent != got.ClearsCard {
			t.Errorf("%s is %+v", result, got)
		}
		failed := apperr.New(apperr.PayinFailed)
		for _, lang := range []apperr.Lang{apperr.Finnish, apperr.English, apperr.Swedish} {
			if failed.WithCode(code).Message(lang) == failed.Message(lang) {
				t.Errorf("%s has no text of its own in %s", code, lang)
			}
		}
		if _, known := verdicts[result]; !known {
			t.Errorf("the core is not told what %s is", result)
		}
	}
	if resultOf("000000", "").IsSpent || resultOf("999999", "").IsSpent {
		t.Error("others clear a card")
	}
}
