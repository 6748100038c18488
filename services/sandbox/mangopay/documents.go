package mangopay

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"talkoot.fi/sandbox/standin"
)

const (
	documentAsked     = "VALIDATION_ASKED"
	documentValidated = "VALIDATED"
	documentRefused   = "REFUSED"

	documentDelay = 60 // seconds until Mangopay has looked at one

	minPage = 1 << 10  // bytes of a file
	maxPage = 10 << 20 // of the text that it is sent as

	pageFile    = "file"
	consultLife = 600 // seconds for which the link to a page is good
)

// document is a proof that an owner or we hand in: of who somebody is, or in a dispute.
type document struct {
	ID                   string    `json:"Id"`
	Tag                  *string   `json:"Tag"`
	CreationDate         int64     `json:"CreationDate"`
	UserID               *string   `json:"UserId"`
	DisputeID            *string   `json:"DisputeId,omitempty"`
	Type                 string    `json:"Type"`
	Status               string    `json:"Status"`
	RefusedReasonType    *string   `json:"RefusedReasonType"`
	RefusedReasonMessage *string   `json:"RefusedReasonMessage"`
	ProcessedDate        *int64    `json:"ProcessedDate"`
	Flags                *[]string `json:"Flags,omitempty"` // of users' documents
}

// bucketDocumentPages has the files of documents, by the document and their number.
const bucketDocumentPages = "document_pages"

// fileTypes are those that a page may have. docs.mangopay.com/release-notes/api/2026-11-18
var fileTypes = []string{"application/pdf", "image/jpeg", "image/png"}

// documentReasons are the refusals that a document's tag can ask for.
var documentReasons = map[string]string{
	"refuse_unreadable": "DOCUMENT_UNREADABLE", "refuse_not_accepted": "DOCUMENT_NOT_ACCEPTED", "refuse_expired": "DOCUMENT_HAS_EXPIRED",
	"refuse_incomplete": "DOCUMENT_INCOMPLETE", "refuse_missing": "DOCUMENT_MISSING", "refuse_no_user_data_match": "DOCUMENT_DO_NOT_MATCH_USER_DATA",
	"refuse_falsified": "DOCUMENT_FALSIFIED", "refuse_underage": "UNDERAGE_PERSON",
}

// family is the beginning of its events.
func (d *document) family() string {
	if d.DisputeID != nil {
		return "DISPUTE_DOCUMENT_"
	}
	return "KYC_"
}

func (c *call) newDocument(d *document) (any, error) {
	d.ID, d.CreationDate, d.Status = c.newID("doc"), c.now, statusCreated
	if d.DisputeID == nil {
		d.Flags = &[]string{}
	}
	return d, firstOf(documents.Put(c.tx, d), c.tell(d.ID, d.family()+"CREATED"))
}

func addProof(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag  *string `json:"Tag" rule:"max=255"`
		Type string  `json:"Type" rule:"required,in=IDENTITY_PROOF|REGISTRATION_PROOF|ARTICLES_OF_ASSOCIATION|SHAREHOLDER_DECLARATION|ADDRESS_PROOF"`
	}](c)
	if err != nil {
		return nil, err
	}
	return c.newDocument(&document{UserID: &u.ID, Tag: in.Tag, Type: in.Type})
}

func addEvidence(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["dispute"])
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag  *string `json:"Tag" rule:"max=255"`
		Type string  `json:"Type" rule:"required,in=DELIVERY_PROOF|INVOICE|REFUND_PROOF|USER_CORRESPONDANCE|USER_ACCEPTANCE_PROOF|PRODUCT_REPLACEMENT_PROOF|OTHER"`
	}](c)
	if err != nil {
		return nil, err
	}
	if d.Status != disputeAwaits && d.Status != disputeReopened {
		return nil, paramError("Status", "The dispute is "+d.Status+".")
	}
	return c.newDocument(&document{DisputeID: &d.ID, UserID: &d.User, Tag: in.Tag, Type: in.Type})
}

// document finds one that is the user's or the dispute's of the path.
func (c *call) document() (*document, error) {
	d, err := get(c.tx, documents, "Document", c.ids["id"])
	if err == nil && (c.ids["user"] != "" && value(d.UserID) != c.ids["user"] || c.ids["dispute"] != "" && value(d.DisputeID) != c.ids["dispute"]) {
		return nil, notFound("Document", c.ids["id"])
	}
	return d, err
}

func getDocument(c *call) (any, error) { return c.document() }

func addPage(c *call) (any, error) {
	d, err := c.document()
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		File string `json:"File" rule:"required"`
	}](c)
	if err != nil {
		return nil, err
	}
	file, err := base64.StdEncoding.DecodeString(in.File)
	switch {
	case err != nil:
		return nil, paramError("File", "The file is not in base64.")
	case len(file) < minPage || len(in.File) > maxPage:
		return nil, paramError("File", "The file is too small or too large.")
	case !slices.Contains(fileTypes, http.DetectContentType(file)):
		return nil, paramError("File", "The file is no PDF, JPEG or PNG.")
	case d.Status != statusCreated:
		return nil, paramError("Status", "The document has been handed in.")
	}
	return nil, c.tx.Bucket([]byte(bucketDocumentPages)).Put(pageKey(d.ID, len(c.filesOf(d.ID))+1), file)
}

func pageKey(document string, number int) []byte {
	return fmt.Appendf(nil, "%s/%06d", document, number)
}

// filesOf are the keys of a document's pages, in the order in which they were added.
func (c *call) filesOf(document string) (keys []string) {
	prefix := []byte(document + "/")
	at := c.tx.Bucket([]byte(bucketDocumentPages)).Cursor()
	for key, _ := at.Seek(prefix); bytes.HasPrefix(key, prefix); key, _ = at.Next() {
		keys = append(keys, string(key))
	}
	return keys
}

// consult gives a link to each page of a document.
func consult(c *call) (any, error) {
	d, err := c.document()
	if err := firstOf(err, c.unread()); err != nil {
		return nil, err
	}
	type link struct {
		URL            string `json:"Url"`
		ExpirationDate int64  `json:"ExpirationDate"`
	}
	links, until := []link{}, c.now+consultLife
	for _, key := range c.filesOf(d.ID) {
		secret := c.s.engine.IDs.Text(32)
		if err := standin.PutJSON(c.tx, bucketPages, secret, page{Kind: pageFile, Of: key, Until: until}); err != nil {
			return nil, err
		}
		links = append(links, link{c.s.opts.PublicURL + "/documents/page?token=" + secret, until})
	}
	return links, nil
}

// showFile is the page of a document, to whoever has its link.
func (s *Sandbox) showFile(w http.ResponseWriter, r *http.Request) {
	var file []byte
	err := s.read(&call{}, func(c *call) error {
		var p page
		found, err := standin.GetJSON(c.tx, bucketPages, r.FormValue("token"), &p)
		if err != nil || !found || p.Kind != pageFile || p.Until <= c.now {
			return errOr(err, notFound("Page", ""))
		}
		file = bytes.Clone(c.tx.Bucket([]byte(bucketDocumentPages)).Get([]byte(p.Of)))
		return nil
	})
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	w.Header().Set("Content-Type", http.DetectContentType(file))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(file) // a client that left needs no file
}

func handIn(c *call) (any, error) {
	d, err := c.document()
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag    *string `json:"Tag" rule:"max=255"`
		Status string  `json:"Status" rule:"required,in=VALIDATION_ASKED"`
	}](c)
	switch {
	case err != nil:
		return nil, err
	case d.Status != statusCreated:
		return nil, paramError("Status", "The document has been handed in.")
	case len(c.filesOf(d.ID)) == 0:
		return nil, paramError("Pages", "The document has no pages.")
	}
	if in.Tag != nil {
		d.Tag = in.Tag
	}
	d.Status = in.Status
	return d, firstOf(documents.Put(c.tx, d), c.tell(d.ID, d.family()+"VALIDATION_ASKED"), c.schedule(documentDelay, actLookAt, d.ID))
}

// lookAt is Mangopay deciding as a document's tag says. Without such a tag it decides nothing.
func (c *call) lookAt(id string) error {
	d, err := documents.Find(c.tx, id)
	if err != nil || d == nil || d.Status != documentAsked {
		return err
	}
	reason, refused := documentReasons[strings.ToLower(value(d.Tag))]
	if !refused && !strings.EqualFold(value(d.Tag), acceptTag) {
		return nil
	}
	return c.decideDocument(d, reason)
}

// decideDocument is Mangopay's decision about one; without a reason it is good.
func (c *call) decideDocument(d *document, reason string) error {
	event, refused := "SUCCEEDED", reason != ""
	d.Status, d.ProcessedDate = documentValidated, &c.now
	if refused {
		d.Status, d.RefusedReasonType, event = documentRefused, &reason, "FAILED"
	}
	if err := firstOf(documents.Put(c.tx, d), c.tell(d.ID, d.family()+event)); err != nil || refused || d.Type != "IDENTITY_PROOF" {
		return err
	}
	u, err := c.person(value(d.UserID), "")
	if err != nil || u.PersonType != natural {
		return err // a company needs more than one document
	}
	return c.setKYC(u, regular)
}

func listProofs(c *call) (any, error) { return listed(c, documents, "proof", whole[document]) }

func listAllEvidence(c *call) (any, error) { return listed(c, documents, "evidence", whole[document]) }

func listEvidence(c *call) (any, error) {
	d, err := get(c.tx, disputes, "Dispute", c.ids["dispute"])
	if err != nil {
		return nil, err
	}
	return listed(c, documents, "dispute="+d.ID, whole[document])
}

func documentRoutes() []route {
	return []route{
		{http.MethodPost, "users/{user}/kyc/documents", addProof},
		{http.MethodGet, "users/{user}/kyc/documents", ofUser(documents, whole[document], nil)},
		{http.MethodGet, "users/{user}/kyc/documents/{id}", getDocument},
		{http.MethodPut, "users/{user}/kyc/documents/{id}", handIn},
		{http.MethodPost, "users/{user}/kyc/documents/{id}/pages", addPage},
		{http.MethodGet, "kyc/documents", listProofs},
		{http.MethodGet, "kyc/documents/{id}", getDocument},
		{http.MethodPost, "kyc/documents/{id}/consult", consult},
		{http.MethodPost, "dispute-documents/{id}/consult", consult},
		{http.MethodPost, "disputes/{dispute}/documents", addEvidence},
		{http.MethodGet, "disputes/{dispute}/documents", listEvidence},
		{http.MethodPut, "disputes/{dispute}/documents/{id}", handIn},
		{http.MethodPost, "disputes/{dispute}/documents/{id}/pages", addPage},
		{http.MethodGet, "dispute-documents", listAllEvidence},
		{http.MethodGet, "dispute-documents/{id}", getDocument},
	}
}
