package letters

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/mail/addresslinks"
)

// Handlers answers the calls by which people refuse letters.
type Handlers struct {
	db    *gorm.DB
	links addresslinks.Kind
	now   func() time.Time
}

// NewHandlers makes the handlers; Rules belong before them.
func NewHandlers(db *gorm.DB, links addresslinks.Kind, now func() time.Time) *Handlers {
	return &Handlers{db, links, now}
}

// Rules are the rate limits by address.
func Rules(limit ratelimit.Limit) ratelimit.Rules {
	return ratelimit.Rules{"POST /letters/:token/unsubscribe": {{Name: "letters", Limit: limit}}}
}

// OpenLettersPage leads a browser that opened the address for mail programs to the page with the button, in the language
// that it prefers. It changes nothing, since mail servers open links to scan them; the page says whether the link is one.
func (h *Handlers) OpenLettersPage(ctx context.Context, r api.OpenLettersPageRequestObject) (
	api.OpenLettersPageResponseObject, error) {
	page := languages.Prefix(languages.OfQuery(ctx, nil)) + "letters/#token=" + url.QueryEscape(r.Token)
	return api.OpenLettersPage303Response{Headers: api.OpenLettersPage303ResponseHeaders{Location: &page}}, nil
}

// UnsubscribeFromLetters ends the letters of a campaign to the address of a link. The body is not read: mail programs
// send a form that says List-Unsubscribe=One-Click (RFC 8058), the app sends none. Error: ErrUnknown.
func (h *Handlers) UnsubscribeFromLetters(ctx context.Context, r api.UnsubscribeFromLettersRequestObject) (
	api.UnsubscribeFromLettersResponseObject, error) {
	campaignID, addressHash, ok := h.links.Read(r.Token)
	if !ok {
		return nil, ErrUnknown
	}
	err := h.db.WithContext(ctx).Exec(`
		INSERT INTO letter_refusals (campaign_id, address_hash, created_at)
		SELECT id, @hash, @now FROM campaigns WHERE id = @campaign
		ON CONFLICT (campaign_id, address_hash) DO NOTHING`,
		map[string]any{"campaign": campaignID, "hash": addressHash, "now": h.now()}).Error
	if err != nil {
		return nil, fmt.Errorf("refuse the letters of campaign %d: %w", campaignID, err)
	}
	return api.UnsubscribeFromLetters204Response{}, nil
}
