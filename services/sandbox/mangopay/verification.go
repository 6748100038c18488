package mangopay

import "net/http"

const (
	verificationPending   = "PENDING"
	verificationValidated = "VALIDATED"
	verificationRefused   = "REFUSED"

	pageVerify = "verify"
)

// verification is an owner showing who they are, on a page of Mangopay's.
type verification struct {
	ID           string              `json:"Id"`
	Tag          *string             `json:"Tag"`
	CreationDate int64               `json:"CreationDate"`
	LastUpdate   int64               `json:"LastUpdate"`
	UserID       string              `json:"UserId"`
	HostedURL    string              `json:"HostedUrl"`
	ReturnURL    string              `json:"ReturnUrl"`
	Status       string              `json:"Status"`
	Checks       []verificationCheck `json:"Checks"`
	PSCs         []any               `json:"PSCs"`
}

type verificationCheck struct {
	CheckID      string              `json:"CheckId"`
	Type         string              `json:"Type"`
	CheckStatus  string              `json:"CheckStatus"`
	CreationDate int64               `json:"CreationDate"`
	LastUpdate   int64               `json:"LastUpdate"`
	Data         []any               `json:"Data"`
	Reasons      []map[string]string `json:"Reasons"`
}

func verify(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err != nil {
		return nil, err
	}
	in, err := decode[struct {
		Tag       *string `json:"Tag" rule:"max=255"`
		ReturnURL string  `json:"ReturnUrl" rule:"required,url"`
	}](c)
	if err != nil {
		return nil, err
	}
	if u.UserCategory != owner {
		return nil, paramError("UserId", "Only owners are verified.")
	}
	v := &verification{ID: c.newID("idver"), Tag: in.Tag, CreationDate: c.now, LastUpdate: c.now, UserID: u.ID, ReturnURL: in.ReturnURL,
		Status: verificationPending, Checks: []verificationCheck{}, PSCs: []any{}}
	if v.HostedURL, err = c.newPage("verification", pageVerify, v.ID); err != nil {
		return nil, err
	}
	return v, firstOf(verifications.Put(c.tx, v), c.tell(v.ID, "IDENTITY_VERIFICATION_PENDING"))
}

// endVerification ends one: who passes is verified.
func (c *call) endVerification(v *verification, pass bool) error {
	if v.Status != verificationPending {
		return nil
	}
	check := verificationCheck{c.s.engine.IDs.ID("check_"), "IDENTITY_DOCUMENT_VERIFICATION", verificationValidated, c.now, c.now, []any{}, []map[string]string{}}
	event := "VALIDATED"
	v.Status, v.LastUpdate = verificationValidated, c.now
	if !pass {
		v.Status, check.CheckStatus, event = verificationRefused, verificationRefused, "FAILED"
		check.Reasons = append(check.Reasons, map[string]string{"Type": "DOCUMENT_UNREADABLE", "Value": "The document cannot be read."})
	}
	v.Checks = append(v.Checks, check)
	if err := firstOf(verifications.Put(c.tx, v), c.tell(v.ID, "IDENTITY_VERIFICATION_"+event)); err != nil || !pass {
		return err
	}
	u, err := c.person(v.UserID, "")
	if err != nil {
		return err
	}
	return c.setKYC(u, regular)
}

// setKYC changes how far a user is verified.
func (c *call) setKYC(u *user, level string) error {
	if u.KYCLevel == level {
		return nil
	}
	u.KYCLevel = level
	return firstOf(users.Put(c.tx, u), c.tell(u.ID, "USER_KYC_"+level))
}

// blocked is what Mangopay keeps a user from.
type blocked struct {
	Inflows  bool `json:"Inflows"`
	Outflows bool `json:"Outflows"`
}

func regulatory(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err != nil {
		return nil, err
	}
	return struct {
		ActionCode   *string `json:"ActionCode"`
		ScopeBlocked blocked `json:"ScopeBlocked"`
	}{nil, u.Blocked}, nil
}

func getVerification(c *call) (any, error) {
	return get(c.tx, verifications, "IdentityVerification", c.ids["id"])
}

func verificationRoutes() []route {
	return []route{
		{http.MethodPost, "users/{user}/identity-verifications", verify},
		{http.MethodGet, "users/{user}/identity-verifications", ofUser(verifications, whole[verification], nil)},
		{http.MethodGet, "identity-verifications/{id}", getVerification},
		{http.MethodGet, "users/{user}/regulatory", regulatory},
	}
}
