//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/scripts/browser"
)

// intentionsB are those of backers of a campaign that is paid through provider B.
func intentionsB() []intention {
	return []intention{
		{"pays", 30, (*backer).payB},
		{"pays after a refusal", 8, (*backer).payAfterRefusalB},
		{"passes a challenge", 12, (*backer).passChallengeB},
		{"types a card and leaves", 4, (*backer).registerOnlyB},
		{"leaves in the middle of a challenge", 5, (*backer).leaveAtChallengeB},
		{"gives up with a challenge open, and passes it after all", 5, (*backer).passAfterReleaseB},
		{"pays by direct debit", 12, (*backer).debitB},
		{"pays on the hosted page", 8, (*backer).payOnPageB},
		{"leaves the hosted page open and pays by card", 4, (*backer).payBesideThePageB},
		{"keeps the card and pays with it again", 6, (*backer).payWithKeptB},
		{"pays and wants all of it back", 3, (*backer).wantAllBack},
		{"pays and wants a part back", 4, (*backer).wantPartBack},
		{"pays and disputes it", 5, (*backer).disputeB},
	}
}

// theirAccount is a bank account of the sandbox's that can be debited.
const theirAccount = "FI2112345600000785"

// registerB types a card until it is registered.
func (b *backer) registerB(ctx context.Context, p *observation, typed browser.CardB, isKept bool) (card browser.RegisteredCard, err error) {
	err = browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
		card, err = b.RegisterCard(ctx, p.id, typed, isKept)
		return err
	})
	return card, err
}

// chargeB presses Pay until there is an answer, which it notes.
func (b *backer) chargeB(ctx context.Context, p *observation, card browser.RegisteredCard) (browser.PayIn, error) {
	return b.pressB(ctx, p, func(ctx context.Context, key string) (browser.PayIn, error) {
		return b.Charge(ctx, p.id, key, card, p.minor)
	})
}

// pressB repeats one press under its key. Who is told that the pledge is paid already has paid it.
func (b *backer) pressB(ctx context.Context, p *observation, press func(context.Context, string) (browser.PayIn, error)) (in browser.PayIn, err error) {
	b.forms++
	key := fmt.Sprintf("%s-%d-press-%d", b.run, b.number, b.forms)
	err = browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
		in, err = press(ctx, key)
		return err
	})
	if paid := new(browser.Problem); errors.As(err, &paid) && paid.Status == "pledge_already_paid" {
		in.PayIn.Status, err = "SUCCEEDED", nil
	}
	status := ""
	if in.PayIn.Status == "SUCCEEDED" {
		status = "succeeded"
	}
	p.noteResponse(status, err)
	return in, err
}

func (b *backer) payWithB(ctx context.Context, p *observation, typed browser.CardB) (in browser.PayIn, err error) {
	card, err := b.registerB(ctx, p, typed, false)
	if err != nil {
		return in, err
	}
	return b.chargeB(ctx, p, card)
}

// payB pays with a card, which has to be taken.
func (b *backer) payB(ctx context.Context, p *observation) error {
	in, err := b.payWithB(ctx, p, browser.PlainCardB)
	if err == nil && in.PayIn.Status != "SUCCEEDED" {
		err = fmt.Errorf("%w: a good card for pledge %s is answered %+v", errWrong, p.id, in)
	}
	return err
}

func (b *backer) payAfterRefusalB(ctx context.Context, p *observation) error {
	in, err := b.payWithB(ctx, p, browser.DeclinedCardB)
	if err != nil {
		return err
	}
	if in.PayIn.Status != "FAILED" || in.PayIn.ResultCode != "101101" {
		return fmt.Errorf("%w: a card that is declined for pledge %s is answered %+v", errWrong, p.id, in)
	}
	return b.payB(ctx, p)
}

// challengeB pays with a card that asks for 3-D Secure, and gives the address of its bank's page.
func (b *backer) challengeB(ctx context.Context, p *observation) (page string, err error) {
	in, err := b.payWithB(ctx, p, browser.AskedCardB)
	if err == nil && !in.PayIn.SecureModeNeeded {
		err = fmt.Errorf("%w: a card that asks, for pledge %s, is answered %+v", errWrong, p.id, in)
	}
	return in.PayIn.SecureModeRedirectURL, err
}

func (b *backer) passPageB(ctx context.Context, page string) error {
	return browser.Retry(ctx, patience, func(ctx context.Context) error { return b.PassPage(ctx, page, "pass", nil) })
}

func (b *backer) passChallengeB(ctx context.Context, p *observation) error {
	page, err := b.challengeB(ctx, p)
	if err != nil {
		return err
	}
	err = b.passPageB(ctx, page)
	p.noteResponse("succeeded", err)
	return err
}

func (b *backer) registerOnlyB(ctx context.Context, p *observation) error {
	_, err := b.registerB(ctx, p, browser.PlainCardB, false)
	return err
}

func (b *backer) leaveAtChallengeB(ctx context.Context, p *observation) error {
	_, err := b.challengeB(ctx, p)
	return err
}

// passAfterReleaseB passes the bank's page of a pledge that was given up: at provider B it cannot be taken away from its payer.
func (b *backer) passAfterReleaseB(ctx context.Context, p *observation) error {
	page, err := b.challengeB(ctx, p)
	if err != nil {
		return err
	}
	if err := browser.Retry(ctx, patience, func(ctx context.Context) error { return b.Release(ctx, p.id) }); err != nil {
		return err
	}
	p.released, p.lost = true, true
	return b.passPageB(ctx, page)
}

// debitB leaves a direct debit with its bank, which decides when the load is over.
func (b *backer) debitB(ctx context.Context, p *observation) error {
	err := browser.Retry(ctx, patience, func(ctx context.Context) error { return b.ConfirmMandate(ctx, p.id, theirAccount) })
	if err != nil {
		return err
	}
	in, err := b.pressB(ctx, p, func(ctx context.Context, key string) (browser.PayIn, error) { return b.Debit(ctx, p.id, key) })
	if err == nil && in.PayIn.Status != "CREATED" {
		err = fmt.Errorf("%w: a debit for pledge %s is answered %+v", errWrong, p.id, in)
	}
	return err
}

func (b *backer) payOnPageB(ctx context.Context, p *observation) error {
	page, err := b.page(ctx, p)
	if err != nil {
		return err
	}
	err = browser.Retry(ctx, patience, func(ctx context.Context) error { return b.PayPageB(ctx, page, browser.PlainCardB) })
	p.noteResponse("succeeded", err)
	return err
}

func (b *backer) payBesideThePageB(ctx context.Context, p *observation) error {
	if _, err := b.page(ctx, p); err != nil {
		return err
	}
	return b.payB(ctx, p)
}

// payWithKeptB pays as a guest, then with an account a pledge whose card is kept, and one with the kept card.
func (b *backer) payWithKeptB(ctx context.Context, p *observation) error {
	if err := b.payB(ctx, p); err != nil {
		return err
	}
	if err := b.signUp(ctx); err != nil {
		return err
	}
	second, err := b.pledge(ctx, 1-p.reward)
	if err != nil || second == nil {
		return err
	}
	card, err := b.registerB(ctx, second, browser.PlainCardB, true)
	if err == nil {
		_, err = b.chargeB(ctx, second, card)
	}
	if err != nil {
		return err
	}
	third, err := b.pledge(ctx, p.reward)
	if err != nil || third == nil {
		return err
	}
	err = browser.Retry(ctx, patience, func(ctx context.Context) error {
		kept, err := b.KeptCards(ctx, b.campaign.ID)
		if err == nil && len(kept) == 0 {
			err = fmt.Errorf("no card of %s is kept", b.email())
		}
		if err == nil {
			card, err = b.KeptCard(ctx, third.id, kept[0])
		}
		return err
	})
	if err == nil {
		_, err = b.chargeB(ctx, third, card)
	}
	return err
}

// signUp makes the backer's account, or signs in to the one whose making was not answered.
func (b *backer) signUp(ctx context.Context) error {
	account := browser.Account{Email: b.email(), FirstName: "Aino", LastName: "Korhonen", Password: b.run + " kolme harmaata kiveä"}
	err := browser.Retry(ctx, patience, func(ctx context.Context) error { return b.Register(ctx, account) })
	if taken := new(browser.Problem); errors.As(err, &taken) {
		err = browser.Retry(ctx, patience, func(ctx context.Context) error { return b.SignIn(ctx, account.Email, account.Password) })
	}
	return err
}

// disputeB pays, and has the bank take it back at once.
func (b *backer) disputeB(ctx context.Context, p *observation) error {
	in, err := b.payWithB(ctx, p, browser.PlainCardB)
	if err != nil || in.PayIn.ID == "" { // it was paid, and nobody said by what
		return err
	}
	err = browser.Retry(ctx, patience, func(ctx context.Context) error { return b.harness.DisputeB(ctx, in.PayIn.ID) })
	p.disputes = err == nil
	return err
}

// banksB is provider B's banks and pages after the load: debits end as their banks decide, and what its payer did not finish when its time
// is over. While isEarly, what could still be paid for an open payment is left.
func (l *load) banksB(ctx context.Context, isEarly bool) error {
	list, err := l.harness.TransactionsB(ctx, l.creator.Account.UserID)
	if err != nil {
		return err
	}
	var open []string
	if isEarly {
		open, err = texts(ctx, l.harness, `SELECT subject_id FROM payments WHERE status IN ('created', 'requires_action') AND closing_at IS NULL AND subject_id = ANY ($1)`, l.ids())
		if err != nil {
			return err
		}
	}
	isOpen := map[string]bool{}
	for _, id := range open {
		isOpen[id] = true
	}
	for _, t := range list {
		if t.Type != "PAYIN" || t.Status != "CREATED" {
			continue
		}
		payment, execution, err := l.harness.PayInKindB(ctx, t.ID)
		if err != nil {
			return err
		}
		code := "101304" // the bank's page is over
		switch {
		case payment == "DIRECT_DEBIT":
			code = l.decideDebit(t.PledgeID())
		case isOpen[t.PledgeID()]:
			continue
		case execution == "WEB":
			code = "001034"
		}
		if err := l.harness.SettlePayIn(ctx, t.ID, code); err != nil {
			return err
		}
	}
	return nil
}

// decideDebit is what a bank says of a pledge's debit: mostly that the money comes.
func (l *load) decideDebit(pledge string) (code string) {
	refuses := l.draw(5) == 0
	for _, p := range l.pledges {
		if p.id != pledge {
			continue
		}
		if p.taken = !refuses; refuses {
			p.refused = true
			return "001830"
		}
	}
	return "000000"
}

func (l *load) ids() []string {
	ids := make([]string, len(l.pledges))
	for i, p := range l.pledges {
		ids[i] = p.id
	}
	return ids
}
