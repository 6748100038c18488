// Package customtexts is the rules of the texts that a campaign or an experiment has of its own, by language and key. It
// owns no tables; each domain keeps its rows.
package customtexts

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// Max is how many texts of its own something has in a language.
const Max = 20

// maxHTML is how many bytes of HTML they may make together in a language: every reader of the page gets them all.
const maxHTML = 192 << 10

var keyForm = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// Text is one of them.
type Text struct {
	Value, Format string // format: text, markdown
	HTML          string // made from the value
}

// Merge makes the wanted texts of a language part of all there are, notes each change, and returns the keys that are to
// be written and removed. An empty value removes its key; what is so already is no change. Error: InvalidFields.
func Merge(c *changes.Change, language string, all, wanted map[string]Text) (write, remove []string, err error) {
	faults := apperr.New(apperr.InvalidFields)
	for _, key := range slices.Sorted(maps.Keys(wanted)) {
		text, err := wanted[key].made()
		before := all[key]
		switch {
		case !keyForm.MatchString(key):
			faults = faults.WithField(key, apperr.RuleFormat)
			continue
		case err != nil:
			faults = faults.WithField(key, apperr.RuleTooMuchMarkup)
			continue
		case richtext.HasForeignPicture(text.HTML):
			faults = faults.WithField(key, apperr.RuleRichText)
			continue
		case text.Value == before.Value && (text.Value == "" || text.Format == before.Format):
			continue
		case text.Value == "":
			delete(all, key)
			remove = append(remove, key)
		default:
			all[key] = text
			write = append(write, key)
		}
		c.Note(language+".custom_language."+key, before.Value, text.Value)
	}
	if len(all) > Max {
		faults = faults.WithField("custom_language", apperr.RuleMaxValue, apperr.Params{"max": Max})
	}
	bytes := 0
	for _, text := range all {
		bytes += len(text.HTML)
	}
	if len(write) > 0 && bytes > maxHTML { // what was longer before this rule stays until somebody writes
		faults = faults.WithField("custom_language", apperr.RuleTooMuchMarkup)
	}
	return write, remove, faults.OrNil()
}

// made is the text with its HTML. Error: richtext.ErrTooMuch.
func (t Text) made() (_ Text, err error) {
	t.Value = strings.TrimSpace(t.Value)
	if t.Format == "markdown" {
		t.HTML, err = richtext.FromMarkdown(t.Value)
	} else {
		t.Format, t.HTML = "text", richtext.FromText(t.Value)
	}
	return t, err
}
