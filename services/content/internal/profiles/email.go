package profiles

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// NormalEmail is an address as it is kept and compared: without space around it, and with each letter written in one
// way (Unicode's NFC). Some keyboards write ä as an a and two dots, which is no other address.
func NormalEmail(typed string) string { return norm.NFC.String(strings.TrimSpace(typed)) }
