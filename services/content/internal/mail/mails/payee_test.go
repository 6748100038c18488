package mails

import (
	"strings"
	"testing"
	"time"
)

// Who can do something about it is led there; who has to wait is told that there is nothing to do.
func TestPayeeMail_SaysWhatIsAndWhatToDo(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]map[string]string{
		"fi": {"ready": "voi nyt maksaa", "restricted": "kaipaa sinua", "closed": "suljettu", "asked": "Profiilistasi näet", "waits": "ei tarvitse juuri nyt", "later ready": "kun ne ovat päättyneet", "later restricted": "Tilitykset sinulle odottavat", "later closed": "avaat uuden tilin"},
		"en": {"ready": "can be paid to", "restricted": "needs you", "closed": "closed", "asked": "what is missing", "waits": "nothing to fill in", "later ready": "after they have ended", "later restricted": "Payouts to you wait", "later closed": "open another account"},
		"sv": {"ready": "kan nu ta emot", "restricted": "behöver dig", "closed": "stängt", "asked": "vad som saknas", "waits": "behöver inte fylla i", "later ready": "när de har avslutats", "later restricted": "Utbetalningar till dig väntar", "later closed": "öppnar ett nytt konto"},
	}
	for language, said := range words {
		for _, state := range []string{"ready", "restricted", "closed"} {
			// Where money is ours until it is sent, nothing is said of payments that cannot be made.
			later, err := r.renderPayee(Payee{Language: language, FirstName: "Áile", Email: "aile@example.fi", State: state, IsLater: true, URL: "https://talkoot.test/profile/me/payouts/"})
			if text := strings.ReplaceAll(later.Text, noBreak, " "); err != nil || !strings.Contains(later.Subject, said[state]) || !strings.Contains(text, said["later "+state]) {
				t.Errorf("%s %s, later: %s\n%s, %v", language, state, later.Subject, text, err)
			}
			for _, isAsked := range []bool{true, false} {
				m, err := r.renderPayee(Payee{Language: language, FirstName: "Áile http://evil.example", Email: "aile@example.fi", State: state, IsAsked: isAsked,
					URL: "https://talkoot.test/profile/me/payouts/"})
				if err != nil {
					t.Fatal(err)
				}
				text := strings.ReplaceAll(m.Text, noBreak, " ")
				if !strings.Contains(m.Subject, said[state]) || !strings.Contains(text, "profile/me/payouts/") || strings.Contains(text, "evil.example") {
					t.Errorf("%s %s: %s\n%s", language, state, m.Subject, text)
				}
				if got := strings.Contains(text, said["asked"]); got != (state == "restricted" && isAsked) {
					t.Errorf("%s %s, asked %t: %s", language, state, isAsked, text)
				}
				if got := strings.Contains(text, said["waits"]); got != (state == "restricted" && !isAsked) {
					t.Errorf("%s %s, asked %t: %s", language, state, isAsked, text)
				}
			}
		}
	}
}

// A creator is told of which campaign the money waits, and whether an account is to be linked or finished.
func TestPayeeMail_OfACampaignWithoutAnAccount_SaysWhich(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, said := range map[string][3]string{"fi": {"odottaa maksutiliä", "ei ole liitetty maksutiliä", "maksutilistäsi puuttuu jotain"},
		"en": {"waits for a payout account", "no payout account is linked", "something is missing of your payout account"},
		"sv": {"väntar på ett utbetalningskonto", "inget utbetalningskonto är kopplat", "något saknas i ditt utbetalningskonto"}} {
		for i, isLinked := range []bool{false, true} {
			m, err := r.renderPayee(Payee{Language: language, FirstName: "Áile", Email: "aile@example.fi", State: "missing", Title: "Njuolla http://evil.example", IsLinked: isLinked,
				URL: "https://talkoot.test/profile/me/payouts/"})
			text := strings.ReplaceAll(m.Text, noBreak, " ")
			if err != nil || !strings.Contains(m.Subject, said[0]) || !strings.Contains(text, said[1+i]) || !strings.Contains(text, "Njuolla") || strings.Contains(text, "evil.example") ||
				!strings.Contains(text, "profile/me/payouts/") {
				t.Errorf("%s, linked %t: %s\n%s, %v", language, isLinked, m.Subject, text, err)
			}
		}
	}
}

// Whoever has got into a creator's account and has its money sent elsewhere is noticed: the mail says to which account, from when, and what to
// do about it.
func TestPayeeMail_OfABankAccount_SaysWhichAndWhatToDoAgainstAThief(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, said := range map[string][4]string{
		"fi": {"Tilityksillesi on nyt pankkitili", "pankkitili vaihtui", "pankkitili poistettiin", "vaihda salasana heti"},
		"en": {"Your payouts have a bank account", "has changed", "was removed", "change your password at once"},
		"sv": {"har nu ett bankkonto", "har bytts", "togs bort", "byt lösenord genast"},
	} {
		for i, state := range []string{"bank_added", "bank_replaced", "bank_removed"} {
			p := Payee{Language: language, FirstName: "Áile", Email: "aile@example.fi", State: state, Bank: "FI ···· 0785", URL: "https://talkoot.test/profile/me/payouts/",
				ResetURL: "https://talkoot.test/password-reset/"}
			if state == "bank_replaced" {
				p.PaysFrom = "1.12.2026 klo 14.05"
			}
			m, err := r.renderPayee(p)
			text := strings.ReplaceAll(m.Text, noBreak, " ")
			if err != nil || !strings.Contains(m.Subject, said[i]) || !strings.Contains(text, said[3]) || !strings.Contains(text, "FI ···· 0785") ||
				!strings.Contains(text, "https://talkoot.test/password-reset/") || !strings.Contains(text, "profile/me/payouts/") {
				t.Errorf("%s %s: %s\n%s, %v", language, state, m.Subject, text, err)
			}
			if strings.Contains(text, "1.12.2026") != (state == "bank_replaced") {
				t.Errorf("%s %s says from when: %s", language, state, text)
			}
		}
	}
}

// A creator is told what has come of their payout: how much of which campaign, to which account, and what they can do when it did not arrive.
func TestPayeeMail_OfAPayout_SaysHowMuchOfWhichCampaignAndWhatToDo(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, said := range map[string][5]string{
		"fi": {"on perillä", "ei mennyt perille", "palautti tilityksesi", "anna toinen tili", "1 234,50 €"},
		"en": {"has arrived", "did not arrive", "sent your payout back", "give another one", "€1,234.50"},
		"sv": {"har kommit fram", "kom inte fram", "skickade tillbaka", "ge ett annat konto", "1 234,50 €"},
	} {
		for i, state := range []string{"payout_arrived", "payout_failed", "payout_returned"} {
			m, err := r.renderPayee(Payee{Language: language, FirstName: "Áile", Email: "aile@example.fi", State: state, Bank: "FI ···· 0785", Title: "Njuolla", Minor: 123_450,
				URL: "https://talkoot.test/profile/me/payouts/"})
			text := strings.ReplaceAll(m.Text, noBreak, " ")
			if err != nil || !strings.Contains(m.Subject, said[i]) || !strings.Contains(text, "FI ···· 0785") || !strings.Contains(text, "Njuolla") ||
				!strings.Contains(text, said[4]) || !strings.Contains(text, "profile/me/payouts/") {
				t.Errorf("%s %s: %s\n%s, %v", language, state, m.Subject, text, err)
			}
			if strings.Contains(text, "(") {
				t.Errorf("%s %s of pledges names a month: %s", language, state, text)
			}
			if strings.Contains(text, said[3]) != (i > 0) {
				t.Errorf("%s %s says what to do: %s", language, state, text)
			}
			m, err = r.renderPayee(Payee{Language: language, FirstName: "Áile", Email: "aile@example.fi", State: state, Title: "Njuolla",
				Month: month(language, time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))})
			named := map[string]string{"fi": "Njuolla (lokakuu 2026)", "en": "Njuolla (October 2026)", "sv": "Njuolla (oktober 2026)"}[language]
			if text := strings.ReplaceAll(m.Text, noBreak, " "); err != nil || !strings.Contains(text, named) {
				t.Errorf("%s %s of a month: %s, %v", language, state, text, err)
			}
		}
	}
}

// Whom the law asks who they are is told what for, from which day payouts wait, and that it is the last time.
func TestPayeeMail_OfTaxData_SaysWhatForAndUntilWhen(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, said := range map[string][4]string{
		"fi": {"Kerro, kuka olet", "Muistutus: kerro, kuka olet", "viimeinen muistutus", "Anna tietosi"},
		"en": {"Say who you are", "Reminder: say who you are", "last reminder", "Give your details"},
		"sv": {"Berätta vem du är", "Påminnelse: berätta vem du är", "sista påminnelsen", "Ge dina uppgifter"},
	} {
		for i, state := range []string{"tax_missing", "tax_missing_still"} {
			m, err := r.renderPayee(Payee{Language: language, FirstName: "Áile", Email: "aile@example.fi", State: state, HeldFrom: "1.2.2027", URL: "https://talkoot.test/profile/me/payouts/"})
			text := strings.ReplaceAll(m.Text, noBreak, " ")
			if err != nil || !strings.Contains(m.Subject, said[i]) || !strings.Contains(text, "DAC7") || !strings.Contains(text, "1.2.2027") || !strings.Contains(text, said[3]) ||
				!strings.Contains(text, "profile/me/payouts/") || strings.Contains(text, said[2]) != (i == 1) {
				t.Errorf("%s %s: %s\n%s, %v", language, state, m.Subject, text, err)
			}
		}
	}
}
