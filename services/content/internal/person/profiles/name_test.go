package profiles_test

import (
	"strings"
	"testing"

	"talkoot.fi/content/internal/person/profiles"
)

func TestCheckNames_RefusesInvisibleCharacters(t *testing.T) {
	for name, want := range map[string]string{
		"Áile Näkkäläjärvi": "", "O’Brien-Ng": "", "Мария": "", "李": "", "J.R.R. Tolkien": "", "St. John": "", "Kylätalkoot ry": "",
		"Tal": "", "Adminah": "", "Modesta": "", "Ylläs": "", "Ыллапа": "", "Mini Mode": "",
		"علی\u200cرضا": "", "क्\u200dष": "", "شاه\u200cنامه": "", "علی\u200c": "format", "\u200cعلی": "format", "A\u200cB": "format", "علی\u200c\u200cرضا": "format", "علی\u200cA": "format",
		"": "required", "  ": "required", "\u00a0": "required",
		"A\r\nBcc: x@y.example": "format", "\u202egnp.exe": "format", "\u200b": "format", "tab\there": "format", "\u3164": "format", "Tal\u034fkoot": "format",
	} {
		if got, _ := profiles.CheckNames(name, "Virtanen"); got != want {
			t.Errorf("%q: rule %q, want %q", name, got, want)
		}
		if _, got := profiles.CheckNames("Leena", name); got != want {
			t.Errorf("last name %q: rule %q, want %q", name, got, want)
		}
	}
}

// Nobody sees in a field what came along with a copied name, so nobody could take it out.
func TestPastedName_LosesWhatIsUnseenAroundIt(t *testing.T) {
	for pasted, want := range map[string]string{
		" Aino\u00a0": "Aino", "\u202aAino\u202c": "Aino", "\ufeffAino\u200d": "Aino", "\u200f\u0639\u0644\u06cc\u200c\u0631\u0636\u0627\u200e": "علی\u200cرضا", "Pau\u00adla": "Paula",
		"Man\u00adgopay": "Mangopay", "\u200b": "", // which are refused then
		"Tal\u200bkoot": "Tal\u200bkoot", "\u0000Aino": "\u0000Aino", // and these, as they are
	} {
		if got := profiles.PastedName(pasted); got != want {
			t.Errorf("%q is %q, want %q", pasted, got, want)
		}
	}
}

func TestCheckNames_RefusesNamesThatLookLikeStaff(t *testing.T) {
	for _, name := range []string{
		"Talkoot", "TALKOOT", "talkoot.", "Talkoot-tuki", "Talkootin", "The Talkoot Team", "TheTalkoot", "T a l k o o t", "T-a-l-k-o-o-t",
		"Ta1koot", "TaIkoot", "Talk00t", "Tаlkoot", "Τalkoot", "ТАLКООТ", "Tálköot", "Ｔａｌｋｏｏｔ", "𝐓𝐚𝐥𝐤𝐨𝐨𝐭", "Ⓣⓐⓛⓚⓞⓞⓣ", "Tałkøøt",
		"Admin", "admin2", "Adm1n", "Adrnin", "ADMIN", "Аdmin", "$upport", "A d m i n", "Administrator", "Administraattori", "Moderator", "Moderaattori",
		"M0derator", "Ylläpito", "Yllapito", "YLLÄPITÄJÄ", "Y l l ä p i t o", "ylläpidon ylläpito", "Asiakaspalvelu", "Kundtjänst", "Support",
	} {
		if first, _ := profiles.CheckNames(name, "Virtanen"); first != "name_reserved" {
			t.Errorf("first name %q: %q", name, first)
		}
		if _, last := profiles.CheckNames("Leena", name); last != "name_reserved" {
			t.Errorf("last name %q: %q", name, last)
		}
	}
	for _, both := range [][2]string{{"Tal", "koot"}, {"Ad", "min"}, {"Yllä", "pito"}, {"Mode", "rator"}} {
		if first, _ := profiles.CheckNames(both[0], both[1]); first != "name_reserved" {
			t.Errorf("%v: %q", both, first)
		}
	}
}

// Names of who takes the money and of offices that people trust are nobody's, in whatever spelling; a word that is also a surname or a
// trade is refused only where it can be taken for them.
func TestCheckNames_RefusesNamesThatLookLikeAnOfficeOrAPaymentService(t *testing.T) {
	for _, name := range []string{
		"Security Team", "SECURITY TEAM", "SecurityTeam", "securityteam", "S e c u r i t y   T e a m", "Secur1ty Team", "Ѕесurity Теаm", "Security", "The Security Team",
		"Security-Team", "Account Security", "Fraud Prevention", "Trust and Safety", "Payments Team", "Billing", "Tietoturvatiimi", "Tietoturva tiimi", "Turvallisuustiimi",
		"Maksupalvelu", "Säkerhetsteamet", "Säkerhet", "Betalningar", "Helpdesk", "Help Desk", "Official Team",
		"Stripe", "STRIPE", "Str1pe", "Strípe", "Stri pe", "S.t.r.i.p.e", "Ѕtripe", "Stripe Support", "Stripe Payments Europe Ltd", "Team Stripe", "StripeTeam", "Stripeteam", "Stripe Oy",
		"Mangopay", "MangoPay", "Mango Pay", "M4ngopay", "Mangopaу", "Mangopay Team", "Team Mango Pay", "Mangopay SA", "PayPal", "Pay Pal", "P4yPal Support", "MobilePay Finland Oy", "Team MobilePay", "Klarna", "Mastercard", "Paytrail Oyj", "Apple Pay", "Talkoot Oy", "Team Tal koot", "Talkoot Security",
	} {
		if rule := profiles.CheckName(name); rule != "name_reserved" {
			t.Errorf("%q: %q", name, rule)
		}
		first, last, _ := strings.Cut(name, " ")
		if last == "" {
			last = "Oy"
		}
		if inFirst, inLast := profiles.CheckNames(first, last); inFirst != "name_reserved" && inLast != "name_reserved" {
			t.Errorf("person %q %q: %q, %q", first, last, inFirst, inLast)
		}
	}
	for _, name := range []string{
		"Stripe\u200b", "Man\u00adgopay", "Secu\u2060rity Team", // invisible signs are refused as such
	} {
		if rule := profiles.CheckName(name); rule != "format" {
			t.Errorf("%q: %q", name, rule)
		}
	}
	for _, name := range []string{"Maria Stripe", "Jean-Luc Stripes", "Striper Oy", "Nordic Security Services Finland Oy", "Turun Tietoturva ry", "Kylän Turvallisuus ry",
		"Tuki ry", "Vanhustuki ry", "Mango Oy", "Mango Payne", "Visa Virtanen", "Visa", "Paypala", "Maria Klarna", "Tea Matikainen", "Teamu Oy", "Oy Ab", "Billingham", "Secundus Rity", "Team Rynkeby", "Pink Stripes ry",
		"Officiella Ungdomskören", "Säkerhetsskolan Ab", "Paymentto"} {
		if rule := profiles.CheckName(name); rule != "" {
			t.Errorf("%q is refused: %q", name, rule)
		}
	}
	if first, last := profiles.CheckNames("Maria", "Stripe"); first != "" || last != "" {
		t.Errorf("a surname is refused: %q %q", first, last)
	}
}

func TestCheckNames_HoldNoPhoneNumber(t *testing.T) {
	for _, name := range []string{"Voitit 500 e soita 0600123456.", "Soita 0 6 0 0 1 2 3 4 5 6", "+358-40-1234567", "０６００１２３４５６", "٠٦٠٠١٢٣٤٥٦", "⓪⑥⓪⓪①②③④"} {
		if rule, _ := profiles.CheckNames(name, "Virtanen"); rule != "name_phone" {
			t.Errorf("%q: %q", name, rule)
		}
		if rule := profiles.CheckName(name); rule != "name_phone" {
			t.Errorf("%q: %q", name, rule)
		}
	}
	for _, name := range []string{"Talvi 2026 ry", "Kerho 1, 2 ja 3", "Jaakko Ⅳ", "Seura 1923"} {
		if rule := profiles.CheckName(name); rule != "" {
			t.Errorf("%q is refused: %q", name, rule)
		}
	}
}

func TestCheckNames_HoldNoLinks(t *testing.T) {
	for name, apart := range map[string]string{
		"evil.example":          "evil. example",
		"Voita https://evil.fi": "Voita https: evil. fi",
		"www.evil":              "www. evil",
		"WWW . evil":            "WWW . evil",
		"a@b":                   "a at b",
		"evil。example":          "evil. example",
		"evil．example":          "evil. example",
		"bit.ly/x":              "bit. ly/x",
		"x://y":                 "x: y",
	} {
		if rule, _ := profiles.CheckNames(name, "Virtanen"); rule != "name_link" {
			t.Errorf("%q: %q", name, rule)
		}
		if got := profiles.WithoutLinks(name); got != apart && name != "WWW . evil" {
			t.Errorf("%q in a mail: %q, want %q", name, got, apart)
		}
	}
	for _, name := range []string{"Leena H.", "J.R.R. Tolkien", "Kylätalkoot ry", "Ⅳ"} {
		if got := profiles.WithoutLinks(name); got != name {
			t.Errorf("%q in a mail: %q", name, got)
		}
	}
}
