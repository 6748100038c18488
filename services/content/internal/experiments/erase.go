package experiments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/writing/changes"
)

// LeaveAll takes a person who erases their account out of the teams of experiments, in the caller's transaction; by is
// who the history names. Of what they own they stay the owner without a name, until a member takes it over (setTeam); with nobody else in
// the team an experiment that never opened is deleted. RefreshOfOwner follows once their row is empty. It returns the pictures of the deleted.
func LeaveAll(ctx context.Context, tx *gorm.DB, userID int64, by changes.Actor, now time.Time) (pictures []string, err error) {
	tx = tx.WithContext(ctx)
	var rows []struct {
		ID, Version int64
		Open        bool
		Others      int
		Owns        bool
	}
	err = tx.Raw(`
		SELECT e.id, e.version, e.open,
		       (SELECT count(*) FROM experiment_team m JOIN users u ON u.id = m.user_id AND u.erased_at IS NULL
		        WHERE m.experiment_id = e.id AND m.user_id <> @user) AS others,
		       EXISTS (SELECT FROM experiment_team WHERE experiment_id = e.id AND user_id = @user AND position = 0) AS owns
		FROM experiments e WHERE e.id IN (SELECT experiment_id FROM experiment_team WHERE user_id = @user)
		ORDER BY e.id FOR NO KEY UPDATE`, map[string]any{"user": userID}).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("lock the experiments of user %d: %w", userID, err)
	}
	for _, r := range rows {
		switch {
		case r.Others == 0 && !r.Open:
			var shown []string
			if shown, err = picturesOf(tx, r.ID); err == nil {
				pictures, err = append(pictures, shown...), deleteWhole(ctx, tx, r.ID, by, now)
			}
		case !r.Owns:
			err = leave(ctx, tx, r.ID, r.Version, userID, by, now)
		}
		if err != nil {
			return nil, err
		}
	}
	return pictures, nil
}

// Merge puts a person in the place of another one in all their teams, in the caller's transaction: both are the same.
func Merge(ctx context.Context, tx *gorm.DB, from, to int64, by changes.Actor, now time.Time) error {
	var rows []struct{ ID, Version int64 }
	err := tx.WithContext(ctx).Raw(`
		SELECT id, version FROM experiments WHERE id IN (SELECT experiment_id FROM experiment_team WHERE user_id = ?)
		ORDER BY id FOR NO KEY UPDATE`, from).Scan(&rows).Error
	if err != nil {
		return fmt.Errorf("lock the experiments of user %d: %w", from, err)
	}
	if err := EraseInvitations(ctx, tx, from); err != nil {
		return err
	}
	for _, r := range rows {
		team, err := readTeam(ctx, tx, r.ID)
		if err != nil {
			return err
		}
		if err := saveTeam(ctx, tx, r.ID, r.Version, team, campaigns.Replaced(team, from, to), by, now); err != nil {
			return err
		}
	}
	return nil
}

// picturesSQL are the names of all pictures that were sent for experiment @id: what it shows and has shown.
const picturesSQL = `
	SELECT DISTINCT name[1] FROM (
		SELECT image AS shown FROM experiments WHERE id = @id
		UNION ALL SELECT concat_ws(' ', story_html, story) FROM experiment_texts WHERE experiment_id = @id
		UNION ALL SELECT html FROM experiment_custom_texts WHERE experiment_id = @id
		UNION ALL SELECT concat_ws(' ', before, after) FROM audit_log WHERE entity = 'experiment' AND entity_id = CAST(CAST(@id AS bigint) AS text)
	) list CROSS JOIN LATERAL regexp_matches(shown, @sent, 'g') AS name`

func picturesOf(tx *gorm.DB, id int64) (names []string, err error) {
	if err := tx.Raw(picturesSQL, map[string]any{"id": id, "sent": files.SentName}).Scan(&names).Error; err != nil {
		return nil, fmt.Errorf("look for pictures of experiment %d: %w", id, err)
	}
	return names, nil
}

// leave removes a member who is not the owner.
func leave(ctx context.Context, tx *gorm.DB, id, version, userID int64, by changes.Actor, now time.Time) error {
	team, err := readTeam(ctx, tx, id)
	if err != nil {
		return err
	}
	wanted := slices.DeleteFunc(slices.Clone(team), func(member int64) bool { return member == userID })
	return saveTeam(ctx, tx, id, version, team, wanted, by, now)
}

// saveTeam writes a team as an own change of its experiment, whose row the transaction has locked.
func saveTeam(ctx context.Context, tx *gorm.DB, id, version int64, team, wanted []int64, by changes.Actor, now time.Time) error {
	if err := writeTeam(ctx, tx, id, wanted); err != nil {
		return err
	}
	c := changes.Of(Record{ID: id, Version: version}.Versioned())
	c.Note("team", team, wanted)
	if err := c.Save(ctx, tx, "change_settings", by, now); err != nil {
		return err
	}
	return refreshListings(ctx, tx, id)
}

// deleteWhole deletes an experiment that never opened. Its history keeps what was done, without the words.
func deleteWhole(ctx context.Context, tx *gorm.DB, id int64, by changes.Actor, now time.Time) error {
	if err := changes.Record(ctx, tx, "delete", entity, id, by, struct{}{}, struct{}{}, now); err != nil {
		return err
	}
	if err := tx.Exec(`DELETE FROM experiments WHERE id = ?`, id).Error; err != nil {
		return fmt.Errorf("delete experiment %d: %w", id, err)
	}
	return changes.RedactDeleted(ctx, tx, entity, id)
}
