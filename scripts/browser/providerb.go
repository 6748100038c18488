package browser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Creator is somebody's account at provider B.
type Creator struct {
	UserID, WalletID, RedirectURL string
	Payee                         struct{ State string }
}

// BecomePayee makes the visitor's account at provider B, of whom the platform knows the number.
func (v *Visitor) BecomePayee(ctx context.Context, userID int64) (c Creator, err error) {
	err = v.json(ctx, http.MethodPost, v.Payments+"/api/users/mangopay/create-creator-account", "", map[string]any{"type": "natural", "userId": userID,
		"owner": map[string]any{"first_name": "Maija", "last_name": "Meri", "birthdate": "1980-05-01", "nationality": "FI", "residence_country": "FI",
			"terms_accepted": true, "return_url": v.back("/profile/me/payouts/")}}, &c)
	return c, err
}

// back is an address of the web app.
func (v *Visitor) back(path string) string { return cmp.Or(v.Web, v.Content) + path }

// VerifyPayee asks where the visitor goes on with their account.
func (v *Visitor) VerifyPayee(ctx context.Context) (c Creator, err error) {
	err = v.json(ctx, http.MethodPost, v.Payments+"/api/users/mangopay/verification", "", map[string]any{"returnUrl": v.back("/profile/me/payouts/")}, &c)
	return c, err
}

// BeVerified makes the visitor's account at provider B and passes its pages: strong authentication with every consent, and who they are.
// Called again it goes on from where it was.
func (v *Visitor) BeVerified(ctx context.Context, userID int64) (account Creator, err error) {
	account, err = v.BecomePayee(ctx, userID)
	for step := 0; err == nil && account.RedirectURL != "" && step < 2; step++ {
		err = v.PassPage(ctx, account.RedirectURL, "pass", url.Values{"ViewAccountInformation": {"on"}, "Transfer": {"on"},
			"RecipientRegistration": {"on"}, "ContactInformationUpdate": {"on"}})
		if err == nil {
			account, err = v.VerifyPayee(ctx)
		}
	}
	return account, err
}

// ConfirmIdentity shows once more that it is the visitor.
func (v *Visitor) ConfirmIdentity(ctx context.Context, password string) error {
	return v.json(ctx, http.MethodPost, v.Content+"/users/me/confirmations/", "", map[string]any{"password": password}, nil)
}

// PayoutBank is a bank account to which a visitor's money is paid out from provider B.
type PayoutBank struct {
	Bank struct {
		ID    string `json:"bank_id"`
		State string
	}
	RedirectURL string
}

// AddPayoutBank gives a bank account and confirms it on provider B's page.
func (v *Visitor) AddPayoutBank(ctx context.Context, iban string) (b PayoutBank, err error) {
	err = v.json(ctx, http.MethodPost, v.Payments+"/api/users/mangopay/payout-banks", "", map[string]any{"IBAN": iban, "first_name": "Maija", "last_name": "Meri",
		"address":    map[string]any{"AddressLine1": "Opintie 14", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"},
		"return_url": v.back("/profile/me/payouts/?back=1")}, &b)
	if err != nil {
		return b, err
	}
	return b, v.PassPage(ctx, b.RedirectURL, "pass", nil)
}

// PassPage passes or fails what one of provider B's pages asks; what it needs besides may be nil.
func (v *Visitor) PassPage(ctx context.Context, page, outcome string, more url.Values) error {
	at, err := url.Parse(page)
	if err != nil {
		return fmt.Errorf("read a page's address: %w", err)
	}
	fields := url.Values{"token": at.Query()["token"], "returnUrl": at.Query()["returnUrl"], "outcome": {outcome}}
	for name, values := range more {
		fields[name] = values
	}
	return v.page(ctx, page, fields)
}

// PayAccount says that a campaign is paid by an account at provider B.
func (v *Visitor) PayAccount(ctx context.Context, campaignID int64, c Creator) error {
	return v.json(ctx, http.MethodPost, fmt.Sprintf("%s/campaigns/%d/set_payment_account/", v.Content, campaignID), "",
		map[string]any{"mangopay_user_id": c.UserID, "mangopay_wallet_id": c.WalletID}, nil)
}

// Methods are those by which a campaign can be paid, as method:provider, and why there are none.
func (v *Visitor) Methods(ctx context.Context, campaignID int64) (methods, reason string, err error) {
	var answer struct {
		Methods []struct{ Method, Provider string }
		Reason  string
	}
	err = v.json(ctx, http.MethodGet, fmt.Sprintf("%s/api/campaigns/%d/methods", v.Payments, campaignID), "", nil, &answer)
	var list []string
	for _, m := range answer.Methods {
		list = append(list, m.Method+":"+m.Provider)
	}
	return strings.Join(list, " "), answer.Reason, err
}

// PayIn is a pay-in of provider B.
type PayIn struct {
	PayIn struct {
		ID                    string `json:"Id"`
		Status, ResultCode    string
		SecureModeNeeded      bool
		SecureModeRedirectURL string
	}
	Payment struct{ Status string }
}

// CardB is a card that somebody types at provider B, which answers the payments of some numbers and codes in ways of their own.
type CardB struct{ Number, Code string }

// The cards of provider B that the tools here pay with.
var (
	PlainCardB    = CardB{"4970107111111119", "123"}
	AskedCardB    = CardB{"4970105181818183", "123"} // asks for 3-D Secure every time
	DeclinedCardB = CardB{"4970107111111119", "999"}
)

// RegisteredCard is what a pledge can be paid with at provider B.
type RegisteredCard struct{ ID, Author, Wallet string }

type begunRegistration struct {
	CardRegistration struct {
		ID                  string `json:"Id"`
		CardRegistrationURL string
		PreregistrationData string
		AccessKey           string
	} `json:"cardRegistration"`
	AuthorID         string `json:"authorId"`
	CreditedWalletID string `json:"creditedWalletId"`
}

// RegisterCard registers a card at provider B for a pledge; it is kept for the visitor's account when they want it so.
func (v *Visitor) RegisterCard(ctx context.Context, pledgeID string, typed CardB, isKept bool) (card RegisteredCard, err error) {
	var begun begunRegistration
	if err := v.mangopay(ctx, "card-registration-data", pledgeID, "", nil, &begun); err != nil {
		return card, err
	}
	r := begun.CardRegistration
	answer, err := v.text(ctx, r.CardRegistrationURL, url.Values{"data": {r.PreregistrationData}, "accessKeyRef": {r.AccessKey},
		"cardNumber": {typed.Number}, "cardExpirationDate": {"1232"}, "cardCvx": {typed.Code}})
	if err != nil {
		return card, err
	}
	var made struct{ CardID, ResultCode string }
	err = v.mangopay(ctx, "finish-card-registration", pledgeID, "", map[string]any{"registrationId": r.ID, "registrationData": answer, "keep": isKept}, &made)
	if err == nil && made.CardID == "" {
		err = fmt.Errorf("the card of pledge %s is not registered: %s", pledgeID, made.ResultCode)
	}
	return RegisteredCard{made.CardID, begun.AuthorID, begun.CreditedWalletID}, err
}

// KeptCards are the ids of the cards that the visitor's account has kept, where a campaign is paid through provider B.
func (v *Visitor) KeptCards(ctx context.Context, campaignID int64) (ids []string, err error) {
	var answer struct {
		SavedCards []struct {
			CardID string `json:"card_id"`
		} `json:"saved_cards"`
	}
	err = v.json(ctx, http.MethodGet, fmt.Sprintf("%s/api/campaigns/%d/methods", v.Payments, campaignID), "", nil, &answer)
	for _, card := range answer.SavedCards {
		ids = append(ids, card.CardID)
	}
	return ids, err
}

// KeptCard is a kept card for a pledge: a registration that nothing is typed into tells who pays and into which wallet.
func (v *Visitor) KeptCard(ctx context.Context, pledgeID, cardID string) (RegisteredCard, error) {
	var begun begunRegistration
	err := v.mangopay(ctx, "card-registration-data", pledgeID, "", nil, &begun)
	return RegisteredCard{cardID, begun.AuthorID, begun.CreditedWalletID}, err
}

// Charge pays a pledge with a registered card. The same key charges once.
func (v *Visitor) Charge(ctx context.Context, pledgeID, key string, card RegisteredCard, cents int64) (p PayIn, err error) {
	err = v.mangopay(ctx, "payin", pledgeID, key, map[string]any{"cardId": card.ID, "amount": cents, "authorId": card.Author,
		"creditedWalletId": card.Wallet, "secureModeReturnURL": v.back("/payment-return/?pledge=" + pledgeID),
		"browserInfo": map[string]any{"AcceptHeader": "text/html", "JavaEnabled": false, "Language": v.language(), "ColorDepth": 24, "ScreenHeight": 800,
			"ScreenWidth": 1280, "TimeZoneOffset": -120, "UserAgent": "Mozilla/5.0", "JavascriptEnabled": true}}, &p)
	return p, err
}

// PayByRegistration registers a card at provider B and pays a pledge with it.
func (v *Visitor) PayByRegistration(ctx context.Context, pledgeID string, typed CardB, cents int64) (p PayIn, err error) {
	card, err := v.RegisterCard(ctx, pledgeID, typed, false)
	if err != nil {
		return p, err
	}
	return v.Charge(ctx, pledgeID, "", card, cents)
}

// ConfirmMandate adds a bank account at provider B for a pledge and has its mandate confirmed at the bank.
func (v *Visitor) ConfirmMandate(ctx context.Context, pledgeID, iban string) error {
	var added struct {
		BankAccount struct {
			ID string `json:"Id"`
		} `json:"bankAccount"`
	}
	err := v.mangopay(ctx, "create-bank-account", pledgeID, "", map[string]any{"OwnerName": "Aino Korhonen", "IBAN": iban,
		"OwnerAddress": map[string]any{"AddressLine1": "Opintie 14 B 3", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"}}, &added)
	if err != nil {
		return err
	}
	var made struct{ Mandate struct{ RedirectURL string } }
	err = v.mangopay(ctx, "create-mandate", pledgeID, "", map[string]any{"bankAccountId": added.BankAccount.ID, "language": v.language(),
		"returnURL": v.back("/payment-return/?pledge=" + pledgeID)}, &made)
	if err != nil || made.Mandate.RedirectURL == "" { // it was confirmed before
		return err
	}
	return v.PassPage(ctx, made.Mandate.RedirectURL, "pass", nil)
}

// Debit pays a pledge by the mandate that was confirmed for it. The same key debits once.
func (v *Visitor) Debit(ctx context.Context, pledgeID, key string) (p PayIn, err error) {
	err = v.mangopay(ctx, "payin-direct-debit", pledgeID, key, nil, &p)
	return p, err
}

// PayByDebit adds an account, has its mandate confirmed at the bank, and pays a pledge by it.
func (v *Visitor) PayByDebit(ctx context.Context, pledgeID, iban string) (p PayIn, err error) {
	if err := v.ConfirmMandate(ctx, pledgeID, iban); err != nil {
		return p, err
	}
	return v.Debit(ctx, pledgeID, "")
}

// PayPageB fills in provider B's hosted page and sends it.
func (v *Visitor) PayPageB(ctx context.Context, page string, typed CardB) error {
	return v.PassPage(ctx, page, "pass", url.Values{"number": {typed.Number}, "expiry": {"1232"}, "cvx": {typed.Code}})
}

// mangopay makes one of provider B's calls for a pledge.
func (v *Visitor) mangopay(ctx context.Context, call, pledgeID, key string, body map[string]any, answer any) error {
	whole := map[string]any{"pledgeId": pledgeID}
	for name, value := range body {
		whole[name] = value
	}
	return v.jsonOf(ctx, pledgeID, v.Payments+"/api/pledges/mangopay/"+call, key, whole, answer)
}

// text posts a form and gives the answer as it is.
func (v *Visitor) text(ctx context.Context, address string, fields url.Values) (text string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(fields.Encode()))
	if err != nil {
		return "", fmt.Errorf("call %s: %w", address, err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer, err := v.HTTP.Do(r)
	if err != nil {
		return "", fmt.Errorf("call %s: %w", r.URL.Path, err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	return string(body), err
}
