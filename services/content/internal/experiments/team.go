package experiments

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
)

// setTeam makes the team the wanted people, the owner first. The owner and staff may do anything; another member may only leave, or put
// themself first where the owner has erased their account, who is then left out. Who comes into a team is shown in it by name, so they
// have to be in the index of people, and to agree: they are invited (invitations.go), and so is a member who is put first, while the
// owner stays. Errors: Forbidden; InvalidFields for a new owner from outside, for new people who are not in the index, whether they have
// an account or not, and for who is named twice; ErrUnknown for who is no member any more; those of invite.
func (e Edit) setTeam(ctx context.Context, tx *gorm.DB, c *changes.Change, wanted []int64) error {
	team, err := readTeam(ctx, tx, e.ExperimentID)
	if err != nil {
		return err
	}
	leaves := slices.DeleteFunc(slices.Clone(team), func(id int64) bool { return id == e.By.UserID })
	isOrphan, err := e.ownerGone(ctx, tx)
	if err != nil {
		return err
	}
	takesOver := isOrphan && slices.Equal(wanted, append([]int64{e.By.UserID}, leaves...))
	switch isStaff := campaigns.IsStaff(e.By); {
	case slices.Equal(team, wanted):
		return nil
	case !isStaff && !slices.Contains(team, e.By.UserID): // removed while the request waited for the lock
		return ErrUnknown
	case !isStaff && team[0] != e.By.UserID && !slices.Equal(leaves, wanted) && !takesOver:
		return apperr.New(apperr.Forbidden)
	}
	var listed []int64
	if err := tx.WithContext(ctx).Raw(`SELECT id FROM users WHERE id IN ? AND listed`, wanted).Scan(&listed).Error; err != nil {
		return fmt.Errorf("look up people: %w", err)
	}
	faults := apperr.New(apperr.InvalidFields)
	for i, id := range wanted {
		field := fmt.Sprintf("team[%d]", i)
		switch isMember := slices.Contains(team, id); {
		case i == 0 && !isMember:
			faults = faults.WithField(field, apperr.RuleUnknownMember)
		case !isMember && !slices.Contains(listed, id) || slices.Contains(wanted[:i], id):
			faults = faults.WithField(field, apperr.RuleUnknownPerson)
		}
	}
	if err := faults.OrNil(); err != nil {
		return err
	}
	var members, invited, owner []int64
	for _, id := range wanted {
		if slices.Contains(team, id) {
			members = append(members, id)
		} else {
			invited = append(invited, id)
		}
	}
	if first := members[0]; first != team[0] && first != e.By.UserID {
		owner = []int64{first}
		members = append([]int64{team[0]}, slices.DeleteFunc(members, func(id int64) bool { return id == team[0] })...)
	}
	if isOrphan && members[0] != team[0] {
		members = slices.DeleteFunc(members, func(id int64) bool { return id == team[0] })
	}
	if !slices.Equal(team, members) {
		c.Note("team", team, members)
		if err := writeTeam(ctx, tx, e.ExperimentID, members); err != nil {
			return err
		}
		if err := e.endOfFormer(ctx, tx); err != nil {
			return err
		}
	}
	if err := e.invite(ctx, tx, invited, false); err != nil {
		return err
	}
	return e.invite(ctx, tx, owner, true)
}

// ownerGone reports whether the owner of an experiment has erased their account: nobody answers for it.
func (e Edit) ownerGone(ctx context.Context, tx *gorm.DB) (is bool, err error) {
	err = tx.WithContext(ctx).Raw(`
		SELECT coalesce(bool_or(u.erased_at IS NOT NULL), false) FROM experiment_team m JOIN users u ON u.id = m.user_id
		WHERE m.experiment_id = ? AND m.position = 0`, e.ExperimentID).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether experiment %d has an owner: %w", e.ExperimentID, err)
	}
	return is, nil
}

// setInvited withdraws the invitations of all but some people, which is the owner's and staff's to do. Error: Forbidden.
func (e Edit) setInvited(ctx context.Context, tx *gorm.DB, people []int64) error {
	team, err := readTeam(ctx, tx, e.ExperimentID)
	if err != nil {
		return err
	}
	if team[0] != e.By.UserID && !campaigns.IsStaff(e.By) {
		return apperr.New(apperr.Forbidden)
	}
	return e.keepInvited(ctx, tx, people)
}

func readTeam(ctx context.Context, tx *gorm.DB, experimentID int64) (team []int64, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT user_id FROM experiment_team WHERE experiment_id = ? ORDER BY position`, experimentID).Scan(&team).Error
	if err != nil {
		return nil, fmt.Errorf("read team of experiment %d: %w", experimentID, err)
	}
	return team, nil
}

// writeTeam writes the team of an experiment, the owner first.
func writeTeam(ctx context.Context, tx *gorm.DB, id int64, wanted []int64) error {
	rows := make([]memberRecord, len(wanted))
	for i, member := range wanted {
		rows[i] = memberRecord{id, member, i}
	}
	tx = tx.WithContext(ctx)
	err := tx.Where("experiment_id = ?", id).Delete(&memberRecord{}).Error
	if err == nil {
		err = dbx.CreateAll(tx, rows)
	}
	if err != nil {
		return fmt.Errorf("change team of experiment %d: %w", id, err)
	}
	return nil
}
