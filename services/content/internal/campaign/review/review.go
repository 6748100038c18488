package review

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/writing/changes"
)

// Two people let a campaign open: one asks, another one decides.
var (
	// ErrOwn refuses a decision by somebody who is or has been in the campaign's team.
	ErrOwn = apperr.New(apperr.ReviewOfOwn)
	// ErrAsker refuses a decision by who asked for this review.
	ErrAsker = apperr.New(apperr.ReviewOfAsker)
)

// Step is who does something to the review of which campaign, and when.
type Step struct {
	CampaignID int64
	Who        session.Identity
	Now        time.Time
	Zone       *time.Location // of funding days
}

func (s Step) edit() campaigns.Edit {
	return campaigns.Edit{CampaignID: s.CampaignID, By: changes.User(s.Who.UserID), Now: s.Now}
}

// Note is what staff say about a part of a campaign.
type Note struct {
	Part  string // ReviewPart of the contract
	Text  string
	Quote string // the words of the story that it is about, or empty
}

// Request asks for a review, in one transaction. The caller has checked who may (campaigns.RequireEdit). Errors:
// campaigns.ErrUnknown; ErrMoved; those of campaigns.RequireCreator; NotReady with the parts that are missing.
func Request(ctx context.Context, db *gorm.DB, s Step) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := s.move(ctx, tx, Requested, "request_review"); err != nil {
			return err
		}
		if err := campaigns.RequireCreator(ctx, tx, s.CampaignID); err != nil {
			return err
		}
		f, err := readOne(ctx, tx, s.CampaignID)
		if err != nil {
			return err
		}
		f.AskedAt = &s.Now // now: an earlier request gives an earlier first day no right
		if err := notReady(f.checklist(s.Now, s.Zone)); err != nil {
			return err
		}
		if err := campaigns.RememberParts(ctx, tx, s.CampaignID, s.Now); err != nil {
			return err
		}
		e := eventRecord{Event: Requested, Round: f.Round + 1, Notes: f.Notes, Mended: f.NotesMended}
		if err := s.record(ctx, tx, e); err != nil {
			return err
		}
		return mails.AddStaff(ctx, tx, mails.KindReviewRequested, mails.CampaignMail{CampaignID: s.CampaignID, Round: e.Round,
			AnswerBy: string(AnswerBy(s.Now, s.Zone))})
	})
}

// Withdraw takes the request back, in one transaction. The caller has checked who may (campaigns.RequireEdit). Errors:
// campaigns.ErrUnknown; ErrMoved.
func Withdraw(ctx context.Context, db *gorm.DB, s Step) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := s.move(ctx, tx, Withdrawn, "withdraw_review"); err != nil {
			return err
		}
		f, err := readOne(ctx, tx, s.CampaignID)
		if err != nil {
			return err
		}
		return s.record(ctx, tx, eventRecord{Event: Withdrawn, Round: f.Round})
	})
}

// Approve lets a campaign open: at once when its first day has come or it names none, else by itself on that day. It
// counts for what staff have seen. Notes are for the team to read. One transaction. Errors: campaigns.ErrUnknown; ErrMoved;
// ErrOwn; ErrAsker; NotReady when the team has taken away what is needed; those of campaigns.RefuseUnseen.
func Approve(ctx context.Context, db *gorm.DB, s Step, seen campaigns.Seen, notes []Note) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		f, err := s.decide(ctx, tx, Approved, "approve", notes)
		if err != nil {
			return err
		}
		if err := campaigns.RefuseUnseen(ctx, tx, s.CampaignID, seen); err != nil {
			return err
		}
		if err := s.read(ctx, tx, seen); err != nil {
			return err
		}
		return s.release(ctx, tx, f)
	})
}

// release lets a campaign that was just approved open, and tells its team.
func (s Step) release(ctx context.Context, tx *gorm.DB, f facts) error {
	f.Review = campaigns.ReviewRequested // as it was: its days are those that were asked about
	if err := notReady(f.checklist(s.Now, s.Zone)); err != nil {
		return err
	}
	to := campaigns.StagePreparing
	if f.FundingStart == nil || !f.FundingStart.After(s.Now) {
		to = f.OpensAs
	}
	if to != f.Stage {
		if err := campaigns.MoveStage(ctx, tx, s.CampaignID, to, changes.User(s.Who.UserID), s.Now); err != nil {
			return err
		}
	}
	if err := campaigns.SettleParts(ctx, tx, s.CampaignID, s.Now); err != nil {
		return err
	}
	return mails.AddTeam(ctx, tx, mails.KindReviewApproved, mails.CampaignMail{CampaignID: s.CampaignID, Round: f.Round,
		IsOpen: to != campaigns.StagePreparing})
}

// read keeps what staff have seen of a campaign that they decide about as a whole.
func (s Step) read(ctx context.Context, tx *gorm.DB, seen campaigns.Seen) error {
	if err := campaigns.RememberParts(ctx, tx, s.CampaignID, s.Now); err != nil {
		return err
	}
	if err := campaigns.AcceptParts(ctx, tx, s.CampaignID, seen); err != nil {
		return err
	}
	return campaigns.DecidedParts(ctx, tx, s.CampaignID, s.Now)
}

// AskForChanges gives the campaign back to its team with notes, at least one, in one transaction; one that was approved
// and has not opened is a draft again. What staff have seen of it is not shown to them as changed in the next round.
// Errors: campaigns.ErrUnknown; ErrMoved; ErrOwn; ErrAsker; InvalidFields without notes.
func AskForChanges(ctx context.Context, db *gorm.DB, s Step, seen campaigns.Seen, notes []Note) error {
	if len(notes) == 0 {
		return apperr.New(apperr.InvalidFields).WithField("notes", apperr.RuleRequired)
	}
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		f, err := s.decide(ctx, tx, ChangesRequested, "ask_for_changes", notes)
		if err != nil {
			return err
		}
		if err := s.read(ctx, tx, seen); err != nil {
			return err
		}
		if f.Stage != campaigns.StageDraft {
			by := changes.User(s.Who.UserID)
			if err := campaigns.MoveStage(ctx, tx, s.CampaignID, campaigns.StageDraft, by, s.Now); err != nil {
				return err
			}
		}
		return mails.AddTeam(ctx, tx, mails.KindReviewChanges, mails.CampaignMail{CampaignID: s.CampaignID, Round: f.Round})
	})
}

// Mend marks a note as mended (resolved), or as open again; the same value again changes nothing. The caller has
// checked who may (campaigns.RequireEdit). Error: campaigns.ErrUnknown for a note that is not of this campaign.
func Mend(ctx context.Context, db *gorm.DB, s Step, noteID int64, mended bool) error {
	return dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		var changed []bool // whether it was another value
		err := tx.WithContext(ctx).Raw(`
			WITH note AS (SELECT id, mended FROM review_notes WHERE id = @id AND campaign_id = @campaign FOR UPDATE),
			set AS (UPDATE review_notes n SET mended = @mended FROM note WHERE n.id = note.id)
			SELECT mended <> @mended FROM note`,
			map[string]any{"id": noteID, "campaign": s.CampaignID, "mended": mended}).Scan(&changed).Error
		if err != nil {
			return fmt.Errorf("mend note %d: %w", noteID, err)
		}
		if len(changed) == 0 {
			return campaigns.ErrUnknown
		}
		if !changed[0] {
			return nil
		}
		return changes.Record(ctx, tx, "mend_review_note", "review_note", noteID, changes.User(s.Who.UserID),
			map[string]any{"mended": !mended}, map[string]any{"mended": mended}, s.Now)
	})
}

// move takes the review to the state after an event, with the campaign's row locked until the transaction ends.
func (s Step) move(ctx context.Context, tx *gorm.DB, e Event, action string) error {
	return campaigns.ChangeReview(ctx, tx, s.edit(), action, e.next)
}

// decide moves the review on behalf of staff who may decide, with its event and notes, and returns what it is about.
// Whether they may is asked with the campaign's row locked, so nobody joins or leaves meanwhile. Errors: ErrOwn; ErrAsker.
func (s Step) decide(ctx context.Context, tx *gorm.DB, e Event, action string, notes []Note) (facts, error) {
	err := campaigns.ChangeReview(ctx, tx, s.edit(), action,
		func(stage campaigns.Stage, state campaigns.ReviewState) (campaigns.ReviewState, error) {
			if err := s.refuseBarred(ctx, tx); err != nil {
				return state, err
			}
			return e.next(stage, state)
		})
	if err != nil {
		return facts{}, err
	}
	f, err := readOne(ctx, tx, s.CampaignID)
	if err != nil {
		return facts{}, err
	}
	rows := make([]noteRecord, len(notes))
	for i, n := range notes {
		rows[i] = noteRecord{CampaignID: s.CampaignID, Round: f.Round, Part: n.Part, Text: n.Text, Quote: n.Quote,
			UserID: s.Who.UserID, At: s.Now}
	}
	if err := dbx.CreateAll(tx.WithContext(ctx), rows); err != nil {
		return facts{}, fmt.Errorf("note what to change of campaign %d: %w", s.CampaignID, err)
	}
	return f, s.record(ctx, tx, eventRecord{Event: e, Round: f.Round, Notes: len(notes)})
}

// refuseBarred refuses who may not decide about the campaign. Errors: ErrOwn; ErrAsker.
func (s Step) refuseBarred(ctx context.Context, tx *gorm.DB) error {
	why, err := barred(ctx, tx, s.CampaignID, s.Who.UserID)
	switch {
	case err != nil:
		return err
	case why == api.ReviewBarredTeam:
		return ErrOwn
	case why == api.ReviewBarredAsker:
		return ErrAsker
	}
	return nil
}

func (s Step) record(ctx context.Context, tx *gorm.DB, e eventRecord) error {
	e.CampaignID, e.UserID, e.At = s.CampaignID, s.Who.UserID, s.Now
	if err := tx.WithContext(ctx).Create(&e).Error; err != nil {
		return fmt.Errorf("record the review of campaign %d: %w", s.CampaignID, err)
	}
	return nil
}

// eventRecord is a row of review_events.
type eventRecord struct {
	ID, CampaignID int64
	Event          Event
	Round          int
	UserID         int64
	At             time.Time
	Notes, Mended  int
}

// TableName is GORM's.
func (eventRecord) TableName() string { return "review_events" }

// noteRecord is a row of review_notes.
type noteRecord struct {
	ID, CampaignID    int64
	Round             int
	Part, Text, Quote string
	UserID            int64
	At                time.Time
	Mended            bool
}

// TableName is GORM's.
func (noteRecord) TableName() string { return "review_notes" }
