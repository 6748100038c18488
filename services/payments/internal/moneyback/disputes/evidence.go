package disputes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/provider"
)

// Errors of contesting a dispute; test with errors.Is.
var (
	ErrNoDispute = errors.New("there is no such dispute")
	// ErrNotContestable means that its bank takes no evidence now: it has some and asks for no more, or the dispute is decided.
	ErrNotContestable = errors.New("the bank takes no evidence of this dispute")
	// ErrNotByCall means that its provider is not connected, or takes evidence on pages of its own only.
	ErrNotByCall = errors.New("the provider takes no evidence by a call")
)

// Sent is evidence that a person has sent, or has tried to.
type Sent struct {
	ID          string
	State       string            // asked: not answered; taken, refused
	Evidence    provider.Evidence // empty once the dispute is decided
	Actor, Note string
	At          time.Time
}

// SentOf is the evidence of a dispute that its bank has or may have, of what the bank has asked for last; nil for none.
func SentOf(ctx context.Context, db *gorm.DB, disputeID int64) (*Sent, error) {
	var rows []struct {
		ID, State, Actor, Note string
		Evidence               json.RawMessage
		At                     time.Time
	}
	err := db.WithContext(ctx).Raw(`SELECT e.id, e.state, e.evidence, e.actor, e.note, e.at FROM dispute_evidence e JOIN disputes d ON d.id = e.dispute_id AND d.round = e.round
		WHERE d.id = ? AND e.state <> 'refused'`, disputeID).Scan(&rows).Error
	if err != nil {
		return nil, fmt.Errorf("read the evidence of dispute %d: %w", disputeID, err)
	}
	if len(rows) == 0 {
		return nil, nil //nolint:nilnil // there may be none
	}
	r := rows[0]
	sent := Sent{ID: r.ID, State: r.State, Actor: r.Actor, Note: r.Note, At: r.At}
	if err := json.Unmarshal(r.Evidence, &sent.Evidence); err != nil {
		return nil, fmt.Errorf("decode the evidence of dispute %d: %w", disputeID, err)
	}
	return &sent, nil
}

// AskedAgain tells whether the bank of a dispute has asked for more than it was sent, and the provider's word of what, while the dispute is not decided.
func AskedAgain(ctx context.Context, db *gorm.DB, disputeID int64) (isAsked bool, wants string, err error) {
	var row struct {
		Round int
		Wants string
	}
	if err = db.WithContext(ctx).Raw(`SELECT round, wants FROM disputes WHERE id = ? AND status IN ('inquiry', 'open')`, disputeID).Scan(&row).Error; err != nil {
		err = fmt.Errorf("read what is wanted of dispute %d: %w", disputeID, err)
	}
	return row.Round > 0, row.Wants, err
}

// Contest sends evidence to the bank of a dispute. What was sent before and not answered is sent again as it was, and e is not looked at. Errors:
// ErrNoDispute, ErrNotContestable, also when the bank refuses it; ErrNotByCall; those of the provider when it does not answer, and then the next call
// finds out.
func Contest(ctx context.Context, db *gorm.DB, all map[string]provider.Contests, disputeID int64, e provider.Evidence, actor, note string, now time.Time) error {
	var sent *Sent
	var at provider.Contests
	var ref string
	err := dbx.InTx(ctx, db, func(tx *gorm.DB) (err error) {
		var rows []struct {
			Provider, ProviderRef string
			Status                Status
		}
		err = tx.WithContext(ctx).Raw(`SELECT provider, provider_ref, status FROM disputes WHERE id = ? FOR UPDATE`, disputeID).Scan(&rows).Error
		switch {
		case err != nil:
			return fmt.Errorf("read dispute %d: %w", disputeID, err)
		case len(rows) == 0:
			return ErrNoDispute
		case all[rows[0].Provider] == nil:
			return ErrNotByCall
		}
		at, ref = all[rows[0].Provider], rows[0].ProviderRef
		if sent, err = SentOf(ctx, tx, disputeID); err != nil {
			return err
		}
		if sent != nil && sent.State == "taken" || rows[0].Status != Open && rows[0].Status != Inquiry {
			return ErrNotContestable
		}
		if sent != nil {
			return nil
		}
		sent = &Sent{ID: ids.New(), Evidence: e}
		written, err := json.Marshal(e)
		if err == nil {
			err = tx.WithContext(ctx).Exec(`INSERT INTO dispute_evidence (id, dispute_id, round, state, evidence, actor, note, at)
				SELECT ?, id, round, 'asked', ?, ?, ?, ? FROM disputes WHERE id = ?`, sent.ID, string(written), actor, note, now, disputeID).Error
		}
		if err != nil {
			return fmt.Errorf("write the evidence of dispute %d: %w", disputeID, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = at.Contest(ctx, provider.ContestOrder{Key: "evidence-" + sent.ID, Dispute: ref, Evidence: sent.Evidence})
	state, code := "taken", ""
	switch {
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound), errors.Is(err, provider.ErrState), errors.Is(err, provider.ErrBurned):
		state, code = "refused", strings.TrimSpace(err.Error())
		err = errors.Join(ErrNotContestable, err)
	case err != nil:
		return err // not known; the next call asks
	}
	written := db.WithContext(ctx).Exec(`UPDATE dispute_evidence SET state = ?, code = ?, answered_at = ?, look = nextval('looks') WHERE id = ? AND state = 'asked'`,
		state, code, now, sent.ID)
	if written.Error != nil {
		err = errors.Join(err, fmt.Errorf("note what became of the evidence of dispute %d: %w", disputeID, written.Error))
	}
	return err
}

// askAgain begins another round when a look has found that more is wanted than what was taken before that look began.
func (c *course) askAgain(ctx context.Context, look int64) error {
	if !c.one.Reopened || look < c.d.Look {
		return nil
	}
	err := c.tx.WithContext(ctx).Exec(`UPDATE disputes d SET round = d.round + 1, wants = ? WHERE d.id = ? AND EXISTS (SELECT FROM dispute_evidence e
		WHERE e.dispute_id = d.id AND e.round = d.round AND e.state = 'taken' AND e.look < ?)`, c.one.Wants, c.d.ID, look).Error
	if err != nil {
		return fmt.Errorf("note that more is wanted of dispute %s: %w", c.d.ProviderRef, err)
	}
	return nil
}

// PruneEvidence empties what was said of people in disputes that are decided: it is with the bank, and nobody needs it here any more.
func PruneEvidence(ctx context.Context, db *gorm.DB) error {
	for _, empty := range []string{
		`UPDATE dispute_evidence SET evidence = '{}' WHERE id IN (SELECT e.id FROM dispute_evidence e JOIN disputes d ON d.id = e.dispute_id
			WHERE d.status NOT IN ('inquiry', 'open') AND e.evidence <> '{}' LIMIT 500)`,
		`UPDATE disputes SET wants = '' WHERE id IN (SELECT d.id FROM disputes d JOIN dispute_evidence e ON e.dispute_id = d.id
			WHERE d.status NOT IN ('inquiry', 'open') AND d.wants <> '' LIMIT 500)`,
	} {
		_, err := dbx.InBatches(ctx, func(ctx context.Context) (int64, error) {
			done := db.WithContext(ctx).Exec(empty)
			return done.RowsAffected, done.Error
		})
		if err != nil {
			return fmt.Errorf("prune evidence: %w", err)
		}
	}
	return nil
}
