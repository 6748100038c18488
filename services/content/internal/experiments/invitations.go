package experiments

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
)

// KindInvitation is the outbox's kind of the mail that tells of an invitation; its payload is an InvitationMail.
const KindInvitation = "mail.experiment_invitation"

// InvitationMail is the payload of KindInvitation.
type InvitationMail struct {
	InvitationID int64 `json:"invitation_id"`
}

// As for the teams of campaigns (package team).
const (
	invitationFor  = 14 * 24 * time.Hour // how long one is good
	invitationKept = 30 * 24 * time.Hour // how long one is kept from when it was sent

	day           = 24 * time.Hour
	perExperiment = 15 // invitations a day
	perInviter    = 30 // invitations a day, of all experiments
	perInvitee    = 10 // invitations a day, whoever sends them
)

var (
	// ErrInvitation: the invitation was answered or withdrawn, has expired or never existed.
	ErrInvitation = apperr.New(apperr.InvitationExpired)
	// ErrTooMany: the experiment, who invites or who is invited has as many invitations as a day allows.
	ErrTooMany = apperr.New(apperr.TooManyInvitations)
)

// stands is the condition that who sent an invitation i may still invite: they are staff, or in the team; who asks a member to be the owner
// is that. As for the teams of campaigns.
const stands = `EXISTS (SELECT FROM users b WHERE b.id = i.invited_by AND b.blocked_at IS NULL AND (b.scope && '{edit,admin}' OR EXISTS (
	SELECT FROM experiment_team t WHERE t.experiment_id = i.experiment_id AND t.user_id = b.id AND (NOT i.as_owner OR t.position = 0))))`

// Invitation is one that waits for its answer.
type Invitation struct {
	ExperimentID     int64
	Title, InvitedBy string
	AsOwner          bool
	ExpiresAt        time.Time
	Email, Language  string // of who is invited
}

// invite asks people into a team, or a member to own the experiment, whose row the caller's transaction has locked. Who is asked
// already stays so. Errors: ErrUnconfirmed; ErrTooMany; InvalidFields when the team would be too large; TokenExpired when the session has
// ended meanwhile.
func (e Edit) invite(ctx context.Context, tx *gorm.DB, people []int64, asOwner bool) error {
	if len(people) == 0 {
		return nil
	}
	var verified bool // the lock has a person's invitations to several experiments counted one after the other
	if err := tx.WithContext(ctx).Raw(`SELECT verified FROM users WHERE id = ? FOR NO KEY UPDATE`, e.By.UserID).Scan(&verified).Error; err != nil {
		return fmt.Errorf("read who invites to experiment %d: %w", e.ExperimentID, err)
	}
	if !verified {
		return ErrUnconfirmed
	}
	if err := capabilities.LockSession(ctx, tx, e.By); err != nil { // after the person's row, which whoever ends the session has locked
		return err
	}
	if asOwner { // one is asked at a time
		if err := e.endInvitations(ctx, tx, `as_owner`); err != nil {
			return err
		}
	}
	for _, person := range people {
		if err := e.endInvitations(ctx, tx, `user_id = @user AND expires_at <= @now`, person); err != nil {
			return err
		}
		var ids []int64
		err := tx.WithContext(ctx).Raw(`
			INSERT INTO experiment_invitations (experiment_id, user_id, as_owner, invited_by, invited_at, expires_at)
			VALUES (@id, @user, @owner, @by, @now, @expires)
			ON CONFLICT (experiment_id, user_id) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
			map[string]any{"id": e.ExperimentID, "user": person, "owner": asOwner, "by": e.By.UserID, "now": e.Now,
				"expires": e.Now.Add(invitationFor)}).Scan(&ids).Error
		if err != nil {
			return fmt.Errorf("invite to experiment %d: %w", e.ExperimentID, err)
		}
		for _, id := range ids {
			payload, err := json.Marshal(InvitationMail{id})
			if err != nil {
				return fmt.Errorf("encode the mail of invitation %d: %w", id, err)
			}
			if _, err := outbox.Add(ctx, tx, outbox.Message{Kind: KindInvitation, Payload: payload}); err != nil {
				return err
			}
		}
	}
	return e.checkLimits(ctx, tx, people)
}

// checkLimits counts the day's invitations and the people of the team, after the new ones were added.
func (e Edit) checkLimits(ctx context.Context, tx *gorm.DB, people []int64) error {
	var sent struct{ OfExperiment, OfInviter, OfInvitee, Places int }
	err := tx.WithContext(ctx).Raw(`
		SELECT (SELECT count(*) FROM experiment_invitations WHERE experiment_id = @id AND invited_at > @since) AS of_experiment,
		       (SELECT count(*) FROM experiment_invitations WHERE invited_by = @by AND invited_at > @since) AS of_inviter,
		       (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM experiment_invitations
		        WHERE user_id IN @people AND invited_at > @since GROUP BY user_id) each) AS of_invitee,
		       (SELECT count(*) FROM experiment_team WHERE experiment_id = @id)
		       + (SELECT count(*) FROM experiment_invitations WHERE experiment_id = @id AND ended_at IS NULL AND NOT as_owner
		          AND expires_at > @now) AS places`,
		map[string]any{"id": e.ExperimentID, "by": e.By.UserID, "people": people, "now": e.Now, "since": e.Now.Add(-day)}).Scan(&sent).Error
	switch {
	case err != nil:
		return fmt.Errorf("count invitations of experiment %d: %w", e.ExperimentID, err)
	case sent.Places > campaigns.MaxTeam:
		return apperr.New(apperr.InvalidFields).WithField("team", apperr.RuleTeamFull, apperr.Params{"max": campaigns.MaxTeam})
	case sent.OfExperiment > perExperiment || sent.OfInviter > perInviter || sent.OfInvitee > perInvitee:
		return ErrTooMany
	}
	return nil
}

// endInvitations ends the open ones of an experiment that a condition names; a person is its @user.
func (e Edit) endInvitations(ctx context.Context, tx *gorm.DB, condition string, person ...int64) error {
	params := map[string]any{"id": e.ExperimentID, "now": e.Now, "people": append(person, 0)}
	if len(person) > 0 {
		params["user"] = person[0]
	}
	err := tx.WithContext(ctx).Exec(`UPDATE experiment_invitations i SET ended_at = @now
		WHERE experiment_id = @id AND ended_at IS NULL AND `+condition, params).Error
	if err != nil {
		return fmt.Errorf("end invitations to experiment %d: %w", e.ExperimentID, err)
	}
	return nil
}

// keepInvited withdraws the invitations of all but some people.
func (e Edit) keepInvited(ctx context.Context, tx *gorm.DB, people []int64) error {
	return e.endInvitations(ctx, tx, `user_id NOT IN @people`, people...)
}

// endOfFormer ends what a team that has changed invites to no more: nobody joins on the word of who left, another owner asks anew who is
// to follow, and a member who left is asked to own nothing.
func (e Edit) endOfFormer(ctx context.Context, tx *gorm.DB) error {
	return e.endInvitations(ctx, tx, `(NOT `+stands+`
		OR as_owner AND NOT EXISTS (SELECT FROM experiment_team m WHERE m.experiment_id = @id AND m.user_id = i.user_id AND m.position > 0))`)
}

// Accept puts a person who is invited into the team, or in the owner's place, and ends the invitation. Errors: ErrInvitation;
// ErrUnconfirmed for who has not confirmed their address.
func Accept(ctx context.Context, db *gorm.DB, e Edit) (joined Begun, err error) {
	if err := profiles.RequireConfirmed(ctx, db, e.By.UserID); err != nil {
		return joined, err
	}
	err = e.change(ctx, db, "join_team", func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
		var owner []bool
		err := tx.WithContext(ctx).Raw(`
			UPDATE experiment_invitations i SET ended_at = @now
			WHERE experiment_id = @id AND user_id = @user AND ended_at IS NULL AND expires_at > @now AND NOT @disabled
			  AND `+stands+` RETURNING as_owner`,
			map[string]any{"id": r.ID, "user": e.By.UserID, "now": e.Now, "disabled": r.Disabled}).Scan(&owner).Error
		if err != nil {
			return fmt.Errorf("accept an invitation to experiment %d: %w", r.ID, err)
		}
		if len(owner) == 0 {
			return ErrInvitation
		}
		team, err := readTeam(ctx, tx, r.ID)
		if err != nil {
			return err
		}
		wanted := slices.DeleteFunc(slices.Clone(team), func(id int64) bool { return id == e.By.UserID })
		if owner[0] {
			isOrphan, err := e.ownerGone(ctx, tx)
			if err != nil {
				return err
			}
			if isOrphan {
				wanted = wanted[1:]
			}
			wanted = append([]int64{e.By.UserID}, wanted...)
		} else {
			wanted = append(wanted, e.By.UserID)
		}
		c.Note("team", team, wanted)
		if err := writeTeam(ctx, tx, r.ID, wanted); err != nil {
			return err
		}
		if err := e.endOfFormer(ctx, tx); err != nil {
			return err
		}
		if !r.ShowIn["index"] {
			return nil
		}
		return requireConfirmed(ctx, tx, r.ID)
	})
	if err != nil {
		return joined, err
	}
	return readBegun(ctx, db, strconv.FormatInt(e.ExperimentID, 10))
}

// Decline ends the invitation of a person; none is no error.
func Decline(ctx context.Context, db *gorm.DB, e Edit) error {
	return e.endInvitations(ctx, db, `user_id = @user`, e.By.UserID)
}

const invitationSQL = `
	SELECT i.experiment_id, i.as_owner, i.expires_at, concat_ws(' ', b.first_name, b.last_name) AS invited_by,
	       u.email, u.language, x.title
	FROM experiment_invitations i JOIN experiments e ON e.id = i.experiment_id AND NOT e.disabled
	JOIN users u ON u.id = i.user_id AND u.blocked_at IS NULL JOIN users b ON b.id = i.invited_by
	JOIN LATERAL (SELECT title FROM experiment_texts x WHERE x.experiment_id = e.id
	    ORDER BY x.title = '', x.language = coalesce(nullif(@language, ''), u.language) DESC, x.language = e.language DESC, x.language LIMIT 1) x ON true
	WHERE i.ended_at IS NULL AND i.expires_at > @now AND ` + stands

// ListInvitations reads what a person is invited to, with titles in a language, the latest first.
func ListInvitations(ctx context.Context, db *gorm.DB, userID int64, language string, now time.Time) (list []Invitation, err error) {
	err = db.WithContext(ctx).Raw(invitationSQL+` AND i.user_id = @user ORDER BY i.invited_at DESC, i.id DESC`,
		map[string]any{"user": userID, "language": language, "now": now}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read invitations of user %d: %w", userID, err)
	}
	return list, nil
}

// ReadInvitation reads one for its mail; ok is false if it has ended.
func ReadInvitation(ctx context.Context, db *gorm.DB, id int64, now time.Time) (i Invitation, ok bool, err error) {
	found := db.WithContext(ctx).Raw(invitationSQL+` AND i.id = @id`, map[string]any{"id": id, "language": "", "now": now}).Scan(&i)
	if found.Error != nil {
		return i, false, fmt.Errorf("read invitation %d: %w", id, found.Error)
	}
	return i, found.RowsAffected == 1, nil
}

// PruneInvitations deletes those that were sent so long ago that they neither hold nor count.
func PruneInvitations(ctx context.Context, db *gorm.DB, now time.Time) error {
	if _, err := dbx.Prune(ctx, db, `experiment_invitations`, `invited_at < ?`, now.Add(-invitationKept)); err != nil {
		return fmt.Errorf("prune invitations to experiments: %w", err)
	}
	return nil
}

// EraseInvitations forgets those to and from a person, in the caller's transaction.
func EraseInvitations(ctx context.Context, tx *gorm.DB, userID int64) error {
	err := tx.WithContext(ctx).Exec(`DELETE FROM experiment_invitations WHERE user_id = @user OR invited_by = @user`, map[string]any{"user": userID}).Error
	if err != nil {
		return fmt.Errorf("forget invitations of user %d: %w", userID, err)
	}
	return nil
}
