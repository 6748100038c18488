package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// entry is one error of the catalogue.
type entry struct {
	Key string `yaml:"-"`
	// HTTP is the status code of the answer.
	HTTP int `yaml:"http"`
	// Codes are the finer reasons that may come with the error.
	Codes []string `yaml:"codes"`
	Text  text     `yaml:"text"`
}

// text is one text per language.
type text map[string]string

// rule is the text of one kind of field fault.
type rule struct {
	Key  string
	Text text
}

// catalogue is the checked content of errors.yaml; every list is sorted.
type catalogue struct {
	Errors []entry
	Codes  []string
	Rules  []rule
}

var (
	// required are keys that the code of kit itself uses.
	required    = []string{"internal", "idempotency_mismatch", "invalid_fields"}
	languages   = []string{"fi", "en", "sv"}
	keyPattern  = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	placeholder = regexp.MustCompile(`\{[a-z_]+\}`)
	initialisms = []string{"api", "csv", "cvc", "html", "http", "iban", "id", "ip", "json", "sso", "url", "vat"}
)

// parse reads and checks the catalogue. Its error has all faults.
func parse(source []byte) (catalogue, error) {
	var file struct {
		Errors map[string]entry `yaml:"errors"`
		Rules  map[string]text  `yaml:"rules"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(source))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return catalogue{}, fmt.Errorf("parse: %w", err)
	}
	var c catalogue
	var faults []error
	names := map[string]string{}
	name := func(prefix, key string) {
		n := prefix + constName(key)
		if other, taken := names[n]; taken {
			faults = append(faults, fmt.Errorf("%s: would be named %s like %s", key, n, other))
		}
		names[n] = key
	}
	for _, key := range required {
		if _, ok := file.Errors[key]; !ok {
			faults = append(faults, fmt.Errorf("%s: missing, the code needs it", key))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(file.Errors)) {
		e := file.Errors[key]
		e.Key = key
		name("", key)
		faults = append(faults, checkKey(key), checkText(key, e.Text))
		if e.HTTP < 400 || e.HTTP > 599 {
			faults = append(faults, fmt.Errorf("%s: http is %d, want 400 to 599", key, e.HTTP))
		}
		for _, code := range e.Codes {
			faults = append(faults, checkKey(code))
		}
		c.Errors = append(c.Errors, e)
		c.Codes = append(c.Codes, e.Codes...)
	}
	slices.Sort(c.Codes)
	c.Codes = slices.Compact(c.Codes) // two errors may share a reason
	for _, code := range c.Codes {
		name("Code", code)
	}
	for _, key := range slices.Sorted(maps.Keys(file.Rules)) {
		name("Rule", key)
		faults = append(faults, checkKey(key), checkText("rule "+key, file.Rules[key]))
		c.Rules = append(c.Rules, rule{key, file.Rules[key]})
	}
	return c, errors.Join(faults...)
}

func checkKey(key string) error {
	if keyPattern.MatchString(key) {
		return nil
	}
	return fmt.Errorf("%s: a key is lower-case words joined by underscores", key)
}

func checkText(key string, t text) error {
	var faults []error
	fault := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf(key+": "+format, args...))
	}
	for _, lang := range slices.Sorted(maps.Keys(t)) {
		if !slices.Contains(languages, lang) {
			fault("text in %q, want only %s", lang, strings.Join(languages, ", "))
		}
	}
	want := placeholders(t[languages[0]])
	for _, lang := range languages {
		if s := t[lang]; s == "" || s != strings.TrimSpace(s) {
			fault("text in %s is missing or has outer spaces", lang)
		}
		if got := placeholders(t[lang]); !slices.Equal(got, want) {
			fault("text in %s has the placeholders %v, in %s %v", lang, got, languages[0], want)
		}
	}
	return errors.Join(faults...)
}

func placeholders(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

// constName is the Go name of a key: reward_gone is RewardGone, invalid_url is InvalidURL.
func constName(key string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(key, "_") {
		switch {
		case word == "":
		case slices.Contains(initialisms, word):
			b.WriteString(strings.ToUpper(word))
		default:
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}
