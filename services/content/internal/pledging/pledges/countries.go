package pledges

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

//go:embed countries.json
var countriesJSON []byte

// countries are the ISO 3166-1 alpha-2 codes that an address may have, which are also those that the form offers.
var countries = readCountries("countries.json", countriesJSON)

func readCountries(name string, list []byte) map[string]bool {
	var codes []string
	if err := json.Unmarshal(list, &codes); err != nil {
		panic(fmt.Sprintf("%s: %v", name, err)) // it is a part of the program
	}
	known := make(map[string]bool, len(codes))
	for _, code := range codes {
		known[code] = true
	}
	return known
}
