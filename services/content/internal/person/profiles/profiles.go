// Package profiles makes people's accounts, and has the rules of their names and addresses. It owns the table users, except
// for the columns that sessions (password, scope, blocked), verifications (verified) and people (what is shown of
// somebody, and what admins say) change.
package profiles

import "strconv"

// Image is the file name of a person's picture: their own, else one that is drawn from their id.
func Image(own string, userID int64) string {
	if own != "" {
		return own
	}
	return "avatar-" + strconv.FormatInt(userID, 10) + ".svg"
}
