package profiles

import (
	"net/mail"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// IsEmail reports whether a normalised text (NormalEmail) is a plain e-mail address: without a display name, without
// invisible characters, and at a host name with a dot. IP addresses are refused: by one, our mail server could be made
// to connect to any machine of our own network.
func IsEmail(address string) bool {
	parsed, err := mail.ParseAddress(address)
	if err != nil || parsed.Address != address || strings.ContainsFunc(address, unseen) {
		return false
	}
	_, host, _ := strings.Cut(address, "@")
	dot := strings.LastIndexByte(host, '.')
	first, _ := utf8.DecodeRuneInString(host[dot+1:])
	return dot >= 0 && unicode.IsLetter(first)
}

// NormalEmail is an address as it is stored and compared: without space around it and in Unicode's NFC, because some
// keyboards write ä as a and a combining mark.
func NormalEmail(typed string) string { return norm.NFC.String(strings.TrimSpace(typed)) }
