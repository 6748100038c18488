package mails

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
	text "text/template"
	"time"

	"talkoot.fi/content/internal/profiles"
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
	ReceiptURL                 string // secret: whoever has the id in it can see the pledge
	Creator                    string
	Lines                      []Line `gorm:"-"`
	TotalMinor, VATMinor       int64
	VATTenths                  int64 // of the reward when it was bought: 255 is 25.5 %
	GoalMinor                  int64
	Refund                     Refund `gorm:"-"`
	ReceiptNumber, Method      string
	PaidAt, Deadline           time.Time `gorm:"-"`
	AllOrNothing               bool
	// IsReached: the campaign's confirmed money has reached its minimum goal, and the creator does not hide it.
	IsReached bool
	HasReward bool
}

// Mail is a rendered message; Kind and PledgeID say what it is about.
type Mail struct{ Kind, PledgeID, To, Subject, Text, HTML string }

// renderer holds the parsed templates.
type renderer struct {
	texts *text.Template
	frame *template.Template
}

func newRenderer() (*renderer, error) {
	// Parsing needs the names of the functions; render replaces them by those of the mail's language.
	names := text.FuncMap{"euros": func(int64) string { return "" }, "whole": func(int64) string { return "" }, "percent": func(int64) string { return "" },
		"day": func(time.Time) string { return "" }, "row": row, "total": total, "link": linkTo}
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

// render makes the mail of a kind; the first line of a template is the subject. Names are written so that mail readers
// make no link of them.
func (r *renderer) render(kind string, p Pledge) (Mail, error) {
	p.FirstName, p.Creator = profiles.WithoutLinks(p.FirstName), profiles.WithoutLinks(p.Creator)
	return r.fill(kind, p.Language, p.Email, p)
}

// Link is the data of the mail that confirms an address.
type Link struct{ Language, FirstName, Email, URL string }

func (r *renderer) renderLink(kind string, l Link) (Mail, error) {
	l.FirstName = profiles.WithoutLinks(l.FirstName)
	return r.fill(kind, l.Language, l.Email, l)
}

// fill executes a template and makes the mail.
func (r *renderer) fill(kind, language, to string, words any) (Mail, error) {
	name := language + "." + strings.TrimPrefix(kind, "mail.") + ".txt"
	texts, err := r.texts.Clone()
	if err != nil {
		return Mail{}, fmt.Errorf("clone mail texts: %w", err)
	}
	texts.Funcs(text.FuncMap{
		"euros":   func(minor int64) string { return euros(language, minor) },
		"whole":   func(minor int64) string { return wholeEuros(language, minor) },
		"percent": func(tenths int64) string { return percent(language, tenths) },
		"day":     func(t time.Time) string { return day(language, t) },
	})
	var body bytes.Buffer
	if err := texts.ExecuteTemplate(&body, name, words); err != nil {
		return Mail{}, fmt.Errorf("render %s: %w", name, err)
	}
	subject, rest, _ := strings.Cut(body.String(), "\n")
	blocks := blocksOf(rest)
	var html bytes.Buffer
	err = r.frame.Execute(&html, map[string]any{"Language": language, "Subject": subject, "Blocks": blocks})
	if err != nil {
		return Mail{}, fmt.Errorf("render the frame of %s: %w", name, err)
	}
	return Mail{Kind: kind, To: to, Subject: subject, Text: plain(blocks), HTML: html.String()}, nil
}
