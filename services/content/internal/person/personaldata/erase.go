package personaldata

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/discovery/likes"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/mail/undeliverable"
	"talkoot.fi/content/internal/media/pictures"
	"talkoot.fi/content/internal/media/uploads"
	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/person/verifications"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/moneycalendar"
	"talkoot.fi/content/internal/pledging/payers"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/reminders"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/writing/changes"
)

// erase erases an account in a transaction; what banks keep of decided payments is no obstacle. Errors: ErrBlocked; sessions.ErrEnded.
func (s *Service) erase(ctx context.Context, tx *gorm.DB, userID int64, decided []string) error {
	p, err := read(ctx, tx, userID)
	if err != nil {
		return err
	}
	if p.isStaff() {
		return ErrBlocked
	}
	held, err := s.pledges.Lock(ctx, tx, userID, p.address(), decided)
	if errors.Is(err, pledges.ErrUndecided) {
		return ErrBlocked
	}
	if err != nil {
		return err
	}
	monthly, err := s.monthly.Lock(ctx, tx, userID, p.address(), decided)
	if errors.Is(err, subscriptions.ErrUndecided) {
		return ErrBlocked
	}
	if err != nil {
		return err
	}
	teams, err := s.lockCampaigns(ctx, tx, userID)
	if err != nil {
		return err
	}
	running, err := s.monthly.Running(ctx, tx, userID, p.address())
	if err != nil {
		return err
	}
	erased, err := s.pledges.Erase(ctx, tx, held)
	if err != nil {
		return err
	}
	ended, err := s.monthly.Erase(ctx, tx, monthly)
	if err != nil {
		return err
	}
	// Not the person's id: the day's limit of the history does not keep anybody.
	by := changes.Actor{Name: "user"}
	kept, err := s.leaveCampaigns(ctx, tx, teams, userID, p.address(), by)
	if err != nil {
		return err
	}
	invited, err := team.InvitedTo(ctx, tx, p.address())
	if err != nil {
		return err
	}
	logged := changes.Person{ID: userID, Names: p.names(), Campaigns: append(teams, invited...), NamesOf: namesOf}
	now := s.now()
	steps := []func() error{
		func() error { return leaveExperiments(ctx, tx, userID, by, now) },
		func() error { return removePictures(ctx, tx, userID) },
		func() error { return team.Erase(ctx, tx, userID, p.address(), now) },
		func() error { return experiments.EraseInvitations(ctx, tx, userID) },
		func() error { return letters.Erase(ctx, tx, erased.IDs, ended.IDs, p.address()) },
		func() error { return undeliverable.Clear(ctx, tx, p.address()) },
		func() error { return reminders.Erase(ctx, tx, p.address()) },
		func() error { return accounts.Erase(ctx, tx, userID) },
		func() error { return claims.Erase(ctx, tx, userID, erased.IDs, now) },
		func() error { return uploads.Erase(ctx, tx, userID) },
		func() error { return verifications.Erase(ctx, tx, userID) },
		func() error { return moneycalendar.Erase(ctx, tx, userID) },
		func() error { return s.sessions.Erase(ctx, tx, userID, p.address()) },
		func() error { return dropMails(ctx, tx, userID, p.address(), erased.IDs, ended.IDs) },
		func() error { return tellErased(ctx, tx, p, running, now) },
		func() error { return likes.WithdrawLater(ctx, tx, userID) },
		func() error { return changes.RedactPerson(ctx, tx, logged) },
		func() error { return people.Erase(ctx, tx, userID, by, erased.Receipts+ended.Receipts, now) },
		func() error { return campaigns.ForgetReviewed(ctx, tx, userID) },
		func() error { return experiments.RefreshOfOwner(ctx, tx, userID) },
		func() error { return payers.Erase(ctx, tx, userID) },
	}
	for _, step := range steps {
		if err := step(); errors.Is(err, people.ErrUnknown) {
			return sessions.ErrEnded // another request was faster
		} else if err != nil {
			return err
		}
	}
	// Last, because it locks totals: who gave signed in and by mail address is one person from now on.
	if err := campaigns.RecountPeople(ctx, tx, slices.Concat(erased.IDs, ended.IDs)); err != nil {
		return err
	}
	for _, id := range kept {
		if err := campaigns.RefreshPreviews(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}

// lockCampaigns locks the campaigns in whose team the person is. Error: ErrBlocked for one that needs them.
func (s *Service) lockCampaigns(ctx context.Context, tx *gorm.DB, userID int64) ([]int64, error) {
	ids, err := campaigns.LockOf(ctx, tx, userID)
	if err != nil {
		return nil, err
	}
	unfinished, err := campaigns.UnfinishedOf(ctx, tx, userID, "fi")
	if err == nil && len(unfinished) > 0 {
		err = ErrBlocked
	}
	return ids, err
}

// leaveCampaigns takes the person out of their teams, and returns the campaigns that keep them without a name.
func (s *Service) leaveCampaigns(ctx context.Context, tx *gorm.DB, ids []int64, userID int64, address string,
	by changes.Actor) (kept []int64, err error) {
	for _, id := range ids {
		left, err := (campaigns.Edit{CampaignID: id, By: by, Now: s.now()}).Leave(ctx, tx, userID, address)
		if err == nil {
			err = pictures.RemoveLater(ctx, tx, left.Pictures)
		}
		if err != nil {
			return nil, err
		}
		if left.Kept {
			kept = append(kept, id)
		}
	}
	return kept, nil
}

func leaveExperiments(ctx context.Context, tx *gorm.DB, userID int64, by changes.Actor, now time.Time) error {
	names, err := experiments.LeaveAll(ctx, tx, userID, by, now)
	if err != nil {
		return err
	}
	return pictures.RemoveLater(ctx, tx, names)
}

// dropMails deletes the mails to the person, also those that wait to be sent. What goes to an address that they have not
// confirmed may be for somebody else.
func dropMails(ctx context.Context, tx *gorm.DB, userID int64, address string, pledgeIDs, subscriptionIDs []string) error {
	fields := map[string][]string{"user_id": {strconv.FormatInt(userID, 10)}, "pledge_id": pledgeIDs,
		"subscription_id": subscriptionIDs}
	if address != "" {
		fields["email"] = []string{address}
	}
	for field, values := range fields {
		if err := outbox.Remove(ctx, tx, "mail.", field, values); err != nil {
			return err
		}
	}
	return nil
}

// tellErased has the person told that it is done: what is mailed is all that is kept of them for that, until it is sent.
func tellErased(ctx context.Context, tx *gorm.DB, p person, running []subscriptions.Running, now time.Time) error {
	if !p.IsTheirs {
		return nil
	}
	gone := notices.Erased{To: p.Email, Language: p.Language, At: now}
	if p.Verified { // of another one a stranger may have typed the name
		gone.FirstName = p.FirstName
	}
	for _, r := range running {
		gone.Monthly = append(gone.Monthly, notices.EndedSupport{Supports: r.Supports, AmountMinor: r.AmountMinor})
	}
	return notices.TellErased(ctx, tx, gone)
}

// removePictures locks the person, so that nothing of theirs changes any more, and removes their pictures, earlier ones too.
func removePictures(ctx context.Context, tx *gorm.DB, userID int64) error {
	names, err := people.Lock(ctx, tx, userID)
	if err != nil {
		return err
	}
	return pictures.RemoveLater(ctx, tx, names)
}
