package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// allowed are the licences of what ships that ask for nothing but their own text and names: it is in licence-texts.txt.
func allowed() []string {
	return []string{"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "Unlicense", "Zlib"}
}

// accepted are single packages under other licences, each with the reason. A new one is a decision of the maintainers.
func accepted() map[string]string {
	return map[string]string{
		"github.com/alecthomas/chroma/v2 OFL-1.1":       "a typeface in its example of styles",
		"github.com/go-sql-driver/mysql MPL-2.0":        "linked as it is published; Caddy's certificates could be kept in MySQL",
		"@fontsource-variable/familjen-grotesk OFL-1.1": "a typeface, served as it is",
		"@fontsource-variable/hanken-grotesk OFL-1.1":   "a typeface, served as it is",
	}
}

// marks are words that only one licence's text has, without regard to spaces and case.
var marks = []struct {
	licence string
	words   *regexp.Regexp
}{
	{"AGPL-3.0", regexp.MustCompile(`gnu affero general public license`)},
	{"LGPL", regexp.MustCompile(`gnu (lesser|library) general public license`)},
	{"GPL", regexp.MustCompile(`gnu general public license`)},
	{"MPL-2.0", regexp.MustCompile(`mozilla public license,? (version|v\.) ?2\.0`)},
	{"EPL", regexp.MustCompile(`eclipse public license`)},
	{"CDDL", regexp.MustCompile(`common development and distribution license`)},
	{"SSPL", regexp.MustCompile(`server side public license`)},
	{"BUSL", regexp.MustCompile(`business source license`)},
	{"Apache-2.0", regexp.MustCompile(`apache license,? version 2\.0`)},
	{"OFL-1.1", regexp.MustCompile(`sil open font license`)},
	{"CC-BY", regexp.MustCompile(`creative commons attribution`)},
	{"CC0-1.0", regexp.MustCompile(`cc0 1\.0 universal`)},
	{"Unlicense", regexp.MustCompile(`free and unencumbered software released into the public domain`)},
	{"Zlib", regexp.MustCompile(`this software is provided 'as-is', without any express or implied warranty`)},
	{"MIT", regexp.MustCompile(`permission is hereby granted, free of charge, to any person obtaining a copy`)},
	{"ISC", regexp.MustCompile(`permission to use, copy, modify, and(/or)? distribute this software for any purpose with or without fee is hereby granted`)},
	{"BSD-3-Clause", regexp.MustCompile(`redistribution and use in source and binary forms.*(neither the name|the names? of .{1,200} may not be used to endorse)`)},
	{"BSD-2-Clause", regexp.MustCompile(`redistribution and use in source and binary forms`)},
}

var (
	spaces     = regexp.MustCompile(`[\s*#/]+`)
	isLicence  = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|patents)([-._].*)?$`)
	namesOther = regexp.MustCompile(`(?i)\.(go|py|js|ts|json|sh)$`)
)

// licencesOf are the licences that a text consists of; none when it is none that we know.
func licencesOf(text string) (found []string) {
	flat := strings.ToLower(spaces.ReplaceAllString(text, " "))
	for _, m := range marks {
		if !m.words.MatchString(flat) {
			continue
		}
		// The text of each of these names others: what it is not, or may be combined with.
		if m.licence == "BSD-2-Clause" && slices.Contains(found, "BSD-3-Clause") ||
			m.licence == "GPL" && (slices.Contains(found, "LGPL") || slices.Contains(found, "AGPL-3.0")) {
			continue
		}
		if strings.Contains(m.licence, "GPL") && mozilla(flat) {
			continue
		}
		found = append(found, m.licence)
	}
	return found
}

// mozilla reports whether a text is that of the Mozilla licence, which names the GNU ones.
func mozilla(flat string) bool {
	return strings.Contains(flat, "mozilla public license version 2.0") && strings.Contains(flat, "secondary license")
}

// ofFolder reads the licences of a package from the files of its folder, and their text.
func ofFolder(dir string) (licences []string, text string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, "", fmt.Errorf("look for a licence: %w", err)
	}
	for _, e := range entries {
		if e.IsDir() || !isLicence.MatchString(e.Name()) || namesOther.MatchString(e.Name()) {
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, "", fmt.Errorf("read a licence: %w", err)
		}
		licences = append(licences, licencesOf(string(content))...)
		text += string(content) + "\n"
	}
	slices.Sort(licences)
	return slices.Compact(licences), text, nil
}
