package stripe

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"talkoot.fi/sandbox/standin"
)

// addTransaction stores one balance transaction and adds its net to the account's balance.
func (c *call) addTransaction(txn balanceTransaction) (*balanceTransaction, error) {
	txn.ID, txn.Object, txn.Created, txn.Net = c.newID("txn_3"), "balance_transaction", c.now, txn.Amount-txn.Fee
	txn.Status = txn.statusAt(c.now)
	if err := transactions.Put(c.tx, &txn); err != nil {
		return nil, err
	}
	return &txn, addToBalance(c.tx, txn.Account, txn.Currency, txn.AvailableOn, txn.Net)
}

func (t *balanceTransaction) statusAt(now int64) string {
	if t.AvailableOn > now {
		return "pending"
	}
	return "available"
}

const day = 24 * 3600

// addToBalance keeps one sum per account, currency and day of availability, so that reading the balance
// does not add up every transaction ever made.
func addToBalance(tx *bolt.Tx, account, currency string, availableOn, net int64) error {
	bucket := tx.Bucket([]byte(bucketBalance))
	dayStart := availableOn / day * day
	key := binary.BigEndian.AppendUint64([]byte(account+"/"+currency), uint64(dayStart)) //nolint:gosec // times are positive
	sum := net
	if old := bucket.Get(key); old != nil {
		sum += int64(binary.BigEndian.Uint64(old)) //nolint:gosec // two's complement both ways
	}
	return bucket.Put(key, binary.BigEndian.AppendUint64(nil, uint64(sum))) //nolint:gosec // as above
}

type balanceAmount struct {
	Amount      int64            `json:"amount"`
	Currency    string           `json:"currency"`
	SourceTypes map[string]int64 `json:"source_types"`
}

type balance struct {
	Object          string          `json:"object"`
	Available       []balanceAmount `json:"available"`
	ConnectReserved []balanceAmount `json:"connect_reserved,omitempty"`
	Livemode        bool            `json:"livemode"`
	Pending         []balanceAmount `json:"pending"`
}

func getBalance(c *call) (any, error) {
	available, pending, err := c.balanceNow(c.account)
	if err != nil {
		return nil, err
	}
	out := balance{Object: "balance", Available: amounts(available), Pending: amounts(pending)}
	if c.account == "" {
		reserved, err := c.reserved()
		if err != nil {
			return nil, err
		}
		out.ConnectReserved = amounts(reserved)
	}
	return out, nil
}

// reserved is what Stripe keeps of our balance because connected accounts for which we answer are below zero.
func (c *call) reserved() (map[string]int64, error) {
	out := map[string]int64{"eur": 0}
	found, _, err := accounts.page(c.tx, pageQuery{limit: 1 << 30}, func(a *storedAccount) bool { return a.Type != "standard" })
	for _, a := range found {
		available, pending, failed := c.balanceNow(a.ID)
		if failed != nil {
			return nil, failed
		}
		for currency, sum := range available {
			out[currency] += max(0, -sum-pending[currency])
		}
	}
	return out, err
}

// balanceNow is an account's balance per currency, or with "" our own: what can be paid out, and what cannot yet. What Stripe keeps of ours is in
// neither.
func (c *call) balanceNow(account string) (available, pending map[string]int64, err error) {
	available, pending = map[string]int64{"eur": 0}, map[string]int64{"eur": 0}
	err = c.tx.Bucket([]byte(bucketBalance)).ForEach(func(key, raw []byte) error {
		cut := len(key) - standin.SeqBytes
		whose, currency, _ := strings.Cut(string(bytes.Clone(key[:cut])), "/")
		if whose != account {
			return nil
		}
		at := int64(binary.BigEndian.Uint64(key[cut:])) //nolint:gosec // written by addToBalance
		sum := int64(binary.BigEndian.Uint64(raw))      //nolint:gosec // two's complement
		into := available
		if at > c.now {
			into = pending
		}
		into[currency] += sum
		return nil
	})
	if err != nil || account != "" {
		return available, pending, err
	}
	reserved, err := c.reserved()
	for currency, sum := range reserved {
		available[currency] -= sum
	}
	return available, pending, err
}

func amounts(sums map[string]int64) []balanceAmount {
	out := make([]balanceAmount, 0, len(sums))
	for currency, sum := range sums {
		out = append(out, balanceAmount{Amount: sum, Currency: currency, SourceTypes: map[string]int64{"card": sum}})
	}
	slices.SortFunc(out, func(a, b balanceAmount) int { return bytes.Compare([]byte(a.Currency), []byte(b.Currency)) })
	return out
}

func balanceCalls() []endpoint {
	return []endpoint{
		{"GET /v1/balance", nil, false, getBalance},
		{"GET /v1/balance_transactions", listParams(fields{
			"type": text(), "source": text(), "currency": text(), "payout": text(),
		}), false, listTransactions},
		{"GET /v1/balance_transactions/{id}", nil, false, func(c *call) (any, error) {
			txn, err := transactions.get(c.tx, c.id, "id")
			if err == nil && txn.Account != c.account {
				err = missingResource("balance transaction", c.id, "id")
			}
			if err == nil {
				txn.Status = txn.statusAt(c.now)
			}
			return txn, err
		}},
	}
}

func listTransactions(c *call) (any, error) {
	passes, index := c.p.createdFilter(), ""
	if source := c.p.text("source"); source != "" {
		index = "source=" + source
	} else if c.account != "" {
		index = "account=" + c.account
	}
	typ, currency, payout := c.p.text("type"), c.p.text("currency"), c.p.text("payout")
	if payout != "" {
		po, err := c.payout(payout)
		if err != nil {
			return nil, err
		}
		if !po.Automatic {
			return nil, invalidParam("payout", "", "Balance transaction history can only be filtered on automatic payouts, not manual ones.")
		}
	}
	return listPage(c, transactions, index, func(o *balanceTransaction) bool {
		o.Status = o.statusAt(c.now)
		return o.Account == c.account && passes(o.Created) && (typ == "" || o.Type == typ) && (currency == "" || o.Currency == currency) &&
			(payout == "" || c.paidOutWith(o.ID) == payout)
	})
}
