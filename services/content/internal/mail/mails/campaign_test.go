package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/migrations"
)

// campaignMail has values that could break a template.
func campaignMail(language string) Campaign {
	first, last, answer := time.Date(2026, 11, 28, 0, 0, 0, 0, helsinki), time.Date(2026, 12, 31, 23, 59, 59, 0,
		helsinki), time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)
	return Campaign{Language: language, FirstName: "Pekka", Email: "pekka@example.fi", Title: "Mehiläiset & koulun\nkatto",
		URL: "https://talkoot.test/7/mehilaiset/", FirstDay: &first, LastDay: &last, AnswerBy: &answer,
		Reason: "Tekijä\n\npyysi:\titse", GoalMinor: 380_000,
		Ending: campaigns.Ending{Outcome: campaigns.NotReached, GoesTo: campaigns.ToBackers, Accepted: 3, AcceptedMinor: 21_050},
		Notes: []Note{{"story", "Kuka:\nhttps://evil.example", "enintään kuusi\tkerrallaan"},
			{"goal", "Riittääkö 380 €?", ""}}}
}

func TestRenderCampaign_Golden(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for _, language := range []string{"fi", "en", "sv"} {
		var all strings.Builder
		for _, kind := range []string{KindReviewRequested, KindReviewChanges, KindReviewApproved, KindCampaignOpened,
			KindCampaignEnded, KindCampaignClosed} {
			m, err := r.renderCampaign(kind, campaignMail(language))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "Subject: %s\n\n%s\n", m.Subject, m.Text)
			if links := strings.Count(m.HTML, "<a "); links != 1 || strings.Contains(m.HTML, "<table") {
				t.Errorf("%s.%s: %d links, or a table, of what people wrote: %s", language, kind, links, m.HTML)
			}
		}
		for _, asCreator := range []bool{true, false} {
			m, err := r.renderInvitation(Invitation{Language: language, Email: "a@b.fi", Title: "Voita www.evil.example",
				InvitedBy: "Osta\nhttps://evil.example", AsCreator: asCreator,
				URL: "https://talkoot.test/invitation/#token=ABC", ExpiresAt: time.Date(2026, 12, 4, 12, 0, 0, 0, helsinki)})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(m.Text+m.HTML+m.Subject, "evil.example") {
				t.Errorf("%s: what somebody wrote is a link: %s", language, m.Text)
			}
			fmt.Fprintf(&all, "Subject: %s\n\n%s", m.Subject, m.Text)
		}
		golden(t, language+".campaign.golden", all.String())
	}
}

func TestRenderCampaign_EndedSaysWhoseTheMoneyIs(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string][3]string{ // reached, kept, returned
		"fi": {"tavoite täyttyi. Kasassa on 210,50", "raha tulee teille", "Palautamme kaikille tukijoille"},
		"en": {"its goal is reached. €210.50", "the money is yours", "We return to every backer"},
		"sv": {"målet är nått. 210,50", "får ni pengarna", "Vi återbetalar till alla understödjare"},
	} {
		for i, e := range []campaigns.Ending{{Outcome: campaigns.Reached, GoesTo: campaigns.ToCreator}, {Outcome: campaigns.NotReached, GoesTo: campaigns.ToCreator},
			{Outcome: campaigns.NotReached, GoesTo: campaigns.ToBackers}} {
			c := campaignMail(language)
			c.Ending, c.Ending.AcceptedMinor = e, 21_050
			m, err := r.renderCampaign(KindCampaignEnded, c)
			if err != nil {
				t.Fatal(err)
			}
			for other, word := range words {
				if strings.Contains(m.Text, word) != (other == i) {
					t.Errorf("%s, %+v: %q is said %t in\n%s", language, e, word, other != i, m.Text)
				}
			}
		}
	}
}

func TestRenderCampaign_ApprovedSaysWhetherItIsOpenAndUntilWhen(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string]struct{ open, waits, until string }{
		"fi": {"nyt auki", "28.11.2026 klo 0.00", "31.12.2026 asti"},
		"en": {"open now", "on 28 Nov 2026 at 0:00", "until 31 Dec 2026"},
		"sv": {"nu öppen", "28 nov. 2026 kl. 0.00", "till och med 31 dec. 2026"},
	} {
		for _, isOpen := range []bool{true, false} {
			for _, isMonthly := range []bool{true, false} {
				c := campaignMail(language)
				c.IsOpen, c.IsMonthly = isOpen, isMonthly
				m, err := r.renderCampaign(KindReviewApproved, c)
				if err != nil {
					t.Fatal(err)
				}
				text := strings.ReplaceAll(m.Text, noBreak, " ")
				if strings.Contains(text, words.open) != isOpen || strings.Contains(text, words.waits) == isOpen ||
					strings.Contains(text, words.until) == isMonthly {
					t.Errorf("%s, open %t, monthly %t: %s", language, isOpen, isMonthly, text)
				}
			}
		}
	}
}

func TestDeliver_CampaignMailsGoToTheTeamAndStaffInTheirLanguage(t *testing.T) {
	db := dbtest.New(t, migrations.FS).Gorm
	err := db.Exec(`
		INSERT INTO users (email, password_hash, first_name, last_name, language, scope, created_at) VALUES
			('pekka@example.fi', '', 'Pekka', 'R', 'fi', '{view}', now()), ('maija@example.fi', '', 'Maija', 'R', 'sv', '{view,edit}', now()),
			('henna@example.fi', '', 'Henna', 'T', 'en', '{view,edit}', now()), ('kaisa@example.fi', '', 'Kaisa', 'T', 'fi', '{view,admin}', now()),
			('tuomo@example.fi', '', 'Tuomo', 'P', 'fi', '{view}', now()), ('liisa@example.fi', '', 'Liisa', 'N', 'fi', '{view,edit}', now());
		UPDATE users SET verified = true;
		UPDATE users SET blocked_at = now() WHERE first_name = 'Kaisa';
		INSERT INTO categories (key, position) VALUES ('k', 1);
		INSERT INTO campaigns (slug, stage, language, category_id, picture, created_at, updated_at) VALUES ('hoyry', 0, 'fi', 1, 'x.svg', now(), now()), ('hilla', 0, 'fi', 1, 'x.svg', now(), now());
		UPDATE campaigns SET review = 'requested' WHERE id = 1; -- that of the other one was taken back
		INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (1, 1, 0), (1, 2, 1), (1, 5, 2);
		INSERT INTO campaign_previews (campaign_id, language, preview) VALUES (1, 'fi', '{"title": "Höyry"}'), (1, 'en', '{"title": "Steam"}'), (1, 'sv', '{"title": "Ånga"}'), (2, 'en', '{"title": "Hilla"}');
		INSERT INTO review_notes (campaign_id, round, part, text, user_id, at) VALUES (1, 1, 'story', 'Kuka?', 3, now()), (1, 2, 'story', 'Milloin?', 3, now());
		INSERT INTO team_invitations (campaign_id, email, invited_by, invited_at, expires_at) VALUES
			(1, 'HENNA@example.fi', 1, now(), now() + interval '1 day'), (1, 'uusi@example.fi', 2, now(), now() + interval '1 day'),
			(1, 'vanha@example.fi', 2, now(), now() - interval '1 day')`).Error
	if err != nil {
		t.Fatal(err)
	}
	var sent []string
	sender, err := NewSender(Options{DB: db, PublicURL: "https://talkoot.test", Zone: helsinki, Now: time.Now,
		Send: func(_ context.Context, m Mail) error {
			sent = append(sent, m.To+": "+m.Subject)
			if m.Kind == KindReviewChanges && (!strings.Contains(m.Text, "Milloin?") || strings.Contains(m.Text, "Kuka?")) {
				t.Errorf("not the notes of this round: %s", m.Text)
			}
			if door := map[string]string{KindReviewChanges: "/1/hoyry/edit/\n", KindReviewRequested: "/1/hoyry/review/\n"}[m.Kind]; !strings.Contains(m.Text+"\n", door) {
				t.Errorf("%s does not lead to %s: %s", m.Kind, door, m.Text)
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Transaction(func(tx *gorm.DB) error {
		if err := AddStaff(t.Context(), tx, KindReviewRequested, CampaignMail{CampaignID: 2, AnswerBy: "2026-11-24"}); err != nil {
			return err
		}
		if err := AddStaff(t.Context(), tx, KindReviewRequested,
			CampaignMail{CampaignID: 1, AnswerBy: "2026-11-24"}); err != nil {
			return err
		}
		return AddTeam(t.Context(), tx, KindReviewChanges, CampaignMail{CampaignID: 1, Round: 2})
	}); err != nil {
		t.Fatal(err)
	}
	// A role that ends before the mail leaves: a draft and what staff say of it are not theirs to read any more.
	if err := db.Exec(`DELETE FROM campaign_team WHERE user_id = 5; UPDATE users SET scope = '{view}' WHERE id = 6`).Error; err != nil {
		t.Fatal(err)
	}
	for id := range 3 {
		payload, err := json.Marshal(team.Mail{InvitationID: int64(id) + 1})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := outbox.Add(t.Context(), db, outbox.Message{Kind: team.KindMail, Payload: payload}); err != nil {
			t.Fatal(err)
		}
	}
	var messages []outbox.Message
	if err := db.Raw(`SELECT id, kind, payload FROM outbox ORDER BY id`).Scan(&messages).Error; err != nil {
		t.Fatal(err)
	}
	for _, m := range messages {
		if err := sender.Handlers()[m.Kind](t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"henna@example.fi: For review: Steam", "pekka@example.fi: Muutoksia pyydetty: Höyry",
		"maija@example.fi: Ändringar behövs: Ånga",
		"HENNA@example.fi: An invitation to a team: Steam", "uusi@example.fi: Inbjudan till ett team: Ånga"}
	if !slices.Equal(sent, want) {
		t.Errorf("sent %q", sent)
	}
}

// Of what was stopped only those are told that it is paid out whose money it is, and nobody reads again why it was stopped.
func TestRender_AStoppedCampaignSaysWhetherItsCreatorIsPaid(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string]map[string][2]string{ // while it waits, when it is paid
		"fi": {"backer": {"Kerromme sinulle erikseen", "maksetaan kampanjan tekijälle"}, "team": {"odottaa, kunnes tiedämme enemmän", "Tilitysten sivulta näet"}},
		"en": {"backer": {"We will tell you separately", "is paid to the campaign’s creator"}, "team": {"waits until we know more", "page of your payouts"}},
		"sv": {"backer": {"Vi berättar separat", "betalas till kampanjens skapare"}, "team": {"väntar tills vi vet mer", "sidan för utbetalningar"}},
	} {
		for role, says := range words {
			for i, paysOut := range []bool{false, true} {
				m, err := r.renderHold(Held{Language: language, FirstName: "Aino", Email: "a@b.fi", Title: "Katto", Role: role, Kind: "stopped", Sentence: "Huijaus.", PaysOut: paysOut})
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(m.Text, says[i]) || strings.Contains(m.Text, says[1-i]) || strings.Contains(m.Text, "Huijaus.") == paysOut {
					t.Errorf("%s, %s, paid %t:\n%s", language, role, paysOut, m.Text)
				}
			}
		}
	}
}

// What was raised goes back when a campaign is closed before its last day, and the team and backers are told so; of one that had
// succeeded nothing is promised.
func TestRender_AClosedCampaignSaysWhetherItsMoneyGoesBack(t *testing.T) {
	r, err := newRenderer()
	if err != nil {
		t.Fatal(err)
	}
	for language, words := range map[string][3]string{ // to the team, to a backer, by whom
		"fi": {"Tukijat saavat takaisin kaiken", "Saat takaisin kaiken", "Tekijä perui"}, "en": {"backers get back all", "You get back all", "The creator has cancelled"},
		"sv": {"får tillbaka allt", "Du får tillbaka allt", "Skaparen har avbrutit"},
	} {
		for _, outcome := range []campaigns.Outcome{campaigns.Canceled, campaigns.Reached} {
			goesBack := outcome == campaigns.Canceled
			c := campaignMail(language)
			c.Ending.Outcome, c.ByCreator = outcome, goesBack
			team, err := r.renderCampaign(KindCampaignClosed, c)
			if err != nil {
				t.Fatal(err)
			}
			backer, err := r.renderHold(Held{Language: language, FirstName: "Aino", Email: "a@b.fi", Title: "Katto", Role: "backer", Kind: "stopped", GoesBack: goesBack})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(team.Text, words[0]) != goesBack || strings.Contains(team.Text, words[2]) != goesBack || strings.Contains(backer.Text, words[1]) != goesBack {
				t.Errorf("%s, %s:\n%s\n%s", language, outcome, team.Text, backer.Text)
			}
		}
	}
}
