package stripe

// The kinds describe how objects are stored. They are read-only.
var (
	customers = kind[customer]{
		bucket: "customers", noun: "customer",
		id:    func(o *customer) string { return o.ID },
		index: func(o *customer) []string { return entries("email", o.Email) },
	}
	methods = kind[paymentMethod]{
		bucket: "payment_methods", noun: "PaymentMethod",
		id:    func(o *paymentMethod) string { return o.ID },
		index: func(o *paymentMethod) []string { return entries("customer", o.Customer) },
	}
	intents = kind[paymentIntent]{
		bucket: "payment_intents", noun: "payment_intent",
		id:    func(o *paymentIntent) string { return o.ID },
		index: func(o *paymentIntent) []string { return entries("customer", o.Customer) },
	}
	setups = kind[setupIntent]{
		bucket: "setup_intents", noun: "setup_intent",
		id:    func(o *setupIntent) string { return o.ID },
		index: func(o *setupIntent) []string { return entries("customer", o.Customer) },
	}
	mandates = kind[mandate]{
		bucket: "mandates", noun: "mandate",
		id:    func(o *mandate) string { return o.ID },
		index: func(o *mandate) []string { return entries("payment_method", &o.PaymentMethod) },
	}
	charges = kind[charge]{
		bucket: "charges", noun: "charge",
		id: func(o *charge) string { return o.ID },
		index: func(o *charge) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("customer", o.Customer)...)
		},
	}
	refunds = kind[refund]{
		bucket: "refunds", noun: "refund",
		id: func(o *refund) string { return o.ID },
		index: func(o *refund) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("charge", &o.Charge)...)
		},
	}
	disputes = kind[dispute]{
		bucket: "disputes", noun: "dispute",
		id: func(o *dispute) string { return o.ID },
		index: func(o *dispute) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("charge", &o.Charge)...)
		},
	}
	transactions = kind[balanceTransaction]{
		bucket: "balance_transactions", noun: "balance transaction",
		id:    func(o *balanceTransaction) string { return o.ID },
		index: func(o *balanceTransaction) []string { return entries("source", o.Source) },
	}
	payouts = kind[payout]{
		bucket: "payouts", noun: "payout",
		id:    func(o *payout) string { return o.ID },
		index: func(*payout) []string { return nil },
	}
	topups = kind[topup]{
		bucket: "topups", noun: "top-up",
		id:    func(o *topup) string { return o.ID },
		index: func(*topup) []string { return nil },
	}
	sessions = kind[storedSession]{
		bucket: "checkout_sessions", noun: "checkout.session",
		id: func(o *storedSession) string { return o.ID },
		index: func(o *storedSession) []string {
			return append(entries("payment_intent", o.PaymentIntent), entries("customer", o.Customer)...)
		},
	}
	events = kind[event]{
		bucket: "events", noun: "event",
		id:    func(o *event) string { return o.ID },
		index: func(o *event) []string { return entries("type", &o.Type) },
	}
	endpoints = kind[webhookEndpoint]{
		bucket: "webhook_endpoints", noun: "webhook endpoint",
		id:    func(o *webhookEndpoint) string { return o.ID },
		index: func(*webhookEndpoint) []string { return nil },
	}
	deliveries = kind[delivery]{
		bucket: "deliveries", noun: "delivery",
		id:    func(o *delivery) string { return o.ID },
		index: func(o *delivery) []string { return entries("event", &o.Event) },
	}
)

func entries(field string, v *string) []string {
	if value(v) == "" {
		return nil
	}
	return []string{field + "=" + *v}
}
