package mangopay

import (
	"context"
	"fmt"
	"net/url"
	"strconv"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Reverse moves money from an owner's own wallet to a wallet of a campaign of theirs, where what backers get back of it is taken from. Between two wallets of
// one owner nobody is asked to confirm. docs.mangopay.com/api-reference/transfers/create-transfer
func (c *Client) Reverse(ctx context.Context, o provider.ReversalOrder) (provider.Outgoing, error) {
	var made outgoing
	_, err := c.post(ctx, "take back "+o.Key, "/transfers", o.Key, map[string]any{"AuthorId": o.Payee, "DebitedWalletId": o.At, "CreditedWalletId": o.To,
		"DebitedFunds": fundsOf(o.Amount), "Fees": fundsOf(money.New(0, o.Amount.Currency)), "Tag": o.Tag, "ScaContext": withoutOwner}, &made)
	return made.back(), err
}

// back is an outgoing by what has left the wallet.
func (o outgoing) back() provider.Outgoing {
	out := o.of()
	out.Amount = o.DebitedFunds.amount()
	return out
}

// Reversals lists what has left an owner's own wallet for other wallets: transfers, of which nothing says what they take back, and what undoes a transfer.
// docs.mangopay.com/api-reference/transactions/list-transactions-wallet
func (c *Client) Reversals(ctx context.Context, of provider.Sent) (found []provider.Reversal, err error) {
	if !isID(of.At) {
		return nil, fmt.Errorf("a wallet: %w", provider.ErrNotFound)
	}
	query := url.Values{"Type": {typeTransfer}, "AfterDate": {strconv.FormatInt(of.Since.Add(-slackOfOutgoing).Unix(), 10)}, "ScaContext": {withoutOwner}}
	err = each(ctx, c, "list what left "+of.At, "/wallets/"+of.At+"/transactions", query, func(t outgoing) (err error) {
		if t.DebitedWalletId != of.At || t.Nature != regular && t.Nature != refunded {
			return nil
		}
		one := provider.Reversal{Outgoing: t.back(), Tag: t.Tag, Place: t.CreditedWalletId}
		if t.Nature == refunded { // the list does not say of what
			one.Transfer, err = c.MoneyOf(ctx, provider.AboutSent, t.Id)
		}
		found = append(found, one)
		return err
	})
	return found, err
}

var _ provider.Reversing = (*Client)(nil)
