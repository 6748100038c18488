package mangopay

import (
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// Types and natures of transactions. docs.mangopay.com/api-reference/transactions/transaction-object
const (
	typePayIn    = "PAYIN"
	typePayOut   = "PAYOUT"
	typeTransfer = "TRANSFER"

	regular     = "REGULAR"
	refunded    = "REFUND"
	repudiation = "REPUDIATION"
	settlement  = "SETTLEMENT"
)

// Kinds of the platform's own wallets; with the currency behind it, such a word is the wallet's id.
const (
	clientFees   = "FEES"
	clientCredit = "CREDIT"
)

// transaction is what every movement has in lists and reports.
//
//nolint:revive // the wire's
type transaction struct {
	Id               string
	Tag              string
	ExecutionDate    *int64
	DebitedFunds     funds
	CreditedFunds    funds
	Status           string
	ResultCode       string
	Type             string
	Nature           string
	DebitedWalletId  string
	CreditedWalletId string
}

// slackOfLists is how long after it was made a transaction may be executed and still be found: lists go by when they were made.
const slackOfLists = 24 * time.Hour

// EachLine walks what moved the wallets in [from, to): users' by a report, the platform's own by their lists.
func (c *Client) EachLine(ctx context.Context, from, to time.Time, fn func(provider.Line) error) error {
	tell := func(t transaction, isOwn bool) error {
		if t.outcome() != succeeded || at(*t.ExecutionDate).Before(from) || !at(*t.ExecutionDate).Before(to) {
			return nil
		}
		for _, l := range t.lines(isOwn) {
			l.IsBrief = !isOwn // a report has no tags
			if err := c.name(ctx, &l); err != nil {
				return err
			}
			if err := fn(l); err != nil {
				return err
			}
		}
		return nil
	}
	if err := c.eachReported(ctx, from, to, func(t transaction) error { return tell(t, false) }); err != nil {
		return err
	}
	var own []struct {
		FundsType string
		Currency  string
	}
	err := each(ctx, c, "list the platform's wallets", "/clients/wallets", url.Values{}, func(w struct {
		FundsType string
		Currency  string
	}) error {
		own = append(own, w)
		return nil
	})
	for _, w := range own {
		if err != nil {
			return err
		}
		query := url.Values{"Status": {succeeded}, "AfterDate": {strconv.FormatInt(from.Add(-slackOfLists).Unix()-1, 10)},
			"BeforeDate": {strconv.FormatInt(to.Unix(), 10)}}
		err = each(ctx, c, "list what moved "+w.FundsType, "/clients/wallets/"+w.FundsType+"/"+w.Currency+"/transactions", query,
			func(t transaction) error { return tell(t, true) })
	}
	return err
}

// lines are what a transaction did to users' wallets, or to the platform's own.
func (t transaction) lines(isOwn bool) (out []provider.Line) {
	if t.Type == typeTransfer && (t.Nature == regular || t.Nature == refunded) && !isOwn {
		return t.transferLines()
	}
	for _, side := range []struct {
		wallet string
		amount money.Amount
	}{{t.DebitedWalletId, money.New(-t.DebitedFunds.Amount, t.DebitedFunds.amount().Currency)}, {t.CreditedWalletId, t.CreditedFunds.amount()}} {
		place, isPlatforms := placeOf(side.wallet)
		if side.wallet == "" || isPlatforms != isOwn {
			continue
		}
		out = append(out, provider.Line{Ref: t.Id, Kind: t.lineKind(isOwn), Place: place, Raw: t.Type + " " + t.Nature, Source: t.Id, Tag: tagOf(t.Tag),
			Amount: side.amount, Fee: money.New(0, side.amount.Currency), Happened: at(*t.ExecutionDate)})
	}
	return out
}

// transferLines are what a transfer did, or one that undoes it: what left for another wallet, and the fees, which are ours and go to another place of our
// balance, or come from there. The platform's own lists do not tell of these. One of the two wallets is a creator's own, which is none of ours.
func (t transaction) transferLines() (out []provider.Line) {
	currency := money.Currency(t.DebitedFunds.Currency)
	fee := t.DebitedFunds.Amount - t.CreditedFunds.Amount
	line := func(kind provider.LineKind, source, place string, minor int64) {
		if minor != 0 {
			out = append(out, provider.Line{Ref: source, Kind: kind, Place: place, Raw: t.Type + " " + t.Nature, Source: source, Tag: tagOf(t.Tag),
				Amount: money.New(minor, currency), Fee: money.New(0, currency), Happened: at(*t.ExecutionDate)})
			if kind == provider.LineTransferBack {
				out[len(out)-1].Money, out[len(out)-1].From = t.DebitedWalletId, t.DebitedWalletId
			}
		}
	}
	line(provider.LineTransfer, t.Id, t.DebitedWalletId, -t.CreditedFunds.Amount)
	line(provider.LineTransferFee, provider.TransferFeeRef(t.Id), t.DebitedWalletId, -fee)
	line(provider.LineTransferFee, provider.TransferFeeRef(t.Id), placeFees, fee)
	line(provider.LineTransferBack, t.Id, t.CreditedWalletId, t.DebitedFunds.Amount)
	line(provider.LineTransferFee, provider.TransferFeeRef(t.Id), t.CreditedWalletId, -fee)
	return out
}

// placeOf is the part of our balance that a wallet is, and whether it is the platform's own.
func placeOf(wallet string) (place string, isPlatforms bool) {
	switch kind, _, _ := strings.Cut(wallet, "_"); kind {
	case clientFees:
		return placeFees, true
	case clientCredit:
		return placeRepudiation, true
	}
	return wallet, false
}

func (t transaction) lineKind(isOwn bool) provider.LineKind {
	switch {
	case t.Nature == settlement:
		return provider.LineMove
	case isOwn && (t.Nature == repudiation || t.Nature == refunded):
		return provider.LineDispute
	case isOwn && t.Nature == regular && t.Type == typePayIn:
		return provider.LineTopUp
	case isOwn && t.Nature == regular && t.Type == typePayOut:
		return provider.LinePayout
	case !isOwn && t.Nature == regular && t.Type == typePayIn:
		return provider.LineCharge
	case !isOwn && t.Nature == refunded && t.Type == typePayOut && t.DebitedWalletId != "": // of a payout that came back it is credited
		return provider.LineRefund
	}
	return provider.LineOther
}

// name says which payment a line is of, as far as its own id says. There are few disputes, so that they are read one by one.
func (c *Client) name(ctx context.Context, l *provider.Line) error {
	id := l.Source
	switch l.Kind {
	case provider.LineCharge:
		l.Money = l.Ref
		return nil
	case provider.LineMove:
		var of struct{ RepudiationId string } //nolint:revive // the wire's
		if err := c.get(ctx, "read settlement "+id, "/settlements/"+id, &of); err != nil {
			return err
		}
		id = of.RepudiationId
	case provider.LineDispute:
		if l.Raw != typePayIn+" "+refunded {
			break
		}
		var of struct{ InitialTransactionId string } //nolint:revive // the wire's
		if err := c.get(ctx, "read refund "+id, "/refunds/"+id, &of); err != nil {
			return err
		}
		id = of.InitialTransactionId
	default:
		return nil
	}
	var of struct{ DisputeId string } //nolint:revive // the wire's
	if err := c.get(ctx, "read repudiation "+id, "/repudiations/"+id, &of); err != nil {
		return err
	}
	var d dispute
	if err := c.get(ctx, "read dispute "+of.DisputeId, "/disputes/"+of.DisputeId, &d); err != nil {
		return err
	}
	l.Money = d.InitialTransactionId
	if l.Kind == provider.LineDispute {
		if l.Source = d.Id; d.isReturned() {
			l.Kind = provider.LineReturned
		}
	}
	return nil
}
