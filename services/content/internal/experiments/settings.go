package experiments

import (
	"context"
	"fmt"
	"maps"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// Location is where an experiment is: a place's name and, if somebody has set it, a point in degrees (WGS 84).
type Location struct {
	Place               string
	Latitude, Longitude *float64
}

// check adds a fault for half a point.
func (l Location) check(faults *apperr.Error) *apperr.Error {
	switch {
	case l.Latitude == nil && l.Longitude != nil:
		return faults.WithField("geographic_location.latitude", apperr.RuleRequired)
	case l.Latitude != nil && l.Longitude == nil:
		return faults.WithField("geographic_location.longitude", apperr.RuleRequired)
	}
	return faults
}

// SettingsChange is what may be changed of an experiment besides its texts and money. Nil leaves a field as it is.
type SettingsChange struct {
	Stage            *int
	FrontPage, Index *bool // show-in flags; the front page's is staff's
	Disabled         *bool
	Agree            bool // that nobody finds it any more, which disabling needs
	Language         *string
	Location         *Location
	Team             *[]int64 // the whole team, the owner first
	Invited          *[]int64 // who stays invited
}

// ChangeSettings changes an experiment's settings in one transaction. Errors: ErrUnknown; ChangedMeanwhile;
// InvalidFields; Forbidden for what is staff's, an admin's or the owner's to change; those of moving to a stage; ErrUnconfirmed; those of invite.
func ChangeSettings(ctx context.Context, db *gorm.DB, e Edit, wanted SettingsChange) error {
	return e.change(ctx, db, "change_settings",
		func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
			if err := wanted.mayChange(*r, e.By); err != nil {
				return err
			}
			if wanted.Invited != nil {
				if err := e.setInvited(ctx, tx, *wanted.Invited); err != nil {
					return err
				}
			}
			if wanted.Team != nil {
				if err := e.setTeam(ctx, tx, c, *wanted.Team); err != nil {
					return err
				}
			}
			if err := wanted.apply(ctx, tx, c, r); err != nil {
				return err
			}
			if (c.Has("show_in") || c.Has("team")) && r.ShowIn["index"] {
				if err := requireConfirmed(ctx, tx, r.ID); err != nil {
					return err
				}
			}
			if wanted.Stage == nil || *wanted.Stage == r.Stage {
				return nil
			}
			return e.setStage(ctx, tx, c, r, *wanted.Stage)
		})
}

// mayChange refuses what is for others to decide: staff choose what the front page shows, and only an admin brings back
// what was taken off the site. Error: Forbidden.
func (s SettingsChange) mayChange(r Record, who session.Identity) error {
	promotes := s.FrontPage != nil && *s.FrontPage != r.ShowIn["front_page"] && !campaigns.IsStaff(who)
	bringsBack := s.Disabled != nil && !*s.Disabled && r.Disabled && !who.Has(session.ScopeAdmin)
	if promotes || bringsBack {
		return apperr.New(apperr.Forbidden)
	}
	return nil
}

func (s SettingsChange) apply(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
	faults := apperr.New(apperr.InvalidFields)
	if s.Disabled != nil && *s.Disabled && !r.Disabled && !s.Agree {
		faults = faults.WithField("agree", apperr.RuleAgree)
	}
	if s.Location != nil {
		faults = s.Location.check(faults)
	}
	if s.Language != nil && *s.Language != r.Language {
		hasTitle, err := r.hasTitleIn(ctx, tx, *s.Language)
		if err != nil {
			return err
		}
		if !hasTitle {
			faults = faults.WithField("language", apperr.RuleRequired)
		}
	}
	if err := faults.OrNil(); err != nil {
		return err
	}
	changes.Set(c, "disabled", "disabled", &r.Disabled, s.Disabled)
	changes.Set(c, "language", "language", &r.Language, s.Language)
	if s.Location != nil {
		place := richtext.Line(s.Location.Place)
		changes.Set(c, "geographic_location.place", "place", &r.Place, &place)
		changes.Set(c, "geographic_location.latitude", "latitude", &r.Latitude, &s.Location.Latitude)
		changes.Set(c, "geographic_location.longitude", "longitude", &r.Longitude, &s.Location.Longitude)
	}
	flags := maps.Clone(r.ShowIn)
	for name, flag := range map[string]*bool{"front_page": s.FrontPage, "index": s.Index} {
		if flag != nil {
			flags[name] = *flag
		}
	}
	return setJSON(c, "show_in", "show_in", &r.ShowIn, flags)
}

// ErrUnconfirmed: the owner of an experiment that is to be shown has not confirmed their address.
var ErrUnconfirmed = apperr.New(apperr.AddressUnconfirmed)

// requireConfirmed refuses to show an experiment whose owner has not confirmed their address, or is blocked, and keeps the owner as
// they are until the transaction ends. Error: ErrUnconfirmed.
func requireConfirmed(ctx context.Context, tx *gorm.DB, experimentID int64) error {
	var owners []int64
	err := tx.WithContext(ctx).Raw(`SELECT id FROM users WHERE id = (
		SELECT user_id FROM experiment_team WHERE experiment_id = ? AND position = 0) AND verified AND blocked_at IS NULL FOR SHARE`,
		experimentID).Scan(&owners).Error
	if err != nil {
		return fmt.Errorf("look up the owner of experiment %d: %w", experimentID, err)
	}
	if len(owners) == 0 {
		return ErrUnconfirmed
	}
	return nil
}

func (r Record) hasTitleIn(ctx context.Context, tx *gorm.DB, language string) (has bool, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM experiment_texts
		WHERE experiment_id = ? AND language = ? AND title <> '')`, r.ID, language).Scan(&has).Error
	if err != nil {
		return false, fmt.Errorf("read title of experiment %d: %w", r.ID, err)
	}
	return has, nil
}
