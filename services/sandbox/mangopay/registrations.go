package mangopay

import (
	"net/http"
	"net/url"
	"strings"

	"talkoot.fi/sandbox/standin"
)

const (
	registrationCreated   = "CREATED"
	registrationValidated = "VALIDATED"
	registrationError     = "ERROR"
)

// registration is one try to register a card. Its data and key are what a browser sends with the card's number.
type registration struct {
	ID                  string  `json:"Id"`
	Tag                 *string `json:"Tag"`
	CreationDate        int64   `json:"CreationDate"`
	UserID              string  `json:"UserId"`
	AccessKey           string  `json:"AccessKey"`
	PreregistrationData string  `json:"PreregistrationData"`
	CardRegistrationURL string  `json:"CardRegistrationURL"`
	RegistrationData    *string `json:"RegistrationData"`
	CardType            string  `json:"CardType"`
	CardID              *string `json:"CardId"`
	Currency            string  `json:"Currency"`
	ResultCode          *string `json:"ResultCode"`
	ResultMessage       *string `json:"ResultMessage"`
	Status              string  `json:"Status"`
}

const tokenisePath = "/webpayment/cardregistration"

func register(c *call) (any, error) {
	in, err := decode[struct {
		Tag      *string `json:"Tag" rule:"max=255"`
		UserID   string  `json:"UserId" rule:"required"`
		Currency string  `json:"Currency" rule:"required,in=EUR|GBP|USD|SEK|NOK|DKK|CHF|PLN|CZK|HUF"`
		CardType *string `json:"CardType" rule:"in=CB_VISA_MASTERCARD|AMEX|MAESTRO|BCMC|DINERS|MASTERPASS|IDEAL|P24"`
	}](c)
	if err != nil {
		return nil, err
	}
	u, err := c.person(in.UserID, "")
	if err != nil {
		return nil, err
	}
	r := &registration{ID: c.newID("cardreg"), Tag: in.Tag, CreationDate: c.now, UserID: u.ID, Currency: in.Currency, Status: registrationCreated,
		CardType: "CB_VISA_MASTERCARD", AccessKey: c.s.engine.IDs.Text(32), PreregistrationData: c.s.engine.IDs.Text(80),
		CardRegistrationURL: c.s.opts.PublicURL + tokenisePath}
	if in.CardType != nil {
		r.CardType = *in.CardType
	}
	return r, registrations.Put(c.tx, r)
}

func getRegistration(c *call) (any, error) {
	return get(c.tx, registrations, "CardRegistration", c.ids["id"])
}

func finishRegistration(c *call) (any, error) {
	in, err := decode[struct {
		Tag              *string `json:"Tag" rule:"max=255"`
		RegistrationData string  `json:"RegistrationData" rule:"required"`
		CardHolderName   *string `json:"CardHolderName" rule:"max=255"`
	}](c)
	if err != nil {
		return nil, err
	}
	return c.finish(c.ids["id"], in.RegistrationData, in.CardHolderName)
}

// finish takes what the browser was answered about the card. A repeat of what was taken changes nothing.
func (c *call) finish(id, data string, holder *string) (*registration, error) {
	r, err := get(c.tx, registrations, "CardRegistration", id)
	if err != nil {
		return nil, err
	}
	if r.Status != registrationCreated {
		if value(r.RegistrationData) == data {
			return r, nil
		}
		return nil, paramError("RegistrationData", "The registration has been finished.")
	}
	r.RegistrationData = &data
	var typed tokenised
	found, err := standin.GetJSON(c.tx, bucketSerials, data, &typed)
	if err != nil {
		return nil, err
	}
	if !found || typed.Registration != r.ID {
		code := "105206"
		if failed, isError := strings.CutPrefix(data, "errorCode="); isError && failed != "" {
			code = registrationCode(failed)
		}
		r.Status, r.ResultCode, r.ResultMessage = registrationError, &code, optional(resultText(code))
		return r, registrations.Put(c.tx, r)
	}
	made := &card{cardPublic: cardPublic{
		ID: c.newID("card"), CreationDate: c.now, UserID: r.UserID, ExpirationDate: typed.Expiry, Alias: typed.BIN + "XXXXXX" + typed.Last4,
		CardType: r.CardType, CardProvider: typed.Provider, Country: "FRA", Product: "I", BankCode: "00000", Active: true, Currency: r.Currency,
		Validity: validityUnknown, Fingerprint: typed.Fingerprint, CardHolderName: holder,
	}, Typed: typed}
	r.Status, r.CardID, r.ResultCode, r.ResultMessage = registrationValidated, &made.ID, optional(codeOK), optional(resultText(codeOK))
	return r, firstOf(cards.Put(c.tx, made), registrations.Put(c.tx, r), c.schedule(unprovenLife, actDropCard, made.ID))
}

// registrationCode is what an error at the tokeniser becomes.
func registrationCode(failed string) string {
	switch failed {
	case "02625":
		return "105202"
	case "02626":
		return "105203"
	case "02627":
		return "105204"
	}
	return failed
}

// finishFromBrowser is the browser kit's way to finish: without a token, from any page.
func (s *Sandbox) finishFromBrowser(r *http.Request, id string, body []byte) answer {
	header := http.Header{"Access-Control-Allow-Origin": {"*"}, "Access-Control-Allow-Methods": {"POST, OPTIONS"},
		"Access-Control-Allow-Headers": {"Content-Type"}}
	if r.Method == http.MethodOptions {
		return answer{http.StatusNoContent, nil, header}
	}
	form, err := url.ParseQuery(string(body))
	if err != nil || form.Get("RegistrationData") == "" || form.Get("Id") != id {
		out := s.failed(paramError("RegistrationData", "Send Id and RegistrationData as a form."))
		out.header = header
		return out
	}
	out := s.run(&call{r: r, ids: map[string]string{"id": id}}, route{do: func(c *call) (any, error) {
		return c.finish(id, form.Get("RegistrationData"), nil)
	}}, s.write)
	out.header = header
	return out
}

func cardRoutes() []route {
	return []route{
		{http.MethodPost, "cardregistrations", register},
		{http.MethodGet, "cardregistrations/{id}", getRegistration},
		{http.MethodPut, "cardregistrations/{id}", finishRegistration},
		{http.MethodGet, "cards/{id}", getCard},
		{http.MethodPut, "cards/{id}", changeCard},
	}
}
