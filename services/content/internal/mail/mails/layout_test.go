package mails

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestRender_AReceiptHasItsPricesInATableItsTaxItsSellerAndALinkToItself(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, want := range map[string]struct{ tax, seller, goal string }{
		"fi": {"sis. alv 25,5\u00a0%", "myy ja toimittaa Reijo Kukkonen", "24\u00a0000\u00a0€"},
		"en": {"incl. VAT 25.5%", "sold and delivered by Reijo Kukkonen", "€24,000 "},
		"sv": {"inkl. moms 25,5\u00a0%", "säljs och levereras av Reijo Kukkonen", "24\u00a0000\u00a0€"},
	} {
		p := pledge(language)
		p.Lines[0].Label = "Kirje\n\tja\tkortti\n\nlöylyyn:\nhttps"
		m, err := r.render(KindReceipt, p)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{m.Text, m.HTML} {
			for _, words := range []string{want.tax, want.seller, want.goal, p.ReceiptURL, "Kirje ja kortti löylyyn: https"} {
				if !strings.Contains(part, words) {
					t.Errorf("%s: no %q in %s", language, words, part)
				}
			}
		}
		if rows := strings.Count(m.HTML, "<tr"); rows != len(p.Lines)+2 {
			t.Errorf("%s: %d rows of a table for %d lines, their sum and its tax", language, rows, len(p.Lines))
		}
		var ends []int
		for line := range strings.Lines(m.Text) {
			if strings.HasSuffix(line, "€\n") || strings.Contains(line, "  ") {
				ends = append(ends, utf8.RuneCountInString(line))
			}
		}
		if len(ends) != len(p.Lines)+2 || slices.Min(ends) != slices.Max(ends) {
			t.Errorf("%s: the sums of the text are not one under the other: %s", language, m.Text)
		}
	}
}

// What staff write could otherwise move the footer or take a post's place (footHere, bodyHere).
func TestRender_AReceiptSaysTheLanguageOfARewardsNameThatIsNotItsOwn(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	const marked = `lang="sv"`
	for language, want := range map[string]int{"sv": 1, "en": 0, "": 0} { // of the name, in a mail in English; empty where it is not known
		p := pledge("en")
		p.HasReward, p.RewardLanguage = true, language
		paid, err := r.render(KindReceipt, p)
		if err != nil {
			t.Fatal(err)
		}
		month, err := r.renderSubscription(KindMonthlyReceipt, Subscription{Language: "en", Charge: Charge{Title: "Främre raden", TitleLanguage: language}})
		if err != nil {
			t.Fatal(err)
		}
		for kind, m := range map[string]Mail{"a pledge": paid, "a month": month} {
			_, row, _ := strings.Cut(m.HTML, "<table")
			first, rest, _ := strings.Cut(row, "</th>")
			if got := strings.Count(first, marked); got != want || strings.Contains(rest, "<th scope=\"row\" lang") || strings.Contains(m.Text, marked) {
				t.Errorf("the receipt of %s with a name in %q has %d marks, want %d, and none elsewhere: %s", kind, language, got, want, m.HTML)
			}
		}
	}
}

func TestRenderCampaign_AReasonsControlCharactersAreSpaces(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	m, err := r.renderCampaign(KindCampaignClosed, Campaign{Language: "en", FirstName: "Leena", Email: "a@b.fi", Title: "Roof",
		Reason: "Two" + footHere + "of" + bodyHere + "them\x7fsame"})
	if err != nil {
		t.Fatal(err)
	}
	for name, part := range map[string]string{"text": m.Text, "HTML": m.HTML} {
		if !strings.Contains(part, "Two of them same") {
			t.Errorf("%s: %s", name, part)
		}
	}
}
