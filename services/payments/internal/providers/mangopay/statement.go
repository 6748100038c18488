package mangopay

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/payments/internal/provider"
)

// EachPayment walks the pay-ins that events of the last 45 days tell of, as briefly as these do.
func (c *Client) EachPayment(ctx context.Context, since time.Time, fn func(provider.Snapshot) error) error {
	states := map[string]provider.State{created: provider.Processing, succeeded: provider.Succeeded, failed: provider.Ended}
	return c.eachTold(ctx, "PAYIN_NORMAL_", since, func(id, status string, told time.Time) error {
		return fn(provider.Snapshot{Ref: provider.Ref{Object: id, Money: id}, State: states[status], Created: told, IsBrief: true})
	})
}

// EachRefund walks the refunds that events of the last 45 days tell of. Those that were refused are none, which only the refund itself
// says.
func (c *Client) EachRefund(ctx context.Context, since time.Time, fn func(provider.Refund) error) error {
	return c.eachTold(ctx, "PAYIN_REFUND_", since, func(id, status string, told time.Time) error {
		switch status {
		case created:
			return fn(provider.Refund{Ref: id, State: provider.RefundPending, Happened: told})
		case succeeded:
			return fn(provider.Refund{Ref: id, State: provider.RefundSucceeded, Happened: told})
		}
		var r refund
		err := c.get(ctx, "read refund "+id, "/refunds/"+id, &r)
		if errors.Is(err, provider.ErrNotFound) || err == nil && r.wasRefused() {
			return nil
		}
		if err != nil {
			return err
		}
		return fn(r.of())
	})
}

// eachTold walks the objects that events of a family tell of, newest first: their ids and statuses. One whose end comes after what was said
// of it before is said again.
func (c *Client) eachTold(ctx context.Context, family string, since time.Time, fn func(id, status string, told time.Time) error) error {
	query := url.Values{"EventType": {family + created + "," + family + succeeded + "," + family + failed},
		"AfterDate": {strconv.FormatInt(since.Unix()-1, 10)}, "Sort": {"Date:DESC"}}
	type event struct {
		ResourceId, EventType string //nolint:revive // the wire's
		Date                  int64
	}
	said := map[string]bool{} // ids, with whether it was the end
	return each(ctx, c, "list events of "+family, "/events", query, func(e event) error {
		status, isOf := strings.CutPrefix(e.EventType, family)
		hasEnded, before := said[e.ResourceId]
		isEnd := status == succeeded || status == failed
		if !isOf || !isID(e.ResourceId) || hasEnded || before && !isEnd || !isEnd && status != created {
			return nil
		}
		said[e.ResourceId] = isEnd
		return fn(e.ResourceId, status, at(e.Date))
	})
}

// EachDispute walks the disputes opened since a moment, newest first, without what was moved for them afterwards.
func (c *Client) EachDispute(ctx context.Context, since time.Time, fn func(provider.Dispute) error) error {
	query := url.Values{"AfterDate": {strconv.FormatInt(since.Unix()-1, 10)}}
	return each(ctx, c, "list disputes", "/disputes", query, func(d dispute) error { return fn(d.of()) })
}
