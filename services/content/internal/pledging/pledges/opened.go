package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/receiptlinks"
)

// Opened is a pledge as the link of a mail opens it: as its person sees it, but for the address, which who was sent the link knows.
type Opened struct {
	Own
	Until time.Time // the link's last moment
}

// openedSQL is pageSQL of the one pledge that @id names, whoever's it is.
const openedSQL = `WITH own AS (SELECT id, status, created_at FROM pledges WHERE id = @id)` + pageOfOwn

// Open reads the pledge that a link opens. Error: receiptlinks.ErrLink.
func (s *Service) Open(ctx context.Context, token, language string) (Opened, error) {
	link, err := receiptlinks.Open(ctx, s.db, token, s.now())
	if err != nil {
		return Opened{}, err
	}
	return s.opened(ctx, link, language)
}

func (s *Service) opened(ctx context.Context, link receiptlinks.Link, language string) (Opened, error) {
	list, err := s.readOwn(ctx, openedSQL, pgx.NamedArgs{"language": language, "id": link.PledgeID, "group": "", "limit": 1, "offset": 0})
	if err == nil && len(list) == 0 {
		err = receiptlinks.ErrLink
	}
	if err != nil {
		return Opened{}, err
	}
	o := Opened{list[0], link.ExpiresAt}
	o.Email = masked(o.Email)
	return o, nil
}

// masked is a mail address as its owner recognises it: l···@posti.fi.
func masked(email string) string {
	name, domain, found := strings.Cut(email, "@")
	if !found {
		return ""
	}
	first := []rune(name)
	return string(first[:min(len(first), 1)]) + "···@" + domain
}

// ChangeOpened is ChangeOwn for who has a link that opens the pledge. Errors: receiptlinks.ErrLink, and those of ChangeOwn.
func (s *Service) ChangeOpened(ctx context.Context, token, language string, wanted OwnChange) (Opened, error) {
	link, err := receiptlinks.Open(ctx, s.db, token, s.now())
	if err != nil {
		return Opened{}, err
	}
	if err := wanted.check(); err != nil {
		return Opened{}, err
	}
	if err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error { return s.changeOwn(ctx, tx, anybody, link.PledgeID, wanted) }); err != nil {
		return Opened{}, err
	}
	return s.opened(ctx, link, language)
}

// RenewLink has a new link mailed to the address of the pledge that a token opens or has opened; of any other it does nothing, and the
// caller cannot tell. mayMail counts the mails that anybody has sent to an address.
func (s *Service) RenewLink(ctx context.Context, token string, mayMail func(ctx context.Context, email string) (bool, error)) error {
	id, err := receiptlinks.Known(ctx, s.db, token)
	if err != nil || id == "" {
		return err
	}
	var email string
	if err := s.db.WithContext(ctx).Raw(`SELECT email FROM pledges WHERE id = ?`, id).Scan(&email).Error; err != nil {
		return fmt.Errorf("read where a link goes: %w", err)
	}
	if email == "" { // its backer has erased their account
		return nil
	}
	may, err := mayMail(ctx, email)
	if err != nil || !may {
		return err
	}
	payload, err := json.Marshal(mails.PledgeMail{PledgeID: id})
	if err == nil {
		_, err = outbox.Add(ctx, s.db, outbox.Message{Kind: mails.KindPledgeLink, Payload: payload})
	}
	if err != nil {
		return fmt.Errorf("queue a link: %w", err)
	}
	s.outboxAdded()
	return nil
}

// CloseLink ends the link of a token.
func (s *Service) CloseLink(ctx context.Context, token string) error {
	return receiptlinks.Close(ctx, s.db, token, s.now())
}
