package mangopay

import (
	"cmp"
	"net/http"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// shown is a user as the calls of its kind show it: those of strong authentication nest the representative.
func (u *user) shown(sca bool) any {
	type strong struct {
		PendingUserAction *pendingAction `json:"PendingUserAction"`
	}
	switch {
	case u.Natural != nil && sca:
		return struct {
			userCommon
			strong
			phone
			naturalPart
		}{u.userCommon, strong{u.PendingUserAction}, u.phone, *u.Natural}
	case u.Natural != nil:
		return struct {
			userCommon
			naturalPart
			Capacity string `json:"Capacity"`
		}{u.userCommon, *u.Natural, "NORMAL"}
	case sca:
		return struct {
			userCommon
			strong
			legalProofs
			legalPart
		}{u.userCommon, strong{u.PendingUserAction}, legalProofs{}, *u.Legal}
	}
	rep := u.Legal.LegalRepresentative
	return struct {
		userCommon
		legalProofs
		Name                string   `json:"Name"`
		LegalPersonType     string   `json:"LegalPersonType"`
		CompanyNumber       *string  `json:"CompanyNumber"`
		HeadquartersAddress *address `json:"HeadquartersAddress"`
		RepAddress          *address `json:"LegalRepresentativeAddress"`
		FirstName           string   `json:"LegalRepresentativeFirstName"`
		LastName            string   `json:"LegalRepresentativeLastName"`
		RepEmail            *string  `json:"LegalRepresentativeEmail"`
		Birthday            *int64   `json:"LegalRepresentativeBirthday"`
		Nationality         *string  `json:"LegalRepresentativeNationality"`
		CountryOfResidence  *string  `json:"LegalRepresentativeCountryOfResidence"`
		ProofOfIdentity     *string  `json:"ProofOfIdentity"` // the representative's
	}{u.userCommon, legalProofs{}, u.Legal.Name, u.Legal.LegalPersonType, u.Legal.CompanyNumber, u.Legal.HeadquartersAddress, u.Legal.LegalRepresentativeAddress,
		rep.FirstName, rep.LastName, rep.Email, rep.Birthday, rep.Nationality, rep.CountryOfResidence, nil}
}

// person finds a user, of one kind when kind is set: one of the other kind is not there.
func (c *call) person(id, kind string) (*user, error) {
	u, err := get(c.tx, users, "User", id)
	if err == nil && kind != "" && u.PersonType != kind {
		return nil, notFound("User"+kind[:1]+strings.ToLower(kind[1:]), id)
	}
	return u, err
}

// saving is the call that makes a user of a kind, or changes one.
func saving(kind string, sca bool) func(*call) (any, error) {
	return func(c *call) (any, error) {
		u := &user{}
		if id := c.ids["id"]; id != "" {
			var err error
			if u, err = c.person(id, kind); err != nil {
				return nil, err
			}
		}
		fill := c.fillNatural
		if kind == legal {
			fill = c.fillLegal
		}
		if err := fill(u, sca); err != nil {
			return nil, err
		}
		return u.shown(sca), nil
	}
}

// becomingOwner is the call by which a natural payer becomes an owner, with all that owners say.
func becomingOwner(c *call) (any, error) {
	if _, err := decode[struct {
		scaFields
		UserCategory       string  `json:"UserCategory" rule:"required,in=OWNER"`
		Terms              *bool   `json:"TermsAndConditionsAccepted" rule:"required"`
		Birthday           *int64  `json:"Birthday" rule:"required"`
		Nationality        string  `json:"Nationality" rule:"required,country"`
		CountryOfResidence string  `json:"CountryOfResidence" rule:"required,country"`
		Email              *string `json:"Email" rule:"email,max=255"`
		PersonType         *string `json:"PersonType" rule:"in=NATURAL"`
		IsNatural          *bool   `json:"NaturalSca"`
	}](c); err != nil {
		return nil, err
	}
	return saving(natural, true)(c)
}

// becomingLegalOwner is becomingOwner of a company.
func becomingLegalOwner(c *call) (any, error) {
	if _, err := decode[struct {
		UserCategory        string         `json:"UserCategory" rule:"required,in=OWNER"`
		Terms               *bool          `json:"TermsAndConditionsAccepted" rule:"required"`
		LegalRepresentative representative `json:"LegalRepresentative" rule:"required"`
		HeadquartersAddress address        `json:"HeadquartersAddress" rule:"required"`
		CompanyNumber       *string        `json:"CompanyNumber" rule:"max=255"`
		ScaContext          *string        `json:"ScaContext" rule:"in=USER_PRESENT|USER_NOT_PRESENT"`
		PersonType          *string        `json:"PersonType" rule:"in=LEGAL"`
		IsLegal             *bool          `json:"LegalSca"`
	}](c); err != nil {
		return nil, err
	}
	return saving(legal, true)(c)
}

func showing(kind string, sca bool) func(*call) (any, error) {
	return func(c *call) (any, error) {
		u, err := c.person(c.ids["id"], kind)
		if err != nil {
			return nil, err
		}
		return u.shown(sca), nil
	}
}

func listUsers(c *call) (any, error) {
	return listed(c, users, "", func(u *user) (any, bool) { return u.shown(false), true })
}

func userRoutes() []route {
	return []route{
		{http.MethodGet, "users", listUsers},
		{http.MethodPost, "users/natural", saving(natural, false)},
		{http.MethodPut, "users/natural/{id}", saving(natural, false)},
		{http.MethodGet, "users/natural/{id}", showing(natural, false)},
		{http.MethodPost, "users/legal", saving(legal, false)},
		{http.MethodPut, "users/legal/{id}", saving(legal, false)},
		{http.MethodGet, "users/legal/{id}", showing(legal, false)},
		{http.MethodGet, "users/{id}", showing("", false)},
		{http.MethodGet, "users/{user}/wallets", ofUser(wallets, func(w *wallet) (any, bool) { return w.shown(), true }, readable)},
		{http.MethodGet, "users/{user}/cards", ofUser(cards, showCard, nil)},
		{http.MethodGet, "users/{user}/transactions", userTransactions},
		{http.MethodGet, "users/{user}/mandates", ofUser(mandates, showMandate, nil)},
		{http.MethodGet, "users/{user}/disputes", ofUser(disputes, showDispute, nil)},
	}
}

// ofUser lists what is a user's.
func ofUser[T any](k standin.Kind[T], show func(*T) (any, bool), allowed func(*call, *user) error) func(*call) (any, error) {
	return func(c *call) (any, error) {
		u, err := c.person(c.ids["user"], "")
		if err == nil && allowed != nil {
			err = allowed(c, u)
		}
		if err != nil {
			return nil, err
		}
		index := "user=" + u.ID
		return listed(c, k, index, show)
	}
}

func userTransactions(c *call) (any, error) {
	u, err := c.person(c.ids["user"], "")
	if err == nil {
		err = readable(c, u)
	}
	if err != nil {
		return nil, err
	}
	return listed(c, transactions, "user="+u.ID, c.youngTransaction)
}

// scaContext is who is there: the body's or the query's word, by default the user.
func scaContext(said *string) string { return cmp.Or(value(said), "USER_PRESENT") }
