package reconcile

import (
	"cmp"
	"maps"
	"strings"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/provider"
)

// movement names what a line, or its fee, is in the ledger.
type movement struct {
	kind      ledger.Kind
	reference string
	place     string // of the balance
}

// String is kind:reference, and @place where that is not the main one.
func (m movement) String() string {
	text := string(m.kind) + ":" + m.reference
	if m.place != ledger.MainPlace {
		text += "@" + m.place
	}
	return text
}

func movementOf(text string) movement {
	kind, rest, _ := strings.Cut(text, ":")
	reference, place, _ := strings.Cut(rest, "@")
	return movement{ledger.Kind(kind), reference, cmp.Or(place, ledger.MainPlace)}
}

// inBook is what a posted movement is called here.
func inBook(m ledger.Posted) movement { return movement{m.Kind, m.Reference, m.Place} }

// movements of a line: the money, and the fee that went with it, as added to our balance.
func movements(l provider.Line) map[movement]money.Amount {
	fee := money.New(-l.Fee.Minor, l.Fee.Currency)
	place := cmp.Or(l.Place, ledger.MainPlace)
	m, feeOf := movement{reference: l.Source, place: place}, movement{ledger.OtherFee, l.Ref, place}
	if fee.Minor > 0 {
		feeOf.kind = ledger.OtherFeeReturned
	}
	switch l.Kind {
	case provider.LineCharge:
		if m.kind = ledger.Charge; fee.Minor < 0 {
			feeOf = movement{ledger.ProviderFee, l.Source, place}
		}
	case provider.LineRefund:
		m.kind = ledger.Refund
	case provider.LineRefundFailed:
		m.kind = ledger.RefundFailed
	case provider.LineDispute:
		if m = (movement{ledger.DisputeOpened, l.Ref, place}); l.Amount.Minor > 0 {
			m.kind = ledger.DisputeWon
		}
		if feeOf.kind = ledger.DisputeFee; fee.Minor > 0 {
			feeOf.kind = ledger.DisputeFeeReturned
		}
	case provider.LineReturned:
		m = movement{ledger.DebitReturned, l.Ref, place}
	case provider.LineMove:
		m = movement{ledger.PlaceMove, l.Ref, place}
	case provider.LineTransfer:
		m.kind = ledger.Transfer
	case provider.LineTransferBack:
		m.kind = ledger.TransferReversed
	case provider.LineTransferFee:
		m.kind = ledger.PlaceMove
	case provider.LinePayout, provider.LinePayoutFailed, provider.LineTopUp, provider.LineOther:
		m.kind = ownKind(l)
	}
	out := map[movement]money.Amount{m: l.Amount, feeOf: fee}
	if m.kind == "" { // fee included
		net := money.New(l.Amount.Minor-l.Fee.Minor, l.Amount.Currency)
		if m = (movement{ledger.Unexplained, l.Ref, place}); net.Minor < 0 {
			m.kind = ledger.UnexplainedOut
		}
		out = map[movement]money.Amount{m: net}
	}
	maps.DeleteFunc(out, func(_ movement, sum money.Amount) bool { return sum.Minor == 0 })
	return out
}

// ownKind is the kind of a movement of our own money (payouts, fees), by the line's type and direction; "" for what no
// rule explains.
func ownKind(l provider.Line) ledger.Kind {
	switch isIn := l.Amount.Minor > 0; {
	case l.Kind == provider.LinePayout && !isIn:
		return ledger.OurPayout
	case l.Kind == provider.LinePayoutFailed && isIn:
		return ledger.OurPayoutFailed
	case (l.Kind == provider.LineTopUp || l.Kind == provider.LinePayout) && isIn:
		// or money collected from our bank account
		return ledger.TopUp
	}
	return ""
}

// bookedHere reports whether only a line tells of a kind, so that this package books it. All others are booked with
// their payment.
func bookedHere(k ledger.Kind) bool {
	switch k {
	case ledger.OurPayout, ledger.OurPayoutFailed, ledger.TopUp, ledger.Unexplained, ledger.UnexplainedOut,
		ledger.OtherFee, ledger.OtherFeeReturned:
		return true
	default:
		return false
	}
}
