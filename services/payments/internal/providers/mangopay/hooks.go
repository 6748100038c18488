package mangopay

import (
	"context"
	"fmt"
	"strings"

	"talkoot.fi/payments/internal/provider"
)

// ReadHook reads a hook: its type and an object's id in the query, nothing else. Nobody has signed it, so that nothing of it is
// believed. docs.mangopay.com/webhooks
func (c *Client) ReadHook(d provider.Delivery) (provider.Hook, error) {
	kind, object := d.Query.Get("EventType"), d.Query.Get("RessourceId")
	if kind == "" || len(kind) > 100 || strings.Trim(kind, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") != "" || !isID(object) {
		return provider.Hook{}, provider.ErrHook
	}
	h := provider.Hook{Key: kind + ":" + object, Type: kind, About: aboutOf(kind), Object: object, Live: true}
	switch {
	case h.About == provider.AboutPayment, strings.HasPrefix(kind, "PAYOUT_NORMAL_"):
		h.Money = object
	case strings.HasPrefix(kind, "MANDATE_"):
		h.Object = mandatesAt + object
	case strings.HasPrefix(kind, "RECIPIENT_"):
		h.Object = recipientsAt + object
	case strings.HasPrefix(kind, "TRANSFER_NORMAL_"):
		h.Object = transfersAt + object
	}
	return h, nil
}

func aboutOf(kind string) provider.About {
	switch {
	case strings.HasPrefix(kind, "PAYIN_NORMAL_"):
		return provider.AboutPayment
	case strings.HasPrefix(kind, "PAYIN_REFUND_"):
		return provider.AboutRefund
	case strings.HasPrefix(kind, "DISPUTE_") && !strings.HasPrefix(kind, "DISPUTE_DOCUMENT_"):
		return provider.AboutDispute
	case strings.HasPrefix(kind, "MANDATE_"):
		return provider.AboutInstrument
	case strings.HasPrefix(kind, "PAYOUT_NORMAL_"), strings.HasPrefix(kind, "PAYOUT_REFUND_"), strings.HasPrefix(kind, "TRANSFER_NORMAL_"),
		strings.HasPrefix(kind, "TRANSFER_REFUND_"):
		return provider.AboutSent
	case isOfPayee(kind):
		return provider.AboutPayee
	}
	return provider.AboutNothing
}

// isOfPayee: the object is a user, or a verification or a bank account of one.
func isOfPayee(kind string) bool {
	return strings.HasPrefix(kind, "USER_") || strings.HasPrefix(kind, "IDENTITY_VERIFICATION_") || strings.HasPrefix(kind, "SCA_") ||
		strings.HasPrefix(kind, "RECIPIENT_")
}

// MoneyOf reads which pay-in a refund or a dispute is of, which payout a bank has sent back, which transfer was undone, or which wallet a transfer has left.
func (c *Client) MoneyOf(ctx context.Context, about provider.About, object string) (string, error) {
	if id := idAt(transfersAt, object); id != "" && about == provider.AboutSent {
		var of struct{ DebitedWalletId string } //nolint:revive // the wire's
		err := c.get(ctx, "read "+object, "/"+object, &of)
		return of.DebitedWalletId, err
	}
	path := map[provider.About]string{provider.AboutRefund: "/refunds/", provider.AboutSent: "/refunds/", provider.AboutDispute: "/disputes/"}[about]
	if path == "" || !isID(object) {
		return "", fmt.Errorf("%s: %w", about, provider.ErrNotFound)
	}
	var of struct{ InitialTransactionId string } //nolint:revive // the wire's
	err := c.get(ctx, "read "+object, path+object, &of)
	return of.InitialTransactionId, err
}
