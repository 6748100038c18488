package stripe

// The kinds describe how objects are stored. They are read-only.
var (
	customers = newKind("customers", "customer",
		func(o *customer) string { return o.ID },
		func(o *customer) []string { return entries("email", o.Email) },
	)
	methods = newKind("payment_methods", "PaymentMethod",
		func(o *paymentMethod) string { return o.ID },
		func(o *paymentMethod) []string { return entries("customer", o.Customer) },
	)
	intents = newKind("payment_intents", "payment_intent",
		func(o *paymentIntent) string { return o.ID },
		func(o *paymentIntent) []string { return entries("customer", o.Customer) },
	)
	setups = newKind("setup_intents", "setup_intent",
		func(o *setupIntent) string { return o.ID },
		func(o *setupIntent) []string { return entries("customer", o.Customer) },
	)
	mandates = newKind("mandates", "mandate",
		func(o *mandate) string { return o.ID },
		func(o *mandate) []string { return entries("payment_method", &o.PaymentMethod) },
	)
	charges = newKind("charges", "charge",
		func(o *charge) string { return o.ID },
		func(o *charge) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("customer", o.Customer)...)
		},
	)
	refunds = newKind("refunds", "refund",
		func(o *refund) string { return o.ID },
		func(o *refund) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("charge", &o.Charge)...)
		},
	)
	disputes = newKind("disputes", "dispute",
		func(o *dispute) string { return o.ID },
		func(o *dispute) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("charge", &o.Charge)...)
		},
	)
	warnings = newKind("early_fraud_warnings", "early fraud warning",
		func(o *fraudWarning) string { return o.ID },
		func(o *fraudWarning) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("charge", &o.Charge)...)
		},
	)
	transactions = newKind("balance_transactions", "balance transaction",
		func(o *balanceTransaction) string { return o.ID },
		func(o *balanceTransaction) []string {
			return append(entries("source", o.Source), entries("account", &o.Account)...)
		},
	)
	payouts = newKind("payouts", "payout",
		func(o *payout) string { return o.ID },
		func(o *payout) []string { return entries("account", &o.Account) },
	)
	transfers = newKind("transfers", "transfer",
		func(o *transfer) string { return o.ID },
		func(o *transfer) []string {
			return append(entries("transfer_group", o.TransferGroup), entries("destination", &o.Destination)...)
		},
	)
	reversals = newKind("transfer_reversals", "transfer reversal",
		func(o *transferReversal) string { return o.ID },
		func(o *transferReversal) []string { return entries("transfer", &o.Transfer) },
	)
	topups = newKind("topups", "top-up",
		func(o *topup) string { return o.ID },
		func(*topup) []string { return nil },
	)
	accounts = newKind("accounts", "account",
		func(o *storedAccount) string { return o.ID },
		func(*storedAccount) []string { return nil },
	)
	sessions = newKind("checkout_sessions", "checkout.session",
		func(o *storedSession) string { return o.ID },
		func(o *storedSession) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("customer", o.Customer)...)
		},
	)
	events = newKind("events", "event",
		func(o *event) string { return o.ID },
		func(o *event) []string { return entries("type", &o.Type) },
	)
	endpoints = newKind("webhook_endpoints", "webhook endpoint",
		func(o *webhookEndpoint) string { return o.ID },
		func(*webhookEndpoint) []string { return nil },
	)
)

func entries(field string, v *string) []string {
	if value(v) == "" {
		return nil
	}
	return []string{field + "=" + *v}
}
