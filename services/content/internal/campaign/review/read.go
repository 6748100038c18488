package review

import (
	"context"
	"fmt"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
)

// Read reads how a campaign's review stands for the reader that ctx names, with its checklist, notes and history, in
// three statements, and one more for staff while it waits for them. The caller has checked who may
// (campaigns.RequireEdit). Error: campaigns.ErrUnknown.
func Read(ctx context.Context, db *gorm.DB, campaignID int64, now time.Time, zone *time.Location) (
	api.ReviewAnswer, error) {
	f, err := readOne(ctx, db, campaignID)
	if err != nil {
		return api.ReviewAnswer{}, err
	}
	r := api.Review{State: api.ReviewState(f.Review), Round: f.Round, History: []api.ReviewEvent{}}
	if f.Review == campaigns.ReviewRequested {
		if r.AskedAt, r.AnswerBy, err = f.asked(zone); err != nil {
			return api.ReviewAnswer{}, err
		}
		if r.Barred, err = readersBar(ctx, db, campaignID); err != nil {
			return api.ReviewAnswer{}, err
		}
	}
	for _, item := range f.checklist(now, zone) {
		r.Checklist = append(r.Checklist, item.answer())
	}
	if r.Notes, err = readNotes(ctx, db, campaignID); err != nil {
		return api.ReviewAnswer{}, err
	}
	err = db.WithContext(ctx).Raw(`
		SELECT e.event, e.at, concat_ws(' ', u.first_name, u.last_name) AS by, nullif(e.notes, 0) AS notes,
		       CASE WHEN e.event = 'requested' AND e.notes > 0 THEN e.mended END AS mended
		FROM review_events e JOIN users u ON u.id = e.user_id WHERE e.campaign_id = ? ORDER BY e.id DESC`, campaignID).Scan(&r.History).Error
	if err != nil {
		return api.ReviewAnswer{}, fmt.Errorf("read the reviews of campaign %d: %w", campaignID, err)
	}
	for i := range r.History {
		r.History[i].At = r.History[i].At.UTC()
	}
	return api.ReviewAnswer{Review: r, Stage: int(f.Stage), Version: f.Version}, nil
}

// readersBar is why the reader that ctx names cannot decide; nil when they can, or are no staff.
func readersBar(ctx context.Context, db *gorm.DB, campaignID int64) (*api.ReviewBarred, error) {
	who, ok := session.From(ctx)
	if !ok || !campaigns.IsStaff(who) {
		return nil, nil
	}
	why, err := barred(ctx, db, campaignID, who.UserID)
	if why == "" {
		return nil, err
	}
	return &why, err
}

// readNotes reads the notes of all rounds, those of the latest first, in the order in which they were written.
func readNotes(ctx context.Context, db *gorm.DB, campaignID int64) ([]api.ReviewNote, error) {
	notes := []api.ReviewNote{}
	err := db.WithContext(ctx).Raw(`
		SELECT n.id AS note_id, n.round, n.part, n.text, n.quote, n.mended, n.at, concat_ws(' ', u.first_name, u.last_name) AS by
		FROM review_notes n JOIN users u ON u.id = n.user_id WHERE n.campaign_id = ? ORDER BY n.round DESC, n.id`, campaignID).Scan(&notes).Error
	if err != nil {
		return nil, fmt.Errorf("read the notes of campaign %d: %w", campaignID, err)
	}
	for i := range notes {
		notes[i].At = notes[i].At.UTC()
	}
	return notes, nil
}

// asked is when a review was asked for, and the day by which staff answer.
func (f facts) asked(zone *time.Location) (at *time.Time, by *types.Date, err error) {
	if f.AskedAt == nil {
		return nil, nil, nil
	}
	utc := f.AskedAt.UTC()
	day, err := time.Parse(time.DateOnly, string(AnswerBy(utc, zone)))
	return &utc, &types.Date{Time: day}, err
}

// answer is the item in the contract's shape.
func (item Item) answer() api.ChecklistItem {
	a := api.ChecklistItem{Key: api.ChecklistItemKey(item.Key), Done: item.Done, Needed: item.Needed}
	if item.Of > 0 {
		a.Have, a.Of = &item.Have, &item.Of
	}
	if item.Language != "" {
		a.Language = &item.Language
	}
	if item.BehindDays > 0 {
		a.BehindDays = &item.BehindDays
	}
	return a
}

// Work reads what waits for the teams of campaigns, by id, in one statement.
func Work(ctx context.Context, db *gorm.DB, campaignIDs []int64, now time.Time, zone *time.Location) (
	map[int64]api.CampaignWork, error) {
	found, err := read(ctx, db, campaignIDs)
	if err != nil {
		return nil, err
	}
	all := map[int64]api.CampaignWork{}
	for id, f := range found {
		if all[id], err = f.work(now, zone); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (f facts) work(now time.Time, zone *time.Location) (w api.CampaignWork, err error) {
	w = api.CampaignWork{Review: api.CampaignWorkReview(f.Review), UpdatedAt: f.UpdatedAt.UTC(),
		PaymentAccount: f.HasAccount}
	for _, item := range f.checklist(now, zone) {
		switch {
		case !item.Needed:
			continue
		case item.Done:
			w.Done++
		case w.Next == nil:
			w.Next = &item.Key
		}
		w.Of++
	}
	if f.Review == campaigns.ReviewRequested {
		if w.AskedAt, w.AnswerBy, err = f.asked(zone); err != nil {
			return w, err
		}
	}
	if f.DecidedAt != nil {
		utc := f.DecidedAt.UTC()
		w.DecidedAt = &utc
	}
	if f.Notes > 0 {
		w.Notes, w.NotesMended = &f.Notes, &f.NotesMended
	}
	if f.OpenNote != "" {
		w.Note, w.NoteBy = &f.OpenNote, &f.OpenNoteBy
	}
	return w, nil
}
