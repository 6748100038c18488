package mangopay

import (
	"maps"
	"strings"
)

const (
	payer     = "PAYER"
	owner     = "OWNER"
	light     = "LIGHT"
	regular   = "REGULAR"
	natural   = "NATURAL"
	legal     = "LEGAL"
	active    = "ACTIVE"
	awaiting  = "PENDING_USER_ACTION"
	acceptTag = "accept" // in an email: strong authentication is skipped
)

type address struct {
	AddressLine1 string  `json:"AddressLine1" rule:"required,max=255"`
	AddressLine2 *string `json:"AddressLine2" rule:"max=255"`
	City         string  `json:"City" rule:"required,max=255"`
	Region       *string `json:"Region" rule:"max=255"`
	PostalCode   string  `json:"PostalCode" rule:"required,max=50"`
	Country      string  `json:"Country" rule:"required,country"`
}

type pendingAction struct {
	RedirectURL string `json:"RedirectUrl"`
}

// userCommon is what natural and legal users have alike.
type userCommon struct {
	ID                             string  `json:"Id"`
	Tag                            *string `json:"Tag"`
	CreationDate                   int64   `json:"CreationDate"`
	PersonType                     string  `json:"PersonType"`
	Email                          string  `json:"Email"`
	KYCLevel                       string  `json:"KYCLevel"`
	UserCategory                   string  `json:"UserCategory"`
	UserStatus                     string  `json:"UserStatus"`
	TermsAndConditionsAccepted     bool    `json:"TermsAndConditionsAccepted"`
	TermsAndConditionsAcceptedDate *int64  `json:"TermsAndConditionsAcceptedDate"`
}

// phone is a natural user's; a company's is its representative's.
type phone struct {
	PhoneNumber        *string `json:"PhoneNumber"`
	PhoneNumberCountry *string `json:"PhoneNumberCountry" rule:"country"`
}

type naturalPart struct {
	FirstName          string   `json:"FirstName"`
	LastName           string   `json:"LastName"`
	Birthday           *int64   `json:"Birthday"`
	Nationality        *string  `json:"Nationality"`
	CountryOfResidence *string  `json:"CountryOfResidence"`
	Address            *address `json:"Address"`
	Occupation         *string  `json:"Occupation"`
	IncomeRange        *int64   `json:"IncomeRange"`
	ProofOfIdentity    *string  `json:"ProofOfIdentity"`
	ProofOfAddress     *string  `json:"ProofOfAddress"`
}

type representative struct {
	FirstName          string  `json:"FirstName" rule:"required,max=100"`
	LastName           string  `json:"LastName" rule:"required,max=100"`
	Email              *string `json:"Email" rule:"email,max=255"`
	Birthday           *int64  `json:"Birthday"`
	Nationality        *string `json:"Nationality" rule:"country"`
	CountryOfResidence *string `json:"CountryOfResidence" rule:"country"`
	PhoneNumber        *string `json:"PhoneNumber"`
	PhoneNumberCountry *string `json:"PhoneNumberCountry" rule:"country"`
}

// legalProofs are none here: proofs are documents.
type legalProofs struct {
	ProofOfRegistration    *string `json:"ProofOfRegistration"`
	ShareholderDeclaration *string `json:"ShareholderDeclaration"`
	Statute                *string `json:"Statute"`
}

type legalPart struct {
	Name                       string         `json:"Name"`
	LegalPersonType            string         `json:"LegalPersonType"`
	CompanyNumber              *string        `json:"CompanyNumber"`
	HeadquartersAddress        *address       `json:"HeadquartersAddress"`
	LegalRepresentativeAddress *address       `json:"LegalRepresentativeAddress"`
	LegalRepresentative        representative `json:"LegalRepresentative"`
}

// user is a person or a company. One of Natural and Legal is set.
type user struct {
	userCommon
	PendingUserAction *pendingAction
	phone
	Natural *naturalPart
	Legal   *legalPart

	Asked    bool  // to set strong authentication up
	Enrolled int64 // when that was done, 0 before
	Agreed   int64 // when the consents last changed, 0 before
	Viewed   int64 // when the owner last let their wallets be read
	Consents consents
	Blocked  blocked
}

// skips tells whether strong authentication is skipped: the testers' word in the email.
func (u *user) skips() bool { return strings.Contains(u.Email, acceptTag) }

func (u *user) firstName() string {
	if u.Natural != nil {
		return u.Natural.FirstName
	}
	return u.Legal.LegalRepresentative.FirstName
}

type naturalOrder struct {
	Tag                        *string  `json:"Tag" rule:"max=255"`
	FirstName                  string   `json:"FirstName" rule:"required,max=100"`
	LastName                   string   `json:"LastName" rule:"required,max=100"`
	Email                      string   `json:"Email" rule:"required,email,max=255"`
	UserCategory               string   `json:"UserCategory" rule:"required,in=PAYER|OWNER"`
	Birthday                   *int64   `json:"Birthday"`
	Nationality                *string  `json:"Nationality" rule:"country"`
	CountryOfResidence         *string  `json:"CountryOfResidence" rule:"country"`
	TermsAndConditionsAccepted bool     `json:"TermsAndConditionsAccepted"`
	Address                    *address `json:"Address"`
	Occupation                 *string  `json:"Occupation" rule:"max=255"`
	IncomeRange                *int64   `json:"IncomeRange"`
	PersonType                 *string  `json:"PersonType" rule:"in=NATURAL"` // said by the call too
}

type scaFields struct {
	phone
	ScaContext *string `json:"ScaContext" rule:"in=USER_PRESENT|USER_NOT_PRESENT"`
}

type scaNaturalOrder struct {
	naturalOrder
	scaFields
	IsNatural *bool `json:"NaturalSca"` // the Node client's own, which it sends along with changes
}

type legalCommon struct {
	Tag                        *string  `json:"Tag" rule:"max=255"`
	Name                       string   `json:"Name" rule:"required,max=255"`
	Email                      string   `json:"Email" rule:"required,email,max=255"`
	UserCategory               string   `json:"UserCategory" rule:"required,in=PAYER|OWNER"`
	LegalPersonType            string   `json:"LegalPersonType" rule:"required,in=BUSINESS|ORGANIZATION|SOLETRADER|PARTNERSHIP"`
	CompanyNumber              *string  `json:"CompanyNumber" rule:"max=255"`
	HeadquartersAddress        *address `json:"HeadquartersAddress"`
	LegalRepresentativeAddress *address `json:"LegalRepresentativeAddress"`
	TermsAndConditionsAccepted bool     `json:"TermsAndConditionsAccepted"`
	PersonType                 *string  `json:"PersonType" rule:"in=LEGAL"`
}

type legalOrder struct {
	legalCommon
	FirstName          string  `json:"LegalRepresentativeFirstName" rule:"required,max=100"`
	LastName           string  `json:"LegalRepresentativeLastName" rule:"required,max=100"`
	RepEmail           *string `json:"LegalRepresentativeEmail" rule:"email,max=255"`
	Birthday           *int64  `json:"LegalRepresentativeBirthday"`
	Nationality        *string `json:"LegalRepresentativeNationality" rule:"country"`
	CountryOfResidence *string `json:"LegalRepresentativeCountryOfResidence" rule:"country"`
}

type scaLegalOrder struct {
	legalCommon
	ScaContext          *string        `json:"ScaContext" rule:"in=USER_PRESENT|USER_NOT_PRESENT"`
	IsLegal             *bool          `json:"LegalSca"` // as in scaNaturalOrder
	LegalRepresentative representative `json:"LegalRepresentative" rule:"required"`
}

func (o naturalOrder) order(u *user) naturalOrder {
	if n := u.Natural; n != nil {
		return naturalOrder{u.Tag, n.FirstName, n.LastName, u.Email, u.UserCategory, n.Birthday, n.Nationality, n.CountryOfResidence,
			u.TermsAndConditionsAccepted, n.Address, n.Occupation, n.IncomeRange, nil}
	}
	return o
}

func commonOf(u *user) legalCommon {
	if l := u.Legal; l != nil {
		return legalCommon{u.Tag, l.Name, u.Email, u.UserCategory, l.LegalPersonType, l.CompanyNumber, l.HeadquartersAddress,
			l.LegalRepresentativeAddress, u.TermsAndConditionsAccepted, nil}
	}
	return legalCommon{}
}

// fillNatural reads a body over what the user has; the user is new when it has no id.
func (c *call) fillNatural(u *user, sca bool) error {
	in := scaNaturalOrder{naturalOrder: naturalOrder{}.order(u), scaFields: scaFields{phone: u.phone}}
	var target any = &in
	if !sca {
		target = &in.naturalOrder
	}
	if err := c.decodeInto(target, u.ID != ""); err != nil {
		return err
	}
	if in.IncomeRange != nil && (*in.IncomeRange < 1 || *in.IncomeRange > 6) {
		return paramError("IncomeRange", "The value must be from 1 to 6.")
	}
	missing := map[string]bool{"Birthday": in.Birthday == nil, "Nationality": in.Nationality == nil,
		"CountryOfResidence": in.CountryOfResidence == nil, "TermsAndConditionsAccepted": !in.TermsAndConditionsAccepted}
	u.Natural = &naturalPart{FirstName: in.FirstName, LastName: in.LastName, Birthday: in.Birthday, Nationality: in.Nationality,
		CountryOfResidence: in.CountryOfResidence, Address: in.Address, Occupation: in.Occupation, IncomeRange: in.IncomeRange}
	u.PersonType, u.phone = natural, in.phone
	return c.saveUser(u, sca, in.Tag, in.Email, in.UserCategory, in.TermsAndConditionsAccepted, missing)
}

func (c *call) fillLegal(u *user, sca bool) error {
	var common legalCommon
	var rep representative
	if u.Legal != nil {
		rep = u.Legal.LegalRepresentative
	}
	missing := map[string]bool{}
	if sca {
		in := scaLegalOrder{legalCommon: commonOf(u), LegalRepresentative: rep}
		if err := c.decodeInto(&in, u.ID != ""); err != nil {
			return err
		}
		common, rep = in.legalCommon, in.LegalRepresentative
		missing["LegalRepresentative.Email"] = rep.Email == nil // they set strong authentication up
	} else {
		in := legalOrder{commonOf(u), rep.FirstName, rep.LastName, rep.Email, rep.Birthday, rep.Nationality, rep.CountryOfResidence}
		if err := c.decodeInto(&in, u.ID != ""); err != nil {
			return err
		}
		common = in.legalCommon
		rep = representative{in.FirstName, in.LastName, in.RepEmail, in.Birthday, in.Nationality, in.CountryOfResidence, nil, nil}
	}
	maps.Copy(missing, map[string]bool{"LegalRepresentativeBirthday": rep.Birthday == nil, "LegalRepresentativeNationality": rep.Nationality == nil,
		"LegalRepresentativeCountryOfResidence": rep.CountryOfResidence == nil, "HeadquartersAddress": common.HeadquartersAddress == nil,
		"CompanyNumber":              common.LegalPersonType == "BUSINESS" && value(common.CompanyNumber) == "",
		"TermsAndConditionsAccepted": !common.TermsAndConditionsAccepted})
	u.PersonType = legal
	u.Legal = &legalPart{common.Name, common.LegalPersonType, common.CompanyNumber, common.HeadquartersAddress, common.LegalRepresentativeAddress, rep}
	return c.saveUser(u, sca, common.Tag, common.Email, common.UserCategory, common.TermsAndConditionsAccepted, missing)
}

// saveUser stores what was read. An owner has all that is asked of owners, and an owner of the newer calls sets up
// strong authentication before they can act.
func (c *call) saveUser(u *user, sca bool, tag *string, email, category string, terms bool, missing map[string]bool) error {
	if u.UserCategory == owner && category == payer {
		return paramError("UserCategory", "An owner cannot become a payer.")
	}
	if category == owner {
		faults := map[string]string{}
		for name, isMissing := range missing {
			if isMissing {
				faults[name] = "The " + name + " field is required of an owner."
			}
		}
		if len(faults) > 0 {
			return paramErrors(faults)
		}
	}
	became := category == owner && u.UserCategory != owner
	isNew := u.ID == ""
	if isNew {
		u.ID, u.CreationDate, u.KYCLevel, u.UserStatus = c.newID("user"), c.now, light, active
	}
	u.Tag, u.Email, u.UserCategory = tag, email, category
	if terms && !u.TermsAndConditionsAccepted {
		u.TermsAndConditionsAccepted, u.TermsAndConditionsAcceptedDate = true, &c.now
	}
	var told []string
	if became {
		switch {
		case u.skips():
			u.enrol(c.now, allConsents())
		case sca && u.Enrolled == 0:
			if err := c.askToEnrol(u); err != nil {
				return err
			}
			told = append(told, "USER_ACCOUNT_VALIDATION_ASKED")
		}
		if !isNew {
			told = append(told, "USER_CATEGORY_UPDATED_TO_OWNER")
		}
	}
	if err := users.Put(c.tx, u); err != nil {
		return err
	}
	return c.tell(u.ID, told...)
}
