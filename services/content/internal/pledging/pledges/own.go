package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// Own is a pledge as its person sees it in the list of their own.
type Own struct {
	View
	NameShown   NameShown
	HideAmount  bool   // from others
	RewardTitle string // as it was bought; empty for support without a reward
	PromisedAt  time.Time
	ChargedAt   *time.Time // when the backer paid; their bank may still have been confirming it
	RefundedAt  *time.Time // the last time that money went back
	FailedAt    *time.Time // when the bank refused
	Shipping    *Shipping  // nil when nothing is sent
	Withdrawal  Withdrawal
	Choice      ChoiceState
	Changes     int // how often its choice was changed
	ChangedAt   *time.Time
	Parts       Parts
	Raise       *Raise   // that waits for its money, nil for none
	Charges     []Charge // what was paid for it, in order, where that is more than one
	// ContestedMinor is what a bank has of it, for now or for good, of a pledge that is disputed, or was taken back.
	ContestedMinor int64
}

// Group is a part of a person's pledges; empty is all of them.
type Group string

// The groups.
const (
	GoingOn Group = "going_on" // money is asked for, on its way or held
	Over    Group = "over"     // it went back or is about to, or the bank refused
)

// Sums is what a person's pledges in one currency come to, in minor units, and how many there are of each group.
type Sums struct {
	Currency                                                money.Currency
	GoingOn, Over                                           int
	HeldMinor, OnItsWayMinor, ContestedMinor, ReturnedMinor int64
}

// ownSQL are a person's pledges: those made signed in, and those that were made with their confirmed address without signing
// in. The indexes pledges_user and pledges_unsigned_by_address serve it. What was never paid in time is left out.
const ownSQL = `
	WITH own AS (
		SELECT id, campaign_id, status, created_at, currency, amount_minor, amount_refunded_minor, change_refunded_minor, uncontested_minor FROM pledges
		WHERE user_id = @user AND status <> 'expired'
		UNION ALL
		SELECT g.id, g.campaign_id, g.status, g.created_at, g.currency, g.amount_minor, g.amount_refunded_minor, g.change_refunded_minor, g.uncontested_minor
		FROM users u JOIN pledges g ON lower(g.email) = lower(u.email)
		WHERE u.id = @user AND u.verified AND g.user_id IS NULL AND g.status NOT IN ('created', 'awaiting_payment', 'expired'))`

// isOver is the condition of the group Over.
const isOver = `status IN ('refunded', 'withdrawn', 'failed')`

// isCreators is the condition of what is its campaign's creator's since it ended: it is held by us no more.
const isCreators = `EXISTS (SELECT FROM campaign_endings e WHERE e.campaign_id = own.campaign_id AND e.goes_to = 'creator')`

// sumsSQL counts each charge of a disputed pledge where it is. A further charge that a bank confirms is no part of its pledge yet.
const sumsSQL = ownSQL + `
	SELECT currency, count(*) FILTER (WHERE NOT ` + isOver + `) AS going_on, count(*) FILTER (WHERE ` + isOver + `) AS over,
	       coalesce(sum(CASE status WHEN 'disputed' THEN uncontested_minor ELSE amount_minor - amount_refunded_minor END)
	           FILTER (WHERE status IN ('paid', 'partly_refunded', 'disputed') AND NOT ` + isCreators + `), 0)::bigint AS held_minor,
	       coalesce(sum(amount_minor) FILTER (WHERE status = 'processing'), 0)::bigint
	           + coalesce(sum((SELECT amount_minor FROM pledge_raises WHERE pledge_id = own.id AND ` + isOpen + ` AND status = 'processing')), 0)::bigint AS on_its_way_minor,
	       coalesce(sum(amount_minor - amount_refunded_minor - uncontested_minor) FILTER (WHERE status = 'disputed'), 0)::bigint AS contested_minor,
	       sum(amount_refunded_minor + change_refunded_minor)::bigint AS returned_minor
	FROM own GROUP BY currency ORDER BY currency`

// pageSQL reads a page of them, or the one that @id names.
const pageSQL = ownSQL + pageOfOwn

const pageOfOwn = `
	SELECT p.id, p.campaign_id, p.reward_id, p.status, p.amount_minor, p.currency, p.amount_refunded_minor, p.refund_reason,
	       coalesce(p.charged_minor, p.amount_minor) AS charged_minor, p.change_refunded_minor, k.hold <> '' AS is_on_hold, y.changes, y.changed_at,
	       p.quantity, p.lines, p.vat_minor, p.email, p.first_name, p.last_name, p.anonymous, p.last_name_initial, p.hide_amount,
	       p.reserved_until, coalesce(p.receipt_number, '') AS receipt_number, ` + shownNumber + ` AS backer_number,
	       p.paid_at, p.payment_method, p.created_at, p.details, p.bought, v.preview, k.funding_rule, p.released_at, p.uncontested_minor, ` + withdrawal.Columns + `,
	       x.charged_at, x.refunded_at, x.failed_at,
	       (` + packedSQL + `) AS packed_at, z.raises, ` + contestedSQL + ` AS contested_minor
	FROM (SELECT id FROM own WHERE (@id = '' OR id = @id) AND (@group = '' OR (@group = 'over') = (` + isOver + `))
		ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset) o
	JOIN pledges p ON p.id = o.id
	JOIN campaigns k ON k.id = p.campaign_id
	JOIN campaign_previews v ON v.campaign_id = p.campaign_id AND v.language = @language` + withdrawal.Joins + `
	CROSS JOIN LATERAL (
		SELECT min(at) FILTER (WHERE to_status IN ('processing', 'paid')) AS charged_at,
		       max(at) FILTER (WHERE to_status IN ('refunded', 'partly_refunded')) AS refunded_at,
		       max(at) FILTER (WHERE to_status = 'failed') AS failed_at
		FROM pledge_transitions WHERE pledge_id = p.id) x
	CROSS JOIN LATERAL (SELECT count(*) AS changes, max(at) AS changed_at FROM pledge_changes WHERE pledge_id = p.id) y
	CROSS JOIN LATERAL (SELECT ` + raisesJSON + ` AS raises FROM pledge_raises WHERE pledge_id = p.id AND (status = 'paid' OR ` + isOpen + `)) z
	ORDER BY p.created_at DESC, p.id`

// ownRow is a row of pageSQL.
type ownRow struct {
	ID                              string
	CampaignID                      int64
	RewardID                        *int64
	Status                          Status
	AmountMinor                     int64
	Currency                        money.Currency
	AmountRefundedMinor             int64
	UncontestedMinor                int64
	ContestedMinor                  int64
	RefundReason                    string
	ChargedMinor                    int64
	ChangeRefundedMinor             int64
	IsOnHold                        bool
	Changes                         int
	ChangedAt                       *time.Time
	Quantity                        int
	Lines                           json.RawMessage
	VATMinor                        int64
	Email, FirstName, LastName      string
	Anonymous, LastNameInitial      bool
	HideAmount                      bool
	ReservedUntil                   time.Time
	ReceiptNumber                   string
	BackerNumber                    int
	PaidAt                          *time.Time
	PaymentMethod                   string
	CreatedAt                       time.Time
	Details, Bought, Preview        json.RawMessage
	ChargedAt, RefundedAt, FailedAt *time.Time
	PackedAt                        *time.Time
	Raises                          json.RawMessage
	FundingRule                     campaigns.FundingRule
	ReleasedAt                      *time.Time
	withdrawal.Facts
}

// OwnPage is a page of a person's pledges and what all of them come to.
type OwnPage struct {
	List []Own
	Sums []Sums // by currency
}

// ListOwn reads a page of a person's pledges, the latest first, with the sums of all, in two statements.
func (s *Service) ListOwn(ctx context.Context, userID int64, language string, group Group, limit, offset int) (
	page OwnPage, err error) {
	if page.Sums, err = dbx.Select[Sums](ctx, s.db, sumsSQL, pgx.NamedArgs{"user": userID}); err != nil {
		return OwnPage{}, fmt.Errorf("add up pledges of user %d: %w", userID, err)
	}
	page.List, err = s.readOwn(ctx, pageSQL, pgx.NamedArgs{"user": userID, "language": language, "id": "", "group": string(group),
		"limit": limit, "offset": offset})
	return page, err
}

// own reads one of a person's pledges. Error: ErrUnknown, also for another's.
func (s *Service) own(ctx context.Context, userID int64, id, language string) (Own, error) {
	list, err := s.readOwn(ctx, pageSQL, pgx.NamedArgs{"user": userID, "language": language, "id": id, "group": "", "limit": 1, "offset": 0})
	if err == nil && len(list) == 0 {
		err = ErrUnknown
	}
	if err != nil {
		return Own{}, err
	}
	return list[0], nil
}

func (s *Service) readOwn(ctx context.Context, query string, args pgx.NamedArgs) ([]Own, error) {
	rows, err := dbx.Select[ownRow](ctx, s.db, query, args)
	if err != nil {
		return nil, fmt.Errorf("list own pledges: %w", err)
	}
	list := make([]Own, len(rows))
	for i, row := range rows {
		if list[i], err = s.ownOf(row); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (s *Service) ownOf(r ownRow) (Own, error) {
	o := Own{View: View{ID: r.ID, CampaignID: r.CampaignID, RewardID: r.RewardID, Status: r.Status,
		Price:               Price{Amount: money.New(r.AmountMinor, r.Currency), VATMinor: r.VATMinor},
		AmountRefundedMinor: r.AmountRefundedMinor, RefundReason: r.RefundReason, ChargedMinor: r.ChargedMinor,
		ChangeRefundedMinor: r.ChangeRefundedMinor, Quantity: r.Quantity, Email: r.Email,
		FirstName: r.FirstName, LastName: r.LastName, Anonymous: r.Anonymous, ReservedUntil: r.ReservedUntil, ReceiptNumber: r.ReceiptNumber,
		BackerNumber: r.BackerNumber, PaidAt: r.PaidAt, PaymentMethod: r.PaymentMethod, Preview: r.Preview, FundingRule: r.FundingRule},
		NameShown: nameShown(r.Anonymous, r.LastNameInitial), HideAmount: r.HideAmount, PromisedAt: r.CreatedAt,
		ChargedAt: r.ChargedAt, RefundedAt: r.RefundedAt,
		Changes: r.Changes, ChangedAt: r.ChangedAt, ContestedMinor: r.ContestedMinor,
		Withdrawal: withdrawalOf(r.Status, r.UncontestedMinor, r.ReleasedAt, r.Facts, s.now(), s.zone)}
	if r.Status == Failed {
		o.FailedAt = r.FailedAt
	}
	if err := o.addRaises(r.Raises); err != nil {
		return Own{}, err
	}
	raised := Status("")
	if o.Raise != nil {
		raised = o.Raise.Status
	}
	o.Choice = choiceOf(r.Status, raised, r.IsOnHold, r.Facts, s.now())
	if err := json.Unmarshal(r.Lines, &o.Lines); err != nil {
		return Own{}, fmt.Errorf("decode lines of a pledge: %w", err)
	}
	if len(r.Bought) == 0 {
		o.Parts = Parts{ExtraMinor: r.AmountMinor}
		return o, nil
	}
	var bought rewards.Bought
	if err := json.Unmarshal(r.Bought, &bought); err != nil {
		return Own{}, fmt.Errorf("decode what is bought: %w", err)
	}
	o.RewardTitle, o.RewardLanguage, o.Delivery = bought.Title, bought.Language, bought.Delivery
	o.Parts = partsOf(o.Price, r.Quantity, bought.AmountMinor)
	if bought.NeedsAddress && r.Status.HoldsStock() {
		var meta Meta
		if err := json.Unmarshal(r.Details, &meta); err != nil {
			return Own{}, fmt.Errorf("decode details: %w", err)
		}
		o.Shipping = &Shipping{meta.address(), lockOf(bought.Delivery, r.PackedAt, s.now(), s.zone)}
	}
	return o, nil
}
