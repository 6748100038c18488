package stripe

func intentFields() fields {
	return fields{
		"amount": integer(), "application_fee_amount": integer(), "currency": text(), "customer": text(),
		"description": text(), "metadata": metadata(), "payment_method": text(), "payment_method_configuration": text(),
		"payment_method_data": hash(methodDataFields()), "payment_method_options": methodOptionFields(),
		"payment_method_types": listOf(text()), "receipt_email": text(),
		"setup_future_usage": oneOf("off_session", "on_session"), "shipping": shippingFields(),
		"statement_descriptor": textMax(22), "statement_descriptor_suffix": textMax(22),
		"transfer_data": hash(fields{"destination": text(), "amount": integer()}), "transfer_group": text(),
		"capture_method": oneOf("automatic", "automatic_async", "manual"),
	}
}

func confirmFields() fields {
	return fields{
		"error_on_requires_action": boolean(), "mandate": text(), "mandate_data": mandateFields(),
		"off_session": textOrBool("one_off", "recurring"), "return_url": text(), "use_stripe_sdk": boolean(),
		"radar_options": hash(fields{"session": text()}),
	}
}

func mandateFields() field {
	return hash(fields{"customer_acceptance": hash(fields{
		"type": oneOf("online", "offline").must(), "accepted_at": integer(), "offline": hash(nil),
		"online": hash(fields{"ip_address": text(), "user_agent": text()}),
	}).must()})
}

func methodOptionFields() field {
	return hash(fields{"card": hash(fields{
		"capture_method": oneOf("manual"), "cvc_token": text(), "moto": boolean(), "network": text(),
		"request_extended_authorization":    oneOf("if_available", "never"),
		"request_incremental_authorization": oneOf("if_available", "never"),
		"request_multicapture":              oneOf("if_available", "never"),
		"request_overcapture":               oneOf("if_available", "never"),
		"request_three_d_secure":            oneOf("any", "automatic", "challenge"),
		"setup_future_usage":                oneOf("none", "off_session", "on_session"),
		"statement_descriptor_suffix_kana":  text(), "statement_descriptor_suffix_kanji": text(),
	})})
}

// clientFields are what Stripe.js sends beside what it is asked to.
func clientFields() fields {
	return fields{
		"client_secret": text(), "key": text(), "expected_payment_method_type": text(), "referrer": text(),
		"client_context": hash(fields{"currency": text(), "mode": text()}), "guid": text(), "muid": text(), "sid": text(),
	}
}

func intentCalls() []endpoint {
	client := clientFields()
	onlyConfirm := fields{
		"payment_method": text(), "payment_method_data": hash(methodDataFields().with(client)),
		"payment_method_options": methodOptionFields(), "payment_method_types": listOf(text()),
		"receipt_email": text(), "setup_future_usage": oneOf("off_session", "on_session"), "shipping": shippingFields(),
		"capture_method": oneOf("automatic", "automatic_async", "manual"),
	}
	return []endpoint{
		{"POST /v1/payment_intents", intentFields().with(confirmFields()).with(fields{
			"amount": integer().must(), "currency": text().must(), "confirm": boolean(),
			"confirmation_method": oneOf("automatic", "manual"), "on_behalf_of": text(),
			"automatic_payment_methods": hash(fields{"enabled": boolean().must(), "allow_redirects": oneOf("always", "never")}),
		}), false, createIntent},
		{"GET /v1/payment_intents", listParams(fields{"customer": text()}), false, listIntents},
		{"GET /v1/payment_intents/search", searchParams(), false, searchIntents},
		{"GET /v1/payment_intents/{id}", client, true, getIntent},
		{"POST /v1/payment_intents/{id}", intentFields(), false, updateIntent},
		{"POST /v1/payment_intents/{id}/confirm", onlyConfirm.with(confirmFields()).with(client), true, confirmIntent},
		{"POST /v1/payment_intents/{id}/capture", fields{
			"amount_to_capture": integer(), "application_fee_amount": integer(), "final_capture": boolean(),
			"metadata": metadata(), "statement_descriptor": textMax(22), "statement_descriptor_suffix": textMax(22),
		}, false, captureIntent},
		{"POST /v1/payment_intents/{id}/cancel", fields{
			"cancellation_reason": oneOf("duplicate", "fraudulent", "requested_by_customer", "abandoned"),
		}, false, cancelIntentCall},
	}
}
