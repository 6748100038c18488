package mails

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/wneessen/go-mail"
	"golang.org/x/net/idna"
	"gorm.io/gorm"

	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/mail/addresslinks"
	"talkoot.fi/content/internal/mail/letters"
	"talkoot.fi/content/internal/mail/undeliverable"
	"talkoot.fi/content/internal/person/blocking"
	"talkoot.fi/content/internal/person/notices"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/person/verifications"
	"talkoot.fi/content/internal/pledging/accounts"
	"talkoot.fi/content/internal/pledging/orderlinks"
	"talkoot.fi/content/internal/pledging/receiptlinks"
	"talkoot.fi/content/internal/pledging/reminders"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// DeliveryTimeout is the relay's timeout for one mail; sendTimeout of it is for the mail server.
const DeliveryTimeout = 20 * time.Second

// sendTimeout bounds one conversation with the mail server.
const sendTimeout = 15 * time.Second

// Options are the parts of a Sender.
type Options struct {
	DB        *gorm.DB
	SMTPURL   string // smtp://[user:password@]host:port; smtps:// for TLS from the start
	From      string // Talkoot <kuitit@…>
	PublicURL string
	Zone      *time.Location
	// Links are those by which people refuse mail about a campaign.
	Links addresslinks.Links
	// OrderTokens make the link that pays a pledge another way.
	OrderTokens *ordertoken.Keys
	Now         func() time.Time
	// Send receives the mails instead of a server, and SMTPURL is not used; for simulations and tests.
	Send func(context.Context, Mail) error
}

// Sender delivers mails from the outbox.
type Sender struct {
	o        Options
	renderer *renderer
	client   *mail.Client
}

// NewSender makes a sender. Errors: a malformed SMTPURL, broken templates.
func NewSender(o Options) (*Sender, error) {
	r, err := newRenderer()
	if err != nil {
		return nil, err
	}
	s := &Sender{o: o, renderer: r}
	if o.Send == nil {
		s.client, err = smtpClient(o.SMTPURL)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func smtpClient(address string) (*mail.Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
		return nil, fmt.Errorf("SMTP_URL must be smtp://host:port or smtps://host:port")
	}
	options := []mail.Option{mail.WithTimeout(sendTimeout), mail.WithTLSPolicy(mail.TLSOpportunistic)}
	if u.Scheme == "smtps" {
		options = append(options, mail.WithSSL())
	}
	if port := u.Port(); port != "" {
		n, err := strconv.Atoi(port)
		if err != nil {
			return nil, fmt.Errorf("port of SMTP_URL: %w", err)
		}
		options = append(options, mail.WithPort(n))
	}
	if u.User != nil {
		password, _ := u.User.Password()
		options = append(options, mail.WithSMTPAuth(mail.SMTPAuthAutoDiscover), mail.WithUsername(u.User.Username()),
			mail.WithPassword(password))
	}
	client, err := mail.NewClient(u.Hostname(), options...)
	if err != nil {
		return nil, fmt.Errorf("make SMTP client: %w", err)
	}
	return client, nil
}

// Handlers are the outbox handlers of all kinds of mail.
func (s *Sender) Handlers() map[string]outbox.Handler {
	return map[string]outbox.Handler{notices.KindMail: s.deliverNotice, notices.KindErased: s.deliverErased, sessions.KindResetMail: s.deliverReset,
		KindReceipt: s.deliver, KindRefund: s.deliver, KindPaymentFailed: s.deliver,
		KindWithdrawal: s.deliver, KindChanged: s.deliver, KindRaiseFailed: s.deliver, KindPledgeLink: s.deliver, KindSent: s.deliver, KindWithdrawnAfter: s.deliverCampaign,
		verifications.KindMail: s.deliverLink, letters.KindMail: s.deliverLetter, letters.KindTest: s.deliverTest,
		team.KindMail: s.deliverInvitation, experiments.KindInvitation: s.deliverExperimentInvitation, KindReviewRequested: s.deliverCampaign,
		KindReviewChanges: s.deliverCampaign, KindReviewApproved: s.deliverCampaign, KindCampaignOpened: s.deliverCampaign,
		KindCampaignEnded: s.deliverCampaign, KindCampaignClosed: s.deliverCampaign, KindMonthlyReceipt: s.deliverSubscription, KindMonthlyRefund: s.deliverSubscription,
		KindSubscription: s.deliverSubscription, KindHold: s.deliverHold, blocking.KindMail: s.deliverBlocked,
		campaigns.KindHoldTold: TellHold(s.o.DB), orderlinks.KindMail: s.deliverOrderLinks, accounts.KindMail: s.deliverPayee,
		reminders.KindMail: s.deliverReminder, KindStranded: s.deliverStranded, KindClaim: s.deliverClaim}
}

const (
	// KindRegisteredAgain is the mail with the link to who has confirmed the address in another account already.
	KindRegisteredAgain = "mail.registered_again"
	// KindAddressTried is the mail to who has confirmed the address, and asks whether it takes mail again.
	KindAddressTried = "mail.address_tried"
)

// deliverLink sends the link that confirms an address. The token is made here, so that it is stored nowhere; a retry
// makes another one. It is in the URL's fragment, which browsers do not send to servers.
func (s *Sender) deliverLink(ctx context.Context, m outbox.Message) error {
	var payload verifications.Mail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	to, token, ok, err := verifications.Issue(ctx, s.o.DB, payload.UserID, s.o.Now().UTC())
	if err != nil || !ok {
		return err
	}
	kind := m.Kind
	switch {
	case to.HasOther:
		kind = KindRegisteredAgain
	case to.IsConfirmed:
		kind = KindAddressTried
	}
	rendered, err := s.renderer.renderLink(kind, Link{Language: to.Language, FirstName: to.FirstName, Email: to.Email,
		ResetURL: s.resetURL(to.Language), URL: s.o.PublicURL + languages.Prefix(to.Language) + "verify-email/#token=" + token})
	if err != nil {
		return err
	}
	return s.send(ctx, m, rendered)
}

// send delivers a mail to Options.Send or the mail server, and notes whether the address takes mail.
func (s *Sender) send(ctx context.Context, m outbox.Message, rendered Mail) error {
	var err error
	if s.o.Send != nil {
		err = s.o.Send(ctx, rendered)
	} else {
		err = s.post(ctx, m, rendered)
	}
	switch {
	case err == nil:
		_ = undeliverable.Clear(ctx, s.o.DB, rendered.To) // the mail has left, and must not leave again: the next one clears it
	case outbox.IsFinal(err):
		if noted := undeliverable.Note(ctx, s.o.DB, rendered.To, s.o.Now().UTC()); noted != nil {
			return noted // and is asked again
		}
	}
	return err
}

// deliver sends one mail about a pledge.
func (s *Sender) deliver(ctx context.Context, m outbox.Message) error {
	var payload PledgeMail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	if m.Kind == KindPledgeLink {
		if err := receiptlinks.CloseAll(ctx, s.o.DB, payload.PledgeID, s.o.Now().UTC()); err != nil {
			return err
		}
	}
	pledge, err := s.pledge(ctx, payload.PledgeID)
	if err != nil {
		return err
	}
	if pledge.Email == "" { // its backer has erased their account
		return nil
	}
	if payload.Refund != nil {
		pledge.Refund = *payload.Refund
	}
	if w := payload.Withdrawal; w != nil {
		pledge.Withdrawal = *w
		pledge.Withdrawal.At = w.At.In(s.o.Zone)
	}
	if c := payload.Change; c != nil {
		pledge.Change = *c
		pledge.Change.At = c.At.In(s.o.Zone)
	}
	if r := payload.Raise; r != nil {
		pledge.Raise = *r
	}
	if m.Kind == KindSent && pledge.Withdraw.IsGone {
		return nil
	}
	rendered, err := s.renderer.render(m.Kind, pledge)
	if err != nil {
		return err
	}
	rendered.PledgeID, rendered.ReplyTo = payload.PledgeID, pledge.ReplyTo
	return s.send(ctx, m, rendered)
}

// post sends a mail by SMTP. The Message-ID derives from the outbox row, so that mail readers recognise a mail that
// was sent twice (after a crash) as one.
func (s *Sender) post(ctx context.Context, m outbox.Message, rendered Mail) error {
	msg := mail.NewMsg()
	if err := msg.From(s.o.From); err != nil {
		return fmt.Errorf("sender address: %w", err)
	}
	to, err := deliverable(rendered.To)
	if err != nil {
		return outbox.Final(fmt.Errorf("receiver address of mail %d: %w", m.ID, err))
	}
	if err := msg.To(to); err != nil {
		return fmt.Errorf("receiver address of mail %d: %w", m.ID, err)
	}
	if rendered.ReplyTo != "" {
		// Without one that no mail server would take: a receipt is not kept back by where answers go.
		if answers, err := deliverable(rendered.ReplyTo); err == nil {
			_ = msg.ReplyTo(answers)
		}
	}
	msg.SetMessageIDWithValue(fmt.Sprintf("outbox.%d.%d@talkoot", m.ID, m.CreatedAt.UnixMicro()))
	msg.SetDate()
	msg.Subject(rendered.Subject)
	if rendered.Unsubscribe != "" { // RFC 8058: mail programs send a form there when people press their own button
		msg.SetGenHeader(mail.HeaderListUnsubscribe, "<"+rendered.Unsubscribe+">")
		msg.SetGenHeader(mail.HeaderListUnsubscribePost, "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(mail.TypeTextPlain, rendered.Text)
	msg.AddAlternativeString(mail.TypeTextHTML, rendered.HTML)
	err = s.client.DialAndSendWithContext(ctx, msg)
	var refused *mail.SendError
	if errors.As(err, &refused) && refused.Reason == mail.ErrSMTPRcptTo && !refused.IsTemp() {
		// Without the address, which the server's answer may repeat.
		return outbox.Final(fmt.Errorf("mail %d: the server refuses the receiver for good (%d %s)", m.ID, refused.ErrorCode(),
			refused.EnhancedStatusCode()))
	}
	if err != nil {
		return fmt.Errorf("send mail %d: %w", m.ID, err)
	}
	return nil
}

// deliverable is an address as any mail server takes it: the domain in its ASCII form (RFC 5891), since few servers know
// SMTPUTF8. Error: no such domain can be.
func deliverable(address string) (string, error) {
	at := strings.LastIndexByte(address, '@')
	domain, err := idna.Lookup.ToASCII(address[at+1:])
	if err != nil {
		return "", errors.New("its domain has no ASCII form")
	}
	return address[:at+1] + domain, nil
}

// pledge reads the current data of a pledge.
func (s *Sender) pledge(ctx context.Context, id string) (p Pledge, err error) {
	var row struct {
		Pledge
		Funding      funding `gorm:"embedded"`
		LinesJSON    []byte
		CampaignID   int64
		Slug, Status string
		withdrawal.Facts
		PaidTime *time.Time
	}
	found := s.o.DB.WithContext(ctx).Raw(`
		SELECT p.language, coalesce(p.bought ->> 'title', '') AS reward_title, coalesce(p.bought ->> 'language', '') AS reward_language, `+withdrawal.Columns+`, p.first_name, p.email, v.preview ->> 'title' AS campaign_title, v.preview -> 'creator' ->> 'name' AS creator,
		       p.lines AS lines_json, p.amount_minor AS total_minor, p.vat_minor, coalesce(CAST(p.bought ->> 'vat_tenths' AS int), 0) AS vat_tenths,
		       coalesce(p.receipt_number, '') AS receipt_number, p.status, k.stage, k.funding_rule, k.min_goal_minor, k.target_goal_minor,
		       k.hide_funding_amount, t.funding_reached_minor,
		       p.reward_id IS NOT NULL AS has_reward,
		       p.payment_method AS method, p.paid_at AS paid_time, k.id AS campaign_id, k.slug
		FROM pledges p
		JOIN campaigns k ON k.id = p.campaign_id
		JOIN campaign_totals t ON t.campaign_id = k.id
		JOIN campaign_previews v ON v.campaign_id = k.id AND v.language = p.language`+withdrawal.Joins+`
		WHERE p.id = ?`, id).Scan(&row)
	if found.Error != nil {
		return Pledge{}, fmt.Errorf("read pledge for its mail: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return Pledge{}, fmt.Errorf("mail about a pledge that is not there")
	}
	p = row.Pledge
	if err := json.Unmarshal(row.LinesJSON, &p.Lines); err != nil {
		return Pledge{}, fmt.Errorf("decode lines of a pledge: %w", err)
	}
	p.CampaignURL = fmt.Sprintf("%s%s%d/%s/", s.o.PublicURL, languages.Prefix(p.Language), row.CampaignID, row.Slug)
	if p.ReplyTo, err = s.replyTo(ctx, row.CampaignID); err != nil {
		return Pledge{}, err
	}
	if p.ReceiptURL, err = s.receiptURL(ctx, id, p.Language); err != nil {
		return Pledge{}, err
	}
	p.GoalMinor, p.IsOpen = row.Funding.goalMinor(), row.Funding.takesPledges(row.FundingDeadline, s.o.Now())
	if row.Status != "refunded" && row.Status != "withdrawn" {
		p.Outcome = row.Funding.outcome()
	}
	if row.PaidTime != nil {
		p.PaidAt = row.PaidTime.In(s.o.Zone)
	}
	if row.FundingDeadline != nil {
		p.Deadline = row.FundingDeadline.In(s.o.Zone)
	}
	p.Withdraw = takeBackOf(row.Facts, row.Status, s.o.Now(), s.o.Zone)
	return p, nil
}

// replyTo is where answers to mails about a campaign to its backers go: its public contact address, if it is one that somebody of its team
// has confirmed. Any other may be a stranger's, who would get what backers write. Empty for none, and for a campaign that was stopped.
func (s *Sender) replyTo(ctx context.Context, campaignID int64) (address string, err error) {
	err = s.o.DB.WithContext(ctx).Raw(`
		SELECT c.contact_email FROM campaigns c WHERE c.id = ? AND c.hold <> 'stopped' AND EXISTS (
			SELECT FROM campaign_team m JOIN users u ON u.id = m.user_id
			WHERE m.campaign_id = c.id AND u.verified AND u.blocked_at IS NULL AND lower(u.email) = lower(c.contact_email))`,
		campaignID).Scan(&address).Error
	if err != nil {
		return "", fmt.Errorf("read where answers about campaign %d go: %w", campaignID, err)
	}
	return address, nil
}
