package pledges

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/person/profiles"
)

// Input is what a backer asks for.
type Input struct {
	CampaignID     int64
	RewardID       *int64
	RewardVersion  *int64      // of the reward as the backer saw it (rewards.Reward.OfferVersion); nil: not known
	UserID         *int64      // nil without a session
	Amount         json.Number // the whole sum, major units
	Language       string      // fi, en or sv
	Meta           Meta
	IdempotencyKey string // empty: none
	Caller         string // whose key it is
	Network        string // ratelimit.Address of where it comes from; empty: not known
	RequestHash    []byte
	Visitor        string // made up by the browser; empty: not known
	Source         string // where the backer came from; empty: not known
	OnceMore       bool   // also when the person made the same a moment ago
}

// Meta is who pledges and what the campaign asked of them; it is kept as the pledge's details.
type Meta struct {
	Email            string            `json:"-"`
	FirstName        string            `json:"-"`
	LastName         string            `json:"-"`
	Anonymous        bool              `json:"-"`
	HideAmount       bool              `json:"-"` // from others
	Quantity         int               `json:"quantity"`
	AddedCost        *int              `json:"added_cost,omitempty"`
	Street           string            `json:"address_street,omitempty"`
	Postcode         string            `json:"address_postcode,omitempty"`
	City             string            `json:"address_city,omitempty"`
	Country          string            `json:"address_country,omitempty"`
	Phone            string            `json:"address_phone,omitempty"`
	Birthdate        string            `json:"birthdate,omitempty"`
	ResidenceCountry string            `json:"residence_country,omitempty"`
	Nationality      string            `json:"nationality,omitempty"`
	Answers          map[string]string `json:"custom_questions,omitempty"`
}

// normalise trims what people type around their words.
func (m *Meta) normalise() {
	m.FirstName, m.LastName = profiles.PastedName(m.FirstName), profiles.PastedName(m.LastName)
	m.Email = profiles.NormalEmail(m.Email)
	address := m.address()
	address.normalise()
	m.sendTo(address)
}

func (m *Meta) address() Address { return Address{m.Street, m.Postcode, m.City, m.Country, m.Phone} }

func (m *Meta) sendTo(a Address) {
	m.Street, m.Postcode, m.City, m.Country, m.Phone = a.Street, a.Postcode, a.City, a.Country, a.Phone
}

// validate reports every fault of the person's data at once; nil when there is none.
func (m *Meta) validate(offer *Offer) *apperr.Error {
	faults := apperr.New(apperr.InvalidFields)
	need := func(path, value string) {
		if value == "" {
			faults = faults.WithField("pledge_meta."+path, "required")
		}
	}
	first, last := profiles.CheckNames(m.FirstName, m.LastName)
	for _, name := range []struct{ path, rule string }{{"first_name", first}, {"last_name", last}} {
		if name.rule != "" {
			faults = faults.WithField("pledge_meta."+name.path, name.rule)
		}
	}
	switch {
	case m.Email == "":
		need("email", "")
	case !profiles.IsEmail(m.Email):
		faults = faults.WithField("pledge_meta.email", "email")
	}
	if m.Birthdate != "" {
		if _, err := time.Parse(time.DateOnly, m.Birthdate); err != nil {
			faults = faults.WithField("pledge_meta.birthdate", "date")
		}
	}
	for _, country := range []struct{ path, code string }{{"residence_country", m.ResidenceCountry}, {"nationality", m.Nationality}} {
		if country.code != "" && !countries[country.code] {
			faults = faults.WithField("pledge_meta."+country.path, apperr.RuleOneOf)
		}
	}
	var questions []rewards.Question
	if offer.Reward != nil {
		questions = offer.Reward.Questions
	}
	address := m.address()
	faults = address.check(faults, "pledge_meta.", rewards.AskForAddress(questions) && !m.comesWithoutAddress(offer.Reward))
	asked := map[string]bool{}
	for _, question := range questions {
		asked[question.Key] = true
		path := "pledge_meta.custom_questions." + question.Key
		if answer := strings.TrimSpace(m.Answers[question.Key]); answer == "" && !question.AsksForAddress() {
			faults = faults.WithField(path, "answer_required")
		} else if utf8.RuneCountInString(answer) > 1000 {
			faults = faults.WithField(path, "max_length", apperr.Params{"max": 1000})
		}
	}
	for key := range m.Answers {
		if !asked[key] { // named as a whole: the keys are the caller's own, and there may be very many
			faults = faults.WithField("pledge_meta.custom_questions", "format")
			break
		}
	}
	return orNil(faults)
}

// comesWithoutAddress reports whether the chosen addition says that the reward is not sent anywhere.
func (m *Meta) comesWithoutAddress(reward *OfferedReward) bool {
	return m.AddedCost != nil && *m.AddedCost >= 0 && *m.AddedCost < len(reward.AddedCosts) &&
		reward.AddedCosts[*m.AddedCost].WithoutAddress
}
