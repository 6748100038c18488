package overview

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/typed"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/person/profiles"
)

// table is the answer of BackersTable. It is written while it is read, a batch at a time.
type table struct {
	ctx      context.Context //nolint:containedctx // an answer is written within its request
	db       *gorm.DB
	campaign int64
	language string
	words    []string
	// questions have columns of their own behind the words'.
	questions []string
	zone      *time.Location
}

// statuses are the words for the state of a pledge by language.
var statuses = map[string]map[string]string{
	"fi": {"paid": "maksettu", "partly_refunded": "osa palautettu", "disputed": "kiistetty pankissa"},
	"en": {"paid": "paid", "partly_refunded": "partly refunded", "disputed": "disputed at the bank"},
	"sv": {"paid": "betald", "partly_refunded": "delvis återbetald", "disputed": "bestridd i banken"},
}

// amount is an amount as spreadsheets read it: in Finland and Sweden with a decimal comma, and 12.50 becomes a date.
func (t table) amount(minor int64) string {
	major := money.New(minor, "").FormatMajor()
	if t.language == "en" {
		return major
	}
	return strings.Replace(major, ".", ",", 1)
}

// separator stands between cells where the decimal point is free, as spreadsheets in each language expect.
func (t table) separator() rune {
	if t.language == "en" {
		return ','
	}
	return ';'
}

var (
	// numerals is what postcodes, phone numbers, sizes and days are written with.
	numerals = regexp.MustCompile(`^\+?\(?[0-9][0-9 ()./-]*$`)
	// count is a number that spreadsheets may add up.
	count = regexp.MustCompile(`^(?:0|[1-9][0-9]{0,9})$`)
)

// answered is what a backer has answered to a question.
func answered(text string) string {
	if count.MatchString(text) {
		return text
	}
	return digits(text)
}

// digits is a postcode or phone number that spreadsheets keep as a text: without, 00100 is 100, and +358 40 a sum.
func digits(number string) string {
	if numerals.MatchString(number) {
		return `="` + number + `"`
	}
	return number
}

// headings are the columns' names by language. A column for each question follows, with its text.
var headings = map[string][]string{
	"fi": {"Tukijanumero", "Maksettu", "Tila", "Etunimi", "Sukunimi", "Sähköposti", "Nimi muille", "Summa muille", "Vastike", "Määrä",
		"Lisä", "Summa", "Palautettu",
		"Toimitus", "Katuosoite", "Postinumero", "Paikkakunta", "Maa", "Puhelin"},
	"en": {"Backer number", "Paid", "Status", "First name", "Last name", "Email", "Name to others", "Amount to others", "Reward", "Quantity",
		"Addition", "Amount", "Refunded",
		"Delivery", "Street", "Postcode", "City", "Country", "Phone"},
	"sv": {"Understödjarnummer", "Betalt", "Status", "Förnamn", "Efternamn", "E-post", "Namn för andra", "Belopp för andra", "Belöning", "Antal",
		"Tillägg", "Belopp", "Återbetalt",
		"Leverans", "Gatuadress", "Postnummer", "Ort", "Land", "Telefon"},
}

// backer is a row of the table. The name and the amount to others are empty for who wants none.
type backer struct {
	ID                         string
	BackerNumber               int
	PaidAt                     time.Time
	Status                     string
	FirstName, LastName, Email string
	Anonymous, LastNameInitial bool
	HideAmount                 bool
	Quantity                   int
	AmountMinor, RefundedMinor int64
	Bought, Details            json.RawMessage
}

// rowsAtOnce is how many rows are in memory.
const rowsAtOnce = 1_000

// tableSQL reads a batch along the index pledges_backers, the latest first.
const tableSQL = `
	SELECT id, coalesce(backer_number, 0) AS backer_number, paid_at, status, first_name, last_name, email, anonymous, last_name_initial, hide_amount, quantity, amount_minor,
	       amount_refunded_minor AS refunded_minor, bought, details
	FROM pledges
	WHERE campaign_id = @campaign AND status IN ('paid', 'partly_refunded', 'disputed')
	  AND paid_at <= @before AND (paid_at < @before OR id > @after)
	ORDER BY paid_at DESC, id LIMIT @most`

// questionsSQL reads what those in the table were asked, in the order of the rewards' own. The last condition leaves out what stands for
// the address.
const questionsSQL = `
	SELECT q.text FROM pledges p CROSS JOIN jsonb_array_elements_text(p.bought -> 'questions') WITH ORDINALITY AS q (text, nth)
	WHERE p.campaign_id = @campaign AND p.status IN ('paid', 'partly_refunded', 'disputed') AND jsonb_typeof(p.bought -> 'questions') = 'array'
	  AND q.text <> @address
	GROUP BY q.text ORDER BY min(p.reward_id), min(q.nth), q.text`

// VisitBackersTableResponse writes the table.
func (t table) VisitBackersTableResponse(w http.ResponseWriter) error {
	questions, err := dbx.Select[struct{ Text string }](t.ctx, t.db, questionsSQL, pgx.NamedArgs{"campaign": t.campaign, "address": rewards.AddressQuestion})
	if err != nil {
		return fmt.Errorf("read the questions of campaign %d: %w", t.campaign, err)
	}
	t.words = slices.Clone(t.words)
	for _, q := range questions {
		t.questions = append(t.questions, q.Text)
		t.words = append(t.words, safe(q.Text))
	}
	before, after := latest, ""
	return t.write(w, "backers", func() (cells [][]string, err error) {
		rows, err := dbx.Select[backer](t.ctx, t.db, tableSQL,
			pgx.NamedArgs{"campaign": t.campaign, "before": before, "after": after, "most": rowsAtOnce})
		if err != nil {
			return nil, fmt.Errorf("read backers of campaign %d: %w", t.campaign, err)
		}
		cells = make([][]string, len(rows))
		for i, b := range rows {
			before, after = b.PaidAt, b.ID
			if cells[i], err = t.cells(b); err != nil {
				return nil, err
			}
		}
		return cells, nil
	})
}

// latest is later than any row.
var latest = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// write writes a table under the name, and reads the next rows, at most rowsAtOnce, with each call of next. A fault in the
// middle cuts the connection off, so that nobody takes a part for the whole.
func (t table) write(w http.ResponseWriter, name string, next func() ([][]string, error)) error {
	out := csv.NewWriter(w)
	out.UseCRLF, out.Comma = true, t.separator()
	for begun := false; ; begun = true {
		rows, err := next()
		if err != nil && begun {
			panic(http.ErrAbortHandler)
		}
		if err != nil {
			return err
		}
		if !begun {
			w.Header().Set("Content-Type", "text/csv; charset=utf-8")
			w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%d.csv"`, name, t.campaign))
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write([]byte("\ufeff")) // spreadsheets read UTF-8 by this mark; a lost connection shows at Flush
			_ = out.Write(t.words)
		}
		for _, cells := range rows {
			for i := range cells {
				cells[i] = safe(cells[i])
			}
			_ = out.Write(cells)
		}
		if out.Flush(); out.Error() != nil || len(rows) < rowsAtOnce {
			return out.Error()
		}
	}
}

// cells is a row as text. An address is in it only when what was bought needs one.
func (t table) cells(b backer) ([]string, error) {
	var bought rewards.Bought
	var meta struct {
		Street   string            `json:"address_street"`
		Postcode string            `json:"address_postcode"`
		City     string            `json:"address_city"`
		Country  string            `json:"address_country"`
		Phone    string            `json:"address_phone"`
		Answers  map[string]string `json:"custom_questions"`
	}
	if len(b.Bought) > 0 {
		if err := json.Unmarshal(b.Bought, &bought); err != nil {
			return nil, fmt.Errorf("decode what is bought: %w", err)
		}
	}
	if err := json.Unmarshal(b.Details, &meta); err != nil {
		return nil, fmt.Errorf("decode details: %w", err)
	}
	answers := map[string]string{}
	for _, q := range bought.Questions.Keyed() {
		answers[q.Text] = strings.TrimPrefix(answers[q.Text]+"\n"+meta.Answers[q.Key], "\n")
	}
	number, shown, shownAmount := "", "", ""
	if b.BackerNumber > 0 {
		number = strconv.Itoa(b.BackerNumber)
	}
	if !b.Anonymous {
		shown = profiles.ShownName(b.FirstName, b.LastName, b.LastNameInitial)
	}
	if !b.HideAmount {
		shownAmount = t.amount(b.AmountMinor - b.RefundedMinor)
	}
	cells := []string{number, b.PaidAt.In(t.zone).Format(time.DateOnly), statuses[t.language][b.Status], b.FirstName, b.LastName, b.Email,
		shown, shownAmount, bought.Title,
		strconv.Itoa(b.Quantity), bought.AddedCost, t.amount(b.AmountMinor),
		t.amount(b.RefundedMinor),
		bought.Delivery, "", "", "", "", ""}
	if bought.NeedsAddress {
		copy(cells[len(cells)-5:], []string{meta.Street, digits(meta.Postcode), meta.City, meta.Country, digits(meta.Phone)})
	}
	for _, question := range t.questions {
		cells = append(cells, answered(answers[question]))
	}
	return cells, nil
}

// safe keeps spreadsheets from running a cell that somebody else wrote as a formula.
func safe(cell string) string {
	if number, isText := strings.CutPrefix(cell, `="`); isText && numerals.MatchString(strings.TrimSuffix(number, `"`)) {
		return cell // of digits
	}
	return typed.Cell(cell)
}
