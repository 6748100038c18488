package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
)

// KindClaim is the mail about a step of a claim, or a message about it.
const KindClaim = "mail.claim"

// ClaimMail is the payload of KindClaim: to the backer of the pledge, or to a person of the campaign's team or of staff.
type ClaimMail struct {
	MessageID int64  `json:"message_id"`
	To        string `json:"to"` // backer, creator or staff
	PledgeID  string `json:"pledge_id,omitempty"`
	UserID    int64  `json:"user_id,omitempty"`
}

// OwnPledge is whether a pledge p is the person's whose account is u: it was made in that, or with its address, be it as a guest or in another account,
// of which an address may have several.
const OwnPledge = `(coalesce(p.user_id = u.id, false) OR lower(p.email) = lower(u.email)
	OR EXISTS (SELECT FROM users o WHERE o.id = p.user_id AND lower(o.email) = lower(u.email)))`

// AddClaim adds the mails about a step to the outbox, in the caller's transaction: to the backer of a pledge, to each of a campaign's team,
// and to each admin who may decide: who is not in it, and whose pledge it is not.
func AddClaim(ctx context.Context, tx *gorm.DB, messageID int64, pledgeID string, campaignID int64, toBacker, toTeam, toStaff bool) error {
	var list []ClaimMail
	if toBacker {
		list = append(list, ClaimMail{MessageID: messageID, To: "backer", PledgeID: pledgeID})
	}
	for to, people := range map[string]string{
		"creator": `SELECT user_id FROM campaign_team WHERE campaign_id = @campaign ORDER BY position`,
		"staff": `SELECT u.id FROM users u JOIN pledges p ON p.id = @pledge WHERE 'admin' = ANY(u.scope) AND u.blocked_at IS NULL
			AND u.id NOT IN (SELECT user_id FROM campaign_team WHERE campaign_id = @campaign)
			AND NOT ` + OwnPledge + ` ORDER BY u.id`,
	} {
		if to == "creator" && !toTeam || to == "staff" && !toStaff {
			continue
		}
		var users []int64
		if err := tx.WithContext(ctx).Raw(people, map[string]any{"campaign": campaignID, "pledge": pledgeID}).Scan(&users).Error; err != nil {
			return fmt.Errorf("read who is told of a claim: %w", err)
		}
		for _, id := range users {
			list = append(list, ClaimMail{MessageID: messageID, To: to, UserID: id})
		}
	}
	for _, m := range list {
		payload, err := json.Marshal(m)
		if err == nil {
			_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindClaim, Payload: payload,
				DedupeKey: fmt.Sprintf("%s:%d:%s:%d", KindClaim, messageID, m.To, m.UserID)})
		}
		if err != nil {
			return fmt.Errorf("queue a mail about a claim: %w", err)
		}
	}
	return nil
}

// Claim is the data of a mail about a claim.
type Claim struct {
	Language, FirstName, Email string // of the receiver
	Title, Backer, Reference   string
	To, What, Kind, Text       string
	Minor                      int64
	Day, Due                   *time.Time // of a new parcel; the last day of the next answer
	IsLast                     bool       // the backer cannot disagree any more
	URL                        string
}

// whats are the acts whose meaning depends on what was asked before.
var whats = map[string]string{"silence open": "no_answer", "silence resend_offered": "waits", "silence part_offered": "part", "silence promised": "late",
	"accept resend_offered": "waits", "accept part_offered": "part"} //nolint:gochecknoglobals // a constant that Go cannot have

// deliverClaim tells one person of a step, as it was when it was made.
func (s *Sender) deliverClaim(ctx context.Context, m outbox.Message) error {
	var to ClaimMail
	if err := json.Unmarshal(m.Payload, &to); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	var row struct {
		Claim
		Act, FromState, ClaimID, PledgeID string
		CampaignID                        int64
		DayTime, DueTime                  *time.Time
		AmountMinor                       *int64
		Decisions                         int
	}
	db := s.o.DB.WithContext(ctx)
	found := db.Raw(`SELECT coalesce(u.language, p.language) AS language, CASE WHEN u.id IS NULL THEN p.first_name ELSE u.first_name END AS first_name,
			CASE WHEN u.id IS NULL THEN p.email ELSE u.email END AS email, v.preview ->> 'title' AS title, trim(p.first_name || ' ' || p.last_name) AS backer,
			c.reference, c.kind, x.text, x.act, x.from_state, c.id AS claim_id, c.pledge_id, c.campaign_id, coalesce(x.day, c.offer_day) AS day_time, c.due_at AS due_time,
			x.amount_minor, c.decisions
		FROM claim_messages x JOIN claims c ON c.id = x.claim_id JOIN pledges p ON p.id = c.pledge_id
		LEFT JOIN users u ON u.id = @user AND u.blocked_at IS NULL AND u.erased_at IS NULL
		JOIN campaign_previews v ON v.campaign_id = c.campaign_id AND v.language = coalesce(u.language, p.language)
		WHERE x.id = @id AND (@user = 0 OR u.id IS NOT NULL)`, map[string]any{"id": to.MessageID, "user": to.UserID}).Scan(&row)
	if found.Error != nil || found.RowsAffected == 0 || row.Email == "" { // gone, or erased
		return found.Error
	}
	c := row.Claim
	c.To, c.What, c.Day, c.Due, c.IsLast = to.To, row.Act, row.DayTime, in(row.DueTime, s.o.Zone), row.Decisions > 1
	if row.DueTime != nil { // its end is the beginning of the next day
		last := row.DueTime.Add(-time.Second).In(s.o.Zone)
		c.Due = &last
	}
	if what := whats[row.Act+" "+row.FromState]; what != "" {
		c.What = what
	}
	if row.AmountMinor != nil {
		c.Minor = *row.AmountMinor
	}
	var err error
	if to.To == "backer" {
		c.URL, err = s.receiptURL(ctx, row.PledgeID, c.Language)
	} else {
		c.URL = fmt.Sprintf("%s%sprofile/me/claims/%s/", s.o.PublicURL, languages.Prefix(c.Language), row.ClaimID)
	}
	if err != nil {
		return err
	}
	rendered, err := s.renderer.renderClaim(c)
	if err != nil {
		return err
	}
	if to.To == "backer" {
		rendered.PledgeID = row.PledgeID
	}
	return s.send(ctx, m, rendered)
}

// renderClaim makes the mail. What people have written stands on one line, and no mail reader makes a link of it.
func (r *renderer) renderClaim(c Claim) (Mail, error) {
	for _, text := range []*string{&c.FirstName, &c.Title, &c.Backer, &c.Text} {
		*text = oneLine(profiles.WithoutLinks(*text))
	}
	return r.fill(KindClaim, c.Language, c.Email, c)
}
