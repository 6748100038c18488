package stripe

import (
	"net/http"
	"strings"
	"time"

	"talkoot.fi/sandbox/standin"
)

type checkoutItem struct {
	Name, Amount string
	Quantity     int64
}

type checkoutCard struct{ Number, Label string }

type checkoutPage struct {
	Lang, ID, Amount, CancelURL, Error, Email, Name, Closed, Back string
	T                                                             map[string]string
	Open, EmailFixed                                              bool
	Items                                                         []checkoutItem
	Cards                                                         []checkoutCard
}

func (s *Sandbox) showCheckout(w http.ResponseWriter, r *http.Request) {
	s.checkoutPage(w, r, nil, payment{}, http.StatusOK)
}

// checkoutPage shows the session as it is now, with what went wrong in the last attempt.
func (s *Sandbox) checkoutPage(w http.ResponseWriter, r *http.Request, failed error, pay payment, status int) {
	var o *storedSession
	var email string
	err := s.read(&call{}, func(c *call) (err error) {
		if o, err = sessions.get(c.tx, r.PathValue("id"), "session"); err != nil {
			return err
		}
		email = value(o.CustomerEmail)
		if o.Customer != nil {
			cus, err := customers.get(c.tx, *o.Customer, "customer")
			if err != nil {
				return err
			}
			email = value(cus.Email)
		}
		return nil
	})
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	lang := s.pages.language(r, value(o.Locale))
	text := s.pages.texts[lang]
	data := checkoutPage{
		Lang: lang, T: text, ID: o.ID, Amount: standin.FormatAmount(o.AmountTotal, o.Currency, lang), Open: o.Status == sessionOpen,
		CancelURL: value(o.CancelURL), Email: email, EmailFixed: email != "", Name: pay.name,
		Cards: []checkoutCard{
			{"4242 4242 4242 4242", text["cardOk"]}, {"4000 0027 6000 3184", text["cardSecure"]},
			{"4000 0000 0000 0002", text["cardDeclined"]}, {"4000 0000 0000 9995", text["cardFunds"]},
			{"4000 0082 6000 3178", text["cardSecureFunds"]},
		},
	}
	if email == "" { // what the payer gave before comes back, the card does not
		data.Email = pay.email
		if o.CustomerDetails != nil && pay.email == "" {
			data.Email, data.Name = value(o.CustomerDetails.Email), value(o.CustomerDetails.Name)
		}
	}
	if failed != nil {
		data.Error = s.pages.messageFor(failed, lang)
	}
	for _, item := range o.Items {
		data.Items = append(data.Items, checkoutItem{item.Description, standin.FormatAmount(item.AmountTotal, item.Currency, lang), item.Quantity})
	}
	switch o.Status {
	case sessionComplete:
		data.Closed, data.Back, data.CancelURL = text["checkoutPaid"], o.successAddress(), ""
	case sessionExpired:
		data.Closed, data.Back = text["checkoutExpired"], data.CancelURL
	}
	s.page(w, "checkout.html", pagePolicy, status, data)
}

func (s *Sandbox) takePayment(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	expiry := strings.NewReplacer(" ", "", "/", "").Replace(r.PostFormValue("expiry"))
	pay := payment{
		name: strings.TrimSpace(r.PostFormValue("name")), email: strings.TrimSpace(r.PostFormValue("email")),
		number: r.PostFormValue("number"), cvc: strings.TrimSpace(r.PostFormValue("cvc")),
	}
	if len(expiry) == 4 {
		pay.month, pay.year = expiry[:2], expiry[2:]
	}
	var o *storedSession
	var pi *paymentIntent
	err := s.write(&call{}, func(c *call) (err error) {
		o, pi, err = c.submitPayment(r.PathValue("id"), pay)
		return err
	})
	switch {
	case err != nil && o == nil:
		s.pageError(w, r, err)
	case err != nil:
		s.checkoutPage(w, r, err, pay, http.StatusUnprocessableEntity)
	case pi.Status == statusRequiresAction:
		lang := s.pages.language(r, value(o.Locale))
		http.Redirect(w, r, pi.NextAction.RedirectToURL.URL+"?locale="+lang, http.StatusSeeOther) //nolint:gosec // the language is one of three, and the address our own
	default:
		http.Redirect(w, r, o.successAddress(), http.StatusSeeOther)
	}
}

// returnToCheckout is where the challenge page sends the payer of a session back to.
func (s *Sandbox) returnToCheckout(w http.ResponseWriter, r *http.Request) {
	var o *storedSession
	var failed error
	err := s.read(&call{}, func(c *call) (err error) {
		if o, err = sessions.get(c.tx, r.PathValue("id"), "session"); err != nil || o.PaymentIntent == nil {
			return err
		}
		pi, err := intents.get(c.tx, *o.PaymentIntent, "payment_intent")
		if err == nil && pi.LastPaymentError != nil {
			failed = &apiError{status: http.StatusPaymentRequired, body: *pi.LastPaymentError}
		}
		return err
	})
	switch {
	case err != nil:
		s.pageError(w, r, err)
	case o.Status == sessionComplete:
		http.Redirect(w, r, o.successAddress(), http.StatusSeeOther)
	default:
		s.checkoutPage(w, r, failed, payment{}, http.StatusOK)
	}
}

type heldTable struct {
	Title   string
	Total   int
	Columns []string
	Rows    [][]string
	Note    string // below the rows
}

type heldPage struct {
	Clock   string
	Pending int
	Tables  []heldTable
}

const heldRows = 50

// showHeld lists the newest of what the sandbox holds.
func (s *Sandbox) showHeld(w http.ResponseWriter, r *http.Request) {
	var data heldPage
	err := s.read(&call{}, func(c *call) error {
		data.Clock = clock(c.now)
		data.Pending = standin.PendingIn(c.tx)
		var err error
		data.Tables, err = c.heldTables()
		return err
	})
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	s.page(w, "list.html", pagePolicy, http.StatusOK, data)
}

func clock(at int64) string { return time.Unix(at, 0).UTC().Format("2006-01-02 15:04:05 UTC") }

func held[T any](c *call, k kind[T], title string, columns []string, row func(*T) ([]string, error)) (heldTable, error) {
	t := heldTable{Title: title, Columns: columns, Total: k.Count(c.tx)}
	found, _, err := k.page(c.tx, pageQuery{limit: heldRows}, nil)
	if err != nil {
		return t, err
	}
	for _, o := range found {
		cells, err := row(o)
		if err != nil {
			return t, err
		}
		t.Rows = append(t.Rows, cells)
	}
	return t, nil
}
