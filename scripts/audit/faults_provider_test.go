//go:build unix

package audit_test

import "maps"

// only changes those objects of one list for which is holds.
func only(list string, is func(o object) bool, change func(o object) []object) func(string, object) []object {
	return func(of string, o object) []object {
		if of != list || !is(o) {
			return []object{o}
		}
		return change(o)
	}
}

func named(field, value string) func(object) bool {
	return func(o object) bool { return o[field] == value }
}

func gone(object) []object { return nil }

// with sets a field.
func with(field string, value any) func(object) []object {
	return func(o object) []object {
		o[field] = value
		return []object{o}
	}
}

// also adds a copy of the object under another id, with the given change.
func also(id string, change func(o object)) func(object) []object {
	return func(o object) []object {
		other := maps.Clone(o)
		other["id"] = id
		change(other)
		return []object{other, o}
	}
}

// sourceIs finds balance transactions of an object.
func sourceIs(id string) func(object) bool {
	return func(o object) bool {
		source, _ := o["source"].(object)
		return source["id"] == id
	}
}

// anotherCharge adds a copy of a payment intent, its charge and its balance transactions; tags is the copy's metadata.
func anotherCharge(intent, charge string, tags object) func(string, object) []object {
	return func(list string, o object) []object {
		switch {
		case list == "payment_intents" && o["id"] == intent:
			return also("pi_again", func(o object) {
				o["metadata"], o["latest_charge"] = tags, object{"id": "ch_again", "amount_captured": o["amount_received"]}
			})(o)
		case list == "balance_transactions" && sourceIs(charge)(o):
			return also("txn_again", func(o object) { o["source"] = object{"id": "ch_again", "payment_intent": "pi_again"} })(o)
		}
		return []object{o}
	}
}

// providerFaults are differences between the provider's lists and our databases.
func providerFaults(w *world) []corruption {
	const (
		success = "each success at the provider is ours"
		lines   = "the provider's lines are the ledger's movements"
		refunds = "the provider's refunds are ours"
		payouts = "our payouts are the provider's"
		twice   = "nobody is charged twice"
	)
	name := func(what string) string { return w.names[what].(string) } //nolint:forcetypeassert // these names are texts
	plainIntent, plainCharge := name("plain_intent"), name("plain_charge")
	plainTags := object{"payment_id": name("plain_payment"), "subject": "pledge:" + name("plain"), "campaign_id": "1"}
	return []corruption{
		{what: "the provider took another sum", check: success, provider: only("payment_intents", named("id", plainIntent),
			with("amount_received", 2600))},
		{what: "the provider took it in another currency", check: success,
			provider: only("payment_intents", named("id", plainIntent), with("currency", "sek"))},
		{what: "the provider's payment is for another campaign", check: success,
			provider: only("payment_intents", named("id", plainIntent),
				with("metadata", object{"payment_id": name("plain_payment"), "campaign_id": "99"}))},
		{what: "the provider's payment names another payment of ours", check: success,
			provider: only("payment_intents", named("id", plainIntent),
				with("metadata", object{"payment_id": name("other_payment"), "campaign_id": "1"}))},
		{what: "a month is charged twice", check: twice, provider: anotherCharge(name("over_intent"), name("over_charge"), object{
			"payment_id": name("over_payment"), "subject": "subscription:" + name("over"), "campaign_id": "2"})},
		{what: "a success is unknown to us", check: success, provider: anotherCharge(plainIntent, plainCharge,
			object{"payment_id": "nobody"})},
		{what: "a success is not there", check: success, provider: only("payment_intents", named("id", plainIntent), gone)},
		{what: "a payment succeeded that we have canceled", check: success,
			provider: only("payment_intents", named("status", "canceled"), with("status", "succeeded"))},
		{what: "a second charge carries our tag", check: twice, provider: anotherCharge(plainIntent, plainCharge, plainTags)},
		{what: "a second charge carries only the subject, and an attempt has it", check: twice,
			provider: anotherCharge(plainIntent, plainCharge, object{"subject": "pledge:" + name("plain")}),
			payments: `UPDATE attempts SET money_ref = 'pi_again' WHERE payment_id = @lapsed_payment`},
		{what: "a second charge never went back", check: twice, provider: func(list string, o object) []object {
			source, _ := o["source"].(object)
			if list == "refunds" && o["charge"] == name("second_charge") ||
				list == "balance_transactions" && source["object"] == "refund" && source["charge"] == name("second_charge") {
				return nil
			}
			return []object{o}
		}},
		{what: "a double charge has lost our tag", check: "money at the provider has an order",
			provider: anotherCharge(plainIntent, plainCharge, object{})},
		{what: "money at the provider is of no payment", check: "money at the provider has an order",
			provider: only("balance_transactions", sourceIs(plainCharge),
				also("txn_9", func(o object) { o["source"] = object{"id": "ch_9"} }))},
		{what: "a backer can still pay what is over", check: "nobody can pay what is over",
			provider: only("payment_intents", named("status", "canceled"), with("status", "requires_payment_method"))},
		{what: "a refund is of another sum there", check: refunds,
			provider: only("refunds", named("id", name("full_refund_ref")), with("amount", 100))},
		{what: "a refund is in another currency there", check: refunds,
			provider: only("refunds", named("id", name("full_refund_ref")), with("currency", "sek"))},
		{what: "a refund has failed there", check: refunds, provider: only("refunds", named("id", name("full_refund_ref")),
			func(o object) []object {
				o["failure_balance_transaction"] = object{"id": "txn_9"}
				return with("status", "failed")(o)
			})},
		{what: "a refund was made twice", check: refunds, provider: only("refunds", named("id", name("full_refund_ref")),
			also("re_again", func(object) {}))},
		{what: "a refund was made in the provider's pages", check: refunds,
			provider: only("refunds", named("id", name("full_refund_ref")),
				also("re_9", func(o object) { o["metadata"] = object{} }))},
		{what: "a dispute is of another sum there", check: "the provider's disputes are ours",
			provider: only("disputes", named("id", name("disputed_dispute")), with("amount", 100))},
		{what: "a dispute is not there", check: "the provider's disputes are ours",
			provider: only("disputes", named("id", name("disputed_dispute")), gone)},
		{what: "a warning of fraud avoids nothing any more there", check: "the provider's warnings of fraud are ours",
			provider: only("radar/early_fraud_warnings", named("id", name("warned_warning")), with("actionable", false))},
		{what: "a warning of fraud is not there", check: "the provider's warnings of fraud are ours",
			provider: only("radar/early_fraud_warnings", named("id", name("warned_left_warning")), gone)},
		{what: "a line is of another sum", check: lines, provider: only("balance_transactions", sourceIs(plainCharge),
			with("amount", 2600))},
		{what: "a line is in another currency", check: lines, provider: only("balance_transactions", sourceIs(plainCharge),
			with("currency", "sek"))},
		{what: "a fee is another", check: lines, provider: only("balance_transactions", sourceIs(plainCharge),
			with("fee", 1))},
		{what: "a line is not there", check: lines, provider: only("balance_transactions", sourceIs(plainCharge), gone)},
		{what: "a line is not booked", check: lines, payments: unbook(`kind = 'top_up'`)},
		{what: "a line of no known type", check: lines, provider: only("balance_transactions", sourceIs(name("payout")),
			also("txn_9", func(o object) { o["type"], o["created"] = "tax_fee", 1 }))},
		{what: "the balance is another", check: "the provider holds what the ledger says", payments: unbook(`kind = 'our_payout'`)},
		{what: "the balance is another in another currency", check: "the provider holds what the ledger says",
			provider: only("balance_transactions", sourceIs(plainCharge), with("currency", "sek"))},
		{what: "a payout is of another sum", check: payouts, provider: only("payouts", named("id", name("payout")),
			with("amount", 100))},
		{what: "a payout came back", check: payouts, provider: only("payouts", named("id", name("payout")),
			with("status", "failed"))},
		{what: "a payout is not there", check: payouts, provider: only("payouts", named("id", name("payout")), gone)},
		{what: "a shared account hides no charge of ours", check: success, shared: true,
			provider: only("payment_intents", named("id", plainIntent), with("amount_received", 2600))},
	}
}
