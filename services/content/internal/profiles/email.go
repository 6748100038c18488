package profiles

import (
	"net/mail"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// IsEmail reports whether a normalised text (NormalEmail) is a plain e-mail address: without a display name, and with
// a dot in its domain.
func IsEmail(address string) bool {
	parsed, err := mail.ParseAddress(address)
	return err == nil && parsed.Address == address && strings.Contains(address[strings.LastIndexByte(address, '@')+1:], ".")
}

// NormalEmail is an address as it is stored and compared: without space around it and in Unicode's NFC, because some
// keyboards write ä as a and a combining mark.
func NormalEmail(typed string) string { return norm.NFC.String(strings.TrimSpace(typed)) }
