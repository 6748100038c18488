package profiles

import (
	"net/mail"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// IsEmail reports whether a normal address is one that mail can go to: its domain has a dot, and no name stands before it.
func IsEmail(address string) bool {
	parsed, err := mail.ParseAddress(address)
	return err == nil && parsed.Address == address && strings.Contains(address[strings.LastIndexByte(address, '@')+1:], ".")
}

// NormalEmail is an address as it is kept and compared: without space around it, and with each letter written in one
// way (Unicode's NFC). Some keyboards write ä as an a and two dots, which is no other address.
func NormalEmail(typed string) string { return norm.NFC.String(strings.TrimSpace(typed)) }
