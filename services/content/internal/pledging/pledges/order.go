package pledges

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
)

// Order reads what is to be paid for a pledge or a raise of one, as the payment service copies it. Error: ErrUnknown.
func (s *Service) Order(ctx context.Context, id string) (internalapi.Order, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return internalapi.Order{}, ErrUnknown
	}
	type order struct {
		campaigns.Standing
		SubjectID, Currency, Language, Email, Name, CampaignTitle, Description string
		AmountMinor, CampaignID                                                int64
		PayeeUserID, BackerUserID                                              *int64
		Status                                                                 Status
		PayableUntil, CreatedAt                                                time.Time
	}
	found, err := dbx.Select[order](ctx, s.db, `
		SELECT p.id AS subject_id, p.status, p.amount_minor, p.currency, p.language, p.email,
		       p.first_name || ' ' || p.last_name AS name, p.campaign_id, c.stage, c.hold,
		       coalesce(v.preview ->> 'title', '') AS campaign_title,
		       coalesce((v.preview ->> 'title') || ': ' || (p.lines -> 0 ->> 'label'), '') AS description,
		       t.user_id AS payee_user_id, p.user_id AS backer_user_id, p.reserved_until AS payable_until, p.created_at
		FROM pledges p
		JOIN campaigns c ON c.id = p.campaign_id
		JOIN campaign_previews v ON v.campaign_id = p.campaign_id AND v.language = p.language
		LEFT JOIN campaign_team t ON t.campaign_id = p.campaign_id AND t.position = 0
		WHERE p.id = @id`, pgx.NamedArgs{"id": id})
	if err != nil {
		return internalapi.Order{}, fmt.Errorf("read order: %w", err)
	}
	if len(found) == 0 {
		return s.raiseOrder(ctx, id)
	}
	o := found[0]
	state := orderState(o.Status, o.Standing, s.now().Before(o.PayableUntil))
	if o.Status == Created { // whoever asks begins its payment, and with that it is held for the usual time
		o.PayableUntil = o.CreatedAt.Add(s.hold)
	}
	return internalapi.Order{SubjectKind: internalapi.Pledge, SubjectID: o.SubjectID, State: state, AmountMinor: o.AmountMinor,
		Currency: o.Currency, Language: o.Language, Email: o.Email, Name: o.Name, CampaignID: o.CampaignID, CampaignTitle: o.CampaignTitle,
		Description: o.Description, PayeeUserID: o.PayeeUserID, BackerUserID: o.BackerUserID, PayableUntil: o.PayableUntil,
		ReturnPath: languages.Prefix(o.Language) + "payment-return/?pledge=" + url.QueryEscape(o.SubjectID)}, nil
}

// orderState says whether a pledge is to be paid. It is payable while it waits, its reservation holds and its campaign is
// open; paid when its money is here, or was and went back; else closed, also while its bank is at it already.
func orderState(status Status, standing campaigns.Standing, isHeld bool) internalapi.OrderState {
	switch status {
	case Paid, PartlyRefunded, Refunded, Disputed:
		return internalapi.Paid
	case Created, AwaitingPayment:
		if isHeld && standing.Takes(campaigns.StageFunding) {
			return internalapi.Payable
		}
	case Processing, Failed, Expired, Withdrawn:
	}
	return internalapi.Closed
}

// raiseOrder is Order of the further charge of a pledge. It is payable while its pledge is what it was when the change was asked for.
func (s *Service) raiseOrder(ctx context.Context, id string) (internalapi.Order, error) {
	var r struct {
		PledgeID              string
		Status                Status
		AmountMinor           int64
		ReservedUntil         time.Time
		Title                 string
		IsReleased, IsCurrent bool
		Standing              campaigns.Standing `gorm:"embedded"`
	}
	found := s.db.WithContext(ctx).Raw(`
		SELECT r.pledge_id, r.status, r.amount_minor, r.reserved_until, r.lines -> 0 ->> 'label' AS title, r.released_at IS NOT NULL AS is_released,
		       p.status = 'paid' AND p.amount_minor = r.from_minor AND (SELECT count(*) FROM pledge_changes WHERE pledge_id = p.id) = r.number AS is_current,
		       c.stage, c.hold
		FROM pledge_raises r JOIN pledges p ON p.id = r.pledge_id JOIN campaigns c ON c.id = p.campaign_id WHERE r.id = ?`, id).Scan(&r)
	if found.Error != nil {
		return internalapi.Order{}, fmt.Errorf("read the order of a raise: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return internalapi.Order{}, ErrUnknown
	}
	o, err := s.Order(ctx, r.PledgeID)
	if err != nil {
		return internalapi.Order{}, err
	}
	o.SubjectID, o.PledgeID, o.AmountMinor, o.PayableUntil = id, &r.PledgeID, r.AmountMinor, r.ReservedUntil
	o.Description = o.CampaignTitle + ": " + r.Title
	o.ReturnPath = languages.Prefix(o.Language) + "payment-return/?pledge=" + url.QueryEscape(id)
	o.State = orderState(r.Status, r.Standing, s.now().Before(r.ReservedUntil))
	if o.State == internalapi.Payable && (r.IsReleased || !r.IsCurrent) {
		o.State = internalapi.Closed
	}
	return o, nil
}
