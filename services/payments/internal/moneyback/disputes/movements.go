package disputes

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/book/ledger"
	"talkoot.fi/payments/internal/moneyback/refunds"
	"talkoot.fi/payments/internal/provider"
)

// The movements of our balance that a dispute has caused, as the ledger gets them.

// book enters what the dispute has moved, in the order in which it happened. Error: ledger.ErrDiffers.
func (c *course) book(ctx context.Context) error {
	c.lossStands, c.last = c.d.isLost(), c.one.Opened
	movements := inOrder(c.one.Movements)
	references := make([]string, len(movements))
	for i, m := range movements {
		references[i] = m.Ref
	}
	posted, err := ledger.Find(ctx, c.tx, c.src.Provider, references)
	if err != nil {
		return err
	}
	for _, m := range movements {
		c.last = m.Happened
		if err := sameAsPosted(m, posted); err != nil {
			return fmt.Errorf("dispute %s: %w", c.d.ProviderRef, err)
		}
		// Another currency than the charge's belongs to a conversion, which the comparison with the provider's list brings
		// up.
		if m.Amount.Currency != c.src.Amount.Currency {
			continue
		}
		if err := c.bookMoney(ctx, m); err != nil {
			return err
		}
		if err := c.bookFee(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// sameAsPosted compares a movement with what is posted of it: a provider does not change a movement afterwards, so
// another sum, direction or currency is for a person to look at. What is not posted yet may be news, such as a fee that
// was not known. Error: ledger.ErrDiffers.
func sameAsPosted(m provider.Movement, posted []ledger.Posted) error {
	for _, p := range posted {
		told := m.Amount
		switch {
		case p.Reference != m.Ref:
			continue
		case p.Kind == ledger.DisputeFee || p.Kind == ledger.DisputeFeeReturned:
			told = money.New(-m.Fee.Minor, m.Fee.Currency)
		case p.Kind != ledger.DisputeOpened && p.Kind != ledger.DisputeWon && p.Kind != ledger.DebitReturned:
			continue
		}
		if told != p.Amount {
			return fmt.Errorf("%s %s of %s, posted as %s: %w", p.Kind, m.Ref, told, p.Amount, ledger.ErrDiffers)
		}
	}
	return nil
}

// inOrder sorts movements by their times, in whatever order the provider lists them. Of those of one moment, returns
// come before withdrawals.
func inOrder(movements []provider.Movement) []provider.Movement {
	left := slices.Clone(movements)
	slices.SortStableFunc(left, func(a, b provider.Movement) int {
		return cmp.Or(a.Happened.Compare(b.Happened), cmp.Compare(a.Amount.Minor, b.Amount.Minor))
	})
	out := make([]provider.Movement, 0, len(left))
	for taken := int64(0); len(left) > 0; {
		next := slices.IndexFunc(left, func(m provider.Movement) bool {
			return m.Happened.Equal(left[0].Happened) && m.Amount.Minor > 0 && m.Amount.Minor <= taken
		})
		next = max(next, 0)
		taken -= left[next].Amount.Minor
		out, left = append(out, left[next]), slices.Delete(left, next, next+1)
	}
	return out
}

// bookMoney enters the money of one movement, once.
func (c *course) bookMoney(ctx context.Context, m provider.Movement) error {
	if m.Amount.Minor == 0 {
		return nil
	}
	kind, amount := ledger.DisputeOpened, money.New(-m.Amount.Minor, m.Amount.Currency)
	switch {
	case m.Amount.Minor > 0:
		kind, amount = ledger.DisputeWon, m.Amount
	case c.one.State == provider.DisputeReturned:
		kind = ledger.DebitReturned
	}
	posted, err := ledger.TransactionOf(ctx, c.tx, c.src.Provider, kind, m.Ref)
	if err != nil {
		return err
	}
	if posted == nil && kind == ledger.DisputeWon && c.d.WithdrawnMinor <= 0 {
		// a return without its withdrawal, which we hear of later; if not, the comparison with the provider's list finds it
		return nil
	}
	if posted == nil {
		if c.lossStands {
			if err := c.unlose(ctx); err != nil {
				return err
			}
		}
		if kind != ledger.DisputeWon {
			if err := refunds.BeforeDispute(ctx, c.tx, c.src, c.now); err != nil {
				return err
			}
		}
		if _, err := c.post(ctx, ledger.Movement{Kind: kind, Reference: m.Ref, Place: m.Place, Amount: amount, Happened: m.Happened,
			Opening: c.opened()}); err != nil {
			return err
		}
		c.moved = true
		c.d.WithdrawnMinor -= m.Amount.Minor
		if posted, err = ledger.TransactionOf(ctx, c.tx, c.src.Provider, kind, m.Ref); err != nil {
			return err
		}
	}
	if kind == ledger.DisputeOpened && posted != nil && c.opening == 0 {
		c.opening = *posted
	}
	return nil
}

func (c *course) bookFee(ctx context.Context, m provider.Movement) error {
	if m.Fee.Minor == 0 {
		return nil
	}
	fee := ledger.Movement{Kind: ledger.DisputeFee, Reference: m.Ref, Place: m.Place, Amount: m.Fee, Happened: m.Happened}
	if m.Fee.Minor < 0 {
		fee.Kind, fee.Amount.Minor = ledger.DisputeFeeReturned, -m.Fee.Minor
	}
	isNew, err := c.post(ctx, fee)
	if isNew {
		c.d.FeeMinor += m.Fee.Minor
	}
	return err
}

// opened is the first withdrawal, by which a dispute's movements are found; nil before it.
func (c *course) opened() *int64 {
	if c.opening == 0 {
		return nil
	}
	return &c.opening
}

func (c *course) post(ctx context.Context, m ledger.Movement) (bool, error) {
	m.Provider, m.Of, m.Booked = c.src.Provider, &c.src.Money, c.now
	return ledger.Post(ctx, c.tx, m)
}
