package mangopay

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"

	"talkoot.fi/sandbox/standin"
)

//go:embed web
var web embed.FS

// pages are what people see: templates and their texts in fi, en and sv.
type pages struct {
	templates *template.Template
	texts     map[string]map[string]string
}

func loadPages() (*pages, error) {
	templates, err := template.ParseFS(web, "web/*.html")
	if err != nil {
		return nil, fmt.Errorf("parse pages: %w", err)
	}
	raw, err := web.ReadFile("web/texts.json")
	if err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	p := &pages{templates: templates}
	if err := json.Unmarshal(raw, &p.texts); err != nil {
		return nil, fmt.Errorf("read texts: %w", err)
	}
	return p, nil
}

// stylePath is below where browsers reach the sandbox, which may be a path itself.
const stylePath = "/mangopay/pages.css"

func (s *Sandbox) pageRoutes(mux *http.ServeMux) {
	mux.HandleFunc(tokenisePath, s.tokenise)
	mux.HandleFunc("GET /report", s.download)
	mux.HandleFunc("GET /documents/page", s.showFile)
	for _, at := range []string{"/3ds", "/payment", "/mandate", "/sca", "/verification"} {
		mux.HandleFunc("GET "+at, s.showPage)
		mux.HandleFunc("POST "+at, s.takePage)
	}
	mux.HandleFunc("GET /mandate/document", s.showDocument)
	mux.HandleFunc("GET "+stylePath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Header().Set("Cache-Control", "no-cache")
		_, _ = w.Write([]byte(standin.PagesCSS)) // a browser that left needs no style
	})
}

// shownPage is what a template needs.
type shownPage struct {
	Lang, Style, Kind, Token, Amount, Error, Back, ReturnURL string
	Open                                                     bool
	T                                                        map[string]string
}

const pagePolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

func (s *Sandbox) render(w http.ResponseWriter, status int, data shownPage) {
	var out bytes.Buffer
	if err := s.pages.templates.ExecuteTemplate(&out, "page.html", data); err != nil {
		s.log.Error("render page", "error", err)
		http.Error(w, "The page could not be shown.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = out.WriteTo(w) // a browser that left needs no page
}

// visit is a page with what it is about, as a person finds it.
type visit struct {
	page    page
	token   string
	tx      *transaction
	mandate *mandate
	user    *user
	to      *recipient
	kyc     *verification
}

func (c *call) visit(token string) (*visit, error) {
	v := &visit{token: token}
	found, err := standin.GetJSON(c.tx, bucketPages, token, &v.page)
	if err != nil || !found {
		return nil, errOr(err, notFound("Page", ""))
	}
	switch v.page.Kind {
	case pageChallenge, pageCard, pageTransfer:
		v.tx, err = get(c.tx, transactions, "Transaction", v.page.Of)
	case pageRecipient:
		v.to, err = get(c.tx, recipients, "Recipient", v.page.Of)
	case pageVerify:
		v.kyc, err = get(c.tx, verifications, "IdentityVerification", v.page.Of)
	case pageMandate:
		v.mandate, err = get(c.tx, mandates, "Mandate", v.page.Of)
	default:
		v.user, err = c.person(v.page.Of, "")
	}
	return v, err
}

// open tells whether there is still something to do.
func (v *visit) open() bool {
	switch {
	case v.page.Used:
		return false
	case v.tx != nil:
		return v.tx.Status == statusCreated
	case v.mandate != nil:
		return v.mandate.Status == statusCreated
	case v.to != nil:
		return v.to.Status == recipientPending
	case v.kyc != nil:
		return v.kyc.Status == verificationPending
	}
	return true
}

// back is where the person goes afterwards; asked is the address that an enrolment's was given.
func (v *visit) back(asked string) string {
	switch {
	case v.mandate != nil:
		return v.mandate.ReturnURL
	case v.kyc != nil:
		return v.kyc.ReturnURL
	case v.tx != nil && v.tx.Web != nil:
		return v.tx.Web.ReturnURL
	case v.tx != nil && v.tx.Direct != nil:
		return value(v.tx.Direct.SecureModeReturnURL)
	}
	if u, err := url.Parse(asked); err != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return asked
}

// shown is the page for a reader.
func (s *Sandbox) shown(r *http.Request, v *visit) shownPage {
	culture := ""
	switch {
	case v.mandate != nil:
		culture = v.mandate.Culture
	case v.tx != nil && v.tx.PayIn != nil:
		culture = value(v.tx.PayIn.Culture)
	}
	asked := r.FormValue("returnUrl")
	lang := standin.Language(r, culture)
	data := shownPage{Lang: lang, Style: s.opts.PublicURL + stylePath, T: s.pages.texts[lang], Kind: v.page.Kind, Token: v.token, Open: v.open(), Back: v.back(asked), ReturnURL: asked}
	if v.tx != nil {
		data.Amount = standin.FormatAmount(v.tx.DebitedFunds.Amount, v.tx.DebitedFunds.Currency, lang)
	}
	return data
}

func (s *Sandbox) showPage(w http.ResponseWriter, r *http.Request) {
	var v *visit
	err := s.read(&call{}, func(c *call) (err error) {
		v, err = c.visit(r.FormValue("token"))
		return err
	})
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	s.render(w, http.StatusOK, s.shown(r, v))
}

func (s *Sandbox) pageError(w http.ResponseWriter, r *http.Request, err error) {
	e := s.asAPIError(err)
	text := s.pages.texts[standin.Language(r)]
	message := text["other"]
	if e.status == http.StatusNotFound {
		message = text["notFound"]
	}
	http.Error(w, message, e.status)
}

// takePage does what the person chose, once, and sends them on.
func (s *Sandbox) takePage(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	outcome := r.PostFormValue("outcome")
	if outcome != "pass" && outcome != "fail" && outcome != "leave" {
		http.Error(w, "outcome must be pass, fail or leave", http.StatusBadRequest)
		return
	}
	var v *visit
	next, code := "", ""
	err := s.write(&call{}, func(c *call) (err error) {
		if v, err = c.visit(r.PostFormValue("token")); err != nil {
			return err
		}
		next = v.back(r.PostFormValue("returnUrl"))
		if outcome == "leave" || !v.open() {
			return nil
		}
		if v.page.Kind == pageCard && outcome == "pass" {
			number := strings.ReplaceAll(r.PostFormValue("number"), " ", "")
			expiry := strings.NewReplacer("/", "", " ", "").Replace(r.PostFormValue("expiry"))
			if next, code, err = c.payOnPage(v.tx, number, expiry, r.PostFormValue("cvx")); err != nil || code != "" {
				return err
			}
		} else if err := c.act(v, outcome == "pass", r.PostForm); err != nil {
			return err
		}
		v.page.Used = true
		return standin.PutJSON(c.tx, bucketPages, v.token, v.page)
	})
	switch {
	case err != nil:
		s.pageError(w, r, err)
	case code != "":
		data := s.shown(r, v)
		if data.Error = data.T[code]; data.Error == "" {
			data.Error = data.T["cardRefused"]
		}
		s.render(w, http.StatusOK, data)
	case next == "":
		s.render(w, http.StatusOK, s.shown(r, v))
	default:
		http.Redirect(w, r, next, http.StatusFound)
	}
}

// act is a person's choice on a page.
func (c *call) act(v *visit, pass bool, form url.Values) error {
	given := consents{form.Has("ContactInformationUpdate"), form.Has("RecipientRegistration"), form.Has("Transfer"), form.Has("ViewAccountInformation")}
	switch v.page.Kind {
	case pageChallenge:
		return c.answerBank(v.tx, pass)
	case pageCard:
		return c.settle(v.tx, "101002")
	case pageTransfer:
		return c.authorised(v.tx, pass)
	case pageMandate:
		return c.confirmMandate(v.mandate, pass)
	case pageRecipient:
		return c.answerRecipient(v.to, pass)
	case pageVerify:
		return c.endVerification(v.kyc, pass)
	case pageEnrol:
		return c.enrolled(v.user, pass, given)
	case pageConsent:
		if !pass {
			return nil
		}
		v.user.agree(c.now, given)
		v.user.Viewed = c.now
		return firstOf(users.Put(c.tx, v.user), c.tell(v.user.ID, given.events("GIVEN")...))
	}
	return nil
}

// showDocument is the text of a mandate.
func (s *Sandbox) showDocument(w http.ResponseWriter, r *http.Request) {
	var v *visit
	err := s.read(&call{}, func(c *call) (err error) {
		v, err = c.visit(r.FormValue("token"))
		return err
	})
	if err == nil && v.mandate == nil {
		err = notFound("Mandate", "")
	}
	if err != nil {
		s.pageError(w, r, err)
		return
	}
	data := s.shown(r, v)
	data.Kind = "document"
	s.render(w, http.StatusOK, data)
}
