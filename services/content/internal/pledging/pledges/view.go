package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/campaign/campaigns"
)

// View is a pledge as its backer sees it: receipt, state and the campaign it went to.
type View struct {
	ID         string
	CampaignID int64
	RewardID   *int64
	Status     Status
	Price
	AmountRefundedMinor int64 // in Amount's currency
	ChargedMinor        int64 // more than Amount after a change
	ChangeRefundedMinor int64 // what has gone back of the difference
	RefundReason        string
	Quantity            int
	Email               string
	FirstName, LastName string
	VATTenths           int // the rate of what was bought; 0 for none
	Anonymous           bool
	ReservedUntil       time.Time
	CreatedAt           time.Time
	ReceiptNumber       string
	BackerNumber        int // of who has become a backer with it, 0 else
	NthPledge           int // which of the person's pledges to the campaign it is, in the order of payment; 0 until it is paid
	PaidAt              *time.Time
	PaymentMethod       string
	Delivery            string
	RewardLanguage      string                // of the reward's title, as it was bought; empty where that is not known
	Preview             json.RawMessage       // CampaignPreview of the contract
	FundingRule         campaigns.FundingRule // of the campaign; empty of one that has just been made
}

// shownNumber is a backer's number as they may know it, 0 for none: it tells how many backers a campaign k has had, which some hide.
const shownNumber = `CASE WHEN k.hide_member_count THEN 0 ELSE coalesce(p.backer_number, 0) END`

// nthPledge counts along the index pledges_of_person.
var nthPledge = `CASE WHEN p.paid_at IS NULL THEN 0 ELSE (SELECT count(*) FROM pledges q WHERE q.campaign_id = p.campaign_id
	AND ` + campaigns.PersonOf("q") + ` = ` + campaigns.PersonOf("p") + ` AND q.paid_at IS NOT NULL AND (q.paid_at, q.id) <= (p.paid_at, p.id)) END`

// View reads a pledge; who may see it is for callers (holders.Guard). Error: ErrUnknown.
func (s *Service) View(ctx context.Context, id, language string) (View, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return View{}, ErrUnknown
	}
	var v struct {
		View
		LinesJSON   []byte
		PreviewJSON []byte
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT p.id, p.campaign_id, p.reward_id, p.status, p.amount_minor, p.amount_refunded_minor, p.refund_reason,
		       coalesce(p.charged_minor, p.amount_minor) AS charged_minor, p.change_refunded_minor,
		       p.currency AS amount_currency, p.quantity, p.lines AS lines_json, p.vat_minor, p.email, p.first_name, p.last_name,
		       coalesce(CAST(p.bought ->> 'vat_tenths' AS int), 0) AS vat_tenths, p.anonymous,
		       p.reserved_until, p.created_at, coalesce(p.receipt_number, '') AS receipt_number, `+shownNumber+` AS backer_number, `+nthPledge+` AS nth_pledge,
		       p.paid_at, p.payment_method, coalesce(p.bought ->> 'delivery', '') AS delivery, coalesce(p.bought ->> 'language', '') AS reward_language, c.preview AS preview_json, k.funding_rule
		FROM pledges p
		JOIN campaigns k ON k.id = p.campaign_id
		JOIN campaign_previews c ON c.campaign_id = p.campaign_id AND c.language = ?
		WHERE p.id = ?`, language, id).Scan(&v)
	if found.Error != nil {
		return View{}, fmt.Errorf("read pledge: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return View{}, ErrUnknown
	}
	if err := json.Unmarshal(v.LinesJSON, &v.Lines); err != nil {
		return View{}, fmt.Errorf("decode lines of a pledge: %w", err)
	}
	v.Preview = v.PreviewJSON
	return v.View, nil
}
