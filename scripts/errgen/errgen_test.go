package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRun_IsDeterministicAndHoldsEveryText(t *testing.T) {
	dir := t.TempDir()
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	generate := func(goName, jsonName string) {
		t.Helper()
		if err := run("testdata/errors.yaml", filepath.Join(dir, goName), filepath.Join(dir, jsonName)); err != nil {
			t.Fatal(err)
		}
	}
	generate("a/codes.go", "a/errors.json")
	for range 20 {
		generate("b/codes.go", "b/errors.json")
		if !bytes.Equal(read("a/codes.go"), read("b/codes.go")) ||
			!bytes.Equal(read("a/errors.json"), read("b/errors.json")) {
			t.Fatal("the same catalogue gave other output")
		}
	}
	for name, wants := range map[string][]string{
		"a/codes.go": {`PaymentFailed Status = "payment_failed"`, `CodeProcessingError = "processing_error"`,
			`RuleMaxLength = "max_length"`, "http: 402", `"Högst {max} tecken."`, "DO NOT EDIT"},
		"a/errors.json": {`"payment_failed": {`, `"fi": "Maksu \"ei\" mennyt läpi."`, "through & nothing"},
	} {
		for _, want := range wants {
			if !bytes.Contains(read(name), []byte(want)) {
				t.Errorf("%s lacks %s:\n%s", name, want, read(name))
			}
		}
	}
}

func TestParse_ReportsEveryFaultOfTheCatalogue(t *testing.T) {
	_, err := parse([]byte(`
errors:
  Bad-Key: {http: 409, text: {fi: a, en: a, sv: a}}
  no_http: {text: {fi: a, en: a, sv: a}}
  no_swedish: {http: 409, text: {fi: a, en: a}}
  german: {http: 409, text: {fi: a, en: a, sv: a, de: a}}
  uneven: {http: 409, text: {fi: "{max}", en: a, sv: "{max}"}}
  a1_b: {http: 409, text: {fi: a, en: a, sv: a}}
  a1b: {http: 409, text: {fi: a, en: a, sv: a}}
  a1_B: {http: 409, text: {fi: a, en: a, sv: a}}
rules:
  spaced: {fi: " a", en: a, sv: a}
`))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"Bad-Key", "no_http: http is 0", "no_swedish: text in sv is missing", `german: text in "de"`,
		"uneven: text in en has the placeholders", "would be named A1B", "rule spaced: text in fi", "internal: missing"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
}

func TestParse_RefusesUnknownAndRepeatedKeys(t *testing.T) {
	for _, source := range []string{
		"errors:\n  a: {htpp: 409}\n",
		"errors:\n  a: {http: 409}\n  a: {http: 410}\n",
		"faults: {}\n",
	} {
		if _, err := parse([]byte(source)); err == nil {
			t.Errorf("taken:\n%s", source)
		}
	}
}

func TestConstName(t *testing.T) {
	for key, want := range map[string]string{"reward_gone": "RewardGone", "invalid_url": "InvalidURL",
		"id_taken": "IDTaken", "incorrect_cvc": "IncorrectCVC"} {
		if got := constName(key); got != want {
			t.Errorf("constName(%q) = %q, want %q", key, got, want)
		}
	}
}
