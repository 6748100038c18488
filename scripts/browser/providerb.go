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

// PayByRegistration registers a card at provider B and pays a pledge with it.
func (v *Visitor) PayByRegistration(ctx context.Context, pledgeID, number string, cents int64) (p PayIn, err error) {
	var begun struct {
		CardRegistration struct {
			ID                  string `json:"Id"`
			CardRegistrationURL string
			PreregistrationData string
			AccessKey           string
		} `json:"cardRegistration"`
		AuthorID         string `json:"authorId"`
		CreditedWalletID string `json:"creditedWalletId"`
	}
	if err := v.mangopay(ctx, "card-registration-data", pledgeID, nil, &begun); err != nil {
		return p, err
	}
	r := begun.CardRegistration
	answer, err := v.text(ctx, r.CardRegistrationURL, url.Values{"data": {r.PreregistrationData}, "accessKeyRef": {r.AccessKey},
		"cardNumber": {number}, "cardExpirationDate": {"1232"}, "cardCvx": {"123"}})
	if err != nil {
		return p, err
	}
	var card struct{ CardID, ResultCode string }
	if err := v.mangopay(ctx, "finish-card-registration", pledgeID, map[string]any{"registrationId": r.ID, "registrationData": answer}, &card); err != nil {
		return p, err
	}
	err = v.mangopay(ctx, "payin", pledgeID, map[string]any{"cardId": card.CardID, "amount": cents, "authorId": begun.AuthorID,
		"creditedWalletId": begun.CreditedWalletID, "secureModeReturnURL": v.back("/payment-return/?pledge=" + pledgeID),
		"browserInfo": map[string]any{"AcceptHeader": "text/html", "JavaEnabled": false, "Language": v.language(), "ColorDepth": 24, "ScreenHeight": 800,
			"ScreenWidth": 1280, "TimeZoneOffset": -120, "UserAgent": "Mozilla/5.0", "JavascriptEnabled": true}}, &p)
	return p, err
}

// PayByDebit adds an account, has its mandate confirmed at the bank, and pays a pledge by it.
func (v *Visitor) PayByDebit(ctx context.Context, pledgeID, iban string) (p PayIn, err error) {
	var added struct {
		BankAccount struct {
			ID string `json:"Id"`
		} `json:"bankAccount"`
	}
	err = v.mangopay(ctx, "create-bank-account", pledgeID, map[string]any{"OwnerName": "Aino Korhonen", "IBAN": iban,
		"OwnerAddress": map[string]any{"AddressLine1": "Opintie 14 B 3", "City": "Pielavesi", "PostalCode": "72400", "Country": "FI"}}, &added)
	if err != nil {
		return p, err
	}
	var made struct {
		Mandate struct{ RedirectURL string } `json:"mandate"`
	}
	err = v.mangopay(ctx, "create-mandate", pledgeID, map[string]any{"bankAccountId": added.BankAccount.ID, "language": v.language(),
		"returnURL": v.back("/payment-return/?pledge=" + pledgeID)}, &made)
	if err != nil {
		return p, err
	}
	if err := v.PassPage(ctx, made.Mandate.RedirectURL, "pass", nil); err != nil {
		return p, err
	}
	err = v.mangopay(ctx, "payin-direct-debit", pledgeID, nil, &p)
	return p, err
}

// mangopay makes one of provider B's calls for a pledge.
func (v *Visitor) mangopay(ctx context.Context, call, pledgeID string, body map[string]any, answer any) error {
	whole := map[string]any{"pledgeId": pledgeID}
	for name, value := range body {
		whole[name] = value
	}
	return v.jsonOf(ctx, pledgeID, v.Payments+"/api/pledges/mangopay/"+call, whole, answer)
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
