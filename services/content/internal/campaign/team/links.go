package team

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
)

// Recipient is whom an invitation is mailed to, and what the mail says.
type Recipient struct {
	Email, Language  string
	CampaignID       int64
	Title, InvitedBy string
	ExpiresAt        time.Time
	AsCreator        bool
}

// Issue makes the token of an invitation's link and stores its hash. The mail is in the language of the account that
// has confirmed the address, if there is one, else in that of who invites. Ok is false if the invitation has ended.
func Issue(ctx context.Context, db *gorm.DB, invitationID int64, now time.Time) (
	to Recipient, token string, ok bool, err error) {
	token = rand.Text()
	hash := sha256.Sum256([]byte(token))
	issued := db.WithContext(ctx).Raw(`
		WITH open AS (SELECT * FROM team_invitations i WHERE id = @id AND ended_at IS NULL AND expires_at > @now AND `+stands+` FOR KEY SHARE),
		link AS (INSERT INTO team_invitation_links (token_hash, invitation_id) SELECT @hash, id FROM open)
		SELECT i.email, i.campaign_id, i.expires_at, i.creator_id IS NOT NULL AS as_creator, coalesce(a.language, b.language) AS language,
		       concat_ws(' ', b.first_name, b.last_name) AS invited_by, v.preview ->> 'title' AS title
		FROM open i JOIN users b ON b.id = i.invited_by LEFT JOIN users a ON lower(a.email) = lower(i.email) AND a.verified
		JOIN campaign_previews v ON v.campaign_id = i.campaign_id AND v.language = coalesce(a.language, b.language)`,
		map[string]any{"id": invitationID, "hash": hash[:], "now": now}).Scan(&to)
	if issued.Error != nil {
		return Recipient{}, "", false, fmt.Errorf("issue a link of invitation %d: %w", invitationID, issued.Error)
	}
	return to, token, issued.RowsAffected == 1, nil
}

// Offer is what a link invites to.
type Offer struct {
	CampaignID int64
	Slug       string
	Title      string // in the reader's language
	InvitedBy  string
	Email      string // where the link was sent
	ExpiresAt  time.Time
	AsCreator  bool // it asks a member to become the creator
}

// Look reads what a link invites to, without using it up. Error: ErrLink.
func Look(ctx context.Context, db *gorm.DB, token, language string, now time.Time) (o Offer, err error) {
	hash := sha256.Sum256([]byte(token))
	found := db.WithContext(ctx).Raw(`
		SELECT i.campaign_id, c.slug, v.preview ->> 'title' AS title, concat_ws(' ', u.first_name, u.last_name) AS invited_by,
		       i.email, i.expires_at, i.creator_id IS NOT NULL AS as_creator
		FROM team_invitation_links l
		JOIN team_invitations i ON i.id = l.invitation_id AND i.ended_at IS NULL AND i.expires_at > @now AND `+stands+`
		JOIN campaigns c ON c.id = i.campaign_id JOIN users u ON u.id = i.invited_by
		JOIN campaign_previews v ON v.campaign_id = i.campaign_id AND v.language = @language
		WHERE l.token_hash = @hash`,
		map[string]any{"hash": hash[:], "language": language, "now": now}).Scan(&o)
	if found.Error != nil {
		return Offer{}, fmt.Errorf("read an invitation: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return Offer{}, ErrLink
	}
	return o, nil
}

// Joined is the campaign that somebody has joined.
type Joined struct {
	CampaignID int64
	Slug       string
	Version    int64
}

// Accept adds a person to the team that a link invites to, or makes the member whom it asks the creator, and ends the invitation, in one
// transaction. Of two who use the link at once one joins. Who is in a team is shown, and may write and publish in its name. Errors: profiles.ErrUnconfirmed;
// ErrLink.
func Accept(ctx context.Context, db *gorm.DB, token string, userID int64, now time.Time) (j Joined, err error) {
	hash := sha256.Sum256([]byte(token))
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := profiles.RequireConfirmed(ctx, tx, userID); err != nil {
			return err
		}
		var asked struct{ CampaignID, CreatorID int64 }
		found := tx.Raw(`SELECT i.campaign_id, coalesce(i.creator_id, 0) AS creator_id FROM team_invitation_links l
			JOIN team_invitations i ON i.id = l.invitation_id WHERE l.token_hash = ? AND `+stands, hash[:]).Scan(&asked)
		if found.Error != nil {
			return fmt.Errorf("read an invitation: %w", found.Error)
		}
		if found.RowsAffected == 0 || asked.CreatorID != 0 && asked.CreatorID != userID {
			return ErrLink
		}
		edit := campaigns.Edit{CampaignID: asked.CampaignID, By: changes.User(userID), Now: now}
		enter := campaigns.Join
		if asked.CreatorID != 0 {
			enter = campaigns.TakeOver
		}
		if err := enter(ctx, tx, edit, userID); err != nil { // locks the campaign first, as Invite's callers do
			return err
		}
		ended := tx.Exec(`
			UPDATE team_invitations i SET ended_at = @now FROM team_invitation_links l
			WHERE l.token_hash = @hash AND i.id = l.invitation_id AND i.ended_at IS NULL AND i.expires_at > @now`,
			map[string]any{"hash": hash[:], "now": now})
		if ended.Error != nil {
			return fmt.Errorf("end an invitation: %w", ended.Error)
		}
		if ended.RowsAffected == 0 {
			return ErrLink
		}
		if err := tx.Exec(`DELETE FROM team_invitation_links WHERE token_hash = ?`, hash[:]).Error; err != nil {
			return fmt.Errorf("end the link of an invitation: %w", err)
		}
		return tx.Raw(`SELECT id AS campaign_id, slug, version FROM campaigns WHERE id = ?`, asked.CampaignID).Scan(&j).Error
	})
	return j, err
}
