package campaigns

import (
	"encoding/json"
	"slices"
	"strings"
)

// PartKind is what becomes of a change of a part.
type PartKind string

// The kinds, as the contract names them.
const (
	PartFree  PartKind = "free"          // nobody at the platform looks at it
	PartSeen  PartKind = "to_be_seen"    // it is public at once, and staff are shown what has changed
	PartBack  PartKind = "back_to_queue" // the campaign does not open by itself until staff have decided again
	PartFixed PartKind = "fixed"         // it is refused
)

// Part is one of the things that a campaign consists of, and what becomes of its changes. Of a draft all are free: the
// review is still to come.
type Part struct {
	Name string // as campaign_parts of the database has it; each reward is a part "reward:<id>"
	// Approved is the kind from the approval to the opening, Opened from then on.
	Approved, Opened PartKind
	// Fields are those of the contract's changes, of texts without their language.
	Fields []string
}

// Parts is the one table that says what a decision is about: the server refuses and reports by it, and the app reads it.
// The free ones are not public. A goal that was reached is fixed besides (SetGoals).
var Parts = []Part{
	{"form", PartFixed, PartFixed, []string{"language", "opens_as"}},
	{"title", PartBack, PartSeen, []string{"title"}},
	{"legal_creator", PartBack, PartFixed, []string{"legal_creator", "legal_creator_type"}},
	{"goal", PartBack, PartFixed, []string{"min_goal", "target_goal"}},
	{"funding_rule", PartBack, PartFixed, []string{"funding_rule"}},
	{"dates", PartBack, PartFixed, []string{"first_day_of_funding", "last_day_of_funding"}},
	{"goals", PartBack, PartSeen, []string{"subscriptions_goals"}},
	{"tagline", PartSeen, PartSeen, []string{"tagline"}},
	{"short_description", PartSeen, PartSeen, []string{"short_description"}},
	{"cover", PartSeen, PartSeen, []string{"project_pic", "project_pic_alt"}},
	{"video", PartSeen, PartSeen, []string{"video_url"}},
	{"story", PartSeen, PartSeen, []string{"json_description"}},
	{"about_creator", PartSeen, PartSeen, []string{"about_creator"}},
	{"creator", PartSeen, PartSeen, []string{}}, // what their own profile says: it changes there
	{"creator_pic", PartSeen, PartSeen, []string{"creator_pic"}},
	{"team", PartSeen, PartSeen, []string{"team"}},
	{"contact", PartSeen, PartSeen, []string{"contact_email"}},
	{"link", PartSeen, PartSeen, []string{"external_link_1"}},
	{"place", PartSeen, PartSeen, []string{"place"}},
	{"category", PartSeen, PartSeen, []string{"categories"}},
	{"tags", PartSeen, PartSeen, []string{"tags"}},
	{"custom_texts", PartSeen, PartSeen, []string{"custom_language"}},
	{"hidden", PartSeen, PartSeen, []string{"hideFundingAmount", "hideMemberCount"}},
	{"variations", PartSeen, PartSeen, []string{"content_variations"}},
	{"reward", PartSeen, PartSeen, []string{"reward.amount", "reward.kind", "reward.stock", "reward.active", "reward.vat_percentage",
		"reward.image", "reward.delivery", "reward.added_costs", "reward.title", "reward.description", "reward.image_alt",
		"reward.custom_questions"}},
	{"account", PartFree, PartFree, []string{"invitations", "payment_account_id", "payment_user_id", "payment_wallet_id"}},
}

// In is what becomes of a change of the part in a stage.
func (p Part) In(stage Stage) PartKind {
	if stage == StageDraft {
		return PartFree
	}
	if stage == StagePreparing {
		return p.Approved
	}
	return p.Opened
}

// PartOf is the part of a field as the contract and the history name it: title, fi.title, reward.amount.
func PartOf(field string) (Part, bool) {
	if language, _, ok := strings.Cut(field, "."); ok && len(language) == 2 {
		field = field[len("fi."):]
	}
	if first, _, ok := strings.Cut(field, "."); ok && first == "custom_language" {
		field = first
	}
	return findPart(func(p Part) bool { return slices.Contains(p.Fields, field) })
}

// partNamed is the part of a name of campaign_parts.
func partNamed(name string) (Part, bool) {
	kind, _, _ := strings.Cut(name, ":")
	return findPart(func(p Part) bool { return p.Name == kind })
}

func findPart(is func(Part) bool) (Part, bool) {
	if i := slices.IndexFunc(Parts, is); i >= 0 {
		return Parts[i], true
	}
	return Part{}, false
}

// PartChange is a part that staff have read, or that is there now.
type PartChange struct {
	Part   string // as Part.Name, a reward with its id
	Kind   PartKind
	Digest string          // names the present value; empty for a part that is gone
	Before json.RawMessage // as staff have read it; nil when it was not there
	Now    json.RawMessage // nil when it is gone
}

// Differs reports whether the part is another one than staff have read.
func (p PartChange) Differs() bool { return string(p.Before) != string(p.Now) }

// IDs are those that the part had and has, if it is a list of them.
func (p PartChange) IDs() (ids []int64) {
	for _, list := range []json.RawMessage{p.Before, p.Now} {
		var some []int64
		if json.Unmarshal(list, &some) == nil {
			ids = append(ids, some...)
		}
	}
	return ids
}

// Serious reports whether an approval does not hold without staff having seen this.
func (p PartChange) Serious() bool { return p.Kind == PartBack || p.Kind == PartFixed }

// hasNewTitle reports whether there is a variation of a title that staff have not read.
func (p PartChange) hasNewTitle() bool {
	type variation struct{ Field, Language, Value string }
	var was, is []variation
	if p.Before != nil && json.Unmarshal(p.Before, &was) != nil || p.Now != nil && json.Unmarshal(p.Now, &is) != nil {
		return true
	}
	return slices.ContainsFunc(is, func(v variation) bool { return v.Field == "title" && !slices.Contains(was, v) })
}

// kindIn is what becomes of a change: moving the opening later promises nobody more, and a variation of the title is another title, which
// some visitors see in its place.
func (p PartChange) kindIn(stage Stage) PartKind {
	part, _ := partNamed(p.Part)
	kind := part.In(stage)
	if part.Name == "variations" && stage == StagePreparing && p.hasNewTitle() {
		return PartBack
	}
	if part.Name != "dates" || kind != PartBack || !p.Differs() {
		return kind
	}
	var was, is struct{ First, Last *Day }
	if json.Unmarshal(p.Before, &was) != nil || json.Unmarshal(p.Now, &is) != nil || was.First == nil || is.First == nil {
		return kind
	}
	sameEnd := was.Last == is.Last || was.Last != nil && is.Last != nil && *was.Last == *is.Last
	if sameEnd && *is.First > *was.First {
		return PartSeen
	}
	return kind
}
