package stripe

import "strings"

// challengeRule says when a card asks its holder for 3-D Secure.
type challengeRule int

const (
	challengeNever         challengeRule = iota
	challengeAlways                      // on-session every time; off-session is refused
	challengeUntilSetUp                  // off-session passes once the card was set up with a challenge
	challengeOnSessionOnly               // off-session always passes
)

type refundRule int

const (
	refundAtOnce refundRule = iota
	refundFailsLater
	refundPendsFirst
)

// bankRule says whether a payment's outcome is known at once, or what its bank says days later.
type bankRule int

const (
	bankAtOnce bankRule = iota
	bankTakesLater
	bankRefusesLater
)

type declineReason struct {
	code, declineCode, message string
}

// testCard is one published test card (https://stripe.com/docs/testing), or one of the sandbox's own: they stand for bank
// debits and other methods that take days, which the account does not have.
type testCard struct {
	number    string
	methods   []string // ready-made payment method ids
	brand     string
	country   string
	funding   string
	challenge challengeRule
	decline   *declineReason
	attaches  bool // a declining card that can still be saved to a customer
	refund    refundRule
	disputed  bool // a charge is disputed as fraudulent soon after
	reported  bool // a charge is reported as fraud soon after, without a dispute
	bank      bankRule
	available bool // the money of a charge is available at once
}

func genericDecline(code string) *declineReason {
	return &declineReason{"card_declined", code, "Your card was declined."}
}

func insufficientFunds() *declineReason {
	return &declineReason{"card_declined", "insufficient_funds", "Your card has insufficient funds."}
}

func expiredCard() *declineReason {
	return &declineReason{"expired_card", "expired_card", "Your card has expired."}
}

// testCards is the whole set of numbers the sandbox takes.
func testCards() []testCard {
	return []testCard{
		{number: "4242424242424242", methods: []string{"pm_card_visa"}},
		{number: "4000056655665556", methods: []string{"pm_card_visa_debit"}, funding: "debit"},
		{number: "5555555555554444", methods: []string{"pm_card_mastercard"}, brand: "mastercard"},
		{number: "5200828282828210", methods: []string{"pm_card_mastercard_debit"}, brand: "mastercard", funding: "debit"},
		{number: "378282246310005", methods: []string{"pm_card_amex"}, brand: "amex"},
		{number: "4000002460000001", methods: []string{"pm_card_fi"}, country: "FI"},
		{number: "4000007520000008", methods: []string{"pm_card_se"}, country: "SE"},
		{number: "4000000000000002", methods: []string{"pm_card_chargeDeclined", "pm_card_visa_chargeDeclined"}, decline: genericDecline("generic_decline")},
		{number: "4000000000009995", methods: []string{"pm_card_chargeDeclinedInsufficientFunds", "pm_card_visa_chargeDeclinedInsufficientFunds"}, decline: insufficientFunds()},
		{number: "4000000000009987", methods: []string{"pm_card_chargeDeclinedLostCard", "pm_card_visa_chargeDeclinedLostCard"}, decline: genericDecline("lost_card")},
		{number: "4000000000009979", methods: []string{"pm_card_chargeDeclinedStolenCard", "pm_card_visa_chargeDeclinedStolenCard"}, decline: genericDecline("stolen_card")},
		{number: "4000000000000069", methods: []string{"pm_card_chargeDeclinedExpiredCard"}, decline: expiredCard()},
		{number: "4000000000000127", methods: []string{"pm_card_chargeDeclinedIncorrectCvc"}, decline: &declineReason{"incorrect_cvc", "incorrect_cvc", "Your card's security code is incorrect."}},
		{number: "4000000000000119", methods: []string{"pm_card_chargeDeclinedProcessingError"}, decline: &declineReason{"processing_error", "processing_error", "An error occurred while processing your card. Try again in a little bit."}},
		{number: "4000000000000341", methods: []string{"pm_card_chargeCustomerFail", "pm_card_visa_chargeCustomerFail"}, decline: genericDecline("generic_decline"), attaches: true},
		{number: "4000002500003155", methods: []string{"pm_card_authenticationRequiredOnSetup"}, challenge: challengeUntilSetUp},
		{number: "4000002760003184", methods: []string{"pm_card_authenticationRequired"}, challenge: challengeAlways},
		{number: "4000000000003220", methods: []string{"pm_card_threeDSecure2Required"}, challenge: challengeAlways},
		{number: "4000003800000446", methods: []string{"pm_card_authenticationRequiredSetupForOffSession"}, challenge: challengeOnSessionOnly},
		{number: "4000008260003178", methods: []string{"pm_card_authenticationRequiredChargeDeclinedInsufficientFunds"}, challenge: challengeOnSessionOnly, decline: insufficientFunds(), attaches: true},
		{number: "4000008400001629", methods: []string{"pm_card_threeDSecureRequiredChargeDeclined"}, challenge: challengeAlways, decline: genericDecline("generic_decline"), attaches: true},
		{number: "4000000000000077", methods: []string{"pm_card_bypassPending"}, available: true},
		{number: "4000000000000259", methods: []string{"pm_card_createDispute"}, disputed: true},
		{number: "4000000000005423", methods: []string{"pm_card_createIssuerFraudRecord"}, reported: true},
		{number: "4000000000005126", methods: []string{"pm_card_refundFail"}, refund: refundFailsLater},
		{number: "4000000000007726", methods: []string{"pm_card_pendingRefund"}, refund: refundPendsFirst},
		{number: "4000005100000000", methods: []string{"pm_card_bankTakesLater"}, bank: bankTakesLater},
		{number: "4000005100000018", methods: []string{"pm_card_bankRefusesLater"}, bank: bankRefusesLater},
	}
}

// cardDeck finds test cards by number and by ready-made method id.
type cardDeck struct {
	byNumber map[string]testCard
	byMethod map[string]testCard
}

func newCardDeck() cardDeck {
	deck := cardDeck{byNumber: map[string]testCard{}, byMethod: map[string]testCard{}}
	for _, card := range testCards() {
		if card.brand == "" {
			card.brand = "visa"
		}
		if card.country == "" {
			card.country = "US"
		}
		if card.funding == "" {
			card.funding = "credit"
		}
		deck.byNumber[card.number] = card
		for _, id := range card.methods {
			deck.byMethod[id] = card
		}
	}
	return deck
}

// needsChallenge tells whether a payment with the card stops for 3-D Secure.
func (t testCard) needsChallenge(offSession, setUp bool) bool {
	switch t.challenge {
	case challengeAlways:
		return true
	case challengeUntilSetUp:
		return !offSession || !setUp
	case challengeOnSessionOnly:
		return !offSession
	default:
		return false
	}
}

// luhn checks the last digit of a card number.
func luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if d < 0 || d > 9 {
			return false
		}
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return len(number) >= 12 && sum%10 == 0
}

func digitsOnly(number string) string {
	return strings.NewReplacer(" ", "", "-", "").Replace(number)
}
