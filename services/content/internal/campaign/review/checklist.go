package review

import (
	"time"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/media/scenes"
)

// minStory is the shortest story, in characters, that staff can judge.
const minStory = 300

// Item is one thing of the checklist.
type Item struct {
	Key    string // of the contract's ChecklistItem
	Done   bool
	Needed bool // without it no review can be asked for; the others are advice
	// Have and Of count what the item is about; Of is 0 for items that are there or not.
	Have, Of int
	// Language is the one that is missing or older; BehindDays by how many days.
	Language   string
	BehindDays int
}

// checklist is the one place that says what a campaign needs before it is reviewed, and what would be good.
func (f facts) checklist(now time.Time, zone *time.Location) []Item {
	isMonthly := f.OpensAs == campaigns.StageRecurring
	return []Item{
		{Key: "title", Needed: true, Done: f.Title != ""},
		{Key: "tagline", Needed: true, Done: f.Tagline != ""},
		{Key: "story", Needed: true, Done: f.StoryLength >= minStory, Have: min(f.StoryLength, minStory), Of: minStory},
		{Key: "cover", Needed: true, Done: f.hasCover()},
		{Key: "goal", Needed: true, Done: f.HasGoal && !isMonthly || f.Goals > 0 && isMonthly},
		{Key: "dates", Needed: true, Done: f.hasDays(now, zone)},
		{Key: "offer", Needed: true, Done: f.Rewards > 0 || f.Goals > 0 && isMonthly, Have: f.Rewards},
		{Key: "contact", Needed: true, Done: f.ContactEmail != ""},
		{Key: "legal_creator", Needed: true, Done: f.LegalCreator != "" && f.LegalCreatorType != ""},
		f.altTexts(),
		f.translations(),
		{Key: "payment_account", Done: f.HasAccount},
	}
}

// hasCover reports whether the creator has given a picture; until then one is drawn.
func (f facts) hasCover() bool { return f.Picture != "" && !scenes.IsFileName(f.Picture) }

// hasDays reports whether the funding days are such that the campaign can open. If the review was asked for in time, a
// first day that has come while staff were reading is fine: the campaign then opens at once. After the draft stage it
// no longer matters whether days are past.
func (f facts) hasDays(now time.Time, zone *time.Location) bool {
	today := campaigns.DayOf(now.In(zone))
	earliest := today
	if f.Review == campaigns.ReviewRequested && f.AskedAt != nil {
		earliest = campaigns.DayOf(f.AskedAt.In(zone))
	}
	isPast := f.Stage == campaigns.StageDraft && f.FirstDay < earliest
	if f.OpensAs == campaigns.StageRecurring { // opens when it is approved if it names no day, and has no last one
		return f.FirstDay == "" || !isPast
	}
	if f.FirstDay == "" || f.LastDay == "" || isPast || f.LastDay < f.FirstDay {
		return false
	}
	if f.Stage <= campaigns.StagePreparing && f.LastDay < today {
		return false
	}
	return f.LastDay <= f.FirstDay.Latest()
}

// altTexts counts the pictures that are described in the campaign's own language, for those who do not see them.
func (f facts) altTexts() Item {
	item := Item{Key: "alt_texts", Have: f.PicturesDescribed, Of: f.Pictures}
	if f.hasCover() {
		item.Of++
		if f.ProjectPicAlt != "" {
			item.Have++
		}
	}
	item.Done = item.Have == item.Of
	return item
}

// translations names the first language that was begun and has no title or story, else the one whose texts are oldest
// compared to the campaign's own.
func (f facts) translations() Item {
	item := Item{Key: "translations", Done: f.Missing+f.Late == 0, Have: f.Begun - f.Missing - f.Late, Of: f.Begun,
		Language: f.MissingLanguage}
	if item.Language == "" && f.LateLanguage != "" {
		item.Language = f.LateLanguage
		item.BehindDays = int(f.LateSeconds / (24 * time.Hour).Seconds())
	}
	return item
}

// notReady refuses with every needed item that is missing. Error: NotReady, or nil.
func notReady(list []Item) error {
	refused := apperr.New(apperr.NotReady)
	for _, item := range list {
		if item.Needed && !item.Done {
			refused = refused.WithField(item.Key, apperr.RuleNotReady)
		}
	}
	return refused.OrNil()
}
