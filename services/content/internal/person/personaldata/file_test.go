//go:build unix

package personaldata_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

// empty are the parts that Aamu has nothing in.
var empty = []string{"code_app", "page_visits", "letters", "letters_refused", "reviews", "review_notes", "suggestions_are_made_from"}

func TestExport_HasEverythingOfThePersonInReadableParts(t *testing.T) {
	w := withAamu(t)
	w.pledge(0, address)
	var file map[string]any
	text := w.export()
	if err := json.Unmarshal([]byte(text), &file); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	for _, mark := range marks {
		if !strings.Contains(strings.ToLower(text), mark) {
			t.Errorf("%s is nowhere in the file", mark)
		}
	}
	for name, part := range file {
		list, isList := part.([]any)
		if isEmpty := part == nil || isList && len(list) == 0; isEmpty != slices.Contains(empty, name) {
			t.Errorf("%s: %v", name, part)
		}
	}
	pledges, _ := file["pledges"].([]any)
	if len(pledges) != 4 {
		t.Fatalf("%d pledges, want the two paid ones and the two that wait", len(pledges))
	}
	isPaid := func(p any) bool { one, _ := p.(map[string]any); return one["receipt_number"] == w.receipt }
	at := slices.IndexFunc(pledges, isPaid) // all were made at the same moment
	if at < 0 {
		t.Fatal("the receipt is in no pledge")
	}
	first, _ := pledges[at].(map[string]any)
	answers, _ := first["address_and_answers"].(map[string]any)
	if first["amount"] != 45.0 || first["title"] != "hoyry" || first["reward"] != "Iltavuoro" ||
		answers["address_street"] != "Kaarnakuja 7" || first["paid_with"] != "Visa ···· 4242" {
		t.Errorf("%v", first)
	}
	if !strings.Contains(text, "\n  \"pledges\": [\n    {\n") {
		t.Error("the file is not indented")
	}
}

// The payment service keeps them, so without its word there is no file: it would not be whole.
func TestExport_HasTheSpendingLimits_OrFailsWhileNobodyKnowsThem(t *testing.T) {
	w := withAamu(t)
	var file struct {
		Limits []api.SpendingLimit `json:"spending_limits"`
	}
	if err := json.Unmarshal([]byte(w.export()), &file); err != nil || len(file.Limits) != 1 ||
		file.Limits[0] != (api.SpendingLimit{Currency: "EUR", Amount: 40_50, CountsPledges: true}) {
		t.Errorf("%+v, %v", file, err)
	}
	w.limits = ""
	if _, err := w.Export(t.Context(), w.aamu, "fi"); apperr.From(err).Status != apperr.Unavailable || apperr.From(err).Retry == 0 {
		t.Errorf("while the payment service does not answer: %v", err)
	}
}

// What a creator has said for the tax office is theirs whole, number and all; what the payment service does not say is no file.
func TestExport_HasTheTaxData_OrFailsWhileNobodyKnowsThem(t *testing.T) {
	w := withAamu(t)
	var file struct {
		Tax struct {
			Said     struct{ Tin struct{ Number string } }
			Reported []struct{ Year int }
		} `json:"tax_data"`
	}
	text := w.export()
	if err := json.Unmarshal([]byte(text), &file); err != nil || file.Tax.Said.Tin.Number != "131052-308T" || len(file.Tax.Reported) != 1 || file.Tax.Reported[0].Year != 2026 {
		t.Errorf("%+v, %v", file, err)
	}
	if !strings.Contains(text, "\n  \"tax_data\": {\n    \"said\": {\n") {
		t.Error("they are not indented")
	}
	for _, answer := range []string{"", "{}", `{"reported": null}`, `{"reported": [`} {
		w.tax = answer
		if _, err := w.Export(t.Context(), w.aamu, "fi"); apperr.From(err).Status != apperr.Unavailable || apperr.From(err).Retry == 0 {
			t.Errorf("while the payment service answers %q: %v", answer, err)
		}
	}
}

func TestExport_HasNoSecretsAndNothingOfOthers(t *testing.T) {
	w := withAamu(t)
	var secrets []string
	for _, query := range []string{`SELECT password_hash FROM users`, `SELECT id FROM sessions`, `SELECT encode(code_hash, 'escape') || encode(code_hash, 'hex') FROM backup_codes`,
		`SELECT CAST(visitor AS text) FROM pledges WHERE visitor IS NOT NULL`} {
		var found []string
		if err := w.DB.Raw(query).Scan(&found).Error; err != nil || len(found) == 0 {
			t.Fatal(query, err)
		}
		secrets = append(secrets, found...)
	}
	w.Exec(`UPDATE campaigns SET legal_creator = 'Reijo Testinen' WHERE id = ?`, w.joined())
	text := w.export()
	for _, secret := range append(secrets, "Reijo", "argon2", "token_hash", "password_hash") {
		if secret != "" && strings.Contains(text, secret) {
			t.Errorf("the file has %q", secret)
		}
	}
}

// Anybody can type an address, and leave the payment.
func TestExport_HasNoMonthlySupportThatAStrangerBeganWithTheAddressAndNeverPaid(t *testing.T) {
	w := withAamu(t)
	var campaign int64
	if err := w.DB.Raw(`SELECT id FROM campaigns WHERE slug = 'kuoro'`).Scan(&campaign).Error; err != nil {
		t.Fatal(err)
	}
	made, err := w.Subscriptions.Create(t.Context(), subscriptions.Input{CampaignID: campaign, Amount: "9", Visitor: "visitor-stranger",
		Person: subscriptions.Person{Email: address, FirstName: "Vieras", LastName: "Vierailija", Language: "fi"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, status := range []subscriptions.Status{subscriptions.Created, subscriptions.Expired} {
		w.Exec(`UPDATE subscriptions SET status = ? WHERE id = ?`, status, made.ID)
		if text := w.export(); strings.Contains(text, "Vierailija") || strings.Contains(text, made.ID) {
			t.Errorf("the file has what is %s", status)
		}
	}
	w.Exec(`UPDATE subscriptions SET status = 'active' WHERE id = ?`, made.ID)
	if !strings.Contains(w.export(), made.ID) {
		t.Error("what was paid with the confirmed address is missing")
	}
}

func TestExport_OfAnAddressThatIsNotConfirmedHasNobodyElsesPledges(t *testing.T) {
	w := withAamu(t)
	w.Exec(`UPDATE users SET verified = false WHERE id = ?`, w.aamu)
	var file struct {
		Pledges             []any
		InvitationsReceived []any `json:"invitations_received"`
	}
	if err := json.Unmarshal([]byte(w.export()), &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Pledges) != 2 || len(file.InvitationsReceived) != 0 {
		t.Errorf("%+v", file)
	}
}
