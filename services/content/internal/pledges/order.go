package pledges

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/languages"
)

// OrderState says whether a pledge is to be paid; the same words as in the internal contract.
type OrderState string

// The states of an order.
const (
	OrderPayable OrderState = "payable" // it waits, its reservation holds and its campaign is open
	OrderPaid    OrderState = "paid"    // its money is here, or was and went back
	OrderClosed  OrderState = "closed"  // nobody shall pay it any more, or its bank is at it already
)

// Order is what is to be paid for a pledge, as the payment service copies it.
type Order struct {
	PledgeID      string
	State         OrderState   `gorm:"-"`
	Amount        money.Amount `gorm:"embedded;embeddedPrefix:amount_"`
	Description   string       // what the backer's statement and the payment page say
	Language      string
	Email         string
	Name          string
	CampaignID    int64
	CampaignTitle string
	PayeeUserID   int64
	ReturnPath    string `gorm:"-"` // where a hosted page sends the backer back to: /en/payment-return/?pledge=…
	PayableUntil  time.Time
}

// Order reads what is to be paid. Error: ErrUnknown.
func (s *Service) Order(ctx context.Context, id string) (Order, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return Order{}, ErrUnknown
	}
	var o struct {
		Order
		Status    Status
		Stage     campaigns.Stage
		CreatedAt time.Time
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT p.id AS pledge_id, p.status, p.amount_minor, p.currency AS amount_currency, p.language, p.email,
		       p.first_name || ' ' || p.last_name AS name, p.campaign_id, c.stage,
		       v.preview ->> 'title' AS campaign_title, (v.preview ->> 'title') || ': ' || (p.lines -> 0 ->> 'label') AS description,
		       t.user_id AS payee_user_id, p.reserved_until AS payable_until, p.created_at
		FROM pledges p
		JOIN campaigns c ON c.id = p.campaign_id
		JOIN campaign_previews v ON v.campaign_id = p.campaign_id AND v.language = p.language
		LEFT JOIN campaign_team t ON t.campaign_id = p.campaign_id AND t.position = 0
		WHERE p.id = ?`, id).Scan(&o)
	if found.Error != nil {
		return Order{}, fmt.Errorf("read order: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return Order{}, ErrUnknown
	}
	o.State = orderState(o.Status, o.Stage, s.now().Before(o.PayableUntil))
	if o.Status == Created { // whoever asks begins its payment, and with that it is held for the usual time
		o.PayableUntil = o.CreatedAt.Add(s.hold)
	}
	o.ReturnPath = languages.Prefix(o.Language) + "payment-return/?pledge=" + url.QueryEscape(o.PledgeID)
	return o.Order, nil
}

// orderState is what a pledge's status, its campaign's stage and its reservation make of its order.
func orderState(status Status, stage campaigns.Stage, isHeld bool) OrderState {
	switch status {
	case Paid, PartlyRefunded, Refunded, Disputed:
		return OrderPaid
	case Created, AwaitingPayment:
		if isHeld && stage == campaigns.StageFunding {
			return OrderPayable
		}
	case Processing, Failed, Expired:
	}
	return OrderClosed
}
