package pledges_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestCreatePledge_FaultsAreToldAllAtOnce(t *testing.T) {
	w := setup(t)
	h := w.serve(t, plenty)
	nearlyGone := w.addReward(t, 4)
	for range 3 {
		w.mustCreate(t, w.input(nearlyGone, "10"))
	}
	manyAnswers := strings.Builder{}
	for i := range 900 {
		fmt.Fprintf(&manyAnswers, `"k%d": "x",`, i)
	}
	for name, c := range map[string]struct {
		body   string
		status string
		fields []string
	}{
		"nothing about the person": {`{"amount": 20, "pledge_meta": {"email": " ", "first_name": " ", "last_name": ""}}`, "invalid_fields",
			[]string{"pledge_meta.email required", "pledge_meta.first_name required", "pledge_meta.last_name required"}},
		"no email": {`{"amount": 20, "pledge_meta": {"email": "leena@fi", "first_name": "A", "last_name": "B"}}`, "invalid_fields", []string{"pledge_meta.email email"}},
		"a name with the email": {`{"amount": 20, "pledge_meta": {"email": "Leena <l@example.fi>", "first_name": "A", "last_name": "B"}}`, "invalid_fields",
			[]string{"pledge_meta.email email"}},
		"too little":        {fmt.Sprintf(`{"amount": 0.49, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount amount_too_small"}},
		"nothing":           {fmt.Sprintf(`{"amount": 0, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount amount_too_small"}},
		"less than nothing": {fmt.Sprintf(`{"amount": -5, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount min_value"}},
		"too much":          {fmt.Sprintf(`{"amount": 100000.01, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount max_value"}},
		"half cents":        {fmt.Sprintf(`{"amount": 20.005, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount decimals"}},
		"an exponent":       {fmt.Sprintf(`{"amount": 2e3, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount format"}},
		"support in pieces": {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": 2, "added_cost": 0, "custom_questions": {"custom_question_1": "x"}}}`, who),
			"invalid_fields", []string{"pledge_meta.added_cost unknown_added_cost", "pledge_meta.custom_questions format",
				"pledge_meta.quantity max_value"}},
		"below the reward and no answer": {fmt.Sprintf(`{"amount": 9.99, "reward_id": %d, "pledge_meta": {%s}}`, w.unlimited, who), "invalid_fields",
			[]string{"amount amount_too_small", "pledge_meta.custom_questions.custom_question_1 answer_required"}},
		"below reward times quantity": {fmt.Sprintf(`{"amount": 19, "reward_id": %d, "pledge_meta": {%s, "quantity": 2, "custom_questions": {"custom_question_1": "x"}}}`,
			w.unlimited, who), "invalid_fields", []string{"amount amount_too_small"}},
		"no address and no choice": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.added_cost required", "pledge_meta.address_city required",
				"pledge_meta.address_postcode required", "pledge_meta.address_street required"}},
		"sent, and no address": {fmt.Sprintf(`{"amount": 51.5, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.address_city required", "pledge_meta.address_postcode required",
				"pledge_meta.address_street required"}},
		"sent to where there are no postcodes": {fmt.Sprintf(`{"amount": 51.5, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1, "address_country": "HK"}}`,
			w.posted, who), "invalid_fields", []string{"pledge_meta.address_city required", "pledge_meta.address_street required"}},
		"sent to where there are some": {fmt.Sprintf(`{"amount": 51.5, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1, "address_street": "A",
			"address_city": "B", "address_country": "EE"}}`, w.posted, who), "invalid_fields", []string{"pledge_meta.address_postcode required"}},
		"a postcode of another country": {fmt.Sprintf(`{"amount": 51.5, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1, "address_street": "A",
			"address_postcode": "12", "address_city": "B", "address_country": "EE"}}`, w.posted, who), "invalid_fields", []string{"pledge_meta.address_postcode postcode_like"}},
		"no such choice, short postcode": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 2, "address_street": "K",
			"address_postcode": "0010", "address_city": "H"}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.added_cost unknown_added_cost", "pledge_meta.address_postcode postcode"}},
		"countries that there are not": {fmt.Sprintf(`{"amount": 51.5, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1, "address_street": "A",
			"address_postcode": "00100", "address_city": "H", "address_country": "ZZ", "residence_country": "EU", "nationality": "UK"}}`, w.posted, who), "invalid_fields",
			[]string{"pledge_meta.address_country one_of", "pledge_meta.nationality one_of", "pledge_meta.residence_country one_of"}},
		"the added cost not paid": {fmt.Sprintf(`{"amount": 45, "reward_id": %d, "pledge_meta": {%s, "added_cost": 1, "address_street": "K",
			"address_postcode": "00100", "address_city": "H"}}`, w.posted, who), "invalid_fields", []string{"amount amount_too_small"}},
		"a birth date that no calendar has": {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "birthdate": "2001-02-30"}}`, who), "invalid_fields",
			[]string{"pledge_meta.birthdate date"}},
		"a name of the platform's": {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "first_name": "Та1koot"}}`, `"email": "a@b.fi", "last_name": "Tuki"`), "invalid_fields",
			[]string{"pledge_meta.first_name name_reserved"}},
		"a link for a name": {`{"amount": 20, "pledge_meta": {"email": "a@b.fi", "first_name": "Voita", "last_name": "www.evil.example"}}`, "invalid_fields",
			[]string{"pledge_meta.last_name name_link"}},
		"answers to what nobody asked": {fmt.Sprintf(`{"amount": 120, "reward_id": %d, "pledge_meta": {%s, "custom_questions": {%s "k": "x"}}}`,
			w.single, who, manyAnswers.String()), "invalid_fields", []string{"pledge_meta.custom_questions format"}},
		"quantity of none":     {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": 0}}`, who), "invalid_fields", []string{"pledge_meta.quantity min_value"}},
		"quantity beyond all":  {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": 1001}}`, who), "invalid_fields", []string{"pledge_meta.quantity max_value"}},
		"no such language":     {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "language": "de"}}`, who), "invalid_fields", []string{"pledge_meta.language format"}},
		"a reward of nobody":   {fmt.Sprintf(`{"amount": 20, "reward_id": 999999, "pledge_meta": {%s}}`, who), "invalid_fields", []string{"reward_id unknown_reward"}},
		"a closed reward":      {fmt.Sprintf(`{"amount": 60, "reward_id": %d, "pledge_meta": {%s}}`, w.closed, who), "reward_closed", nil},
		"above what one may":   {fmt.Sprintf(`{"amount": 240, "reward_id": %d, "pledge_meta": {%s, "quantity": 2}}`, w.single, who), "invalid_fields", []string{"pledge_meta.quantity max_value"}},
		"above what is left":   {fmt.Sprintf(`{"amount": 20, "reward_id": %d, "pledge_meta": {%s, "quantity": 2}}`, nearlyGone, who), "quantity_above_stock", nil},
		"no amount":            {fmt.Sprintf(`{"pledge_meta": {%s}}`, who), "invalid_fields", []string{"amount required"}},
		"an unknown field":     {fmt.Sprintf(`{"amount": 20, "price": 1, "pledge_meta": {%s, "vip": true}}`, who), "unknown_field", nil},
		"an amount as text":    {fmt.Sprintf(`{"amount": "20", "pledge_meta": {%s}}`, who), "malformed_body", nil},
		"a quantity as text":   {fmt.Sprintf(`{"amount": 20, "pledge_meta": {%s, "quantity": "1"}}`, who), "malformed_body", nil},
		"half a JSON":          {`{"amount": 20, "pledge_meta": {`, "malformed_body", nil},
		"two JSONs":            {`{} {}`, "malformed_body", nil},
		"a body beyond bounds": {`{"amount": 20, "pledge_meta": {"first_name": "` + strings.Repeat("x", 2<<20) + `"}}`, "body_too_large", nil},
	} {
		t.Run(name, func(t *testing.T) {
			a := post(t, h, w.address(), c.body)
			slices.Sort(a.fields)
			if a.status != c.status || c.fields != nil && !slices.Equal(a.fields, c.fields) {
				t.Errorf("%d %s %q, want %s %q", a.code, a.status, a.fields, c.status, c.fields)
			}
		})
	}
	if n := w.number(t, `SELECT count(*) FROM pledges WHERE reward_id IS DISTINCT FROM ?`, nearlyGone); n != 0 {
		t.Errorf("%d pledges were made", n)
	}
	if w.reserved(t, w.single) != 0 {
		t.Error("stock was taken")
	}
}
