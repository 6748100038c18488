package personaldata

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/media/spool"
	"talkoot.fi/content/internal/pledging/spendinglimits"
)

// payments says what the payment service holds besides the spending limits and what creators say for the tax office, which the file does not have.
var payments = map[string]string{
	"fi": "Sen lisäksi, mitä olet tekijänä kertonut verottajaa varten (tax_data), maksupalvelu pitää tukiesi, myös kuukausittaisten, summat, päivät ja maksunvälittäjän tunnukset, ei nimeä eikä osoitetta. Maksunvälittäjän viestit, joissa voi olla mitä kirjoitit sen lomakkeelle, poistuvat 90 päivässä. Korttitietosi ovat vain maksunvälittäjällä (Stripe), joka vastaa niistä itse.",
	"en": "Besides what you have said as a creator for the tax office (tax_data), the payment service holds the amounts and dates of your pledges and monthly support and the payment provider's references, no name and no address. The provider's messages, which may have what you wrote into its form, are deleted within 90 days. Your card is known to the provider alone (Stripe), which answers for it itself.",
	"sv": "Utöver det som du som skapare har uppgett för skattemyndigheten (tax_data) har betaltjänsten belopp och dagar för dina stöd, även de månatliga, och betalningsförmedlarens beteckningar, inget namn och ingen adress. Förmedlarens meddelanden, som kan innehålla det du skrev i dess formulär, raderas inom 90 dagar. Ditt kort känner bara förmedlaren (Stripe), som själv svarar för det.",
}

// readTime is how long reading one file may take. The server would not send a later one: its time for an answer is up.
const readTime = 40 * time.Second

// file is the answer of OwnData: complete, in a temporary file.
type file struct {
	*spool.File
	size int64
}

// Export writes the file of a person's data, from one snapshot of the database. It is complete before its first byte is sent,
// so that a slow reader holds no connection to the database. Errors: sessions.ErrEnded; those of reading.enter; Unavailable
// when the payment service does not answer, or the disk is full.
func (s *Service) Export(ctx context.Context, userID int64, language string) (_ api.OwnDataResponseObject, err error) {
	leave, err := s.reading.enter(userID)
	if err != nil {
		return nil, err
	}
	defer leave()
	ctx, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	limits, err := spendinglimits.Of(ctx, s.payments, userID) // before anything is held
	if err != nil {
		return nil, err
	}
	tax, err := s.taxData(ctx, userID)
	if err != nil {
		return nil, err
	}
	made, err := spool.New("export")
	if err != nil {
		return nil, apperr.New(apperr.Unavailable).Wrap(err)
	}
	defer func() {
		if err != nil {
			made.Remove()
		}
	}()
	if err = s.write(ctx, made, userID, language, limits, tax); err != nil {
		return nil, err
	}
	size, err := made.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = made.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, fmt.Errorf("measure the data of user %d: %w", userID, err)
	}
	return file{made, size}, nil
}

// VisitOwnDataResponse sends the file. A reader whose connection is lost knows by the length that it is not whole.
func (f file) VisitOwnDataResponse(w http.ResponseWriter) error {
	defer f.Remove()
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="talkoot-data.json"`)
	w.Header().Set("Content-Length", strconv.FormatInt(f.size, 10))
	w.WriteHeader(http.StatusOK)
	_, _ = io.Copy(w, f.File)
	return nil
}

// taxData is what the payment service keeps of a creator for the tax office, indented for the file; nothing but its indentation is read here. Error: Unavailable.
func (s *Service) taxData(ctx context.Context, userID int64) (text []byte, err error) {
	defer func() {
		if err != nil {
			err = apperr.New(apperr.Unavailable).RetryAfter(taxRetryAfter).Wrap(fmt.Errorf("ask for the tax data of user %d: %w", userID, err))
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, taxTimeout)
	defer cancel()
	response, err := s.payments.OwnTaxData(ctx, userID)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxTaxData))
	if err = errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the payment service answered %d", response.StatusCode)
	}
	var isThere struct{ Reported *[]json.RawMessage }
	if json.Unmarshal(body, &isThere) != nil || isThere.Reported == nil { // another program answers at that address; a cause may quote what was said
		return nil, errors.New("the answer has no reports")
	}
	var readable bytes.Buffer
	if json.Indent(&readable, bytes.TrimSpace(body), "  ", "  ") != nil {
		return nil, errors.New("the answer is not whole")
	}
	return readable.Bytes(), nil
}

const (
	taxTimeout    = 5 * time.Second
	taxRetryAfter = 2 * time.Second
	maxTaxData    = 256 << 10
)

// write writes the data of a person. Errors: sessions.ErrEnded; Unavailable when the file cannot be written.
func (s *Service) write(ctx context.Context, to io.Writer, userID int64, language string, limits []api.SpendingLimit, tax []byte) error {
	tx := s.db.WithContext(ctx).Begin(&sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if tx.Error != nil {
		return fmt.Errorf("begin to read the data of user %d: %w", userID, tx.Error)
	}
	defer tx.Rollback()
	p, err := read(ctx, tx, userID)
	if err != nil {
		return err
	}
	head, err := json.Marshal(s.now().Format(time.RFC3339))
	if err != nil {
		return fmt.Errorf("encode the time: %w", err)
	}
	elsewhere, err := json.Marshal(payments[language])
	if err != nil {
		return fmt.Errorf("encode a note: %w", err)
	}
	theirs, err := json.MarshalIndent(limits, "  ", "  ")
	if err != nil {
		return fmt.Errorf("encode the spending limits of user %d: %w", userID, err)
	}
	out := bufio.NewWriter(to) // keeps its first error until Flush
	_, _ = fmt.Fprintf(out, "{\n  \"exported_at\": %s,\n  \"payment_service\": %s,\n  \"spending_limits\": %s,\n  \"tax_data\": %s", head, elsewhere, theirs, tax)
	args := map[string]any{"user": userID, "address": p.address(), "language": language}
	for _, part := range parts {
		if err := part.write(tx, out, args); err != nil {
			return err
		}
	}
	_, _ = out.WriteString("\n}\n")
	if err := out.Flush(); err != nil {
		return apperr.New(apperr.Unavailable).Wrap(fmt.Errorf("write the data of user %d: %w", userID, err))
	}
	return nil
}

// write writes a part: a list with a row each, or one object.
func (p part) write(tx *gorm.DB, w io.Writer, args map[string]any) error {
	rows, err := tx.Raw(`SELECT to_json(x) FROM (`+p.sql+`) x`, args).Rows()
	if err != nil {
		return fmt.Errorf("read %s: %w", p.name, err)
	}
	defer func() { _ = rows.Close() }()
	_, _ = fmt.Fprintf(w, ",\n  %q: ", p.name)
	open, between, indent, end := "[\n    ", ",\n    ", "    ", "\n  ]"
	if p.isOne {
		open, between, indent, end = "", "", "  ", ""
	}
	none := "[]"
	if p.isOne {
		none = "null"
	}
	count := 0
	for ; rows.Next(); count++ {
		var row []byte
		if err := rows.Scan(&row); err != nil {
			return fmt.Errorf("read %s: %w", p.name, err)
		}
		var readable bytes.Buffer
		if err := json.Indent(&readable, row, indent, "  "); err != nil {
			return fmt.Errorf("indent %s: %w", p.name, err)
		}
		before := between
		if count == 0 {
			before = open
		}
		_, _ = fmt.Fprintf(w, "%s%s", before, readable.Bytes())
	}
	if count == 0 {
		end = none
	}
	_, _ = fmt.Fprint(w, end)
	return rows.Err()
}
