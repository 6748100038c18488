package main

import (
	"strings"
	"testing"
)

// A command that lacks something says what, and nothing is touched: no database is opened for it.
func TestParseAct_SaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"dance":                               "unknown command",
		"serve now":                           "takes no arguments",
		"refund -payment P":                   "-note",
		"refund -note x":                      "name one of",
		"refund -payment P -repeat R -note x": "name one of",
		"refund -payment P -amount 1.005 -note x":                                           "is no amount",
		"refund -payment P -amount 0 -note x":                                               "is no amount",
		"refund -repeat R -amount 5 -note x":                                                "of a -payment only",
		"refund -by-hand R -all -key k -note x":                                             "of a -payment only",
		"refund -repeat R -key k -note x":                                                   "of a -payment only",
		"refund -payment P -key k -note x":                                                  "one of -amount, -all",
		"refund -payment P -all=false -key k -note x":                                       "one of -amount, -all",
		"refund -payment P -amount 5 -all -key k -note x":                                   "one of -amount, -all",
		"refund -payment P -amount 5 -note x":                                               "-key",
		"refund -payment P -all -note x":                                                    "-key",
		"release-held -charge ch_1 -note x":                                                 "-accept",
		"release-held -charge c -accept -return -note":                                      "flag needs an argument",
		"release-held -accept -note x":                                                      "name the charge",
		"attach -charge ch_1 -note x":                                                       "name the charge",
		"resolve -note x":                                                                   "-anomaly",
		"explain -note x":                                                                   "-line",
		"anomalies extra":                                                                   "what is",
		"invoice -note x":                                                                   "-provider",
		"invoice -provider mangopay -number 1 -key k -period 2026-13 -note x":               "no month",
		"invoice -provider mangopay -number 1 -key k -period 2026-11 -note x":               "-currency",
		"invoice -provider mangopay -number 1 -key k -period 2026-11 -currency EUR -note x": "-amount",
		"invoice -provider mangopay -number 1 -key k -period 2026-11 -currency EUR -amount 0 -note x":                              "-amount",
		"invoice -provider mangopay -number 1 -key k -period 2026-11 -currency EUR -amount 1 -note x":                              "-vat",
		"invoice -provider mangopay -number 1 -key k -period 2026-11 -currency EUR -amount 1 -vat 0 -corrects 2 -deducted -note x": "-deducted",
		"switch -off -note x":                                           "-provider",
		"switch -provider mangopay -note x":                             "one of -off, -on",
		"switch -provider mangopay -off -on -note x":                    "one of -off, -on",
		"switch -provider mangopay -off":                                "why (-note)",
		"settle -note x":                                                "name one of",
		"settle -campaign 7":                                            "why (-note)",
		"settle -campaign 7 -cancel R -note x":                          "name one of",
		"settle -month 2026-13 -note x":                                 "such as 2026-11",
		"settle -month 2026-11 -show R -note x":                         "name one of",
		"write-off -note x":                                             "name one of",
		"write-off -creator 3 -approve R -note x":                       "name one of",
		"write-off -creator 3 -provider stripe -amount 5 -note x":       "-currency",
		"write-off -creator 3 -amount 5 -currency EUR -note x":          "-provider",
		"write-off -creator 3 -amount 0 -currency EUR -note x":          "no amount",
		"write-off -creator 3 -amount 5 -currency EUR -provider stripe": "why (-note)",
		"settle -approve R -note x":                                     "-hash",
		"settle -resume R -hash h -note x":                              "-hash",
		"ledger":                                                        "name one of",
		"ledger -verify -day 2026-11-27":                                "name one of",
		"ledger -day 27.11.2026":                                        "no date",
		"ledger -day 2026-11-27 -hash h":                                "-hash",
		"operator -name maija -on -note x":                              "-user",
		"operator -user 7 -on -note x":                                  "-name",
		"operator -user 7 -name maija -note x":                          "one of -on, -off",
		"operator -user 7 -name maija -on":                              "why (-note)",
	} {
		_, err := parseAct(strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

// A shell's variable that is not set gives nothing, which means nothing: not all, not anybody.
func TestParseAct_AFlagThatIsGivenEmpty_IsRefused(t *testing.T) {
	t.Parallel()
	whole := map[string][]string{
		"refund":       {"-payment", "P", "-amount", "5", "-key", "k", "-note", "x", "-actor", "maija", "-repeat", "R", "-by-hand", "H"},
		"resolve":      {"-anomaly", "3", "-note", "x", "-actor", "maija"},
		"release-held": {"-charge", "c", "-provider", "stripe", "-note", "x", "-actor", "maija"},
		"attach":       {"-charge", "c", "-provider", "stripe", "-payment", "P", "-note", "x", "-actor", "maija"},
		"switch":       {"-provider", "mangopay", "-note", "x", "-actor", "maija"},
		"invoice": {"-provider", "mangopay", "-period", "2026-11", "-amount", "1", "-vat", "0", "-currency", "EUR", "-number", "1", "-corrects", "2", "-key", "k",
			"-note", "x", "-actor", "maija"},
		"operator": {"-user", "7", "-name", "maija", "-note", "x", "-actor", "maija"},
		"explain":  {"-line", "l", "-provider", "stripe", "-note", "x", "-actor", "maija"},
		"ledger":   {"-hash", "h", "-day", "2026-11-27"},
		"settle":   {"-approve", "R", "-hash", "h", "-note", "x", "-actor", "maija", "-show", "R", "-resume", "R", "-cancel", "R"},
	}
	for command, args := range whole {
		for i := 0; i < len(args); i += 2 {
			for _, empty := range []string{"", " ", "\t"} {
				given := append([]string{command}, args...)
				given[i+2] = empty
				if _, err := parseAct(given); err == nil || !strings.Contains(err.Error(), args[i]) {
					t.Errorf("%q: %v, want %s named", given, err, args[i])
				}
			}
		}
	}
	for _, args := range [][]string{{"refund", "-payment", "P", "-all", "-amount", "", "-key", "k", "-note", "x"}, {"refund", "-payment", "P", "-all=", "-key", "k", "-note", "x"}} {
		if _, err := parseAct(args); err == nil {
			t.Errorf("%q can be done", args)
		}
	}
}

func TestParseAct_WhatIsWholeCanBeDone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"anomalies", "anomalies -all", "settlements", "settlements -campaign 7", "settle -campaign 7 -note x", "settle -show R", "settle -approve R -hash h -note x", "resolve -anomaly 3 -note x", "refund -payment P -amount 12.50 -key k -note x",
		"refund -payment P -all -key k -note x",
		"refund -repeat R -note x",
		"refund -by-hand R -note x -actor maija", "release-held -charge c -return -note x",
		"attach -charge c -payment P -note x", "explain -line txn_1 -note x", "switches",
		"switch -provider mangopay -off -note x", "invoices", "operators", "operator -user 7 -name maija -on -note x",
		"invoice -provider mangopay -period 2026-11 -amount 100.00 -vat 25.50 -currency EUR -number MG-11 -key k -note x",
		"invoice -provider mangopay -period 2026-11 -amount 100.00 -vat 0 -currency EUR -number MG-11-K -corrects MG-11 -key k -note x",
	} {
		if act, err := parseAct(strings.Fields(line)); err != nil || act == nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	for _, line := range []string{"serve", "work", "migrate"} {
		if act, err := parseAct(strings.Fields(line)); err != nil || act != nil {
			t.Errorf("%s: an operator's act, %v", line, err)
		}
	}
}
