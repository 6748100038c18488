package stripe

import "strings"

func topupCalls() []endpoint {
	return []endpoint{
		{"POST /v1/topups", fields{
			"amount": integer().must(), "currency": text().must(), "description": text(), "metadata": metadata(),
			"source": text(), "statement_descriptor": textMax(15), "transfer_group": text(),
		}, false, createTopup},
		{"GET /v1/topups", listParams(fields{
			"amount": ranged(), "status": oneOf("canceled", "failed", "pending", "succeeded"),
		}), false, listTopups},
		{"GET /v1/topups/{id}", nil, false, func(c *call) (any, error) { return topups.get(c.tx, c.id, "topup") }},
	}
}

// createTopup sends money from our bank to the balance at once; a real top-up takes days.
func createTopup(c *call) (any, error) {
	p := c.p
	if v := p.text("source"); v != "" {
		return nil, missingResource("source", v, "source")
	}
	o := &topup{
		ID: c.newID("tu_1"), Object: "topup", Amount: p.integer("amount"), Created: c.now,
		Currency: strings.ToLower(p.text("currency")), ExpectedAvailabilityDate: &c.now, Metadata: p.mergeMetadata(nil),
		Status: "pending",
	}
	if err := checkAmount(o.Amount, o.Currency); err != nil {
		return nil, err
	}
	p.setText("description", &o.Description)
	p.setText("statement_descriptor", &o.StatementDescriptor)
	p.setText("transfer_group", &o.TransferGroup)
	if err := c.emit("topup.created", o, nil); err != nil {
		return nil, err
	}
	txn, err := c.addTransaction(balanceTransaction{
		Type: "topup", ReportingCategory: "topup", Amount: o.Amount, Currency: o.Currency, Source: &o.ID,
		Description: o.Description, AvailableOn: c.now, FeeDetails: []feeDetail{},
	})
	if err != nil {
		return nil, err
	}
	o.Status, o.BalanceTransaction = "succeeded", &txn.ID
	if err := topups.Put(c.tx, o); err != nil {
		return nil, err
	}
	return o, c.emit("topup.succeeded", o, nil)
}

func listTopups(c *call) (any, error) {
	created, sized, status := c.p.createdFilter(), c.p.rangeFilter("amount"), c.p.text("status")
	return listPage(c, topups, "", func(o *topup) bool {
		return created(o.Created) && sized(o.Amount) && (status == "" || o.Status == status)
	})
}
