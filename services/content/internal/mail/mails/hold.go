package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/blocking"
	"talkoot.fi/content/internal/person/profiles"
)

// KindHold is a mail about a campaign that is on hold, goes on, or was stopped.
const KindHold = "mail.campaign_hold"

// HoldMail is the payload of KindHold.
type HoldMail struct {
	CampaignID int64  `json:"campaign_id"`
	Number     int    `json:"number"` // of campaign_holds
	Email      string `json:"email"`
	FirstName  string `json:"first_name"`
	Language   string `json:"language"`
	Role       string `json:"role"` // backer, supporter, team
}

// holdReceiversSQL are those who are mailed about a hold, each address once for each role: who has paid, who supports monthly, and the
// team. What stops for good ends monthly support, whose own mail says so.
const holdReceiversSQL = `
	SELECT DISTINCT ON (role, lower(email)) role, email, first_name, language FROM (
		SELECT 'backer' AS role, email, first_name, language, created_at FROM pledges
		WHERE campaign_id = @campaign AND status IN ('processing', 'paid', 'partly_refunded', 'disputed')
		UNION ALL
		SELECT 'supporter', s.email, s.first_name, s.language, s.created_at FROM subscriptions s JOIN campaigns c ON c.id = s.campaign_id
		WHERE s.campaign_id = @campaign AND s.status IN ('active', 'past_due', 'paused') AND c.hold <> 'stopped'
		UNION ALL
		SELECT 'team', u.email, u.first_name, u.language, u.created_at FROM campaign_team m JOIN users u ON u.id = m.user_id
		WHERE m.campaign_id = @campaign AND u.blocked_at IS NULL) r
	WHERE email <> '' ORDER BY role, lower(email), created_at DESC`

// mostAtOnce is how many mails one statement adds.
const mostAtOnce = 1000

// TellHold makes the handler that has all be mailed who are to hear of a hold. A repeat mails nobody again.
func TellHold(db *gorm.DB) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var told campaigns.HoldTold
		if err := json.Unmarshal(m.Payload, &told); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
			var receivers []HoldMail
			if err := tx.WithContext(ctx).Raw(holdReceiversSQL, map[string]any{"campaign": told.CampaignID}).Scan(&receivers).Error; err != nil {
				return fmt.Errorf("read who is told of the hold of campaign %d: %w", told.CampaignID, err)
			}
			for len(receivers) > 0 {
				some := receivers[:min(mostAtOnce, len(receivers))]
				receivers = receivers[len(some):]
				messages := make([]outbox.Message, len(some))
				for i, r := range some {
					r.CampaignID, r.Number = told.CampaignID, told.Number
					payload, err := json.Marshal(r)
					if err != nil {
						return fmt.Errorf("encode a mail about campaign %d: %w", told.CampaignID, err)
					}
					messages[i] = outbox.Message{Kind: KindHold, Payload: payload,
						DedupeKey: fmt.Sprintf("%s:%d:%d:%s:%s", KindHold, told.CampaignID, told.Number, r.Role, profiles.NormalEmail(r.Email))}
				}
				if err := outbox.AddAll(ctx, tx, messages); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// Held is the data of a mail about a hold.
type Held struct {
	Language, FirstName, Email string
	Title, URL                 string
	Role, Kind                 string // of HoldMail; on_hold, lifted, stopped
	Reason, Sentence           string
	TellsOn                    *time.Time
	IsMonthly                  bool
	GoesBack                   bool // the campaign has ended, and its money is its backers'
	PaysOut                    bool // it is stopped, and what is its creator's is paid out
}

// deliverHold sends one mail about a hold, in the words that were said then.
func (s *Sender) deliverHold(ctx context.Context, m outbox.Message) error {
	var to HoldMail
	if err := json.Unmarshal(m.Payload, &to); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	var row struct {
		Held
		Slug string
	}
	found := s.o.DB.WithContext(ctx).Raw(`
		SELECT v.preview ->> 'title' AS title, c.slug, c.opens_as = 6 AS is_monthly, h.kind, h.reason, h.sentence, h.tells_on, h.pays_out,
		       EXISTS (SELECT FROM campaign_endings e WHERE e.campaign_id = c.id AND e.goes_to = 'backers') AS goes_back
		FROM campaign_holds h JOIN campaigns c ON c.id = h.campaign_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = @language
		WHERE h.campaign_id = @campaign AND h.number = @number`,
		map[string]any{"campaign": to.CampaignID, "number": to.Number, "language": to.Language}).Scan(&row)
	if found.Error != nil || found.RowsAffected == 0 {
		return found.Error
	}
	h := row.Held
	h.Language, h.FirstName, h.Email, h.Role = to.Language, to.FirstName, to.Email, to.Role
	h.URL = fmt.Sprintf("%s%s%d/%s/", s.o.PublicURL, languages.Prefix(to.Language), to.CampaignID, row.Slug)
	rendered, err := s.renderer.renderHold(h)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderHold(h Held) (Mail, error) {
	h.FirstName, h.Title, h.Sentence = oneLine(profiles.WithoutLinks(h.FirstName)), oneLine(profiles.WithoutLinks(h.Title)), oneLine(h.Sentence)
	return r.fill(KindHold, h.Language, h.Email, h)
}

// Blocked is the data of the mail to who was blocked.
type Blocked struct {
	Language, FirstName, Email string
	Reason                     string
	Campaigns                  []string `gorm:"-"` // that are on hold by it
}

// deliverBlocked tells somebody that their account is blocked; no one else reads mail to an address that is not confirmed and has
// other accounts.
func (s *Sender) deliverBlocked(ctx context.Context, m outbox.Message) error {
	var to blocking.Mail
	if err := json.Unmarshal(m.Payload, &to); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	var b Blocked
	db := s.o.DB.WithContext(ctx)
	found := db.Raw(`
		SELECT language, CASE WHEN verified THEN first_name ELSE '' END AS first_name, email FROM users u WHERE id = ? AND erased_at IS NULL AND blocked_at IS NOT NULL
		AND (verified OR NOT EXISTS (SELECT FROM users o WHERE lower(o.email) = lower(u.email) AND o.id <> u.id))`, to.UserID).Scan(&b)
	if found.Error != nil || found.RowsAffected == 0 {
		return found.Error
	}
	err := db.Raw(`
		SELECT v.preview ->> 'title' FROM campaign_team t JOIN campaigns c ON c.id = t.campaign_id AND c.hold = 'on_hold'
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = ?
		WHERE t.user_id = ? AND t.position = 0 ORDER BY c.id LIMIT 20`, b.Language, to.UserID).Scan(&b.Campaigns).Error
	if err != nil {
		return fmt.Errorf("read the campaigns of user %d: %w", to.UserID, err)
	}
	b.Reason = to.Reason
	rendered, err := s.renderer.renderBlocked(b)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderBlocked(b Blocked) (Mail, error) {
	b.FirstName, b.Reason = oneLine(profiles.WithoutLinks(b.FirstName)), oneLine(b.Reason)
	for i, title := range b.Campaigns {
		b.Campaigns[i] = oneLine(profiles.WithoutLinks(title))
	}
	return r.fill(blocking.KindMail, b.Language, b.Email, b)
}
