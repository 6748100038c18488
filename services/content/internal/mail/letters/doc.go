// Package letters mails a campaign's backers and monthly supporters what its creators publish.
//
// It owns the tables letter_rounds, letters and letter_refusals. Invariants:
//   - a post's letters leave once, when it is first published (Begin); the transaction that publishes writes one
//     message;
//   - an address gets the letter of a post once, however often it has pledged or supports monthly (the primary key of
//     letters);
//   - the letters of a round are written in batches, each in a short transaction, which also queues the next one behind
//     the mails of this one: so a receipt that is queued meanwhile waits for at most one batch;
//   - none is written or sent while the campaign is on hold, or once it was stopped: they wait, and GoOn has them leave;
//   - a letter goes to those who may read the whole post, because of what was given with the address or by its
//     account, and have not refused the campaign's letters; both are checked again when it is sent. It is sent only
//     while the post is published; if the post is a draft by then the letter is deleted, and written anew at the next
//     publication.
//
// Letters are kept by the hash of an address; what is needed to send one is read from the pledge or the monthly
// support. The mail itself is made by package mails.
package letters

import "talkoot.fi/kit/apperr"

// Kinds of messages in the outbox.
const (
	KindBatch = "letters.batch"    // the next batch of a round
	KindMail  = "mail.letter"      // one letter; its payload is a Mail
	KindTest  = "mail.test_letter" // a test letter to the person who asked for it; its payload is a Test
)

var (
	// ErrUnknown is a link that does not belong to anybody's letters.
	ErrUnknown = apperr.New(apperr.NotFound)
	// ErrUnconfirmed refuses a test letter to an address that its owner has not confirmed.
	ErrUnconfirmed = apperr.New(apperr.AddressUnconfirmed)
)

// Mail is the payload of KindMail.
type Mail struct {
	PostID int64 `json:"post_id"`
	// Whose backer it goes to: one of the two.
	PledgeID       string `json:"pledge_id,omitempty"`
	SubscriptionID string `json:"subscription_id,omitempty"`
}

// Test is the payload of KindTest.
type Test struct {
	PostID   int64  `json:"post_id"`
	UserID   int64  `json:"user_id"`
	Language string `json:"language"`
}

// batch is the payload of KindBatch.
type batch struct {
	PostID int64 `json:"post_id"`
	Number int   `json:"batch"` // letter_rounds.batch when it was queued
}
