package review

import (
	"slices"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
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

// moves is the table of allowed transitions of drafts. Of an approved campaign that has not opened only decisions move
// it, besides what its team changes (campaigns.SettleParts).
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

// approvedMoves is that table of approved campaigns: one that is back in the queue is approved again, and any is taken back.
var approvedMoves = map[Event][]campaigns.ReviewState{
	Approved:         {campaigns.ReviewRequested},
	ChangesRequested: {campaigns.ReviewRequested, campaigns.ReviewApproved},
}

// ErrMoved refuses an event that does not fit the review as it stands.
var ErrMoved = apperr.New(apperr.ReviewMoved)

// next is the state after an event. Campaigns that have opened are not reviewed. Error: ErrMoved.
func (e Event) next(stage campaigns.Stage, state campaigns.ReviewState) (campaigns.ReviewState, error) {
	from := approvedMoves[e]
	if stage == campaigns.StageDraft {
		from = moves[e].from
	}
	if stage > campaigns.StagePreparing || !slices.Contains(from, state) {
		return state, ErrMoved
	}
	return moves[e].to, nil
}
