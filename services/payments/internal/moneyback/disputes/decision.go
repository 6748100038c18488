package disputes

import (
	"context"
	"fmt"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/moneyback/refunds"
)

// What a bank's decision posts, and what it contests until then.

// decide makes the ledger agree with the decision: a loss is posted when the bank keeps the money, however late we hear
// of its movement, and reversed when the bank does not.
func (c *course) decide(ctx context.Context) error {
	switch {
	case c.d.isLost() && !c.lossStands:
		c.d.Losses++
		_, err := c.post(ctx, ledger.Movement{
			Kind: ledger.DisputeLost, Reference: c.d.lossRef(), Amount: money.New(c.d.WithdrawnMinor, c.d.Amount.Currency),
			Happened: c.last, Opening: c.opened(),
		})
		return err
	case c.lossStands && !c.d.isLost():
		return c.unlose(ctx)
	}
	return nil
}

// contest moves money that came back to the charge (a refund that failed, another dispute that was won) to the disputed
// account, while the bank has withdrawn more than is booked there.
func (c *course) contest(ctx context.Context, look int64) error {
	if c.opening == 0 || c.d.WithdrawnMinor <= 0 {
		return nil
	}
	p, err := c.src.Position(ctx, c.tx, c.src.Provider, c.src.Amount.Currency)
	left := p.Funds + p.Owed + p.Held
	if err != nil || left == 0 {
		return err
	}
	alone, err := ledger.Uncontested(ctx, c.tx, c.opening)
	if left = min(left, alone); err != nil || left <= 0 {
		return err
	}
	if c.lossStands {
		if err := c.unlose(ctx); err != nil {
			return err
		}
	}
	if err := refunds.BeforeDispute(ctx, c.tx, c.src, c.now); err != nil {
		return err
	}
	c.moved = true
	_, err = c.post(ctx, ledger.Movement{
		Kind: ledger.DisputeContested, Reference: fmt.Sprintf("%s:%d", c.d.ProviderRef, look),
		Amount: money.New(left, c.d.Amount.Currency), Happened: c.now, Opening: c.opened(),
	})
	return err
}

// unlose reverses a loss: the money is on hold again, and refunds that the loss had ended wait again.
func (c *course) unlose(ctx context.Context) error {
	lost, err := ledger.TransactionOf(ctx, c.tx, c.src.Provider, ledger.DisputeLost, c.d.lossRef())
	if err != nil || lost == nil {
		return err
	}
	amount, err := ledger.AmountOf(ctx, c.tx, *lost)
	if err != nil {
		return err
	}
	c.lossStands = false
	_, err = c.post(ctx, ledger.Movement{
		Kind: ledger.DisputeLostReversed, Reference: c.d.lossRef(), Amount: amount, Opening: lost,
		Reason: string(ledger.DisputeLost), Happened: c.now,
	})
	if err != nil {
		return err
	}
	return refunds.AfterAppeal(ctx, c.tx, c.src, c.d.ProviderRef, c.now)
}
