package richtext

import (
	"encoding/json"
	"maps"
	"strings"
	"unicode"
)

// isControl reports characters that no text needs and that a database may not keep.
func isControl(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

func boolean(value any) bool {
	_, ok := value.(bool)
	return ok || value == nil
}

func short(limit int) check {
	return func(value any) bool {
		s, ok := value.(string)
		return value == nil || ok && len([]rune(s)) <= limit && !strings.ContainsFunc(s, isControl)
	}
}

func number(least, most int64) check {
	return func(value any) bool {
		n, ok := value.(json.Number)
		if !ok {
			return value == nil
		}
		i, err := n.Int64()
		return err == nil && i >= least && i <= most
	}
}

func required(c check) check { return func(value any) bool { return value != nil && c(value) } }

func address(of func(string) (string, bool)) check {
	return func(value any) bool {
		s, _ := value.(string)
		_, ok := of(s)
		return ok && len(s) <= 2000
	}
}

func isVideo(value any) bool {
	s, _ := value.(string)
	return IsVideo(s)
}

func isPlayer(value any) bool {
	s, _ := value.(string)
	_, ok := playerOf(s)
	return ok
}

func with(attrs map[string]check, name string, c check) map[string]check {
	more := maps.Clone(attrs)
	more[name] = c
	return more
}

// rows is a list of at most 50 objects with these members and no others.
func rows(members map[string]check) check {
	return func(value any) bool {
		list, ok := value.([]any)
		if !ok || len(list) > 50 {
			return value == nil
		}
		for _, element := range list {
			row, _ := element.(map[string]any)
			if row == nil {
				return false
			}
			for name := range row {
				if members[name] == nil {
					return false
				}
			}
			for name, c := range members {
				if !c(row[name]) {
					return false
				}
			}
		}
		return true
	}
}
