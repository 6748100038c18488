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
		"refund -payment P -amount 1.005 -note x":      "is no amount",
		"refund -payment P -amount 0 -note x":          "is no amount",
		"refund -repeat R -amount 5 -note x":           "is no amount",
		"release-held -charge ch_1 -note x":            "-accept",
		"release-held -charge c -accept -return -note": "flag needs an argument",
		"release-held -accept -note x":                 "name the charge",
		"attach -charge ch_1 -note x":                  "name the charge",
		"resolve -note x":                              "-anomaly",
		"explain -note x":                              "-line",
		"anomalies extra":                              "what is",
	} {
		_, err := parseAct(strings.Fields(line))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func TestParseAct_WhatIsWholeCanBeDone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"anomalies", "anomalies -all", "resolve -anomaly 3 -note x", "refund -payment P -amount 12.50 -key k -note x",
		"refund -repeat R -note x",
		"refund -by-hand R -note x -actor maija", "release-held -charge c -return -note x",
		"attach -charge c -payment P -note x", "explain -line txn_1 -note x",
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
