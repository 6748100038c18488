// Package access decides what a reader may do with what a team owns: campaigns and experiments. It owns no tables; who is
// in a team is for the domains to say.
package access

import (
	"slices"

	"talkoot.fi/kit/session"
)

// Rights are what a reader may do with something, in this order: view, edit, admin.
type Rights []string

// Of is the one place that decides: everyone views, the team edits, the platform's staff edits everything and its admins
// administer everything. Member says that the reader is in the team.
func Of(who session.Identity, member bool) Rights {
	rights := Rights{session.ScopeView}
	admin := who.Has(session.ScopeAdmin)
	if member || admin || who.Has(session.ScopeEdit) {
		rights = append(rights, session.ScopeEdit)
	}
	if admin {
		rights = append(rights, session.ScopeAdmin)
	}
	return rights
}

// CanEdit reports whether the reader may change it and see what is not public.
func (r Rights) CanEdit() bool { return slices.Contains(r, session.ScopeEdit) }
