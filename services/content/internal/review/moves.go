package review

import (
	"slices"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaigns"
)

// Event is what moves a review.
type Event string

// The events, as the contract and review_events name them.
const (
	Requested        Event = "requested"
	Withdrawn        Event = "withdrawn"
	Approved         Event = "approved"
	ChangesRequested Event = "changes_requested"
)

// moves is the table of allowed transitions. Approved is the last state: from then on only the campaign's stage
// changes.
var moves = map[Event]struct {
	from []campaigns.ReviewState
	to   campaigns.ReviewState
}{
	Requested: {[]campaigns.ReviewState{campaigns.ReviewNone, campaigns.ReviewChangesRequested},
		campaigns.ReviewRequested},
	Withdrawn:        {[]campaigns.ReviewState{campaigns.ReviewRequested}, campaigns.ReviewNone},
	Approved:         {[]campaigns.ReviewState{campaigns.ReviewRequested}, campaigns.ReviewApproved},
	ChangesRequested: {[]campaigns.ReviewState{campaigns.ReviewRequested}, campaigns.ReviewChangesRequested},
}

// ErrMoved refuses an event that does not fit the review as it stands.
var ErrMoved = apperr.New(apperr.ReviewMoved)

// next is the state after an event. Only drafts are reviewed. Error: ErrMoved.
func (e Event) next(stage campaigns.Stage, state campaigns.ReviewState) (campaigns.ReviewState, error) {
	if stage != campaigns.StageDraft || !slices.Contains(moves[e].from, state) {
		return state, ErrMoved
	}
	return moves[e].to, nil
}
