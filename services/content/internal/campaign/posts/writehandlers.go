package posts

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/presence"
	"talkoot.fi/content/internal/writing/richtext"
)

// testLetters limits the test letters of one person: five at once, thirty an hour.
var testLetters = ratelimit.Limit{Rate: 30, Period: time.Hour, Burst: 5}

// PersonRules are the rate limits by signed-in person.
func PersonRules() ratelimit.Rules {
	return ratelimit.Rules{"POST /campaigns/:campaign_id/posts/:post_id/test_letter": {{Name: "test_letter",
		Limit: testLetters}}}
}

// CreatePost begins a post. Errors: those of campaigns.RequireEdit and Begin.
func (h *Handlers) CreatePost(ctx context.Context, r api.CreatePostRequestObject) (
	api.CreatePostResponseObject, error) {
	edit, who, err := h.edit(ctx, r.CampaignID, 0, nil)
	if err != nil {
		return nil, err
	}
	wanted, err := wantedOf(r.Body.Language, r.Body.Content, (*string)(r.Body.Status), r.Body.Meta)
	if err != nil {
		return nil, err
	}
	var key idem.Key
	if r.Params.IdempotencyKey != nil {
		body, err := json.Marshal(r.Body)
		if err != nil {
			return nil, fmt.Errorf("hash request: %w", err)
		}
		key = idem.Key{Scope: idem.Scope("posts", strconv.FormatInt(who.UserID, 10)), Key: *r.Params.IdempotencyKey,
			Hash: idem.Hash(strconv.AppendInt(nil, r.CampaignID, 10), body)}
	}
	if edit.PostID, err = Begin(ctx, h.db, edit, key, wanted); err != nil {
		return nil, err
	}
	post, etag, err := h.admin(ctx, edit)
	return api.CreatePost201JSONResponse{Body: post, Headers: api.CreatePost201ResponseHeaders{ETag: etag}}, err
}

// ChangePost changes a post. Errors: those of campaigns.RequireEdit and Change.
func (h *Handlers) ChangePost(ctx context.Context, r api.ChangePostRequestObject) (
	api.ChangePostResponseObject, error) {
	edit, _, err := h.edit(ctx, r.CampaignID, r.PostID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted, err := wantedOf(r.Body.Language, r.Body.Content, (*string)(r.Body.Status), r.Body.Meta)
	if err != nil {
		return nil, err
	}
	if err := Change(ctx, h.db, edit, wanted); err != nil {
		return nil, err
	}
	post, etag, err := h.admin(ctx, edit)
	return api.ChangePost200JSONResponse{Body: post, Headers: api.ChangePost200ResponseHeaders{ETag: etag}}, err
}

// DeletePost takes a post away. Errors: those of campaigns.RequireEdit and Delete.
func (h *Handlers) DeletePost(ctx context.Context, r api.DeletePostRequestObject) (
	api.DeletePostResponseObject, error) {
	edit, _, err := h.edit(ctx, r.CampaignID, r.PostID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	if err := Delete(ctx, h.db, edit); err != nil {
		return nil, err
	}
	return api.DeletePost204Response{}, nil
}

// PostAdmin is all that writing a post needs. Errors: those of campaigns.RequireEdit; ErrUnknown.
func (h *Handlers) PostAdmin(ctx context.Context, r api.PostAdminRequestObject) (api.PostAdminResponseObject, error) {
	edit, who, err := h.edit(ctx, r.CampaignID, r.PostID, nil)
	if err != nil {
		return nil, err
	}
	post, etag, err := h.admin(ctx, edit)
	if err != nil {
		return nil, err
	}
	editor := presence.Editor{Entity: presence.Post, EntityID: r.PostID, UserID: who.UserID}
	post.Writers, err = presence.Note(ctx, h.db, editor, r.Params.Here, h.now())
	return api.PostAdmin200JSONResponse{Body: post, Headers: api.PostAdmin200ResponseHeaders{ETag: etag}}, err
}

// SendTestLetter mails the post to the person who asks, whose address has to be confirmed. Errors: those of
// campaigns.RequireEdit; ErrUnknown; InvalidFields for a post without title or text; letters.ErrUnconfirmed.
func (h *Handlers) SendTestLetter(ctx context.Context, r api.SendTestLetterRequestObject) (
	api.SendTestLetterResponseObject, error) {
	edit, who, err := h.edit(ctx, r.CampaignID, r.PostID, nil)
	if err != nil {
		return nil, err
	}
	if err := Sendable(ctx, h.db, edit); err != nil {
		return nil, err
	}
	test := letters.Test{PostID: r.PostID, UserID: who.UserID, Language: languages.OfQuery(ctx, r.Params.Language)}
	if err := test.Send(ctx, h.db); err != nil {
		return nil, err
	}
	return api.SendTestLetter202Response{}, nil
}

// edit checks that the reader may change the campaign's posts. Errors: those of campaigns.RequireEdit.
func (h *Handlers) edit(ctx context.Context, campaignID, postID int64, ifMatch *string) (
	Edit, session.Identity, error) {
	who, err := campaigns.RequireEdit(ctx, h.db, campaignID)
	return Edit{CampaignID: campaignID, PostID: postID, Known: changes.Known(ifMatch), By: changes.User(who.UserID),
		Now: h.now()}, who, err
}

// wantedOf reads a body. Error: InvalidFields when it has its text twice, or one that is no document.
func wantedOf(language *string, content *api.PostContent, status *string, meta *api.PostMeta) (Wanted, error) {
	wanted := Wanted{Status: (*Status)(status)}
	if language != nil {
		known := languages.Of(*language)
		wanted.Language = &known
	}
	if meta != nil {
		wanted.Level = &meta.Level
	}
	if content == nil {
		return wanted, nil
	}
	if content.JSON != nil && content.HTML != nil {
		return wanted, apperr.New(apperr.InvalidFields).WithField("content.html", apperr.RuleOneOf)
	}
	wanted.Title = content.Title
	if content.JSON != nil {
		return wanted.withStory("content.json", *content.JSON)
	}
	if content.HTML != nil {
		document, err := json.Marshal(richtext.FromHTML(*content.HTML))
		if err != nil {
			return wanted, fmt.Errorf("write a document of HTML: %w", err)
		}
		return wanted.withStory("content.html", document)
	}
	return wanted, nil
}

// withStory adds the document that a field holds. Error: InvalidFields with the place in the document.
func (w Wanted) withStory(field string, document []byte) (Wanted, error) {
	story, fault := richtext.Read(document)
	if fault != nil {
		return w, apperr.New(apperr.InvalidFields).WithFields([]apperr.Field{fault.At(field)})
	}
	w.Story = &story
	return w, nil
}

func (h *Handlers) admin(ctx context.Context, e Edit) (answer api.PostAdminAnswer, etag *string, err error) {
	a, err := ReadAdmin(ctx, h.db, e.CampaignID, e.PostID, h.now())
	if err != nil {
		return answer, nil, err
	}
	p := &answer.Post
	*p = api.PostAdmin{ID: a.ID, CampaignID: a.CampaignID, Number: a.Number, Status: api.PostAdminStatus(a.Status),
		PublishedAt: a.PublishedAt,
		Language:    a.Language, Meta: api.PostMeta{Level: a.Level}, Author: a.Author, Version: a.Version,
		UpdatedAt: a.UpdatedAt}
	p.Letters.Total, p.Letters.ByLanguage, p.Letters.Declined, p.Letters.Undelivered, p.Letters.SentAt =
		a.Letters.Total, a.Letters.ByLanguage, a.Letters.Declined, a.Letters.Undelivered, a.Letters.SentAt
	if hold := api.HoldKind(a.Letters.Hold); hold != "" {
		p.Letters.WaitsFor = &hold
	}
	p.Texts = map[string]api.PostText{}
	for _, t := range a.Texts {
		p.Texts[t.Language] = api.PostText{Title: t.Title, JSON: t.Story, UpdatedAt: t.UpdatedAt}
	}
	p.Readers = make([]api.PostReaders, len(a.Letters.Readers))
	for i, r := range a.Letters.Readers {
		p.Readers[i] = api.PostReaders{Level: r.Level, Readers: r.Readers}
	}
	return answer, changes.ETag(a.Version), nil
}
