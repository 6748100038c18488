package mangopay

import (
	"net/http"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// consents are what an owner lets the platform do while they are away.
type consents struct {
	ContactInformationUpdate bool `json:"ContactInformationUpdate"`
	RecipientRegistration    bool `json:"RecipientRegistration"`
	Transfer                 bool `json:"Transfer"`
	ViewAccountInformation   bool `json:"ViewAccountInformation"`
}

func allConsents() consents { return consents{true, true, true, true} }

// viewLife is how long an owner's wallets can be read after they authenticated to that, in seconds.
const viewLife = 180 * 24 * 3600

// enrol makes strong authentication set up. It lets the wallets be read as well.
func (u *user) enrol(at int64, c consents) {
	u.Asked, u.Enrolled, u.Viewed = true, at, at
	u.agree(at, c)
	u.UserStatus, u.PendingUserAction = active, nil
}

// agree changes the consents.
func (u *user) agree(at int64, c consents) {
	if u.Consents != c {
		u.Agreed = at
	}
	u.Consents = c
}

// The things that a person does on a page.
const (
	pageEnrol     = "enrol"
	pageConsent   = "consent"
	pageTransfer  = "transfer"
	pageChallenge = "challenge"
	pageCard      = "card"
	pageMandate   = "mandate"
)

// askToEnrol gives the user an address to set strong authentication up at.
func (c *call) askToEnrol(u *user) error {
	at, err := c.newPage("sca", pageEnrol, u.ID)
	u.Asked, u.UserStatus, u.PendingUserAction = true, awaiting, &pendingAction{at}
	return err
}

// enrolled ends an enrolment.
func (c *call) enrolled(u *user, pass bool, given consents) error {
	if !pass {
		return c.tell(u.ID, "SCA_ENROLLMENT_FAILED")
	}
	u.enrol(c.now, given)
	if err := users.Put(c.tx, u); err != nil {
		return err
	}
	return c.tell(u.ID, append([]string{"SCA_ENROLLMENT_SUCCEEDED", "USER_ACCOUNT_ACTIVATED"}, given.events("GIVEN")...)...)
}

func (g consents) events(what string) []string {
	var out []string
	for _, scope := range []struct {
		name string
		is   bool
	}{{"CONTACT_INFORMATION_UPDATE", g.ContactInformationUpdate}, {"RECIPIENT_REGISTRATION", g.RecipientRegistration},
		{"TRANSFER", g.Transfer}, {"VIEW_ACCOUNT_INFORMATION", g.ViewAccountInformation}} {
		if scope.is {
			out = append(out, "SCA_"+scope.name+"_CONSENT_"+what)
		}
	}
	return out
}

// readable tells whether a user's wallets can be read now: an owner's need the owner's consent, or that they
// authenticated in the last 180 days.
func readable(c *call, u *user) error {
	if u.UserCategory != owner {
		return nil
	}
	switch said := c.query.Get("scacontext"); scaContext(&said) {
	case "USER_NOT_PRESENT":
		if !u.Consents.ViewAccountInformation {
			return noConsent("ViewAccountInformation")
		}
		return nil
	case "USER_PRESENT":
		if u.Viewed > 0 && c.now-u.Viewed < viewLife {
			return nil
		}
		return &apiError{status: http.StatusUnauthorized, kind: "sca_required", message: "The user has to authenticate first.", asks: u.ID}
	default:
		return paramError("ScaContext", "The value is not one of USER_PRESENT, USER_NOT_PRESENT.")
	}
}

func enrolAgain(c *call) (any, error) {
	u, err := c.person(c.ids["id"], "")
	if err != nil {
		return nil, err
	}
	if u.UserCategory != owner {
		return nil, paramError("UserCategory", "Only owners enrol.")
	}
	at, err := c.newPage("sca", pageEnrol, u.ID)
	u.Asked = true
	return struct {
		PendingUserAction pendingAction `json:"PendingUserAction"`
	}{pendingAction{at}}, firstOf(err, users.Put(c.tx, u))
}

func askConsent(c *call) (any, error) {
	u, err := c.person(c.ids["id"], "")
	if err != nil {
		return nil, err
	}
	at, err := c.newPage("sca", pageConsent, u.ID)
	return struct {
		PendingUserAction pendingAction `json:"PendingUserAction"`
	}{pendingAction{at}}, err
}

// scaStatus is how a user is enrolled; of one who was never asked to be there is nothing.
func scaStatus(c *call) (any, error) {
	u, err := c.person(c.ids["id"], "")
	if err == nil && !u.Asked {
		err = notFound("ScaStatus", u.ID)
	}
	if err != nil {
		return nil, err
	}
	return struct {
		UserStatus                string       `json:"UserStatus"`
		IsEnrolled                bool         `json:"IsEnrolled"`
		LastEnrollmentDate        *int64       `json:"LastEnrollmentDate"`
		LastConsentCollectionDate *int64       `json:"LastConsentCollectionDate"`
		ConsentScope              consentScope `json:"ConsentScope"`
	}{u.UserStatus, u.Enrolled > 0, moment(u.Enrolled), moment(u.Agreed), u.Consents.scope()}, nil
}

// consentScope is the consents on the wire: ACTIVE or INACTIVE each.
type consentScope struct {
	ContactInformationUpdate string `json:"ContactInformationUpdate"`
	RecipientRegistration    string `json:"RecipientRegistration"`
	Transfer                 string `json:"Transfer"`
	ViewAccountInformation   string `json:"ViewAccountInformation"`
}

func (g consents) scope() consentScope {
	word := map[bool]string{true: active, false: "INACTIVE"}
	return consentScope{word[g.ContactInformationUpdate], word[g.RecipientRegistration], word[g.Transfer], word[g.ViewAccountInformation]}
}

// moment is a time on the wire, null for none.
func moment(at int64) *int64 {
	if at == 0 {
		return nil
	}
	return &at
}

func scaRoutes() []route {
	var out []route
	for _, kind := range []string{natural, legal} {
		at := "sca/users/" + strings.ToLower(kind)
		out = append(out, route{http.MethodPost, at, saving(kind, true)}, route{http.MethodPut, at + "/{id}", saving(kind, true)})
	}
	return append(out, route{http.MethodPut, "sca/users/natural/{id}/category", becomingOwner},
		route{http.MethodPut, "sca/users/legal/{id}/category", becomingLegalOwner}, route{http.MethodGet, "sca/users/natural/{id}", showing(natural, true)},
		route{http.MethodGet, "sca/users/legal/{id}", showing(legal, true)}, route{http.MethodGet, "sca/users/{id}", showing("", true)},
		route{http.MethodPost, "sca/users/{id}/enrollment", enrolAgain}, route{http.MethodPost, "sca/users/{id}/consent", askConsent},
		route{http.MethodGet, "sca/users/{id}/sca-status", scaStatus})
}

// page is something that a person may do once, at an address with a secret of its own.
type page struct {
	Kind string
	Of   string // the id of what it is about
	Used bool
	// Until is when it is over, in seconds; 0 where its object says so.
	Until int64
}

// newPage makes an address below where browsers reach the sandbox.
func (c *call) newPage(under, kind, of string) (string, error) {
	secret := c.s.engine.IDs.Text(32)
	return c.s.opts.PublicURL + "/" + under + "?token=" + secret, standin.PutJSON(c.tx, bucketPages, secret, page{Kind: kind, Of: of})
}
