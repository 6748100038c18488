// Package zone is the platform's time zone, which calendar days belong to. proto-docs/decisions/campaigns.md says why it is no
// setting.
package zone

import (
	"fmt"
	"time"
	_ "time/tzdata" // for images without a zone database
)

// Name is the time zone's name. The app has it too (src/i18n/format.ts); a test there compares them.
const Name = "Europe/Helsinki"

// Day is the calendar day of the moment @at, in a statement.
const Day = `CAST(CAST(@at AS timestamptz) AT TIME ZONE '` + Name + `' AS date)`

// Load is the location of Name. Error: a broken zone database.
func Load() (*time.Location, error) {
	location, err := time.LoadLocation(Name)
	if err != nil {
		return nil, fmt.Errorf("load time zone: %w", err)
	}
	return location, nil
}
