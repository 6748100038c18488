package claims

import (
	"time"
	"unicode/utf8"

	"talkoot.fi/kit/apperr"
)

const (
	// mostText is the longest text of a message, in characters; mostMessages how many times each side may write about a claim, or change an
	// offer, which is mailed as well.
	mostText, mostMessages = 2000, 100
	// mostClaims is how many claims a pledge may have: one that was withdrawn can be made again.
	mostClaims = 10
)

// By is who acts.
type By struct {
	Role   Role
	UserID int64 // of the team and of staff
}

// Wish is an act with all that it needs.
type Wish struct {
	Act
	Key      string // a repeat has the same
	Version  int64  // that its caller has seen
	Kind     Kind   // of Make
	Text     string
	Minor    int64     // of OfferPart; of Decide, 0 for nothing
	Day      time.Time // of OfferResend
	Tracking string
}

// check looks at what the reader typed. Errors: InvalidFields.
func (w Wish) check(now time.Time, zone *time.Location) error {
	var faults *apperr.Error
	fault := func(path, rule string, params ...apperr.Params) {
		if faults == nil {
			faults = apperr.New(apperr.InvalidFields)
		}
		faults = faults.WithField(path, rule, params...)
	}
	needsText := w.Act == Make || w.Act == Message || w.Act == Decline || w.Act == Contest || w.Act == Object || w.Act == Decide
	if needsText && w.Text == "" {
		fault("text", apperr.RuleRequired)
	}
	if utf8.RuneCountInString(w.Text) > mostText {
		fault("text", apperr.RuleMaxLength, apperr.Params{"max": mostText})
	}
	if w.Act == Make && w.Kind == "" {
		fault("kind", apperr.RuleRequired)
	}
	if w.Act == OfferPart && w.Minor <= 0 {
		fault("amount", apperr.RuleRequired)
	}
	if w.Act == OfferResend {
		first := endOfDay(now, 0, zone)
		day := time.Date(w.Day.Year(), w.Day.Month(), w.Day.Day(), 0, 0, 0, 0, zone)
		if w.Day.IsZero() || day.Before(first) || day.After(first.AddDate(0, 0, mostDays)) {
			fault("day", apperr.RuleOneOf)
		}
	}
	if faults == nil {
		return nil
	}
	return faults
}
