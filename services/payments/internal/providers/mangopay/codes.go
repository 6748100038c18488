package mangopay

import "talkoot.fi/payments/internal/provider"

// The results that decide something here. docs.mangopay.com/errors/codes
const (
	resultSuccess        = "000000"
	resultTooYoung       = "001405" // the debit is younger than a week
	resultRefunded       = "001401"
	resultAboveAmount    = "005403"
	resultSameDay        = "005407" // the same sum was given back today
	resultBalanceShort   = "001001"
	resultOwnerUnproven  = "002951" // the wallet's owner is not verified
	resultDebitUnfunded  = "001830"
	resultMandateUnready = "001833"
)

// verdict is what a result says to the core: a code of payment_failed, what may help, and whether a bank has refused the
// instrument, which a page that was left or a challenge that was failed does not say.
type verdict struct {
	code      string
	remedy    provider.Remedy
	isDecline bool
}

// verdicts of the results that a payer can bring about. One that is new to us may be another day's.
var verdicts = map[string]verdict{
	"101105": {"expired_card", provider.RemedyCard, true},
	"02624":  {"expired_card", provider.RemedyCard, true},
	"101410": {"card_declined", provider.RemedyCard, true}, // it is not active
	"01902":  {"card_declined", provider.RemedyCard, true},
	"009499": {"processing_error", provider.RemedyLater, false}, // of the bank
	"009199": {"processing_error", provider.RemedyLater, false}, // of the payment service
	"009103": {"processing_error", provider.RemedyLater, false},
	"008006": {"card_declined", provider.RemedyCard, true}, // suspected fraud
	"008005": {"card_declined", provider.RemedyCard, true},
	"101115": {"card_declined", provider.RemedyLater, true}, // above its limit
	"101111": {"card_declined", provider.RemedyLater, true}, // tried too often
	"101104": {"card_declined", provider.RemedyLater, true}, // above its limit
	"101199": {"card_declined", provider.RemedyLater, true},
	"101103": {"card_declined", provider.RemedyCard, true},
	"101102": {"card_declined", provider.RemedyLater, true}, // too large a sum
	"101101": {"card_declined", provider.RemedyLater, true}, // do not honor
	"105103": {"card_declined", provider.RemedyCard, true},  // wrong PIN
	"105101": {"card_declined", provider.RemedyCard, true},  // no such number
	"001013": {"processing_error", provider.RemedyLater, false},
	"105202": {"card_declined", provider.RemedyCard, false},
	"105203": {"expired_card", provider.RemedyCard, false},
	"105204": {"incorrect_cvc", provider.RemedyCard, false},
	"105206": {"card_declined", provider.RemedyCard, false},

	"101301": {"authentication_failed", provider.RemedyPayer, false},
	"101302": {"authentication_failed", provider.RemedyCard, false}, // the card has no 3-D Secure
	"101303": {"authentication_failed", provider.RemedyCard, false},
	"101304": {"authentication_failed", provider.RemedyPayer, false}, // too late
	"101305": {"authentication_failed", provider.RemedyPayer, false}, // the bank wants it
	"101399": {"authentication_failed", provider.RemedyLater, false},

	// Of a hosted page: it was left, or its time was over.
	"101002": {}, "001031": {}, "001034": {}, "101109": {},

	resultDebitUnfunded:  {"insufficient_funds", provider.RemedyLater, true},
	resultMandateUnready: {"generic", provider.RemedyCard, false},
	// Of a mandate: refused or cancelled by the payer, cancelled by us, not confirmed in time.
	"001805": {"authentication_failed", provider.RemedyPayer, false}, "001806": {}, "001807": {"authentication_failed", provider.RemedyPayer, false},
}

func verdictOf(result string) verdict {
	if known, ok := verdicts[result]; ok {
		return known
	}
	return verdict{"generic", provider.RemedyLater, false}
}
