package mangopay

const (
	validityUnknown = "UNKNOWN"
	validityValid   = "VALID"
	validityInvalid = "INVALID"

	unprovenLife = 24 * 3600 // seconds that a card lives without a payment that succeeded
)

type cardPublic struct {
	ID             string  `json:"Id"`
	Tag            *string `json:"Tag"`
	CreationDate   int64   `json:"CreationDate"`
	UserID         string  `json:"UserId"`
	ExpirationDate string  `json:"ExpirationDate"`
	Alias          string  `json:"Alias"`
	CardType       string  `json:"CardType"`
	CardProvider   string  `json:"CardProvider"`
	Country        string  `json:"Country"`
	Product        string  `json:"Product"`
	BankCode       string  `json:"BankCode"`
	Active         bool    `json:"Active"`
	Currency       string  `json:"Currency"`
	Validity       string  `json:"Validity"`
	Fingerprint    string  `json:"Fingerprint"`
	CardHolderName *string `json:"CardHolderName"`
}

// card is a registered card.
type card struct {
	cardPublic
	Typed tokenised
}

func showCard(o *card) (any, bool) { return o.cardPublic, true }

func getCard(c *call) (any, error) {
	o, err := get(c.tx, cards, "Card", c.ids["id"])
	if err != nil {
		return nil, err
	}
	return o.cardPublic, nil
}

func changeCard(c *call) (any, error) {
	o, err := get(c.tx, cards, "Card", c.ids["id"])
	if err != nil {
		return nil, err
	}
	in := struct {
		Tag            *string `json:"Tag" rule:"max=255"`
		Active         *bool   `json:"Active"`
		CardHolderName *string `json:"CardHolderName" rule:"max=255"`
	}{Tag: o.Tag, CardHolderName: o.CardHolderName}
	if err := c.decodeInto(&in, true); err != nil {
		return nil, err
	}
	if in.Active != nil && *in.Active && !o.Active {
		return nil, paramError("Active", "A card that was deactivated stays so.")
	}
	o.Tag, o.CardHolderName, o.Active = in.Tag, in.CardHolderName, o.Active && (in.Active == nil || *in.Active)
	return o.cardPublic, cards.Put(c.tx, o)
}

// proveCard makes a card with a payment that succeeded valid.
func (c *call) proveCard(id string) error {
	o, err := get(c.tx, cards, "Card", id)
	if err != nil || o.Validity == validityValid {
		return err
	}
	o.Validity = validityValid
	return cards.Put(c.tx, o)
}

// dropCard ends a card that no payment has proved.
func (c *call) dropCard(id string) error {
	o, err := cards.Find(c.tx, id)
	if err != nil || o == nil || o.Validity != validityUnknown {
		return err
	}
	o.Validity, o.Active = validityInvalid, false
	return cards.Put(c.tx, o)
}
