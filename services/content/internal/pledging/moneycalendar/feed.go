package moneycalendar

import (
	"context"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"slices"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/person/capabilities"
	"talkoot.fi/content/internal/person/notices"
)

// ErrNoFeed: the address is none, or not the newest, or the feed is off.
var ErrNoFeed = apperr.New(apperr.NotFound)

// feeds makes and reads the secret addresses of feeds: the person and the feed's number, with a MAC over both.
type feeds struct {
	keys      [][]byte // the first makes, all read
	publicURL string
}

// Sizes of a token in bytes. Half of an HMAC-SHA-256 is kept (RFC 2104, 5): forging one is a guess in 2^128.
const (
	tokenBody = 8 + 4
	tokenMAC  = 16
)

func newFeeds(secrets [][]byte, publicURL string) (feeds, error) {
	f := feeds{publicURL: publicURL}
	for _, secret := range secrets {
		key, err := hkdf.Key(sha256.New, secret, nil, "addresses of calendar feeds", sha256.Size)
		if err != nil {
			return feeds{}, fmt.Errorf("derive the key of calendar feeds: %w", err)
		}
		f.keys = append(f.keys, key)
	}
	return f, nil
}

func (f feeds) url(userID int64, number int32) string {
	body := binary.BigEndian.AppendUint64(nil, uint64(userID)) //nolint:gosec // ids are positive
	body = binary.BigEndian.AppendUint32(body, uint32(number)) //nolint:gosec // numbers count from 1
	return f.publicURL + "/content/users/calendars/" + base64.RawURLEncoding.EncodeToString(append(body, macOf(f.keys[0], body)...)) + "/"
}

func (f feeds) read(token string) (userID int64, number int32, ok bool) {
	all, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(all) != tokenBody+tokenMAC ||
		!slices.ContainsFunc(f.keys, func(key []byte) bool { return hmac.Equal(all[tokenBody:], macOf(key, all[:tokenBody])) }) {
		return 0, 0, false
	}
	return int64(binary.BigEndian.Uint64(all)), int32(binary.BigEndian.Uint32(all[8:])), true //nolint:gosec // as they were made
}

func macOf(key, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write(body)
	return h.Sum(nil)[:tokenMAC]
}

// FeedURL is the address of a person's feed; empty while it is off.
func (s *Service) FeedURL(ctx context.Context, userID int64) (string, error) {
	var numbers []int32
	err := s.db.WithContext(ctx).Raw(`SELECT number FROM calendar_feeds WHERE user_id = ? AND is_on`, userID).Scan(&numbers).Error
	if err != nil {
		return "", fmt.Errorf("read the calendar feed of user %d: %w", userID, err)
	}
	if len(numbers) == 0 {
		return "", nil
	}
	return s.feeds.url(userID, numbers[0]), nil
}

// RenewFeed turns the feed of who is signed in on, at an address that none has had before, and mails it to them: whoever has
// the address reads what they pay. Error: TokenExpired when the session has ended meanwhile.
func (s *Service) RenewFeed(ctx context.Context, who session.Identity) (string, error) {
	var number int32
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := capabilities.LockSession(ctx, tx, who); err != nil {
			return err
		}
		err := tx.Raw(`
			INSERT INTO calendar_feeds (user_id) VALUES (?)
			ON CONFLICT (user_id) DO UPDATE SET number = calendar_feeds.number + 1, is_on = true RETURNING number`, who.UserID).Scan(&number).Error
		if err != nil {
			return fmt.Errorf("renew the calendar feed of user %d: %w", who.UserID, err)
		}
		return notices.Record(ctx, tx, who.UserID, notices.CalendarFeedMade, notices.Person, s.now().UTC())
	})
	if err != nil {
		return "", err
	}
	return s.feeds.url(who.UserID, number), nil
}

// EndFeed turns a person's feed off; the row stays, so that its address never comes back.
func (s *Service) EndFeed(ctx context.Context, userID int64) error {
	return turnOff(ctx, s.db, userID)
}

// Merge turns the feed of an account off whose support is another one's from now on: a program that reads it says that it is gone,
// instead of showing no charges.
func Merge(ctx context.Context, tx *gorm.DB, from int64) error { return turnOff(ctx, tx, from) }

func turnOff(ctx context.Context, db *gorm.DB, userID int64) error {
	if err := db.WithContext(ctx).Exec(`UPDATE calendar_feeds SET is_on = false WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("end the calendar feed of user %d: %w", userID, err)
	}
	return nil
}

// Feed is the coming charges of whose feed an address is, as iCalendar. Error: ErrNoFeed.
func (s *Service) Feed(ctx context.Context, token string) ([]byte, error) {
	userID, number, ok := s.feeds.read(token)
	if !ok {
		return nil, ErrNoFeed
	}
	var languages []string
	err := s.db.WithContext(ctx).Raw(`
		SELECT u.language FROM calendar_feeds f JOIN users u ON u.id = f.user_id
		WHERE f.user_id = ? AND f.number = ? AND f.is_on AND u.erased_at IS NULL AND u.blocked_at IS NULL`, userID, number).Scan(&languages).Error
	if err != nil {
		return nil, fmt.Errorf("read a calendar feed: %w", err)
	}
	if len(languages) == 0 {
		return nil, ErrNoFeed
	}
	supports, err := s.Of(ctx, userID, languages[0])
	if err != nil {
		return nil, err
	}
	return iCalendar(supports, languages[0], s.now())
}

// Erase deletes a person's feed, in the caller's transaction.
func Erase(ctx context.Context, tx *gorm.DB, userID int64) error {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM calendar_feeds WHERE user_id = ?`, userID).Error; err != nil {
		return fmt.Errorf("delete the calendar feed of user %d: %w", userID, err)
	}
	return nil
}
