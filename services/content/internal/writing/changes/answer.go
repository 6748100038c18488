package changes

import (
	"encoding/json"

	"talkoot.fi/content/internal/api"
)

// Answer is a page of a history as calls answer it.
func Answer(list []Made, total int) api.HistoryAnswer {
	answer := api.HistoryAnswer{Total: total, Changes: make([]api.HistoryChange, len(list))}
	for i, m := range list {
		c := &answer.Changes[i]
		c.ID, c.At, c.Action = m.ID, m.At.UTC(), m.Action
		c.By.Actor, c.By.Name, c.By.UserID = api.HistoryChangeByActor(m.By.Name), m.Person, m.By.UserID
		c.Entity, c.EntityID = api.HistoryChangeEntity(m.Entity), m.EntityID
		c.Fields = make([]api.HistoryField, len(m.Fields))
		for j, f := range m.Fields {
			c.Fields[j] = api.HistoryField{Path: f.Path, Before: OrAbsent(f.Before), After: OrAbsent(f.After), Long: f.IsLong}
		}
	}
	return answer
}

// OrAbsent leaves a value out of an answer when there is none to show.
func OrAbsent(value json.RawMessage) any {
	if value == nil || string(value) == "null" {
		return nil
	}
	return value
}
