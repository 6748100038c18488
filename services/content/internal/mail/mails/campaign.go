package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
)

// Kinds of mail to those who make and review campaigns.
const (
	KindReviewRequested = "mail.review_requested" // to staff: a campaign waits for them
	KindReviewChanges   = "mail.review_changes"   // to the team: what to change
	KindReviewApproved  = "mail.review_approved"  // to the team: when it opens, or that it has
	KindCampaignOpened  = "mail.campaign_opened"  // to the team: its first day has come
	KindCampaignEnded   = "mail.campaign_ended"   // to the team: its last day is over, and what becomes of the money
	KindWithdrawnAfter  = "mail.withdrawn_after"  // to the team: a backer has taken a pledge back after its end
	KindCampaignClosed  = "mail.campaign_closed"  // to the team: staff have closed it, and why
)

// CampaignMail is the payload of every mail about a campaign to one person; what is not needed is left out.
type CampaignMail struct {
	CampaignID int64  `json:"campaign_id"`
	UserID     int64  `json:"user_id"`              // set by AddTeam and AddStaff
	Round      int    `json:"round,omitempty"`      // of the review whose notes the mail has
	AnswerBy   string `json:"answer_by,omitempty"`  // the day by which staff answer, YYYY-MM-DD
	IsOpen     bool   `json:"open,omitempty"`       // it opened when it was approved
	Reason     string `json:"reason,omitempty"`     // why it was closed
	ByCreator  bool   `json:"by_creator,omitempty"` // its creator closed it, not staff
	PledgeID   string `json:"pledge_id,omitempty"`  // of KindWithdrawnAfter

	GoesBack *GoesBack `json:"goes_back,omitempty"` // of KindWithdrawnAfter
}

// GoesBack is what of a pledge's sum goes back when it is taken back, and what a bank has of it then.
type GoesBack struct {
	Minor          int64 `json:"minor"`
	ContestedMinor int64 `json:"contested_minor,omitempty"`
}

// AddTeam adds a mail to each member of a campaign's team to the outbox, in the caller's transaction.
func AddTeam(ctx context.Context, tx *gorm.DB, kind string, m CampaignMail) error {
	return addEach(ctx, tx, kind, m, `SELECT user_id FROM campaign_team WHERE campaign_id = ? ORDER BY position`)
}

// AddStaff adds a mail to each of the platform's staff who is not in the campaign's team. The index users_staff has
// them.
func AddStaff(ctx context.Context, tx *gorm.DB, kind string, m CampaignMail) error {
	return addEach(ctx, tx, kind, m, `SELECT id FROM users WHERE scope && '{edit,admin}' AND blocked_at IS NULL
		AND id NOT IN (SELECT user_id FROM campaign_team WHERE campaign_id = ?) ORDER BY id`)
}

func addEach(ctx context.Context, tx *gorm.DB, kind string, m CampaignMail, people string) error {
	var ids []int64
	if err := tx.WithContext(ctx).Raw(people, m.CampaignID).Scan(&ids).Error; err != nil {
		return fmt.Errorf("read who is told of campaign %d: %w", m.CampaignID, err)
	}
	for _, id := range ids {
		m.UserID = id
		payload, err := json.Marshal(m)
		if err != nil {
			return fmt.Errorf("encode a mail about campaign %d: %w", m.CampaignID, err)
		}
		if _, err := outbox.Add(ctx, tx, outbox.Message{Kind: kind, Payload: payload}); err != nil {
			return err
		}
	}
	return nil
}

// Campaign is the data of mails about a campaign.
type Campaign struct {
	Language, FirstName, Email string // of the receiver
	Title, URL                 string
	Notes                      []Note
	FirstDay, LastDay          *time.Time // of pledges
	AnswerBy                   *time.Time
	IsOpen, IsMonthly          bool
	Reason                     string
	ByCreator                  bool
	Ending                     campaigns.Ending // of one that has ended
	GoalMinor                  int64            // that decided
	Withdrawn                  Withdrawn        // of KindWithdrawnAfter
}

// Withdrawn is what a team is told of a pledge that was taken back after their campaign; Backer is empty of who has erased their account.
type Withdrawn struct {
	Backer, Reward, ReceiptNumber string
	Minor                         int64
	BackMinor, ContestedMinor     int64 // of Minor, what goes back now, and what a bank has
	At                            time.Time
	IsSent                        bool
}

// Note is what staff say about a part of a campaign.
type Note struct{ Part, Text, Quote string }

// Invitation is the data of the mail that invites to a team.
type Invitation struct {
	Language, Email, Title, InvitedBy, URL string
	ExpiresAt                              time.Time
	AsCreator                              bool
}

// renderCampaign makes the mail of a kind. What people have written stands on one line each, because a template's lines
// have a meaning, and titles are written so that mail readers make no link of them.
func (r *renderer) renderCampaign(kind string, c Campaign) (Mail, error) {
	c.FirstName, c.Title, c.Reason = oneLine(profiles.WithoutLinks(c.FirstName)), oneLine(profiles.WithoutLinks(c.Title)), oneLine(
		c.Reason)
	c.Withdrawn.Backer, c.Withdrawn.Reward = oneLine(profiles.WithoutLinks(c.Withdrawn.Backer)), oneLine(profiles.WithoutLinks(c.Withdrawn.Reward))
	notes := make([]Note, len(c.Notes))
	for i, n := range c.Notes {
		notes[i] = Note{partIn(c.Language, n.Part), oneLine(n.Text), oneLine(n.Quote)}
	}
	c.Notes = notes
	return r.fill(kind, c.Language, c.Email, c)
}

func (r *renderer) renderInvitation(i Invitation) (Mail, error) {
	i.Title, i.InvitedBy = oneLine(profiles.WithoutLinks(i.Title)), oneLine(profiles.WithoutLinks(i.InvitedBy))
	return r.fill(team.KindMail, i.Language, i.Email, i)
}

// deliverInvitation sends the link that lets its reader join a team. The token is made here, so that it is stored
// nowhere. An invitation that has ended meanwhile is not sent.
func (s *Sender) deliverInvitation(ctx context.Context, m outbox.Message) error {
	var payload team.Mail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	to, token, ok, err := team.Issue(ctx, s.o.DB, payload.InvitationID, s.o.Now().UTC())
	if err != nil || !ok {
		return err
	}
	rendered, err := s.renderer.renderInvitation(Invitation{Language: to.Language, Email: to.Email, Title: to.Title,
		InvitedBy: to.InvitedBy, URL: s.o.PublicURL + languages.Prefix(to.Language) + "invitation/#token=" + token,
		ExpiresAt: to.ExpiresAt.In(s.o.Zone), AsCreator: to.AsCreator})
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

// ExperimentInvitation is the data of the mail that tells of an invitation to an experiment.
type ExperimentInvitation struct {
	experiments.Invitation
	URL string
}

// deliverExperimentInvitation tells somebody what they are asked; they answer on their own profile, signed in, so the link holds no
// secret. One that has ended meanwhile is not told.
func (s *Sender) deliverExperimentInvitation(ctx context.Context, m outbox.Message) error {
	var payload experiments.InvitationMail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	i, ok, err := experiments.ReadInvitation(ctx, s.o.DB, payload.InvitationID, s.o.Now().UTC())
	if err != nil || !ok {
		return err
	}
	i.ExpiresAt = i.ExpiresAt.In(s.o.Zone)
	rendered, err := s.renderer.renderExperimentInvitation(ExperimentInvitation{i, s.o.PublicURL + languages.Prefix(i.Language) + "profile/me/"})
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

func (r *renderer) renderExperimentInvitation(i ExperimentInvitation) (Mail, error) {
	i.Title, i.InvitedBy = oneLine(profiles.WithoutLinks(i.Title)), oneLine(profiles.WithoutLinks(i.InvitedBy))
	return r.fill(experiments.KindInvitation, i.Language, i.Email, i)
}

// deliverCampaign sends one mail about a campaign; none to people who are blocked, have no account any more, or have left
// the team or the staff meanwhile, and none about a request for a review that was taken back or decided about before it left.
func (s *Sender) deliverCampaign(ctx context.Context, m outbox.Message) error {
	var payload CampaignMail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	c, ok, err := s.campaign(ctx, m.Kind, payload)
	if err != nil || !ok {
		return err
	}
	rendered, err := s.renderer.renderCampaign(m.Kind, c)
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

// doors are the parts of a campaign's address where its reader does what the mail asks for; they ask who is not signed in
// to sign in. Mails of other kinds lead to the campaign's page.
var doors = map[string]string{KindReviewRequested: "review/", KindReviewChanges: "edit/", KindWithdrawnAfter: "overview/"}

// campaign reads what a mail about a campaign says.
func (s *Sender) campaign(ctx context.Context, kind string, m CampaignMail) (c Campaign, ok bool, err error) {
	var row struct {
		Language, FirstName, Email, Title, Slug string
		FundingStart, FundingDeadline           *time.Time
		IsMonthly                               bool
		MinGoalMinor, TargetGoalMinor           int64
	}
	db := s.o.DB.WithContext(ctx)
	found := db.Raw(`
		SELECT u.language, u.first_name, u.email, v.preview ->> 'title' AS title, c.slug, c.funding_start, c.funding_deadline,
		       c.min_goal_minor, c.target_goal_minor, c.opens_as = 6 AS is_monthly
		FROM users u JOIN campaigns c ON c.id = ? JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = u.language
		WHERE u.id = ? AND u.blocked_at IS NULL AND CASE WHEN ? THEN u.scope && '{edit,admin}' AND c.review = 'requested'
		      ELSE EXISTS (SELECT FROM campaign_team t WHERE t.campaign_id = c.id AND t.user_id = u.id) END`,
		m.CampaignID, m.UserID, kind == KindReviewRequested).Scan(&row)
	if found.Error != nil || found.RowsAffected == 0 {
		return c, false, found.Error
	}
	c = Campaign{Language: row.Language, FirstName: row.FirstName, Email: row.Email, Title: row.Title, IsOpen: m.IsOpen,
		IsMonthly: row.IsMonthly,
		URL: fmt.Sprintf("%s%s%d/%s/%s", s.o.PublicURL, languages.Prefix(row.Language), m.CampaignID, row.Slug,
			doors[kind]),
		Reason: m.Reason, ByCreator: m.ByCreator, GoalMinor: campaigns.DecidingGoal(row.MinGoalMinor, row.TargetGoalMinor)}
	if c.Ending, _, err = campaigns.EndingOf(ctx, db, m.CampaignID); err != nil {
		return c, false, err
	}
	c.FirstDay, c.LastDay = in(row.FundingStart, s.o.Zone), in(row.FundingDeadline, s.o.Zone)
	if m.AnswerBy != "" {
		day, err := time.Parse(time.DateOnly, m.AnswerBy)
		if err != nil {
			return c, false, fmt.Errorf("read the day of an answer: %w", err)
		}
		c.AnswerBy = &day
	}
	if m.PledgeID != "" {
		if c.Withdrawn, err = s.withdrawn(ctx, m.PledgeID); err != nil {
			return c, false, err
		}
		c.Withdrawn.BackMinor = c.Withdrawn.Minor
		if m.GoesBack != nil {
			c.Withdrawn.BackMinor, c.Withdrawn.ContestedMinor = m.GoesBack.Minor, m.GoesBack.ContestedMinor
		}
	}
	if m.Round > 0 {
		err = db.Raw(`SELECT part, text, quote FROM review_notes WHERE campaign_id = ? AND round = ? ORDER BY id`, m.CampaignID, m.Round).Scan(&c.Notes).Error
	}
	if err != nil {
		return c, false, fmt.Errorf("read the notes of campaign %d: %w", m.CampaignID, err)
	}
	return c, true, nil
}

func (s *Sender) withdrawn(ctx context.Context, pledgeID string) (w Withdrawn, err error) {
	err = s.o.DB.WithContext(ctx).Raw(`
		SELECT btrim(first_name || ' ' || last_name) AS backer, coalesce(bought ->> 'title', '') AS reward, coalesce(receipt_number, '') AS receipt_number,
		       amount_minor AS minor, released_at AS at, sent_on IS NOT NULL AS is_sent
		FROM pledges WHERE id = ?`, pledgeID).Scan(&w).Error
	if err != nil {
		return w, fmt.Errorf("read a pledge that was taken back: %w", err)
	}
	w.At = w.At.In(s.o.Zone)
	return w, nil
}

func in(t *time.Time, zone *time.Location) *time.Time {
	if t == nil {
		return nil
	}
	local := t.In(zone)
	return &local
}

// parts are the parts of a campaign that a note may be about, as people call them.
var parts = map[string]map[string]string{
	"fi": {"title": "Otsikko", "tagline": "Iskulause", "cover": "Kansikuva", "video": "Video", "story": "Tarina",
		"short_description": "Tiivistelmä", "about_creator": "Tekijästä", "funding_rule": "Sääntö", "legal_creator": "Kuka vastaa",
		"tags": "Avainsanat", "custom_texts": "Vastinraha", "variations": "Kokeilut",
		"goal": "Tavoite", "dates": "Päivät",
		"rewards": "Vastikkeet", "goals": "Kuukausitavoitteet", "team": "Tiimi", "contact": "Yhteystiedot",
		"category": "Kategoria", "whole": "Koko kampanja"},
	"en": {"title": "Title", "tagline": "Tagline", "cover": "Cover", "video": "Video", "story": "Story", "goal": "Goal",
		"short_description": "Summary", "about_creator": "About the creator", "funding_rule": "Funding rule", "legal_creator": "Who answers",
		"tags": "Tags", "custom_texts": "Match funding", "variations": "Variations",
		"dates":   "Dates",
		"rewards": "Rewards", "goals": "Monthly goals", "team": "Team", "contact": "Contact", "category": "Category",
		"whole": "The whole campaign"},
	"sv": {"title": "Rubrik", "tagline": "Slogan", "cover": "Omslagsbild", "video": "Video", "story": "Berättelse",
		"short_description": "Sammanfattning", "about_creator": "Om skaparen", "funding_rule": "Regel", "legal_creator": "Vem som ansvarar",
		"tags": "Nyckelord", "custom_texts": "Medfinansiering", "variations": "Varianter",
		"goal": "Mål", "dates": "Datum",
		"rewards": "Belöningar", "goals": "Månadsmål", "team": "Team", "contact": "Kontaktuppgifter", "category": "Kategori",
		"whole": "Hela kampanjen"},
}

func partIn(language, part string) string {
	if name, ok := parts[language][part]; ok {
		return name
	}
	return part
}
