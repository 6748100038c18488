package audit

import (
	"cmp"
	"slices"
)

// What each movement must post, restated from proto-docs/ledger.md. Debits are positive.

// The classes of accounts that movements post to.
const (
	clearing = "provider_clearing"
	hold     = "dispute_hold"
	bank     = "bank"
	inputVAT = "vat_input"
	funds    = "backer_funds"
	disputed = "disputed_funds"
	owed     = "owed_to_backers"
	held     = "held_funds"
	suspense = "suspense"
	fees     = "provider_fees"
	loss     = "loss"
	givenUp  = "loss:write_off" // of losses, what two people have given up of creators' debts

	payable     = "creator_payable"
	reserve     = "reserve"
	debt        = "creator_debt"
	atCreator   = "at_creator"
	creatorHeld = "creator_held"
	revenue     = "platform_revenue"
	vat         = "vat"
)

// posting is the amount that goes to each class of accounts, in minor units. The sum of all postings of a charge is
// its balance by class.
type posting map[string]int64

// moves are the kinds that always go from one class to another: the debited and the credited one.
var moves = map[string][2]string{
	"provider_fee":         {fees, clearing},
	"refund_failed":        {clearing, owed},
	"refund_by_hand":       {owed, bank},
	"held_accepted":        {held, funds},
	"held_returned":        {held, owed},
	"dispute_fee":          {fees, clearing},
	"dispute_fee_returned": {clearing, fees},
	"other_fee":            {fees, clearing},
	"other_fee_returned":   {clearing, fees},
	"our_payout":           {bank, clearing},
	"our_payout_failed":    {clearing, bank},
	"top_up":               {clearing, bank},
	"unexplained":          {clearing, suspense},
	"unexplained_out":      {suspense, clearing},
	"explained":            {suspense, fees},
	"explained_out":        {fees, suspense},
	"debt_offset":          {payable, debt},
	"reserve_used":         {reserve, debt},
	"reserve_released":     {reserve, payable},
	"write_off":            {givenUp, debt},
	"creator_payout":       {creatorHeld, atCreator},

	"creator_payout_returned": {atCreator, creatorHeld},
	"creator_payout_kept":     {creatorHeld, atCreator},
}

// undoes tells that a movement reverses another one, on the same accounts.
func (m movement) undoes() bool {
	return m.kind == "dispute_lost_reversed" || m.kind == "refund_withdrawn" && m.reverses != nil
}

// undone are the legs of the reversed movement that this one takes back: all of them, or of a refund_begun as much as
// this movement's amount, the loss first and what was settled next. What the creator owes no more is payable to them.
func (m movement) undone(balance posting, opening []leg) []leg {
	came, left := posting{}, m.amount
	for _, l := range opening {
		came[l.class] += l.minor
	}
	var out []leg
	add := func(class string, minor int64) {
		if minor != 0 {
			out = append(out, leg{class, m.account(class), minor})
		}
	}
	creditCreator := func(minor int64) {
		fromDebt := min(minor, balance[debt])
		lost := min(minor-fromDebt, balance[givenUp])
		add(debt, fromDebt)
		add(givenUp, lost)
		add(payable, minor-fromDebt-lost)
	}
	if m.kind == "dispute_lost_reversed" {
		creditCreator(came[debt])
		return append(out, slices.DeleteFunc(slices.Clone(opening), func(l leg) bool { return l.class == debt })...)
	}
	for _, class := range []string{loss, "settled", disputed, held, funds} {
		if settled := came[debt] + came[revenue] + came[vat]; class == "settled" && settled > 0 {
			n := min(left, settled)
			parts := posting{}
			parts.divide(n, came[debt], came[revenue], came[vat])
			left -= n
			creditCreator(parts[debt])
			add(revenue, parts[revenue])
			add(vat, parts[vat])
		}
		for _, l := range opening {
			if n := min(left, l.minor); l.class == class && n > 0 {
				l.minor, left = n, left-n
				out = append(out, l)
			}
		}
	}
	return append(out, leg{owed, m.account(owed), left - m.amount})
}

// must is what a movement has to post, given its charge's balance before it. opening has the legs of the movement that
// it reverses; for a movement of a dispute, the sums by class of all that the dispute has moved so far. It is nil for
// an unknown kind.
func (m movement) must(balance posting, opening []leg) posting {
	out, n := posting{}, m.amount
	switch m.kind {
	case "settlement": // its shares are what it says, and no more than there is; the rest is the creator's
		for _, l := range m.legs {
			if l.class == revenue || l.class == vat || l.class == reserve {
				out[l.class] = min(l.minor, 0)
			}
		}
		out[funds], out[payable] = n, -n-out[revenue]-out[vat]-out[reserve]
	case "provider_invoice", "provider_credit": // its tax and where it was paid from are what the invoice's row says, which another check compares
		from, sign := bank, int64(1)
		if m.kind == "provider_credit" {
			sign = -1
		}
		for _, l := range m.legs {
			switch l.class {
			case inputVAT:
				out[inputVAT] = sign * min(max(sign*l.minor, 0), n)
			case suspense:
				from = suspense
			}
		}
		out[fees], out[from] = sign*n-out[inputVAT], -sign*n
	case "transfer", "transfer_reversed":
		if m.kind == "transfer_reversed" {
			n = -n
		}
		out[payable], out[clearing], out[atCreator], out[creatorHeld] = n, -n, n, -n
	case "debit_returned":
		rest := out.take(n, balance, funds, owed, held, disputed)
		out[loss] = out.takeSettled(rest, balance)
		out[clearing] = -n
	case "charge":
		out[clearing], out[m.to] = n, -n
	case "refund_begun": // from the campaign's funds first; a loss when the backer had the money another way
		if m.to == loss {
			out[loss], out[owed] = n, -n
			break
		}
		out[loss] = out.takeSettled(out.take(n, balance, funds, held, disputed), balance)
		out[owed] = -n
	case "refund_withdrawn": // or to the accounts that its refund_begun debited, see undoes
		out[owed], out[m.to] = n, -n
	case "refund": // from what is owed first
		out[loss] = out.takeSettled(out.take(n, balance, owed, funds, held, disputed), balance)
		out[clearing] = -n
	case "dispute_opened": // all goes on hold; what is left of the charge becomes disputed
		rest := out.take(n, balance, funds, owed, held)
		out[hold], out[clearing], out[disputed] = n, -n, rest-n
	case "dispute_contested": // what a failed refund brought back becomes disputed too
		rest := out.take(n, balance, funds, owed, held)
		out[disputed] = rest - n
	case "dispute_won":
		// ends holds without disputed money first; the rest returns to where it came from, last taken first
		out[clearing], out[hold] = n, -n
		alone := int64(0)
		for _, l := range opening {
			if l.class == hold || l.class == disputed {
				alone += l.minor
			}
		}
		left := min(max(n-alone, 0), max(-balance[disputed], 0))
		for i := len(opening) - 1; i >= 0; i-- {
			switch l := opening[i]; l.class {
			case funds, owed, held:
				back := min(left, l.minor)
				out[l.class], out[disputed], left = out[l.class]-back, out[disputed]+back, left-back
			}
		}
	case "dispute_lost": // the backer keeps the disputed money; the rest was refunded before as well, which is our loss
		contested := int64(0)
		for _, l := range opening {
			if l.class == disputed {
				contested = min(-l.minor, n, -balance[disputed])
			}
		}
		out[disputed], out[hold] = contested, -n
		out[loss] = out.takeSettled(n-contested, balance)
	default:
		way, known := moves[m.kind]
		if !known {
			return nil
		}
		out[way[0]], out[way[1]] = n, -n
	}
	return out
}

// take debits a sum to liabilities in the given order, each at most its balance, and returns the rest.
func (p posting) take(minor int64, balance posting, classes ...string) (rest int64) {
	for _, class := range classes {
		n := min(minor, max(-balance[class], 0))
		p[class], minor = p[class]+n, minor-n
	}
	return minor
}

// takeSettled debits a sum to what was settled of the charge, each in proportion to what it still has, and returns the rest.
func (p posting) takeSettled(minor int64, balance posting) (rest int64) {
	creator := -balance[payable] - balance[reserve] - balance[debt] - balance[givenUp]
	n := min(minor, creator-balance[revenue]-balance[vat])
	if n <= 0 {
		return minor
	}
	p.divide(n, creator, -balance[revenue], -balance[vat])
	return minor - n
}

// divide debits a sum to the creator's debt, our fee and its tax by weights: each gets its whole cents, and those left over
// go to the largest remainders.
func (p posting) divide(n, creator, ours, tax int64) {
	classes, weights := []string{debt, revenue, vat}, []int64{creator, ours, tax}
	total := creator + ours + tax
	remainders := map[string]int64{}
	left := n
	for i, class := range classes {
		p[class] += n * weights[i] / total
		remainders[class] = n * weights[i] % total
		left -= n * weights[i] / total
	}
	slices.SortStableFunc(classes, func(a, b string) int { return cmp.Compare(remainders[b], remainders[a]) })
	for _, class := range classes[:left] {
		p[class]++
	}
}

// campaigns is what is left of a charge of what the campaign was paid: in its funds, or settled.
func (p posting) campaigns() int64 {
	return -p[funds] - p[payable] - p[reserve] - p[debt] - p[givenUp] - p[revenue] - p[vat]
}
