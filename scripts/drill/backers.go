//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"

	"talkoot.fi/scripts/browser"
)

// intention is what a backer does with an accepted pledge; its weight is how often it is chosen.
type intention struct {
	name   string
	weight int
	do     func(b *backer, ctx context.Context, p *observation) error
}

// intentions lists all of them. The weights are such that most backers simply pay.
func intentions() []intention {
	return []intention{
		{"pays", 34, (*backer).pay},
		{"pays after a refusal", 6, (*backer).payAfterRefusal},
		{"passes a challenge", 6, (*backer).passChallenge},
		{"never confirms", 4, (*backer).neverConfirm},
		{"leaves in the middle of a challenge", 4, (*backer).leaveAtChallenge},
		{"pays on the hosted page", 9, (*backer).payOnPage},
		{"leaves the hosted page open and pays in the form", 5, (*backer).payBesideThePage},
		{"takes another reward with a challenge open", 4, (*backer).changeAtChallenge},
		{"takes another reward with the hosted page open, and tries to pay that afterwards", 4, (*backer).changeAtPage},
		{"takes another reward and passes the old challenge afterwards", 4, (*backer).changeAndPassLate},
		{"takes another reward and passes the old challenge at the same moment", 3, (*backer).changeAndPassAtOnce},
		{"comes back for a second pledge", 6, (*backer).payTwice},
		{"pays and wants all of it back", 3, (*backer).wantAllBack},
		{"pays and wants a part back", 4, (*backer).wantPartBack},
		{"pays and wants it back, which their bank does not take", 3, (*backer).wantBackInVain},
		{"pays and disputes it", 5, (*backer).dispute},
	}
}

// choose draws one of the intentions for the backer's campaign by their weights.
func (b *backer) choose() intention {
	all, sum := intentions(), 0
	if b.isAtB() {
		all = intentionsB()
	}
	for _, one := range all {
		sum += one.weight
	}
	drawn := b.draw(sum)
	for _, one := range all {
		if drawn -= one.weight; drawn < 0 {
			return one
		}
	}
	return all[0]
}

// setup opens the card form.
func (b *backer) setup(ctx context.Context, p *observation) (in browser.Intent, err error) {
	err = browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
		in, err = b.Setup(ctx, p.id)
		return err
	})
	return in, err
}

// confirm sends the card form.
func (b *backer) confirm(ctx context.Context, p *observation, in browser.Intent, card browser.Card) (
	c browser.Confirmation, err error) {
	err = browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
		c, err = b.Confirm(ctx, in, card)
		return err
	})
	p.noteResponse(c.Status, err)
	return c, err
}

func (b *backer) payWith(ctx context.Context, p *observation, card browser.Card) error {
	in, err := b.setup(ctx, p)
	if err == nil {
		_, err = b.confirm(ctx, p, in, card)
	}
	return err
}

func (b *backer) pay(ctx context.Context, p *observation) error {
	return b.payWith(ctx, p, browser.GoodCard)
}

func (b *backer) payAfterRefusal(ctx context.Context, p *observation) error {
	in, err := b.setup(ctx, p)
	if err != nil {
		return err
	}
	_, err = b.confirm(ctx, p, in, browser.DeclinedCard)
	if declined := new(browser.Problem); !errors.As(err, &declined) || declined.DeclineCode == "" {
		return fmt.Errorf("a card that is declined: %w", err)
	}
	_, err = b.confirm(ctx, p, in, browser.GoodCard)
	return err
}

// challenge pays with a card that asks for 3-D Secure, and returns the address of the challenge's page.
func (b *backer) challenge(ctx context.Context, p *observation) (page string, err error) {
	in, err := b.setup(ctx, p)
	if err != nil {
		return "", err
	}
	c, err := b.confirm(ctx, p, in, browser.SecureCard)
	return c.Challenge, err
}

func (b *backer) answer(ctx context.Context, page string) error {
	return browser.Retry(ctx, patience, func(ctx context.Context) error { return b.AnswerChallenge(ctx, page, true) })
}

func (b *backer) passChallenge(ctx context.Context, p *observation) error {
	page, err := b.challenge(ctx, p)
	if err != nil {
		return err
	}
	err = b.answer(ctx, page)
	p.noteResponse("succeeded", err)
	return err
}

func (b *backer) neverConfirm(ctx context.Context, p *observation) error {
	_, err := b.setup(ctx, p)
	return err
}

func (b *backer) leaveAtChallenge(ctx context.Context, p *observation) error {
	_, err := b.challenge(ctx, p)
	return err
}

// page asks for the hosted page until it is there.
func (b *backer) page(ctx context.Context, p *observation) (page string, err error) {
	err = browser.Retry(ctx, patience, func(ctx context.Context) (err error) {
		page, err = b.PaymentPage(ctx, p.id, patience)
		return err
	})
	return page, err
}

func (b *backer) payOnPage(ctx context.Context, p *observation) error {
	page, err := b.page(ctx, p)
	if err != nil {
		return err
	}
	err = b.PayPage(ctx, page, b.email(), browser.GoodCard)
	p.noteResponse("succeeded", err)
	return err
}

func (b *backer) payBesideThePage(ctx context.Context, p *observation) error {
	if _, err := b.page(ctx, p); err != nil {
		return err
	}
	return b.pay(ctx, p)
}

// change replaces a pledge by one for the other reward as the app does: it releases the old pledge, makes the new one,
// and pays it once the old payment is over. If the old pledge was paid after all, it releases the new one. meanwhile
// is called after the new pledge is made.
func (b *backer) change(ctx context.Context, old *observation, meanwhile func() error) error {
	release := func(p *observation) error {
		err := browser.Retry(ctx, patience, func(ctx context.Context) error { return b.Release(ctx, p.id) })
		p.released = err == nil
		return err
	}
	if err := release(old); err != nil {
		return err
	}
	next, err := b.pledge(ctx, 1-old.reward)
	if err == nil {
		err = meanwhile()
	}
	if err != nil {
		return err
	}
	ending, err := b.AwaitEnding(ctx, old.id, patience)
	old.over = ending == browser.Closed
	switch {
	case err != nil || next == nil:
		return err
	case ending == browser.Paid:
		return release(next)
	}
	return b.pay(ctx, next)
}

func nothing() error { return nil }

func (b *backer) changeAtChallenge(ctx context.Context, p *observation) error {
	if _, err := b.challenge(ctx, p); err != nil {
		return err
	}
	return b.change(ctx, p, nothing)
}

func (b *backer) changeAtPage(ctx context.Context, p *observation) error {
	page, err := b.page(ctx, p)
	if err != nil {
		return err
	}
	if err := b.change(ctx, p, nothing); err != nil || !p.over {
		return err
	}
	if err := b.PayPage(ctx, page, b.email(), browser.GoodCard); err == nil {
		return fmt.Errorf("%w: the page of pledge %s takes a card after its payment was over", errWrong, p.id)
	}
	return nil
}

func (b *backer) changeAndPassLate(ctx context.Context, p *observation) error {
	page, err := b.challenge(ctx, p)
	if err != nil {
		return err
	}
	if err := b.change(ctx, p, nothing); err != nil {
		return err
	}
	return b.passOld(ctx, p, page)
}

func (b *backer) changeAndPassAtOnce(ctx context.Context, p *observation) error {
	page, err := b.challenge(ctx, p)
	if err != nil {
		return err
	}
	return b.change(ctx, p, func() error { return b.passOld(ctx, p, page) })
}

// passOld passes the challenge of a released pledge. The backer does not learn whether that charged the card.
func (b *backer) passOld(ctx context.Context, p *observation, page string) error {
	p.lost = true
	err := b.answer(ctx, page)
	if refused := new(browser.Problem); errors.As(err, &refused) {
		return nil
	}
	return err
}

// payTwice pays a second pledge, for the same campaign or another one.
func (b *backer) payTwice(ctx context.Context, p *observation) error {
	if err := b.pay(ctx, p); err != nil {
		return err
	}
	b.campaign = b.campaigns[b.draw(campaigns)]
	second, err := b.pledge(ctx, b.draw(2))
	if err != nil || second == nil {
		return err
	}
	if b.isAtB() {
		return b.payB(ctx, second)
	}
	return b.pay(ctx, second)
}

func (b *backer) wantAllBack(ctx context.Context, p *observation) error {
	return b.wantBack(ctx, p, refundRequest{minor: p.minor})
}

func (b *backer) wantPartBack(ctx context.Context, p *observation) error {
	return b.wantBack(ctx, p, refundRequest{minor: 100 * int64(1+b.draw(int(p.minor/100)-1))})
}

func (b *backer) wantBackInVain(ctx context.Context, p *observation) error {
	return b.wantBack(ctx, p, refundRequest{minor: p.minor, fails: true})
}

// wantBack pays, waits until the payment has succeeded, and asks the operator for a refund.
func (b *backer) wantBack(ctx context.Context, p *observation, e refundRequest) error {
	pay := b.pay
	if b.isAtB() {
		pay = b.payB
	}
	if err := pay(ctx, p); err != nil {
		return err
	}
	err := browser.Retry(ctx, patience, func(ctx context.Context) error {
		payment, err := b.ReadPayment(ctx, p.id)
		if err == nil && payment.Status != "succeeded" {
			err = fmt.Errorf("the payment of pledge %s, which is paid, is %q", p.id, payment.Status)
		}
		e.payment = payment.ID
		return err
	})
	if err != nil {
		return err
	}
	e.pledge = p
	b.refundRequests <- e
	return nil
}

func (b *backer) dispute(ctx context.Context, p *observation) error {
	p.disputes = true
	return b.payWith(ctx, p, browser.DisputedCard)
}
