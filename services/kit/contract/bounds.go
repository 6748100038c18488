package contract

import "fmt"

// Bounds of a JSON body. Most calls need four levels and some forty values; formatted texts need two levels for each
// level of a list in a list, and say with x-max-values how many values they need.
const (
	maxDepth  = 32
	maxValues = 1000
	// maxFaults is how many faults of a request are reported.
	maxFaults = 20
)

// checkSize refuses a body that is nested too deeply or has too many values before it is decoded, because decoding and
// checking cost many times its bytes. It counts brackets and separators outside of strings, and need not parse JSON.
func checkSize(body []byte, maxValues int) error {
	depth, values, inString, escaped := 0, 0, false, false
	for _, b := range body {
		switch {
		case escaped:
			escaped = false
		case inString && b == '\\':
			escaped = true
		case b == '"':
			inString = !inString
		case inString:
		case b == '{' || b == '[':
			depth++
			values++
		case b == '}' || b == ']':
			depth--
		case b == ',':
			values++
		}
		if depth > maxDepth {
			return fmt.Errorf("decode body: nested deeper than %d", maxDepth)
		}
		if values > maxValues {
			return fmt.Errorf("decode body: more than %d values", maxValues)
		}
	}
	return nil
}
