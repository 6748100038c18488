package taxdata

import (
	"strings"
	"time"

	"golang.org/x/text/language"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/postcodes"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/fields"
)

// Kind is what somebody is to the tax office.
type Kind string

// The kinds; the contract has the same. Who trades under their own name is a person.
const (
	Person   Kind = "person"
	Business Kind = "business"
)

// Data are what the law asks for of who is paid, as they are sealed.
type Data struct {
	Kind Kind `json:"kind"`
	// Of a person.
	FirstName  string `json:"first_name,omitempty"`
	LastName   string `json:"last_name,omitempty"`
	BirthDate  string `json:"birth_date,omitempty"` // yyyy-mm-dd
	BirthPlace *Place `json:"birth_place,omitempty"`
	// Of a business.
	LegalName          string `json:"legal_name,omitempty"`
	RegistrationNumber string `json:"registration_number,omitempty"` // a Finnish one: 1234567-8 of a business, 123.456 of an association or a foundation

	Address Address `json:"address"`
	// TIN is the tax number; a person without one says where they were born.
	TIN *TIN   `json:"tin,omitempty"`
	VAT string `json:"vat_id,omitempty"` // with its country's letters, of who has one
}

// Place is where somebody was born.
type Place struct {
	City    string `json:"city"`
	Country string `json:"country"`
}

// Address is where somebody lives, or where a business has its seat.
type Address struct {
	Street     string `json:"street"`
	PostalCode string `json:"postal_code,omitempty"` // not every country has them
	City       string `json:"city"`
	Country    string `json:"country"` // ISO 3166-1 alpha-2
}

// TIN is a tax number with the country that has given it.
type TIN struct {
	Country string `json:"country"`
	Number  string `json:"number"`
}

// End is what is shown of it: its last signs, and never the half of it.
func (t TIN) End() string { return t.Number[len(t.Number)-min(3, len(t.Number)/2):] }

// Part is what the law asks for; the contract has the same.
type Part string

// The parts.
const (
	PartName         Part = "name"
	PartBirthDate    Part = "birth_date"
	PartAddress      Part = "address"
	PartTIN          Part = "tin"
	PartRegistration Part = "registration_number"
)

// allParts are what is missing of who has said nothing: of a person, as most are.
var allParts = []Part{PartName, PartBirthDate, PartAddress, PartTIN} //nolint:gochecknoglobals // a constant that Go cannot have

// Missing are the parts that the law asks for and that were not said.
func (d Data) Missing() (parts []Part) {
	if d.Kind == "" {
		return allParts
	}
	add := func(is bool, part Part) {
		if is {
			parts = append(parts, part)
		}
	}
	isPerson := d.Kind == Person
	add(isPerson && (d.FirstName == "" || d.LastName == "") || !isPerson && d.LegalName == "", PartName)
	add(isPerson && d.BirthDate == "", PartBirthDate)
	add(d.Address.Street == "" || d.Address.City == "" || d.Address.Country == "", PartAddress)
	add(d.TIN == nil && (!isPerson || d.BirthPlace == nil) && !d.isInRegisterOnly(), PartTIN)
	add(!isPerson && d.RegistrationNumber == "", PartRegistration)
	return parts
}

// isInRegisterOnly tells an association or a foundation that may be without a tax number: its register's number says who it is.
func (d Data) isInRegisterOnly() bool {
	return d.Kind == Business && d.Address.Country == "FI" && businessID(number(d.RegistrationNumber)) == "" && registerNumber(d.RegistrationNumber) != ""
}

// Name is whose data they are.
func (d Data) Name() string {
	if d.Kind == Business {
		return d.LegalName
	}
	return strings.TrimSpace(d.FirstName + " " + d.LastName)
}

const (
	// minAge is how old a person is who is paid: accounts at the providers are of adults too. maxAge is more than anybody is.
	minAge = 18
	maxAge = 130
)

// read reads what somebody says of themselves; was are the data of before, none with an empty kind, whose tax number stays when the same country's is not
// said anew. Error: InvalidFields, with the field alone and never what was said.
func read(in api.TaxDataChange, was Data, now time.Time) (d Data, err error) {
	r := reader{faults: apperr.New(apperr.InvalidFields)}
	d.Kind = Kind(in.Kind)
	var born time.Time
	if d.Kind == Person {
		d.FirstName, d.LastName = r.need("first_name", in.FirstName), r.need("last_name", in.LastName)
		born = r.birthDate("birth_date", in.BirthDate, now)
		if !born.IsZero() {
			d.BirthDate = born.Format(time.DateOnly)
		}
	} else {
		d.LegalName = r.need("legal_name", in.LegalName)
		d.RegistrationNumber = r.registration("registration_number", in.RegistrationNumber, in.Address.Country)
	}
	d.Address = Address{Street: r.need("address.street", &in.Address.Street), City: r.need("address.city", &in.Address.City),
		Country: r.country("address.country", in.Address.Country)}
	d.Address.PostalCode = r.postcode("address.postal_code", in.Address.PostalCode, d.Address.Country)
	switch {
	case in.Tin != nil:
		d.TIN = r.tin(*in.Tin, d.Kind, was, born)
	case d.isInRegisterOnly():
	case d.Kind != Person || in.BirthPlace == nil:
		r.fault("tin.number", apperr.RuleRequired)
	default:
		d.BirthPlace = &Place{City: r.need("birth_place.birth_city", &in.BirthPlace.BirthCity), Country: r.country("birth_place.birth_country", in.BirthPlace.BirthCountry)}
	}
	if said := fields.Optional(in.VatID); said != "" {
		var broken string
		if d.VAT, broken = vatNumber(said); broken != "" {
			r.fault("vat_id", broken)
		}
	}
	return d, r.faults.OrNil()
}

// reader reads fields and collects their faults.
type reader struct{ faults *apperr.Error }

func (r *reader) fault(field, rule string) { r.faults = r.faults.WithField(field, rule) }

func (r *reader) need(field string, said *string) string {
	text := fields.Optional(said)
	if text == "" {
		r.fault(field, apperr.RuleRequired)
	}
	return text
}

func (r *reader) birthDate(field string, said *string, now time.Time) time.Time {
	text := fields.Optional(said)
	if text == "" {
		r.fault(field, apperr.RuleRequired)
		return time.Time{}
	}
	born, err := time.Parse(time.DateOnly, text)
	switch {
	case err != nil:
		r.fault(field, apperr.RuleDate)
		return time.Time{}
	case born.AddDate(minAge, 0, 0).After(now) || born.AddDate(maxAge, 0, 0).Before(now):
		r.fault(field, apperr.RuleAdult)
	}
	return born
}

func (r *reader) country(field, said string) string {
	region, err := language.ParseRegion(said)
	if err != nil || !region.IsCountry() || region.String() != said {
		r.fault(field, apperr.RuleOneOf)
		return ""
	}
	return said
}

// postcode reads a postcode; nothing is said of one in a country that is none.
func (r *reader) postcode(field string, said *string, country string) string {
	text := fields.Optional(said)
	if country == "" {
		return text
	}
	if text == "" && postcodes.AreNeeded(country) {
		r.fault(field, apperr.RuleRequired)
	}
	r.faults = postcodes.WithFault(r.faults, field, country, text)
	code, _ := postcodes.Read(country, text)
	return code
}

// registration reads a number of a register; a Swedish one, and a Finnish one of a business, is the number by which its tax office knows it, too.
func (r *reader) registration(field string, said *string, country string) string {
	text := r.need(field, said)
	if text == "" {
		return ""
	}
	if country == "FI" {
		if is := registerNumber(text); is != "" {
			return is
		}
	}
	if country == "FI" || country == "SE" {
		is, broken := taxNumber(country, Business, text, time.Time{})
		if broken != "" {
			r.fault(field, broken)
		}
		return is
	}
	return text
}

func (r *reader) tin(in api.TaxNumberChange, kind Kind, was Data, born time.Time) *TIN {
	country := r.country("tin.issued_by", in.IssuedBy)
	if country == "" {
		return nil
	}
	said := fields.Optional(in.Number)
	if said == "" && was.TIN != nil && was.TIN.Country == country && was.Kind == kind {
		said = was.TIN.Number // its rule is asked again, because the birth date may be another
	}
	if said == "" {
		r.fault("tin.number", apperr.RuleRequired)
		return nil
	}
	is, broken := taxNumber(country, kind, said, born)
	if broken != "" {
		r.fault("tin.number", broken)
		return nil
	}
	return &TIN{Country: country, Number: is}
}
