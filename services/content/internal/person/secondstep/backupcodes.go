package secondstep

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/person/notices"
)

const (
	backupCodes = 10
	// codeLength is 80 random bits in base32, with which nobody finds a code from its hash.
	codeLength = 16
)

// MakeBackupCodes makes ten backup codes in place of the former ones; the answer is the only place that has them.
// Error: ErrNone.
func (s *Service) MakeBackupCodes(ctx context.Context, userID int64) (codes []string, err error) {
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		if err := lock(ctx, tx, userID); err != nil {
			return err
		}
		state, err := s.Read(ctx, tx, userID)
		if err != nil {
			return err
		}
		if !state.HasAny() {
			return ErrNone
		}
		if codes, err = makeCodes(ctx, tx, userID); err != nil {
			return err
		}
		return notices.Record(ctx, tx, userID, notices.BackupCodesMade, notices.Person, s.now())
	})
	return codes, err
}

// codesOfFirst makes backup codes for an account that had no second step before.
func (s *Service) codesOfFirst(ctx context.Context, tx *gorm.DB, userID int64, before State) ([]string, error) {
	if before.HasAny() {
		return nil, nil
	}
	return makeCodes(ctx, tx, userID)
}

// makeCodes replaces the codes of an account, which the caller has locked.
func makeCodes(ctx context.Context, tx *gorm.DB, userID int64) ([]string, error) {
	if err := tx.WithContext(ctx).Exec(`DELETE FROM backup_codes WHERE user_id = ?`, userID).Error; err != nil {
		return nil, fmt.Errorf("remove backup codes of user %d: %w", userID, err)
	}
	type row struct {
		UserID   int64
		CodeHash []byte
	}
	codes, rows := make([]string, backupCodes), make([]row, backupCodes)
	for i := range codes {
		code := rand.Text()[:codeLength]
		codes[i] = strings.Join([]string{code[:4], code[4:8], code[8:12], code[12:]}, "-")
		rows[i] = row{userID, hashOf(code)}
	}
	if err := tx.WithContext(ctx).Table("backup_codes").Create(&rows).Error; err != nil {
		return nil, fmt.Errorf("keep backup codes of user %d: %w", userID, err)
	}
	return codes, nil
}

// takeBackupCode uses up a backup code, and mails that it was used. Error: ErrBackupCode.
func (s *Service) takeBackupCode(ctx context.Context, tx *gorm.DB, userID int64, code string) error {
	taken := tx.WithContext(ctx).Exec(`DELETE FROM backup_codes WHERE user_id = ? AND code_hash = ?`, userID, hashOf(normalCode(code)))
	if taken.Error != nil {
		return fmt.Errorf("take a backup code of user %d: %w", userID, taken.Error)
	}
	if taken.RowsAffected == 0 {
		return ErrBackupCode
	}
	return notices.Record(ctx, tx, userID, notices.BackupCodeUsed, notices.Person, s.now())
}

// normalCode is a code as it was made, from one that was copied from paper: base32 has no 0, 1 and 8.
func normalCode(typed string) string {
	return strings.NewReplacer("-", "", " ", "", "0", "O", "1", "I", "8", "B").Replace(strings.ToUpper(typed))
}

func hashOf(text string) []byte {
	hash := sha256.Sum256([]byte(text))
	return hash[:]
}
