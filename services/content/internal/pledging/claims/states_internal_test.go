package claims

import (
	"slices"
	"strings"
	"testing"
)

// The whole table: what each side may do in each state, and where it leads. What is not here is refused.
func TestTransitions_TheWholeTable(t *testing.T) {
	want := map[State]map[Role]string{
		"": {Backer: "make>open"},
		Open: {Backer: "received>closed withdraw>closed", Creator: "decline>with_staff offer_part>part_offered offer_resend>resend_offered refund>agreed",
			Clock: "overtaken>closed silence>with_staff"},
		ResendOffered: {Backer: "accept>promised received>closed refuse>with_staff withdraw>closed",
			Creator: "decline>with_staff offer_part>part_offered offer_resend>resend_offered refund>agreed", Clock: "overtaken>closed silence>promised"},
		PartOffered: {Backer: "accept>agreed received>closed refuse>with_staff withdraw>closed",
			Creator: "decline>with_staff offer_part>part_offered offer_resend>resend_offered refund>agreed", Clock: "overtaken>closed silence>agreed"},
		Promised:  {Backer: "received>closed withdraw>closed", Creator: "contest>with_staff refund>agreed", Clock: "overtaken>closed silence>agreed"},
		WithStaff: {Backer: "received>closed withdraw>closed", Creator: "refund>agreed", Staff: "decide>decided", Clock: "overtaken>closed"},
		Decided:   {Backer: "object>with_staff"},
		Agreed:    {}, Closed: {},
	}
	if len(want) != len(transitions) {
		t.Errorf("%d states, want %d", len(transitions), len(want))
	}
	for from := range transitions {
		for _, role := range []Role{Backer, Creator, Staff, Clock} {
			var got []string
			for act := range actors {
				if to, allowed := next(from, act, role); allowed {
					got = append(got, string(act)+">"+string(to))
				}
			}
			slices.Sort(got)
			if text := strings.Join(got, " "); text != want[from][role] {
				t.Errorf("%q by %s: %s, want %s", from, role, text, want[from][role])
			}
			to, allowed := next(from, Message, role)
			if isLive := from != "" && !from.IsOver() && role != Clock; allowed != isLive || to != from {
				t.Errorf("a message in %q by %s: %t to %q", from, role, allowed, to)
			}
		}
	}
}
