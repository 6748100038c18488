package mangopay

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/paper"
)

// States of a dispute besides disputeClosed, and of a document.
const (
	disputeAwaits    = "PENDING_CLIENT_ACTION"
	disputeReopened  = "REOPENED_PENDING_CLIENT_ACTION"
	disputeSubmitted = "SUBMITTED"
	disputeAtBank    = "PENDING_BANK_ACTION"

	documentAsked    = "VALIDATION_ASKED"
	documentRefused  = "REFUSED"
	documentOutdated = "OUT_OF_DATE"
)

// Names of the wire. docs.mangopay.com/api-reference/dispute-documents/dispute-document-object
//
//nolint:revive // the wire's
type disputeDocument struct{ Id, Tag, Status string }

// Contest sends evidence to the bank of a dispute: a document with a page for each that its texts fill, which is handed in, and then the dispute. Neither
// a change by PUT nor a key that is older than a day keeps a repeat from doing it twice, so each step first looks at what is there: the document has our
// key in its tag, and what Mangopay has said is where the dispute stands.
func (c *Client) Contest(ctx context.Context, o provider.ContestOrder) error {
	d, err := c.dispute(ctx, o.Dispute)
	switch {
	case err != nil || d.isSubmitted():
		return err
	case d.DisputeType == notContestable, d.Status != disputeAwaits && d.Status != disputeReopened:
		return fmt.Errorf("contest dispute %s, which is %s and %s: %w", d.Id, d.DisputeType, d.Status, provider.ErrRefused)
	case d.ContestDeadlineDate != nil && !c.config.Now().Before(at(*d.ContestDeadlineDate)):
		return fmt.Errorf("contest dispute %s, whose time is over: %w", d.Id, provider.ErrRefused)
	}
	doc, pages, err := c.documentFor(ctx, d, o.Key)
	if err != nil {
		return err
	}
	wasNew := doc.Status == created
	if wasNew {
		if doc, err = c.handIn(ctx, d, doc, pages, o); err != nil {
			return err
		}
	}
	switch {
	case doc.Status == documentRefused, doc.Status == documentOutdated:
		return fmt.Errorf("contest dispute %s: document %s is %s: %w", d.Id, doc.Id, doc.Status, provider.ErrRefused)
	case d.Status == disputeReopened && !wasNew && doc.Status != documentAsked:
		// It was looked at, most likely because it was submitted, and more is wanted now. Submitted again, it would be all that is said.
		return nil
	}
	return c.submit(ctx, d)
}

// isSubmitted reports whether it is with Mangopay or the bank.
func (d dispute) isSubmitted() bool { return d.Status == disputeSubmitted || d.Status == disputeAtBank }

func (c *Client) dispute(ctx context.Context, id string) (d dispute, err error) {
	if !isID(id) {
		return d, fmt.Errorf("a dispute: %w", provider.ErrNotFound)
	}
	err = c.get(ctx, "read dispute "+id, "/disputes/"+id, &d)
	return d, err
}

// documentFor finds the document that a key has made, with the number of pages that it has, or makes it.
func (c *Client) documentFor(ctx context.Context, d dispute, key string) (doc disputeDocument, pages int, err error) {
	tag, path := url.Values{"evidence": {key}}.Encode(), "/disputes/"+d.Id+"/documents"
	err = each(ctx, c, "list documents of dispute "+d.Id, path, url.Values{}, func(one disputeDocument) error {
		if one.Tag == tag {
			doc = one
		}
		return nil
	})
	if err != nil {
		return doc, 0, err
	}
	isThere := doc.Id != ""
	if !isThere {
		isThere, err = c.post(ctx, "create document of dispute "+d.Id, path, key+":document", map[string]any{"Type": "OTHER", "Tag": tag}, &doc)
	}
	if err == nil && isThere && doc.Status == created {
		pages, err = c.pagesOf(ctx, doc.Id)
	}
	return doc, pages, err
}

// pagesOf counts the pages of a document: there is a link to each. Where the links are not given it is 0, and pages are told apart by their keys, and by
// the numbers that stand on them. docs.mangopay.com/api-reference/dispute-documents/create-weblink-to-view-dispute-document-pages
func (c *Client) pagesOf(ctx context.Context, document string) (int, error) {
	var links []struct{ Url string } //nolint:revive // the wire's
	err := c.call(ctx, request{act: "count pages of document " + document, method: http.MethodPost, path: "/dispute-documents/" + document + "/consult", out: &links})
	if errors.Is(err, provider.ErrRefused) || errors.Is(err, provider.ErrNotFound) {
		return 0, nil
	}
	return len(links), err
}

// handIn adds the pages that a document lacks, and hands it in.
func (c *Client) handIn(ctx context.Context, d dispute, doc disputeDocument, pages int, o provider.ContestOrder) (disputeDocument, error) {
	err := c.fill(ctx, d, doc, pages, o)
	if err == nil {
		doc.Status = documentAsked
		return doc, nil
	}
	if !errors.Is(err, provider.ErrRefused) {
		return doc, err
	}
	// A refusal may mean that it is handed in: by another call, or by a try of this one whose answer never came.
	var now disputeDocument
	if again := c.get(ctx, "read document "+doc.Id, "/dispute-documents/"+doc.Id, &now); again != nil {
		return doc, again
	}
	if now.Status == created {
		return doc, err
	}
	return now, nil
}

func (c *Client) fill(ctx context.Context, d dispute, doc disputeDocument, pages int, o provider.ContestOrder) error {
	drawn, err := paper.Draw("Evidence in a dispute", partsOf(d, o.Evidence))
	if err != nil {
		return err
	}
	path := "/disputes/" + d.Id + "/documents/" + doc.Id
	for i := min(pages, len(drawn)); i < len(drawn); i++ {
		_, err := c.post(ctx, fmt.Sprintf("add page %d to document %s", i+1, doc.Id), path+"/pages", fmt.Sprintf("%s:page:%d", o.Key, i+1),
			map[string]any{"File": base64.StdEncoding.EncodeToString(drawn[i])}, nil)
		if err != nil {
			return err
		}
	}
	return c.put(ctx, "hand in document "+doc.Id, path, map[string]any{"Status": documentAsked}, nil)
}

// partsOf is what the pages say.
func partsOf(d dispute, e provider.Evidence) []paper.Part {
	return []paper.Part{
		{Heading: "Payment", Text: fmt.Sprintf("Pay-in %s\nDispute %s: %s, %s", d.InitialTransactionId, d.Id, d.DisputedFunds.amount(), d.DisputeReason.DisputeReasonType)},
		{Heading: "Customer", Text: e.CustomerName + "\n" + e.CustomerEmail},
		{Heading: "Shipping address", Text: e.ShippingAddress},
		{Heading: "Sent on", Text: e.ShippingDate},
		{Heading: "What was bought", Text: e.Product},
		{Heading: "What the customer was told about taking it back", Text: e.Policy},
		{Heading: "What happened", Text: e.Statement},
	}
}

// submit hands a dispute in with all of its sum; a retrieval has none, because no money has moved. docs.mangopay.com/api-reference/disputes/submit-dispute
func (c *Client) submit(ctx context.Context, d dispute) error {
	body := map[string]any{}
	if d.DisputeType != retrieval {
		body["ContestedFunds"] = d.DisputedFunds
	}
	err := c.put(ctx, "submit dispute "+d.Id, "/disputes/"+d.Id+"/submit", body, nil)
	if !errors.Is(err, provider.ErrRefused) {
		return err
	}
	now, again := c.dispute(ctx, d.Id) // as in handIn
	if again != nil || now.isSubmitted() {
		return again
	}
	return err
}
