// Package zone is the platform's time zone, which calendar days belong to.
package zone

import (
	"fmt"
	"time"
	_ "time/tzdata" // for images without a zone database
)

// Default is the time zone's name unless TIME_ZONE sets another one.
const Default = "Europe/Helsinki"

// Load is the location of a name; empty stands for Default. Error: an unknown name.
func Load(name string) (*time.Location, error) {
	if name == "" {
		name = Default
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil, fmt.Errorf("load time zone: %w", err)
	}
	return location, nil
}
