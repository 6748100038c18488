package uploads

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/media/spool"
	"talkoot.fi/content/internal/person/profiles"
)

const (
	// maxBytes is the largest picture, as package files has it.
	maxBytes = 25 << 20
	// dailyBytes is how much a person sends in a day.
	dailyBytes = 500 << 20
	// dailyUnconfirmed is the same for who has not confirmed their address: whoever knows a picture's name may see it, and accounts cost
	// nothing. It is enough for a draft.
	dailyUnconfirmed = 50 << 20
)

// PersonRules limit how often a person sends pictures.
func PersonRules(limit ratelimit.Limit) ratelimit.Rules {
	upload := []ratelimit.Rule{{Name: "upload", Limit: limit}}
	return ratelimit.Rules{"POST /campaigns/:campaign_id/files": upload, "POST /files/images": upload}
}

// receive writes a form's file to a temporary file, which the caller removes. Errors: UnknownField for another part;
// ImageRequired without a file; ImageTooLarge; MalformedBody for a form that is cut short; Unavailable when the disk is
// full; Busy when its slot was given to somebody else meanwhile.
func receive(form *multipart.Reader, held *slot) (file *spool.File, size int64, err error) {
	part, err := fileOf(form)
	if err != nil {
		return nil, 0, err
	}
	if file, err = spool.New("upload"); err != nil {
		return nil, 0, apperr.New(apperr.Unavailable).Wrap(err)
	}
	size, err = io.Copy(spoolWriter{file, held}, io.LimitReader(part, maxBytes+1))
	var full *spoolError
	switch {
	case errors.As(err, &full):
		err = apperr.New(apperr.Unavailable).Wrap(err)
	case errors.Is(err, errBusy):
		err = errBusy
	case err != nil:
		err = formError(err)
	case size > maxBytes:
		err = apperr.New(apperr.ImageTooLarge)
	}
	if err != nil {
		file.Remove()
		return nil, 0, err
	}
	return file, size, nil
}

// spoolWriter marks errors of the disk, to distinguish them from those of the sender's connection.
type spoolWriter struct {
	file *spool.File
	held *slot
}

type spoolError struct{ cause error }

func (e *spoolError) Error() string { return fmt.Sprintf("spool upload: %v", e.cause) }
func (e *spoolError) Unwrap() error { return e.cause }

func (w spoolWriter) Write(data []byte) (int, error) {
	if err := w.held.count(len(data)); err != nil {
		return 0, err
	}
	n, err := w.file.Write(data)
	if err != nil {
		err = &spoolError{err}
	}
	return n, err
}

// fileOf is the first part of a form, which has to be the file.
func fileOf(form *multipart.Reader) (*multipart.Part, error) {
	part, err := form.NextPart()
	switch {
	case errors.Is(err, io.EOF):
		return nil, apperr.New(apperr.ImageRequired)
	case err != nil:
		return nil, formError(err)
	case part.FormName() != "file":
		return nil, apperr.New(apperr.UnknownField).WithField(part.FormName(), apperr.RuleUnknownField)
	}
	return part, nil
}

// formError is a fault of the form: more bytes than the server reads, or not a form to its end.
func formError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return apperr.New(apperr.ImageTooLarge).Wrap(err)
	}
	return apperr.New(apperr.MalformedBody).Wrap(fmt.Errorf("read form: %w", err))
}

// count adds to what a person has sent today. Error: UploadLimit, when it would be more than dailyBytes or dailyUnconfirmed.
func count(ctx context.Context, db *gorm.DB, userID, size int64, today time.Time) error {
	added := db.WithContext(ctx).Exec(`
		INSERT INTO upload_totals (user_id, day, bytes) VALUES (@user, @day, @size)
		ON CONFLICT (user_id) DO UPDATE SET day = excluded.day,
		    bytes = excluded.bytes + CASE WHEN upload_totals.day = excluded.day THEN upload_totals.bytes ELSE 0 END
		WHERE upload_totals.day <> excluded.day OR upload_totals.bytes + excluded.bytes <= CASE WHEN `+profiles.ConfirmedSQL+` THEN CAST(@most AS bigint) ELSE @few END`,
		map[string]any{"user": userID, "day": today.Format(time.DateOnly), "size": size, "most": dailyBytes, "few": dailyUnconfirmed})
	if added.Error != nil {
		return fmt.Errorf("count uploads of user %d: %w", userID, added.Error)
	}
	if added.RowsAffected == 0 {
		midnight := time.Date(today.Year(), today.Month(), today.Day()+1, 0, 0, 0, 0, today.Location())
		return apperr.New(apperr.UploadLimit).RetryAfter(midnight.Sub(today))
	}
	return nil
}
