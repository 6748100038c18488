package mangopay

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// slackOfOutgoing is how far Mangopay's clock may be behind ours when we look for what we have made.
const slackOfOutgoing = time.Hour

// withoutOwner says in our reads that the owner of a wallet is not there. docs.mangopay.com/guides/sca/wallets
const withoutOwner = "USER_NOT_PRESENT"

// outgoing is a transfer or a payout. docs.mangopay.com/api-reference/transfers/transfer-object,
// docs.mangopay.com/api-reference/payouts/payout-object
type outgoing struct {
	transaction
	CreationDate int64
}

func (o outgoing) of() provider.Outgoing {
	out := provider.Outgoing{Ref: o.Id, State: provider.OutgoingPending, Amount: o.CreditedFunds.amount(),
		Fee: money.New(o.DebitedFunds.Amount-o.CreditedFunds.Amount, money.Currency(o.DebitedFunds.Currency)), FeePlace: placeFees, Happened: at(o.CreationDate)}
	switch o.outcome() {
	case succeeded:
		out.State, out.Happened = provider.OutgoingDone, at(*o.ExecutionDate)
	case failed:
		out.State, out.Code = provider.OutgoingRefused, o.ResultCode
	}
	return out
}

// CanPayOut asks whether nothing keeps an owner's money, and their recipient is active. docs.mangopay.com/guides/payouts/recipients
func (c *Client) CanPayOut(ctx context.Context, payee, bank string) error {
	now, err := c.Payee(ctx, payee)
	if err != nil {
		return err
	}
	for _, need := range now.Needs {
		if need.Code != provider.NeedUnblocked { // it keeps nothing from going out
			return provider.NotReadyError{Need: need.Code}
		}
	}
	is, err := c.recipient(ctx, bank)
	if errors.Is(err, provider.ErrNotFound) || err == nil && (is.Status != userActive || is.UserId != payee) {
		return provider.NotReadyError{Need: provider.NeedBankAccount}
	}
	return err
}

// Balance is what is in a user's wallet, if they let us look, or in one of the platform's own. docs.mangopay.com/api-reference/wallets/view-wallet,
// docs.mangopay.com/api-reference/client-wallets/view-client-wallet
func (c *Client) Balance(ctx context.Context, place string) (provider.Held, error) {
	if kind, isOwn := map[string]string{placeFees: clientFees, placeRepudiation: clientCredit}[place]; isOwn {
		var w struct{ Balance funds }
		err := c.get(ctx, "read the platform's wallet "+place, "/clients/wallets/"+kind+"/EUR", &w)
		return provider.Held{All: w.Balance.amount(), Available: w.Balance.amount()}, err
	}
	if !isID(place) {
		return provider.Held{}, fmt.Errorf("a wallet: %w", provider.ErrNotFound)
	}
	var w struct{ Balance funds }
	err := c.get(ctx, "read wallet "+place, "/wallets/"+place+"?ScaContext="+withoutOwner, &w)
	if err == nil && w.Balance.Currency == "" {
		err = translate("read wallet "+place, errBody)
	}
	return provider.Held{All: w.Balance.amount(), Available: w.Balance.amount()}, err
}

// Transfer moves money between two wallets of one owner, which is final at once, and our part of it to the fees.
// docs.mangopay.com/api-reference/transfers/create-transfer
func (c *Client) Transfer(ctx context.Context, o provider.TransferOrder) (provider.Outgoing, error) {
	var made outgoing
	_, err := c.post(ctx, "transfer "+o.Key, "/transfers", o.Key, map[string]any{"AuthorId": o.Payee, "DebitedWalletId": o.From, "CreditedWalletId": o.To,
		"DebitedFunds": fundsOf(money.New(o.Amount.Minor+o.Fee.Minor, o.Amount.Currency)), "Fees": fundsOf(o.Fee), "Tag": o.Tag, "ScaContext": withoutOwner}, &made)
	return made.of(), err
}

// PayOut sends money to a recipient. docs.mangopay.com/api-reference/payouts/create-payout
func (c *Client) PayOut(ctx context.Context, o provider.PayOutOrder) (provider.Outgoing, error) {
	var made outgoing
	_, err := c.post(ctx, "pay out "+o.Key, "/payouts/bankwire", o.Key, map[string]any{"AuthorId": o.Payee, "DebitedWalletId": o.From,
		"DebitedFunds": fundsOf(o.Amount), "Fees": fundsOf(money.New(0, o.Amount.Currency)), "RecipientId": o.Destination, "PaymentType": "BANK_WIRE",
		"Tag": o.Tag}, &made)
	return made.of(), err
}

// FindTransfer looks for a transfer by what is written on it, among those of the wallet that it leaves.
func (c *Client) FindTransfer(ctx context.Context, o provider.TransferOrder) (*provider.Outgoing, error) {
	return c.find(ctx, o.From, typeTransfer, o.Tag, o.Since)
}

// FindPayOut looks for a payout in the same way.
func (c *Client) FindPayOut(ctx context.Context, o provider.PayOutOrder) (*provider.Outgoing, error) {
	return c.find(ctx, o.From, typePayOut, o.Tag, o.Since)
}

func (c *Client) find(ctx context.Context, wallet, kind, tag string, since time.Time) (found *provider.Outgoing, err error) {
	if !isID(wallet) {
		return nil, fmt.Errorf("a wallet: %w", provider.ErrNotFound)
	}
	query := url.Values{"Type": {kind}, "Nature": {regular}, "AfterDate": {strconv.FormatInt(since.Add(-slackOfOutgoing).Unix(), 10)}, "ScaContext": {withoutOwner}}
	err = each(ctx, c, "list what left "+wallet, "/wallets/"+wallet+"/transactions", query, func(o outgoing) error {
		if o.Tag == tag && o.DebitedWalletId == wallet {
			one := o.of()
			found = &one
		}
		return nil
	})
	return found, err
}

// PaidOut reads a payout with what its bank has sent back of it. docs.mangopay.com/api-reference/refunds/list-refunds-payout
func (c *Client) PaidOut(ctx context.Context, _, ref string) (provider.Outgoing, error) {
	if !isID(ref) {
		return provider.Outgoing{}, fmt.Errorf("a payout: %w", provider.ErrNotFound)
	}
	var now outgoing
	if err := c.get(ctx, "read payout "+ref, "/payouts/"+ref, &now); err != nil {
		return provider.Outgoing{}, err
	}
	out := now.of()
	if out.State != provider.OutgoingDone {
		return out, nil
	}
	err := each(ctx, c, "list what came back of payout "+ref, "/payouts/"+ref+"/refunds", url.Values{}, func(r struct {
		transaction
		RefundReason struct{ RefundReasonType string }
	}) error {
		if r.outcome() == succeeded {
			out.Returned = append(out.Returned, provider.Returned{Ref: r.Id, Code: r.RefundReason.RefundReasonType, Amount: r.CreditedFunds.amount(), Happened: at(*r.ExecutionDate)})
		}
		return nil
	})
	if errors.Is(err, provider.ErrNotFound) {
		err = nil
	}
	slices.SortStableFunc(out.Returned, func(a, b provider.Returned) int { return a.Happened.Compare(b.Happened) })
	return out, err
}

var _ provider.MoneyOut = (*Client)(nil)
