package mails

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	text "text/template"
	"time"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

//go:embed templates
var templateFiles embed.FS

// Line is one row of a receipt.
type Line struct {
	Label       string `json:"label"`
	AmountMinor int64  `json:"amount_minor"`
}

// Pledge is the data of mails about a pledge. Amounts are minor units; times are in the platform's time zone.
type Pledge struct {
	Language, FirstName, Email string
	CampaignTitle, CampaignURL string
	ReplyTo                    string `gorm:"-"` // see replyTo
	ReceiptURL                 string // secret: whoever has its token opens the page of the pledge
	Creator                    string
	Lines                      []Line `gorm:"-"`
	TotalMinor, VATMinor       int64
	VATTenths                  int64      // of the reward when it was bought: 255 is 25.5 %
	GoalMinor                  int64      `gorm:"-"`
	Refund                     Refund     `gorm:"-"`
	Withdrawal                 Withdrawal `gorm:"-"` // with its time in the platform's zone
	Change                     Change     `gorm:"-"` // as Withdrawal
	Raise                      Raise      `gorm:"-"` // as Withdrawal
	ReceiptNumber, Method      string
	PaidAt, Deadline           time.Time `gorm:"-"`
	// Outcome is what happens to the money (funding.outcome); empty once the pledge is refunded.
	Outcome string `gorm:"-"`
	// IsOpen: the campaign takes pledges.
	IsOpen    bool `gorm:"-"`
	HasReward bool
	// RewardTitle is as it was bought, in RewardLanguage; that is empty where it is not known.
	RewardTitle, RewardLanguage string
	Withdraw                    TakeBack `gorm:"-"`
}

// TakeBack is until when a pledge can be taken back, by the rule of package withdrawal.
type TakeBack struct {
	// State and Reason are a withdrawal.Answer's.
	State, Reason string
	Until, SentOn *time.Time // in the platform's time zone
	// Days are how long it can be after its campaign, 0 for not at all; FromDelivery: from when its reward was received.
	Days         int
	FromDelivery bool
	// IsGone: nothing is owed to its backer any more.
	IsGone bool
}

// bought is the name of the reward as its receipt has it, and that name's language.
func (p Pledge) bought() (name, language string) {
	if !p.HasReward || len(p.Lines) == 0 {
		return "", ""
	}
	return p.Lines[0].Label, p.RewardLanguage
}

func takeBackOf(f withdrawal.Facts, status string, now time.Time, zone *time.Location) TakeBack {
	right := withdrawal.Right(f, now, zone)
	return TakeBack{State: string(right.State), Reason: string(right.Reason), Until: in(right.Until, zone), SentOn: f.SentOn, Days: f.TermDays,
		FromDelivery: f.TermStarts == withdrawal.FromDelivery,
		IsGone:       status != "processing" && status != "paid" && status != "partly_refunded" && status != "disputed"}
}

// Mail is a rendered message; Kind and PledgeID or SubscriptionID say what it is about.
type Mail struct {
	Kind, PledgeID, SubscriptionID, To, Subject, Text, HTML string
	// Unsubscribe is the URL that mail programs call to unsubscribe (RFC 8058); empty for mails that cannot be refused.
	Unsubscribe string
	// ReplyTo is where answers go; empty for the sender.
	ReplyTo string
}

// renderer holds the parsed templates.
type renderer struct {
	texts *text.Template
	frame *template.Template
}

func newRenderer() (*renderer, error) {
	// Parsing needs the names of the functions; render replaces them by those of the mail's language.
	names := text.FuncMap{"euros": func(int64) string { return "" }, "whole": func(int64) string { return "" },
		"percent": func(int64) string { return "" },
		"day":     func(time.Time) string { return "" }, "moment": func(time.Time) string { return "" }, "month": func(time.Time) string { return "" }, "row": row, "total": total, "link": linkTo,
		"act": actOf, "step": stepOf, "box": boxOf, "note": noteOf, "part": partOf, "shortDay": func(time.Time) string { return "" },
		"monthName": func(time.Time) string { return "" }, "shortDays": func([]time.Time) string { return "" },
		"body": func() string { return bodyHere }, "foot": func() string { return footHere }}
	texts, err := text.New("").Funcs(names).ParseFS(templateFiles, "templates/*.txt")
	if err != nil {
		return nil, fmt.Errorf("parse mail texts: %w", err)
	}
	frame, err := template.ParseFS(templateFiles, "templates/frame.html")
	if err != nil {
		return nil, fmt.Errorf("parse mail frame: %w", err)
	}
	return &renderer{texts, frame}, nil
}

// render makes the mail of a kind; the first line of a template is the subject. Names and titles are written so that
// mail readers make no link of them.
func (r *renderer) render(kind string, p Pledge) (Mail, error) {
	p.FirstName, p.Creator = oneLine(profiles.WithoutLinks(p.FirstName)), oneLine(profiles.WithoutLinks(p.Creator))
	p.CampaignTitle = oneLine(profiles.WithoutLinks(p.CampaignTitle))
	return r.fill(kind, p.Language, p.Email, p)
}

// Link is the data of a mail with a link; ResetURL is where a forgotten password is mended.
type Link struct{ Language, FirstName, Email, URL, ResetURL string }

func (r *renderer) renderLink(kind string, l Link) (Mail, error) {
	l.FirstName = oneLine(profiles.WithoutLinks(l.FirstName))
	return r.fill(kind, l.Language, l.Email, l)
}

// body is a text that a person has written for readers; it stands where the template says bodyHere.
type body struct {
	HTML  template.HTML
	Plain string
	// Language is that of the text, where it is not the mail's.
	Language string
}

// fill executes a template and makes the mail.
func (r *renderer) fill(kind, language, to string, words any) (Mail, error) {
	return r.fillAround(body{}, kind, language, to, words)
}

// fillAround is fill with a text that stands where the template has body. What follows foot in the template is small.
func (r *renderer) fillAround(written body, kind, language, to string, words any) (Mail, error) {
	name := language + "." + strings.TrimPrefix(kind, "mail.") + ".txt"
	texts, err := r.texts.Clone()
	if err != nil {
		return Mail{}, fmt.Errorf("clone mail texts: %w", err)
	}
	texts.Funcs(text.FuncMap{
		"euros":     func(minor int64) string { return euros(language, minor) },
		"whole":     func(minor int64) string { return wholeEuros(language, minor) },
		"percent":   func(tenths int64) string { return percent(language, tenths) },
		"day":       func(t time.Time) string { return day(language, t) },
		"moment":    func(t time.Time) string { return moment(language, t) },
		"month":     func(t time.Time) string { return t.Format("1/2006") },
		"monthName": func(t time.Time) string { return monthNames[language][t.Month()-1] },
		"shortDay":  func(t time.Time) string { return shortDay(language, t) },
		"shortDays": func(days []time.Time) string { return shortDays(language, days) },
	})
	var filled bytes.Buffer
	if err := texts.ExecuteTemplate(&filled, name, words); err != nil {
		return Mail{}, fmt.Errorf("render %s: %w", name, err)
	}
	subject, rest, _ := strings.Cut(filled.String(), "\n")
	rest, foot, _ := strings.Cut(rest, footHere)
	blocks, small := blocksOf(rest), blocksOf(foot)
	if of, ok := words.(interface {
		bought() (name, language string)
	}); ok {
		name, its := of.bought()
		markLanguage(blocks, oneLine(name), its, language)
	}
	for i, b := range blocks {
		if b.Text == bodyHere {
			blocks[i] = block{Text: written.Plain, Body: &written}
		}
	}
	var html bytes.Buffer
	err = r.frame.Execute(&html, map[string]any{"Language": language, "Subject": subject, "Blocks": blocks, "Foot": small})
	if err != nil {
		return Mail{}, fmt.Errorf("render the frame of %s: %w", name, err)
	}
	return Mail{Kind: kind, To: to, Subject: subject, Text: plain(slices.Concat(blocks, small)), HTML: html.String()}, nil
}
