package stripe

import (
	"net/http"
	"regexp"
	"strings"

	"talkoot.fi/sandbox/standin"
)

// defaultIBAN is the account that Stripe's documentation pays to.
const defaultIBAN = "DE89370400440532013000"

var ibanShape = regexp.MustCompile(`^[A-Z]{2}[0-9]{2}[0-9A-Z]{8,30}$`)

type onboardingPage struct {
	Lang, Account, Visit, Link, IBAN, Error string
	T                                       map[string]string
	Missing                                 []string
	IsSubmitted                             bool
}

func (c *call) link(r *http.Request) (link storedLink, err error) {
	found, err := standin.GetJSON(c.tx, bucketLinks, r.PathValue("link"), &link)
	if err == nil && (!found || link.Account != r.PathValue("account")) {
		err = missingResource("account_link", r.PathValue("link"), "link")
	}
	return link, err
}

// showOnboarding is the page that a link leads to, once: who comes again, or late, is sent to where another is made.
func (s *Sandbox) showOnboarding(w http.ResponseWriter, r *http.Request) {
	var link storedLink
	var of *storedAccount
	err := s.write(&call{}, func(c *call) (err error) {
		if link, err = c.link(r); err != nil || link.Visit != "" || c.now > link.ExpiresAt {
			return err
		}
		if of, err = c.connected(link.Account); err != nil {
			of = nil
			return nil
		}
		link.Visit = c.randomText(24)
		return standin.PutJSON(c.tx, bucketLinks, r.PathValue("link"), link)
	})
	switch {
	case err != nil:
		s.pageError(w, r, err)
	case of == nil:
		http.Redirect(w, r, link.Refresh, http.StatusSeeOther)
	default:
		s.onboardingPage(w, r, of, link.Visit, "", http.StatusOK)
	}
}

func (s *Sandbox) onboardingPage(w http.ResponseWriter, r *http.Request, of *storedAccount, visit, fault string, status int) {
	lang := s.pages.language(r, "")
	text := s.pages.texts[lang]
	data := onboardingPage{Lang: lang, T: text, Account: of.ID, Visit: visit, Link: r.PathValue("link"), IBAN: defaultIBAN, Error: text[fault],
		Missing: of.Requirements.CurrentlyDue, IsSubmitted: of.DetailsSubmitted}
	if of.IBAN != "" {
		data.IBAN = of.IBAN
	}
	if given := r.FormValue("iban"); given != "" {
		data.IBAN = given
	}
	s.page(w, "onboarding.html", pagePolicy, status, data)
}

// takeOnboarding does what the creator chose, once a visit, and sends them back.
func (s *Sandbox) takeOnboarding(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	outcome := r.PostFormValue("outcome")
	iban := strings.ToUpper(strings.ReplaceAll(r.PostFormValue("iban"), " ", ""))
	var link storedLink
	var of *storedAccount
	fault := ""
	err := s.write(&call{}, func(c *call) (err error) {
		if link, err = c.link(r); err != nil {
			return err
		}
		if link.Over || link.Visit == "" || link.Visit != r.PostFormValue("visit") {
			return nil
		}
		if of, err = c.connected(link.Account); err != nil {
			of = nil
			return nil
		}
		if outcome != "leave" && !ibanShape.MatchString(iban) {
			fault = "ibanInvalid"
			return nil
		}
		link.Over = true
		if err := standin.PutJSON(c.tx, bucketLinks, r.PathValue("link"), link); err != nil || outcome == "leave" {
			return err
		}
		return c.changeAccount(of, func() error {
			of.submit(c, iban)
			switch outcome {
			case "check":
				of.check()
			case "later":
				of.require([]string{document}, c.now+documentDeadline)
			}
			return nil
		})
	})
	switch {
	case err != nil:
		s.pageError(w, r, err)
	case of == nil:
		http.Redirect(w, r, link.Refresh, http.StatusSeeOther)
	case fault != "":
		s.onboardingPage(w, r, of, link.Visit, fault, http.StatusUnprocessableEntity)
	default:
		http.Redirect(w, r, link.Return, http.StatusSeeOther)
	}
}
