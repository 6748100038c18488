// Package team is how people come into a campaign's team: they are invited by mail, and whoever holds the mail's link
// joins. It owns the tables team_invitations and team_invitation_links; who is in the team is package campaigns' to
// keep.
//
// Invariants:
//   - the answer to an invitation is the same whether the address has an account or not;
//   - the database holds a link's hash, never its token, which is made when the mail is sent;
//   - an invitation ends when somebody accepts it, when it is withdrawn, when the same address is invited again, when who
//     sent it leaves the team or is staff no more, or after two weeks; its links end with it;
//   - a link may be used by whoever holds it, signed in with any account: people have several addresses, and the team
//     sees who has joined and can remove them;
//   - who is to become a campaign's creator is a member who agrees: the same invitation asks them, whose link is theirs alone, one at
//     a time, and it ends too when they leave the team or who asked is the creator no more;
//   - only people who have confirmed their own address can invite: otherwise any account could be used to mail
//     strangers;
//   - a campaign and a person send a bounded number of invitations a day.
package team

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
)

// KindMail is the outbox's kind of the mail with the link; its payload is a Mail.
const KindMail = "mail.invitation"

// Mail is the payload of KindMail.
type Mail struct {
	InvitationID int64 `json:"invitation_id"`
}

const (
	lifetime = 14 * 24 * time.Hour // of an invitation
	kept     = 30 * 24 * time.Hour // how long one is kept from when it was sent

	day          = 24 * time.Hour
	perCampaign  = 15 // invitations a day
	perPerson    = 30 // invitations a day, of all campaigns
	inviteAction = "invite_member"
)

var (
	// ErrLink: the invitation was used, withdrawn or replaced, has expired or never existed.
	ErrLink = apperr.New(apperr.InvitationExpired)
	// ErrTooMany: the campaign or the person has sent as many invitations as a day allows.
	ErrTooMany = apperr.New(apperr.TooManyInvitations)
	// ErrUnconfirmed: who invites has not confirmed their own address.
	ErrUnconfirmed = apperr.New(apperr.AddressUnconfirmed)
)

// stands is the condition that who sent an invitation i may still invite: they are staff, or in the team; who asks a member to be the
// creator is that. Whoever loses either takes their invitations with them, at once: each is a way in, also for themself.
const stands = `EXISTS (SELECT FROM users b WHERE b.id = i.invited_by AND (b.scope && '{edit,admin}' OR EXISTS (SELECT FROM campaign_team t
	WHERE t.campaign_id = i.campaign_id AND t.user_id = b.id AND (i.creator_id IS NULL OR t.position = 0))))`

// Invitation is one that waits for its answer.
type Invitation struct {
	Email                string
	InvitedAt, ExpiresAt time.Time
	AsCreator            bool // asks a member
}

// Invite invites addresses, as profiles.NormalEmail writes them, to the team of a campaign whose row the caller's
// transaction has locked. Who is in the team already is left out; an address that was invited before gets another link
// in place of the one it has. Errors: ErrUnconfirmed; ErrTooMany; InvalidFields when the team would be too large.
func Invite(ctx context.Context, tx *gorm.DB, e campaigns.Edit, by int64, emails []string) error {
	if len(emails) == 0 {
		return nil
	}
	if err := lock(ctx, tx, e, by); err != nil {
		return err
	}
	for _, email := range emails {
		id, err := invite(ctx, tx, e, by, email)
		if err == nil && id != 0 {
			err = send(ctx, tx, e, id, inviteAction, email)
		}
		if err != nil {
			return err
		}
	}
	return checkLimits(ctx, tx, e, by)
}

// AskCreator asks a member to become the creator of a campaign whose row the caller's transaction has locked, in place of whoever is asked.
// Errors: as Invite.
func AskCreator(ctx context.Context, tx *gorm.DB, e campaigns.Edit, by, member int64) error {
	if err := lock(ctx, tx, e, by); err != nil {
		return err
	}
	var open []string
	err := tx.WithContext(ctx).Raw(`
		SELECT email FROM team_invitations WHERE campaign_id = @campaign AND creator_id IS NOT NULL AND ended_at IS NULL
		UNION SELECT email FROM users WHERE id = @member`, map[string]any{"campaign": e.CampaignID, "member": member}).Scan(&open).Error
	if err != nil {
		return fmt.Errorf("read who is asked to be the creator of campaign %d: %w", e.CampaignID, err)
	}
	for _, email := range open {
		if err := end(ctx, tx, e, email); err != nil {
			return err
		}
	}
	var made struct {
		ID    int64
		Email string
	}
	err = tx.WithContext(ctx).Raw(`
		INSERT INTO team_invitations (campaign_id, email, creator_id, invited_by, invited_at, expires_at)
		SELECT @campaign, email, id, @by, @now, @expires FROM users WHERE id = @member RETURNING id, email`,
		map[string]any{"campaign": e.CampaignID, "member": member, "by": by, "now": e.Now, "expires": e.Now.Add(lifetime)}).Scan(&made).Error
	if err != nil {
		return fmt.Errorf("ask who is to be the creator of campaign %d: %w", e.CampaignID, err)
	}
	if err := send(ctx, tx, e, made.ID, "ask_creator", made.Email); err != nil {
		return err
	}
	return checkLimits(ctx, tx, e, by)
}

// lock keeps who invites as they are, so that a person's invitations to several campaigns are counted one after the other. Error:
// ErrUnconfirmed.
func lock(ctx context.Context, tx *gorm.DB, e campaigns.Edit, by int64) error {
	var verified bool
	if err := tx.WithContext(ctx).Raw(`SELECT verified FROM users WHERE id = ? FOR NO KEY UPDATE`, by).Scan(&verified).Error; err != nil {
		return fmt.Errorf("read who invites to campaign %d: %w", e.CampaignID, err)
	}
	if !verified {
		return ErrUnconfirmed
	}
	return nil
}

// invite returns the new invitation's id, or 0 for somebody who is in the team.
func invite(ctx context.Context, tx *gorm.DB, e campaigns.Edit, by int64, email string) (int64, error) {
	if err := end(ctx, tx, e, email); err != nil {
		return 0, err
	}
	var ids []int64
	err := tx.WithContext(ctx).Raw(`
		INSERT INTO team_invitations (campaign_id, email, invited_by, invited_at, expires_at)
		SELECT @campaign, @email, @by, @now, @expires
		WHERE NOT EXISTS (SELECT FROM campaign_team m JOIN users u ON u.id = m.user_id
			WHERE m.campaign_id = @campaign AND u.verified AND lower(u.email) = lower(@email))
		RETURNING id`,
		map[string]any{"campaign": e.CampaignID, "email": email, "by": by, "now": e.Now,
			"expires": e.Now.Add(lifetime)}).Scan(&ids).Error
	if err != nil {
		return 0, fmt.Errorf("invite to campaign %d: %w", e.CampaignID, err)
	}
	if len(ids) == 0 {
		return 0, nil
	}
	return ids[0], nil
}

// send queues an invitation's mail and writes its audit row.
func send(ctx context.Context, tx *gorm.DB, e campaigns.Edit, invitationID int64, action, email string) error {
	payload, err := json.Marshal(Mail{InvitationID: invitationID})
	if err != nil {
		return fmt.Errorf("encode the mail of invitation %d: %w", invitationID, err)
	}
	if _, err := outbox.Add(ctx, tx, outbox.Message{Kind: KindMail, Payload: payload}); err != nil {
		return err
	}
	return record(ctx, tx, e, action, email)
}

// checkLimits counts the day's invitations and the people of the team, after the new ones were added.
func checkLimits(ctx context.Context, tx *gorm.DB, e campaigns.Edit, by int64) error {
	var sent struct{ OfCampaign, OfPerson, Places int }
	err := tx.WithContext(ctx).Raw(`
		SELECT (SELECT count(*) FROM team_invitations WHERE campaign_id = @campaign AND invited_at > @since) AS of_campaign,
		       (SELECT count(*) FROM team_invitations WHERE invited_by = @by AND invited_at > @since) AS of_person,
		       (SELECT count(*) FROM campaign_team WHERE campaign_id = @campaign)
		       + (SELECT count(*) FROM team_invitations WHERE campaign_id = @campaign AND creator_id IS NULL AND ended_at IS NULL
		          AND expires_at > @now) AS places`,
		map[string]any{"campaign": e.CampaignID, "by": by, "now": e.Now, "since": e.Now.Add(-day)}).Scan(&sent).Error
	switch {
	case err != nil:
		return fmt.Errorf("count invitations of campaign %d: %w", e.CampaignID, err)
	case sent.Places > campaigns.MaxTeam:
		return apperr.New(apperr.InvalidFields).WithField("team", apperr.RuleTeamFull,
			apperr.Params{"max": campaigns.MaxTeam})
	case sent.OfCampaign > perCampaign || sent.OfPerson > perPerson:
		return ErrTooMany
	}
	return nil
}

// Keep withdraws the invitations of a campaign whose address is not among those to keep, in the caller's transaction.
func Keep(ctx context.Context, tx *gorm.DB, e campaigns.Edit, emails []string) error {
	var open []string
	err := tx.WithContext(ctx).Raw(`SELECT email FROM team_invitations WHERE campaign_id = ? AND ended_at IS NULL`, e.CampaignID).Scan(&open).Error
	if err != nil {
		return fmt.Errorf("read invitations to campaign %d: %w", e.CampaignID, err)
	}
	return withdraw(ctx, tx, e, slices.DeleteFunc(open, func(email string) bool { return contains(emails, email) }))
}

// EndOfFormer withdraws the invitations that were sent by people who are not in the team any more, in the caller's
// transaction: otherwise somebody who was removed could come back by an invitation to another address of their own.
// Nor does a member who has left become the creator, or one on the word of who is the creator no more. Invitations by staff stay.
func EndOfFormer(ctx context.Context, tx *gorm.DB, e campaigns.Edit) error {
	var open []string
	err := tx.WithContext(ctx).Raw(`
		SELECT i.email FROM team_invitations i
		WHERE i.campaign_id = ? AND i.ended_at IS NULL AND (
		    NOT `+stands+`
		    OR i.creator_id IS NOT NULL AND NOT EXISTS (SELECT FROM campaign_team WHERE campaign_id = i.campaign_id
		        AND user_id = i.creator_id AND position > 0))`, e.CampaignID).Scan(&open).Error
	if err != nil {
		return fmt.Errorf("read invitations to campaign %d: %w", e.CampaignID, err)
	}
	return withdraw(ctx, tx, e, open)
}

func withdraw(ctx context.Context, tx *gorm.DB, e campaigns.Edit, emails []string) error {
	for _, email := range emails {
		if err := end(ctx, tx, e, email); err != nil {
			return err
		}
		if err := record(ctx, tx, e, "withdraw_invitation", email); err != nil {
			return err
		}
	}
	return nil
}

// end ends the open invitation of an address, if there is one, and its links.
func end(ctx context.Context, tx *gorm.DB, e campaigns.Edit, email string) error {
	err := tx.WithContext(ctx).Exec(`
		WITH ended AS (
			UPDATE team_invitations SET ended_at = @now
			WHERE campaign_id = @campaign AND lower(email) = lower(@email) AND ended_at IS NULL RETURNING id)
		DELETE FROM team_invitation_links WHERE invitation_id IN (SELECT id FROM ended)`,
		map[string]any{"campaign": e.CampaignID, "email": email, "now": e.Now}).Error
	if err != nil {
		return fmt.Errorf("end an invitation to campaign %d: %w", e.CampaignID, err)
	}
	return nil
}

// record writes the audit row of an invitation. It is kept for good, so it has the address as Masked writes it.
func record(ctx context.Context, tx *gorm.DB, e campaigns.Edit, action, email string) error {
	return changes.Record(ctx, tx, action, "campaign", e.CampaignID, e.By, map[string]any{},
		map[string]any{"invitations": Masked(email)}, e.Now)
}

// Open lists the invitations of a campaign that wait for an answer, earliest first.
func Open(ctx context.Context, db *gorm.DB, campaignID int64, now time.Time) (list []Invitation, err error) {
	err = db.WithContext(ctx).Raw(`
		SELECT email, invited_at, expires_at, creator_id IS NOT NULL AS as_creator FROM team_invitations i
		WHERE campaign_id = ? AND ended_at IS NULL AND expires_at > ? AND `+stands+` ORDER BY invited_at, id`, campaignID, now).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read invitations to campaign %d: %w", campaignID, err)
	}
	return list, nil
}

// InvitedTo lists the campaigns that an address was invited to, as far as invitations are kept; none for an empty one.
func InvitedTo(ctx context.Context, tx *gorm.DB, address string) (campaignIDs []int64, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT DISTINCT campaign_id FROM team_invitations WHERE lower(email) = lower(?) AND email <> ''`, address).Scan(&campaignIDs).Error
	if err != nil {
		return nil, fmt.Errorf("look for invitations to a person: %w", err)
	}
	return campaignIDs, nil
}

// Erase withdraws the open invitations that a person has sent, and forgets those to them and to their confirmed address (empty
// when they have not confirmed it: it may be somebody else's), in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, userID int64, address string, now time.Time) error {
	for _, statement := range []string{
		`DELETE FROM team_invitation_links WHERE invitation_id IN (
			SELECT id FROM team_invitations WHERE invited_by = @user AND ended_at IS NULL)`,
		`UPDATE team_invitations SET ended_at = @now WHERE invited_by = @user AND ended_at IS NULL`,
		`DELETE FROM team_invitations WHERE lower(email) = lower(@address) OR creator_id = @user`,
	} {
		err := tx.WithContext(ctx).Exec(statement, map[string]any{"user": userID, "address": address, "now": now}).Error
		if err != nil {
			return fmt.Errorf("forget invitations of user %d: %w", userID, err)
		}
	}
	return nil
}

// Prune deletes invitations that were sent so long ago that they neither hold nor count.
func Prune(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `team_invitations`, `invited_at < ?`, now.Add(-kept)); err != nil {
		return fmt.Errorf("prune invitations: %w", err)
	}
	return nil
}
