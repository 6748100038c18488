package overview

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/profiles"
)

// supportersTable is the answer of SupportersTable.
type supportersTable struct {
	table
	states map[string]string
	today  time.Time
}

// supporterHeadings are the columns' names by language.
var supporterHeadings = map[string][]string{
	"fi": {"Alkoi", "Tila", "Etunimi", "Sukunimi", "Sähköposti", "Nimi muille", "Summa muille", "Vastike", "Summa kuukaudessa", "Seuraava summa",
		"Seuraava veloitus", "Maksettu asti", "Päättyy", "Maksettuja kuukausia", "Maksettu yhteensä", "Palautettu"},
	"en": {"Since", "Status", "First name", "Last name", "Email", "Name to others", "Amount to others", "Reward", "Amount a month", "Next amount",
		"Next charge", "Paid until", "Ends", "Months paid", "Paid in all", "Refunded"},
	"sv": {"Sedan", "Status", "Förnamn", "Efternamn", "E-post", "Namn för andra", "Belopp för andra", "Belöning", "Belopp per månad", "Nästa belopp",
		"Nästa debitering", "Betalt till", "Slutar", "Betalda månader", "Betalt totalt", "Återbetalt"},
}

// supporterStates are the words of a supporter's state by language.
var supporterStates = map[string]map[string]string{
	"fi": {"active": "tukee", "ending": "päättyy", "charge_failing": "veloitus ei mene läpi", "past_due": "maksamatta", "paused": "tauolla",
		"canceled": "päättynyt"},
	"en": {"active": "supports", "ending": "ends", "charge_failing": "charge failing", "past_due": "unpaid", "paused": "paused",
		"canceled": "ended"},
	"sv": {"active": "stöder", "ending": "slutar", "charge_failing": "debiteringen går inte igenom", "past_due": "obetalt", "paused": "paus",
		"canceled": "slutat"},
}

// supporter is a row of the table.
type supporter struct {
	ID                                    string
	CreatedAt                             time.Time
	State                                 string
	FirstName, LastName, Email            string
	Anonymous                             bool
	HideAmount                            bool
	Reward                                string
	AmountMinor                           int64
	NextMinor                             *int64
	BegunOn, NextCharge, PaidUntil, EndOn *time.Time
	Months                                int
	PaidMinor, RefundedMinor              int64
}

// supportersSQL reads a batch along the index subscriptions_table, the latest first: who supports, and whose paid time has not
// run out.
const supportersSQL = `
	SELECT s.id, s.created_at, CASE WHEN s.status IN ('active', 'paused') AND s.ends_on IS NOT NULL THEN 'ending'
	           WHEN s.status = 'active' AND s.due_on IS NOT NULL THEN 'charge_failing' ELSE s.status END AS state,
	       s.first_name, s.last_name, s.email, s.anonymous, s.hide_amount, coalesce(s.bought ->> 'title', '') AS reward, s.amount_minor,
	       s.next_amount_minor AS next_minor, s.begun_on, s.next_charge_on AS next_charge, s.paid_until, s.ends_on AS end_on,
	       c.months, c.paid_minor, c.refunded_minor
	FROM subscriptions s
	CROSS JOIN LATERAL (
		SELECT count(*)::int AS months, coalesce(sum(CASE WHEN is_disputed THEN 0 ELSE amount_minor - amount_refunded_minor END), 0)::bigint AS paid_minor,
		       coalesce(sum(amount_refunded_minor), 0)::bigint AS refunded_minor
		FROM subscription_charges WHERE subscription_id = s.id) c
	WHERE s.campaign_id = @campaign AND s.status NOT IN ('created', 'expired') AND s.email <> ''
	  AND (s.status <> 'canceled' OR s.paid_until >= CAST(@today AS date))
	  AND s.created_at <= @before AND (s.created_at < @before OR s.id > @after)
	ORDER BY s.created_at DESC, s.id LIMIT @most`

// VisitSupportersTableResponse writes the table.
func (t supportersTable) VisitSupportersTableResponse(w http.ResponseWriter) error {
	before, after := latest, ""
	return t.write(w, "supporters", func() ([][]string, error) {
		rows, err := dbx.Select[supporter](t.ctx, t.db, supportersSQL,
			pgx.NamedArgs{"campaign": t.campaign, "before": before, "after": after, "most": rowsAtOnce, "today": t.today})
		if err != nil {
			return nil, fmt.Errorf("read supporters of campaign %d: %w", t.campaign, err)
		}
		cells := make([][]string, len(rows))
		for i, s := range rows {
			before, after = s.CreatedAt, s.ID
			cells[i] = t.cells(s)
		}
		return cells, nil
	})
}

// cells is a row as text.
func (t supportersTable) cells(s supporter) []string {
	shown, shownAmount, next := "", "", ""
	if !s.Anonymous {
		shown = profiles.ShownName(s.FirstName, s.LastName, false)
	}
	if !s.HideAmount {
		shownAmount = t.amount(s.AmountMinor)
	}
	if s.NextMinor != nil {
		next = t.amount(*s.NextMinor)
	}
	return []string{dayCell(s.BegunOn), t.states[s.State], s.FirstName, s.LastName, s.Email, shown, shownAmount, s.Reward,
		t.amount(s.AmountMinor), next, dayCell(s.NextCharge), dayCell(s.PaidUntil), dayCell(s.EndOn),
		strconv.Itoa(s.Months), t.amount(s.PaidMinor), t.amount(s.RefundedMinor)}
}

func dayCell(d *time.Time) string {
	if d == nil {
		return ""
	}
	return d.Format(time.DateOnly)
}
