package team

import "strings"

// Masked hides the middle of an address: m…@example.fi. Somebody who knows the address still recognises it.
func Masked(email string) string {
	at := strings.LastIndexByte(email, '@')
	if at < 1 {
		return "…"
	}
	for i := range email[:at] {
		if i > 0 {
			return email[:i] + "…" + email[at:]
		}
	}
	return "…" + email[at:]
}

// contains compares addresses as they are compared everywhere: without regard to case.
func contains(emails []string, email string) bool {
	for _, e := range emails {
		if strings.EqualFold(e, email) {
			return true
		}
	}
	return false
}
