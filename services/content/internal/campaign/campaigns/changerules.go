package campaigns

import (
	"encoding/json"
	"strings"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// refuseFixed refuses changes of what is fixed in the campaign's stage (Parts): some things once it is approved, because
// people have its address and know what it will be, others once it has opened, because they pledge by them. Errors:
// InvalidFields; CampaignOpened.
func (r Record) refuseFixed(c *changes.Change) error {
	refused := apperr.New(apperr.CampaignOpened)
	early := apperr.New(apperr.InvalidFields)
	for _, part := range Parts {
		if part.In(r.Stage) != PartFixed {
			continue
		}
		for _, name := range part.Fields {
			switch {
			case !c.Has(name):
			case part.Approved == PartFixed:
				early = early.WithField(name, apperr.RuleFixed)
			default:
				refused = refused.WithField(name, apperr.RuleFixed)
			}
		}
	}
	if err := early.OrNil(); err != nil {
		return err
	}
	return refused.OrNil()
}

// check adds a fault for each changed field that breaks a rule.
func (r Record) check(c *changes.Change, faults *apperr.Error, today Day) *apperr.Error {
	if c.Has("video_url") && r.VideoURL != "" && !richtext.IsVideo(r.VideoURL) {
		faults = faults.WithField("video_url", apperr.RuleVideoURL)
	}
	if c.Has("contact_email") && r.ContactEmail != "" && !profiles.IsEmail(r.ContactEmail) {
		faults = faults.WithField("contact_email", apperr.RuleEmail)
	}
	if rule := profiles.CheckName(r.LegalCreator); c.Has("legal_creator") && r.LegalCreator != "" && rule != "" {
		faults = faults.WithField("legal_creator", rule)
	}
	if r.TargetGoalMinor != 0 && r.TargetGoalMinor < r.MinGoalMinor {
		switch { // the fault is of the goal that was changed
		case c.Has("target_goal"):
			faults = faults.WithField("target_goal", apperr.RuleMinValue,
				apperr.Params{"min": r.MinGoalMinor.Amount("").Number()})
		case c.Has("min_goal"):
			faults = faults.WithField("min_goal", apperr.RuleMaxValue,
				apperr.Params{"max": r.TargetGoalMinor.Amount("").Number()})
		}
	}
	return r.checkApproved(c, r.checkDays(c, faults, today))
}

// checkApproved adds a fault for each field that is emptied although the review needed it: what staff have approved is
// what backers get.
func (r Record) checkApproved(c *changes.Change, faults *apperr.Error) *apperr.Error {
	if r.Stage == StageDraft {
		return faults
	}
	for _, f := range []struct {
		name  string
		empty bool
	}{
		{"contact_email", r.ContactEmail == ""},
		{"legal_creator", r.LegalCreator == ""},
		{"min_goal", r.MinGoalMinor+r.TargetGoalMinor == 0 && r.OpensAs != StageRecurring},
		{"target_goal", r.MinGoalMinor+r.TargetGoalMinor == 0 && r.OpensAs != StageRecurring},
	} {
		if f.empty && c.Has(f.name) {
			faults = faults.WithField(f.name, apperr.RuleRequired)
		}
	}
	return faults
}

// checkDays adds faults of the funding days: not a date, in the past, last before first, or, where the campaign is no
// draft, empty or too far apart. What a draft needs its review asks for.
func (r Record) checkDays(c *changes.Change, faults *apperr.Error, today Day) *apperr.Error {
	earliest := today
	for _, f := range []struct {
		name  string
		day   Day
		check bool
	}{
		{"first_day_of_funding", r.FirstDay, c.Has("first_day_of_funding")},
		{"last_day_of_funding", r.LastDay, c.Has("first_day_of_funding") || c.Has("last_day_of_funding")},
	} {
		_, err := time.Parse(time.DateOnly, string(f.day))
		switch {
		case !f.check:
		case f.day == "":
			if c.Has(f.name) && r.Stage != StageDraft {
				faults = faults.WithField(f.name, apperr.RuleRequired)
			}
		case err != nil:
			faults = faults.WithField(f.name, apperr.RuleDate)
			continue
		case f.day < earliest:
			faults = faults.WithField(f.name, apperr.RuleDateFrom, apperr.Params{"min": earliest})
		}
		earliest = max(earliest, f.day)
	}
	latest := r.FirstDay.Latest()
	isOneOff := r.Stage != StageDraft && r.OpensAs == StageFunding
	if isOneOff && (c.Has("first_day_of_funding") || c.Has("last_day_of_funding")) && latest != "" && r.LastDay > latest {
		faults = faults.WithField("last_day_of_funding", apperr.RuleDateTo, apperr.Params{"max": latest})
	}
	return faults
}

// goals parses the amounts, and returns a fault for each that is not one.
func (s SettingsChange) goals() (minGoal, targetGoal *money.Decimal, bad []apperr.Field) {
	read := func(name string, n *json.Number) *money.Decimal {
		if n == nil {
			return nil
		}
		amount, faults := money.FromInput(name, *n, "")
		if faults != nil {
			bad = append(bad, faults...)
			return nil
		}
		decimal := amount.Decimal()
		return &decimal
	}
	minGoal, targetGoal = read("min_goal", s.MinGoal), read("target_goal", s.TargetGoal)
	return minGoal, targetGoal, bad
}

// videoPage is the one address of a video that is kept, whichever of its pages and players was named.
func videoPage(address string) string {
	if video, ok := richtext.VideoOf(address); ok {
		return video.Page
	}
	return strings.TrimSpace(address)
}

// What a person typed, as it is stored; nil (the field is left as it is) stays nil.

func trimmed(text *string) *string    { return mapped(text, strings.TrimSpace) }
func pastedName(text *string) *string { return mapped(text, profiles.PastedName) }
func oneLine(text *string) *string    { return mapped(text, richtext.Line) }
func plain(text *string) *string      { return mapped(text, richtext.Plain) }

func normalEmail(address *string) *string { return mapped(address, profiles.NormalEmail) }

func mapped(text *string, to func(string) string) *string {
	if text == nil {
		return nil
	}
	result := to(*text)
	return &result
}
