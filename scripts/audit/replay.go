package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// movement is a transaction of the ledger with its entries.
type movement struct {
	id                        int64
	provider, kind, reference string
	charge, currency          string
	amount                    int64
	reverses                  *int64
	campaign                  int64  // of its payment, 0 for none
	payee                     int64  // the creator whose money it is, 0 before a settlement
	country                   string // whose tax our fee has, "" before a settlement
	place                     string // the part of the provider's balance that it must move
	to                        string // of a charge: the class that it must go to, of what no refund wants any more too; loss of a refund that was made twice
	legs                      []leg
	happened                  time.Time
}

// leg is one entry.
type leg struct {
	class, account string
	minor          int64
}

func (m movement) String() string {
	return fmt.Sprintf("transaction %d (%s %s)", m.id, m.kind, m.reference)
}

// A charge must go to the campaign's funds when its attempt counts, to held funds when a person decides or has decided
// about it, else it is owed back.
const movementsSQL = `
	SELECT t.id, t.provider, t.kind, t.reference, t.charge_ref, t.currency, t.amount_minor, t.reverses, coalesce(p.campaign_id, 0),
	       coalesce(t.payee_id, 0), coalesce(t.vat_country, ''),
	       CASE WHEN t.kind = 'refund_begun' AND EXISTS (SELECT FROM refunds r WHERE r.made_twice AND t.reference = r.id || ':' || r.bookings) THEN 'loss'
	            WHEN c.status = 'held' OR EXISTS (SELECT FROM operator_actions o WHERE o.action IN ('release_held', 'attach')
	                AND o.after ->> 'charge' = t.reference) THEN 'held_funds'
	            WHEN c.id = owner.paid_attempt_id THEN 'backer_funds' ELSE 'owed_to_backers' END,
	       coalesce(e.classes, '{}'), coalesce(e.accounts, '{}'), coalesce(e.amounts, '{}'), t.happened_at
	FROM ledger_transactions t
	LEFT JOIN payments p ON p.id = t.payment_id
	LEFT JOIN attempts c ON t.kind = 'charge' AND c.provider = t.provider AND c.charge_ref = t.reference
	LEFT JOIN payments owner ON owner.id = c.payment_id
	LEFT JOIN LATERAL (
		SELECT array_agg(a.class ORDER BY e.id) AS classes, array_agg(a.name ORDER BY e.id) AS accounts, array_agg(e.amount_minor ORDER BY e.id) AS amounts
		FROM ledger_entries e JOIN ledger_accounts a ON a.id = e.account_id WHERE e.transaction_id = t.id) e ON true
	ORDER BY t.id`

func readMovements(ctx context.Context, payments querier) ([]movement, error) {
	rows, err := payments.Query(ctx, movementsSQL)
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m movement, err error) {
		var classes, accounts []string
		var amounts []int64
		err = row.Scan(&m.id, &m.provider, &m.kind, &m.reference, &m.charge, &m.currency, &m.amount, &m.reverses, &m.campaign,
			&m.payee, &m.country, &m.to,
			&classes, &accounts, &amounts, &m.happened)
		for i, minor := range amounts {
			m.legs = append(m.legs, leg{classes[i], accounts[i], minor})
		}
		return m, err
	})
	if err != nil {
		return nil, fmt.Errorf("read the ledger: %w", err)
	}
	return list, nil
}

// account is the name of the account of a class that the movement posts to.
func (m movement) account(class string) string {
	switch class {
	case clearing:
		return class + ":" + m.provider + ":" + m.place
	case funds, disputed:
		return class + ":" + m.provider + ":" + strconv.FormatInt(m.campaign, 10)
	case loss:
		return class + ":" + m.kind
	case givenUp:
		return class
	case payable, reserve, debt, atCreator, creatorHeld:
		return class + ":" + m.provider + ":" + strconv.FormatInt(m.payee, 10)
	case vat:
		return class + ":" + m.country
	case bank, revenue:
		return class
	}
	return class + ":" + m.provider
}

// Parts of a provider's balance that are no charge's.
const (
	placeMain        = "main"
	placeFees        = "fees"
	placeRepudiation = "repudiation"
)

// moves are the parts that a movement has moved, as it stands in the ledger: what each got, by its place.
func (m movement) moves() map[string]int64 {
	out := map[string]int64{}
	for _, l := range m.legs {
		if place, is := strings.CutPrefix(l.account, clearing+":"+m.provider+":"); is {
			out[place] += l.minor
		}
	}
	return out
}

// mustBeAt is the part of the provider's balance that a movement moves. Provider A has one; at B a charge is in its campaign's wallet, where
// what follows it moves, and banks take from a place of their own. Which wallet that is, and where what is of no charge was, the provider's
// lines say.
func (m movement) mustBeAt(ofCharge string) string {
	switch {
	case m.provider != mangopayName:
		return placeMain
	case m.kind == "dispute_opened" || m.kind == "dispute_won" || m.kind == "debit_returned" || m.kind == "place_move" && m.charge != "":
		return placeRepudiation
	case m.kind != "charge" && m.charge != "":
		return ofCharge
	}
	for place, minor := range m.moves() {
		if minor > 0 || m.kind != "place_move" {
			return place
		}
	}
	return placeMain
}

// left is the place that a movement between two of them must leave: the charge's, or of no charge the one that it says.
func (m movement) left(ofCharge string) string {
	if m.charge != "" {
		return ofCharge
	}
	for place, minor := range m.moves() {
		if minor < 0 {
			return place
		}
	}
	return placeMain
}

// settledFor is the creator whom a charge was settled to, and whose tax our fee has.
type settledFor struct {
	payee   int64
	country string
}

// replay goes through the ledger in the order in which it was written and compares each movement with its rule: the
// accounts, the campaign, and the amounts, which depend on its charge's balance before the movement.
func replay(s *snapshot, found func(format string, args ...any)) {
	byID := map[int64]movement{}
	balances := map[string]posting{}
	disputesOwn := map[int64]posting{} // what a dispute has moved so far, by its first withdrawal
	settledTo := map[string]settledFor{}
	chargesAt := map[string]string{}
	origins := map[string]string{} // where what no refund of a charge wants any more goes back to
	for _, m := range s.movements {
		byID[m.id] = m
		key := m.provider + " " + m.charge
		if balances[key] == nil {
			balances[key] = posting{}
		}
		m.place = m.mustBeAt(chargesAt[key])
		switch m.kind {
		case "charge":
			chargesAt[key], origins[key] = m.place, held
			if m.to == funds {
				origins[key] = funds
			}
		case "held_accepted":
			origins[key] = funds
		case "refund_withdrawn":
			m.to = origins[key]
		}
		whose := settledFor{m.payee, m.country}
		if m.kind == "settlement" && settledTo[key] == (settledFor{}) {
			settledTo[key] = whose
		}
		if m.charge != "" && whose != (settledFor{}) && whose != settledTo[key] || m.charge == "" && m.country != "" {
			found("%s is settled to %+v, its charge to %+v", m, whose, settledTo[key])
		}
		var opening []leg
		if m.reverses != nil {
			opening = byID[*m.reverses].legs
			if m.kind == "dispute_won" || m.kind == "dispute_lost" {
				opening = disputesOwn[*m.reverses].legs()
			}
		}
		want, got := map[string]int64{}, m.posted()
		if m.undoes() {
			for _, l := range m.undone(balances[key], opening) {
				account := l.account
				if l.class == funds || l.class == disputed { // the charge may have gone to another campaign since
					account = m.account(l.class)
				}
				want[account] -= l.minor
			}
		} else if m.kind == "place_move" {
			want[m.account(clearing)] += m.amount
			m.place = m.left(chargesAt[key])
			want[m.account(clearing)] -= m.amount
		} else if must := m.must(balances[key], opening); must != nil {
			want = m.wanted(must)
		} else {
			found("%s of %d %s is of a kind without a rule", m, m.amount, m.currency)
			want = got
		}
		if !maps.Equal(want, got) {
			found("%s of %d %s posted %s, its rule says %s", m, m.amount, m.currency, written(got), written(want))
		}
		dispute := m.id
		if m.reverses != nil {
			dispute = *m.reverses
		}
		if disputesOwn[dispute] == nil {
			disputesOwn[dispute] = posting{}
		}
		for _, l := range m.legs {
			if l.account == givenUp {
				balances[key][givenUp] += l.minor
			}
			balances[key][l.class] += l.minor
			switch m.kind {
			case "dispute_opened", "dispute_contested", "dispute_won":
				disputesOwn[dispute][l.class] += l.minor
			}
		}
	}
}

// legs are the sums of a posting, in the order in which a withdrawal debits the classes.
func (p posting) legs() []leg {
	var out []leg
	for _, class := range []string{funds, owed, held, hold, disputed} {
		if p[class] != 0 {
			out = append(out, leg{class: class, minor: p[class]})
		}
	}
	return out
}

// wanted names the accounts of a posting.
func (m movement) wanted(must posting) map[string]int64 {
	out := map[string]int64{}
	for class, minor := range must {
		if minor != 0 {
			out[m.account(class)] = minor
		}
	}
	return out
}

func (m movement) posted() map[string]int64 {
	out := map[string]int64{}
	for _, l := range m.legs {
		out[l.account] += l.minor
	}
	return out
}

func written(sums map[string]int64) string {
	parts := make([]string, 0, len(sums))
	for _, account := range slices.Sorted(maps.Keys(sums)) {
		parts = append(parts, fmt.Sprintf("%s %d", account, sums[account]))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
