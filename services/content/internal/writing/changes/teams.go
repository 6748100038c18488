package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"gorm.io/gorm"
)

// teamField is the field whose values are the ids of a team's people.
const teamField = "team"

// nameTeams puts the names of people in place of their ids in the values of the field team, with one query for all
// changes. A name is empty for an account that has been erased. Values of another form, such as addresses, stay for those
// who may see all, and are left out for others.
func nameTeams(ctx context.Context, db *gorm.DB, mayTellAll bool, changes ...[]Field) error {
	var teams []*json.RawMessage
	var ids []int64
	for _, fields := range changes {
		for i := range fields {
			if fields[i].Path != teamField {
				continue
			}
			for _, value := range []*json.RawMessage{&fields[i].Before, &fields[i].After} {
				var members []int64
				if *value == nil || string(*value) == "null" {
					continue
				}
				if json.Unmarshal(*value, &members) != nil {
					if !mayTellAll {
						*value = nil
					}
					continue
				}
				teams, ids = append(teams, value), append(ids, members...)
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	slices.Sort(ids)
	var found []struct {
		ID   int64
		Name string
	}
	err := db.WithContext(ctx).Raw(`
		SELECT id, CASE WHEN erased_at IS NULL THEN concat_ws(' ', first_name, last_name) ELSE '' END AS name
		FROM users WHERE id IN ?`, slices.Compact(ids)).Scan(&found).Error
	if err != nil {
		return fmt.Errorf("read the names of teams: %w", err)
	}
	names := make(map[int64]string, len(found))
	for _, one := range found {
		names[one.ID] = one.Name
	}
	for _, value := range teams {
		var members []int64
		if err := json.Unmarshal(*value, &members); err != nil {
			return err
		}
		named := make([]string, len(members))
		for i, id := range members {
			named[i] = names[id]
		}
		if *value, err = json.Marshal(named); err != nil {
			return fmt.Errorf("name a team: %w", err)
		}
	}
	return nil
}
