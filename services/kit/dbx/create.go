package dbx

import "gorm.io/gorm"

// rowsAtOnce bounds a statement of CreateAll: PostgreSQL takes 65,535 parameters.
const rowsAtOnce = 1000

// CreateAll inserts rows of a GORM model and sets the ids that they get: in one statement, or one for each thousand. No rows
// are no statement, where GORM's Create returns an error. The clauses of tx hold, such as clause.OnConflict.
func CreateAll[Row any](tx *gorm.DB, rows []Row) error {
	if len(rows) == 0 {
		return nil
	}
	return tx.CreateInBatches(&rows, rowsAtOnce).Error
}
