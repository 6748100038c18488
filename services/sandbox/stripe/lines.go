package stripe

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// lineCategories are the types of balance transactions without a source object, with their reporting categories
// (https://stripe.com/docs/reports/balance-transaction-types).
func lineCategories() map[string]string {
	return map[string]string{"adjustment": "other_adjustment", "stripe_fee": "fee", "tax_fee": "tax", "contribution": "contribution"}
}

// LineOrder is a balance transaction without a source object.
type LineOrder struct {
	Amount   int64  `json:"amount"`   // minor units, added to the balance
	Fee      int64  `json:"fee"`      // of the line
	Type     string `json:"type"`     // empty: adjustment
	Currency string `json:"currency"` // empty: eur
}

// AddLine is Stripe adding to the balance, or taking from it, with a balance transaction that has no source object.
func (s *Sandbox) AddLine(in LineOrder) (BalanceTransaction, error) {
	in.Type = cmp.Or(in.Type, "adjustment")
	category, known := lineCategories()[in.Type]
	if !known {
		var types []string
		for name := range lineCategories() {
			types = append(types, name)
		}
		slices.Sort(types)
		return BalanceTransaction{}, standin.BadControl("type must be one of " + strings.Join(types, ", "))
	}
	if in.Amount == in.Fee {
		return BalanceTransaction{}, standin.BadControl("the line moves nothing")
	}
	return act(s, func(c *call) (BalanceTransaction, error) {
		txn := balanceTransaction{
			Type: in.Type, ReportingCategory: category, Amount: in.Amount, Fee: in.Fee, Currency: cmp.Or(in.Currency, "eur"),
			Description: optional("Line added by hand"), AvailableOn: c.now, FeeDetails: []feeDetail{},
		}
		if in.Fee != 0 {
			txn.FeeDetails = []feeDetail{{Amount: in.Fee, Currency: txn.Currency, Description: "Fee", Type: "stripe_fee"}}
		}
		booked, err := c.addTransaction(txn)
		if err != nil {
			return BalanceTransaction{}, err
		}
		return shown[BalanceTransaction](c, transactions, booked.ID, nil)
	})
}

// TopUp is a person sending money from our bank to the balance.
func (s *Sandbox) TopUp(amountMinor int64) (Topup, error) {
	return act(s, func(c *call) (Topup, error) {
		made, err := c.make("POST /v1/topups", "", form{"amount": strconv.FormatInt(amountMinor, 10), "currency": "eur"})
		if err != nil {
			return Topup{}, err
		}
		return shown[Topup](c, topups, made.(*topup).ID, nil)
	})
}
