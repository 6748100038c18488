package mangopay

// asks tells whether the card's bank asks its holder.
func (c *call) asks(t *transaction) bool {
	return t.Card.SecureMode == "FORCE" || t.Secret.Rule == ruleAlways ||
		t.Secret.Rule == ruleAmount && t.DebitedFunds.Amount > c.s.opts.ChallengeAbove
}

// pageLife is how long a payer has for a page, in seconds.
const pageLife = 15 * 60

// ask opens the page of the card's bank.
func (c *call) ask(t *transaction, back string) (any, error) {
	at, err := c.newPage("3ds", pageChallenge, t.ID)
	if err != nil {
		return nil, err
	}
	t.Direct.SecureModeNeeded, t.Direct.SecureModeRedirectURL = true, &at
	t.Direct.SecureModeReturnURL = optional(withID(back, "transactionId", t.ID))
	t.Card.AuthenticationResult = nil
	return t.shownAfter(firstOf(transactions.Put(c.tx, t), c.schedule(pageLife, actExpirePayIn, t.ID)))
}

// answerBank is the holder's answer to their bank.
func (c *call) answerBank(t *transaction, pass bool) error {
	t.Card.AuthenticationResult = &authenticationResult{"CHALLENGE"}
	if !pass {
		return c.settle(t, "101301")
	}
	return c.settle(t, c.cardCode(t))
}

// amountCodes are the amounts whose payments end with a code, in minor units.
var amountCodes = map[int64]string{
	33313: "001013", 33363: "008005", 33334: "008006", 33303: "009103", 33394: "009199", 33391: "009499", 33305: "101101",
	33360: "101104", 33307: "101105", 33338: "101111", 33361: "101115", 33398: "101199", 33310: "101410", 33314: "105101",
	33355: "105103", 33312: "01902", 33333: "02624", 33351: "101102", 33358: "101103",
}

// cardCode is what a bank answers to a payment by card.
func (c *call) cardCode(t *transaction) string {
	if code := c.s.forced.take(); code != "" {
		return code
	}
	if t.Secret.Outcome != "" {
		return t.Secret.Outcome
	}
	if code := amountCodes[t.DebitedFunds.Amount]; code != "" {
		return code
	}
	return codeOK
}

// expirePayIn ends what a payer did not finish.
func (c *call) expirePayIn(id string) error {
	t, err := transactions.Find(c.tx, id)
	if err != nil || t == nil {
		return err
	}
	if t.Web != nil {
		return c.settle(t, "001034")
	}
	return c.settle(t, "101304")
}
