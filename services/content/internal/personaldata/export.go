package personaldata

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
)

// payments says what the payment service holds, which the file does not have.
var payments = map[string]string{
	"fi": "Maksupalvelu pitää tukiesi, myös kuukausittaisten, summat, päivät ja maksunvälittäjän tunnukset, ei nimeä eikä osoitetta. Maksunvälittäjän viestit, joissa voi olla mitä kirjoitit sen lomakkeelle, poistuvat 90 päivässä. Korttitietosi ovat vain maksunvälittäjällä (Stripe), joka vastaa niistä itse.",
	"en": "The payment service holds the amounts and dates of your pledges and monthly support and the payment provider's references, no name and no address. The provider's messages, which may have what you wrote into its form, are deleted within 90 days. Your card is known to the provider alone (Stripe), which answers for it itself.",
	"sv": "Betaltjänsten har belopp och dagar för dina stöd, även de månatliga, och betalningsförmedlarens beteckningar, inget namn och ingen adress. Förmedlarens meddelanden, som kan innehålla det du skrev i dess formulär, raderas inom 90 dagar. Ditt kort känner bara förmedlaren (Stripe), som själv svarar för det.",
}

// file is the answer of OwnData: it is written while it is read, a row at a time, from one snapshot of the database.
type file struct {
	ctx      context.Context //nolint:containedctx // an answer is written within its request
	tx       *gorm.DB
	log      *slog.Logger
	args     map[string]any
	language string
	now      time.Time
}

// Export begins the file of a person's data. Error: sessions.ErrEnded.
func (s *Service) Export(ctx context.Context, userID int64, language string) (api.OwnDataResponseObject, error) {
	tx := s.db.WithContext(ctx).Begin(&sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if tx.Error != nil {
		return nil, fmt.Errorf("begin to read the data of user %d: %w", userID, tx.Error)
	}
	p, err := read(ctx, tx, userID)
	if err != nil {
		tx.Rollback()
		return nil, err
	}
	return file{ctx: ctx, tx: tx, log: s.log, language: language, now: s.now(),
		args: map[string]any{"user": userID, "email": p.Email, "address": p.address(), "language": language}}, nil
}

// VisitOwnDataResponse writes the file. A fault in the middle cuts the connection off, so that nobody takes a part for
// the whole.
func (f file) VisitOwnDataResponse(w http.ResponseWriter) error {
	defer f.tx.Rollback()
	head, err := json.Marshal(f.now.Format(time.RFC3339))
	if err != nil {
		return fmt.Errorf("encode the time: %w", err)
	}
	elsewhere, err := json.Marshal(payments[f.language])
	if err != nil {
		return fmt.Errorf("encode a note: %w", err)
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Disposition", `attachment; filename="talkoot-data.json"`)
	w.WriteHeader(http.StatusOK)
	// A lost connection shows at the next read, whose context has ended.
	_, _ = fmt.Fprintf(w, "{\n  \"exported_at\": %s,\n  \"payment_service\": %s", head, elsewhere)
	for _, part := range parts {
		if err := f.write(w, part); err != nil {
			f.log.ErrorContext(f.ctx, "somebody's data ends in the middle", "error", err)
			panic(http.ErrAbortHandler)
		}
	}
	_, _ = w.Write([]byte("\n}\n"))
	return nil
}

// write writes a part: a list with a row each, or one object.
func (f file) write(w http.ResponseWriter, p part) error {
	rows, err := f.tx.WithContext(f.ctx).Raw(`SELECT to_json(x) FROM (`+p.sql+`) x`, f.args).Rows()
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
