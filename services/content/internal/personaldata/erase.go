package personaldata

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/accounts"
	"talkoot.fi/content/internal/campaigns"
	"talkoot.fi/content/internal/changes"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/letters"
	"talkoot.fi/content/internal/likes"
	"talkoot.fi/content/internal/people"
	"talkoot.fi/content/internal/pledges"
	"talkoot.fi/content/internal/sessions"
	"talkoot.fi/content/internal/subscriptions"
	"talkoot.fi/content/internal/team"
	"talkoot.fi/content/internal/uploads"
	"talkoot.fi/content/internal/verifications"
)

// erase erases an account in a transaction. Errors: ErrBlocked; sessions.ErrEnded.
func (s *Service) erase(ctx context.Context, tx *gorm.DB, userID int64) error {
	p, err := read(ctx, tx, userID)
	if err != nil {
		return err
	}
	if p.isStaff() {
		return ErrBlocked
	}
	erased, err := s.pledges.Erase(ctx, tx, userID, p.address())
	if errors.Is(err, pledges.ErrUndecided) {
		return ErrBlocked
	}
	if err != nil {
		return err
	}
	ended, err := s.monthly.Erase(ctx, tx, userID, p.address())
	if errors.Is(err, subscriptions.ErrUndecided) {
		return ErrBlocked
	}
	if err != nil {
		return err
	}
	// Not the person's id: the day's limit of the history does not keep anybody.
	by := changes.Actor{Name: "user"}
	kept, err := s.leaveCampaigns(ctx, tx, userID, p.Email, by)
	if err != nil {
		return err
	}
	now := s.now()
	steps := []func() error{
		func() error { return experiments.LeaveAll(ctx, tx, userID, by, now) },
		func() error { return removePictures(ctx, tx, userID) },
		func() error { return team.Erase(ctx, tx, userID, p.address(), now) },
		func() error { return letters.Erase(ctx, tx, erased.IDs, p.address()) },
		func() error { return accounts.Erase(ctx, tx, userID) },
		func() error { return uploads.Erase(ctx, tx, userID) },
		func() error { return verifications.Erase(ctx, tx, userID) },
		func() error { return s.sessions.Erase(ctx, tx, userID, p.Email) },
		func() error { return dropMails(ctx, tx, userID, p.Email, erased.IDs, ended.IDs) },
		func() error { return likes.WithdrawLater(ctx, tx, userID) },
		func() error { return changes.RedactPerson(ctx, tx, userID) },
		func() error { return people.Erase(ctx, tx, userID, by, erased.Receipts+ended.Receipts, now) },
		func() error { return experiments.RefreshOfOwner(ctx, tx, userID) },
	}
	for _, step := range steps {
		if err := step(); errors.Is(err, people.ErrUnknown) {
			return sessions.ErrEnded // another request was faster
		} else if err != nil {
			return err
		}
	}
	for _, id := range kept {
		if err := campaigns.RefreshPreviews(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// leaveCampaigns takes the person out of their teams, and returns the campaigns that keep them without a name. Error:
// ErrBlocked.
func (s *Service) leaveCampaigns(ctx context.Context, tx *gorm.DB, userID int64, email string, by changes.Actor) (kept []int64, err error) {
	ids, err := campaigns.HoldOf(ctx, tx, userID)
	if err != nil {
		return nil, err
	}
	unfinished, err := campaigns.UnfinishedOf(ctx, tx, userID, "fi")
	if err != nil {
		return nil, err
	}
	if len(unfinished) > 0 {
		return nil, ErrBlocked
	}
	for _, id := range ids {
		stays, picture, err := (campaigns.Edit{CampaignID: id, By: by, Now: s.now()}).Leave(ctx, tx, userID, email)
		if err == nil {
			err = removeLater(ctx, tx, picture)
		}
		if err != nil {
			return nil, err
		}
		if stays {
			kept = append(kept, id)
		}
	}
	return kept, nil
}

// dropMails deletes the mails to the person that wait to be sent.
func dropMails(ctx context.Context, tx *gorm.DB, userID int64, email string, pledgeIDs, subscriptionIDs []string) error {
	for field, values := range map[string][]string{"user_id": {strconv.FormatInt(userID, 10)}, "email": {email}, "pledge_id": pledgeIDs,
		"subscription_id": subscriptionIDs} {
		if err := outbox.Remove(ctx, tx, "mail.", field, values); err != nil {
			return err
		}
	}
	return nil
}

// KindRemovePicture is the outbox message that deletes a picture nobody uses any more.
const KindRemovePicture = "pictures.remove"

// picture is the payload of KindRemovePicture.
type picture struct {
	Name string `json:"name"`
}

func removeLater(ctx context.Context, tx *gorm.DB, name string) error {
	if name == "" {
		return nil
	}
	payload, err := json.Marshal(picture{name})
	if err != nil {
		return fmt.Errorf("encode a picture: %w", err)
	}
	_, err = outbox.Add(ctx, tx, outbox.Message{Kind: KindRemovePicture, Payload: payload})
	return err
}

// removePictures locks the person, so that nothing of theirs changes any more, and removes their pictures, earlier ones too.
func removePictures(ctx context.Context, tx *gorm.DB, userID int64) error {
	pictures, err := people.Hold(ctx, tx, userID)
	if err != nil {
		return err
	}
	for _, name := range pictures {
		if err := removeLater(ctx, tx, name); err != nil {
			return err
		}
	}
	return nil
}

// usedSQL asks whether anything shows a picture: its name is made from its content, so two people who send the same one
// share it.
const usedSQL = `SELECT EXISTS (SELECT FROM users WHERE image = @name)
	OR EXISTS (SELECT FROM campaigns WHERE @name IN (picture, creator_pic))
	OR EXISTS (SELECT FROM rewards WHERE image = @name) OR EXISTS (SELECT FROM experiments WHERE image = @name)
	OR EXISTS (SELECT FROM content_variations WHERE value = @name)
	OR EXISTS (SELECT FROM campaign_texts WHERE strpos(story_html, @name) > 0)
	OR EXISTS (SELECT FROM post_texts WHERE strpos(html, @name) > 0)
	OR EXISTS (SELECT FROM experiment_texts WHERE strpos(story_html, @name) > 0)`

// PictureRemover is the outbox handler of KindRemovePicture; remove deletes a stored picture.
func PictureRemover(db *gorm.DB, remove func(ctx context.Context, name string) error) outbox.Handler {
	return func(ctx context.Context, m outbox.Message) error {
		var p picture
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			return fmt.Errorf("decode message %d: %w", m.ID, err)
		}
		var used bool
		if err := db.WithContext(ctx).Raw(usedSQL, map[string]any{"name": p.Name}).Scan(&used).Error; err != nil {
			return fmt.Errorf("look for who shows picture %s: %w", p.Name, err)
		}
		if used {
			return nil
		}
		return remove(ctx, p.Name)
	}
}
