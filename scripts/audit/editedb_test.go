//go:build unix

package audit_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// listOfB names what an address of provider B's API answers: report is the file of one, own what moved the platform's own wallets.
func listOfB(path string) string {
	words := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case words[0] != "v2.01":
		return words[0]
	case slices.Contains(words, "transactions"):
		return "own"
	case slices.Contains(words, "recipients"):
		return "recipients"
	case len(words) > 3 && words[2] == "clients":
		return "own wallets"
	case len(words) > 2:
		return words[2]
	}
	return ""
}

// changed is an answer with the change in it; nil of an object that is gone.
func (e editedB) changed(list string, raw []byte) ([]byte, error) {
	switch {
	case list == "report":
		return e.changedFile(raw)
	case bytes.HasPrefix(raw, []byte("[")):
		var all []object
		if err := readNumbers(raw, &all); err != nil {
			return nil, err
		}
		out := []object{}
		for _, o := range all {
			out = append(out, e.change(list, o)...)
		}
		return json.Marshal(out)
	}
	var one object
	if err := readNumbers(raw, &one); err != nil {
		return nil, err
	}
	out := e.change(list, one)
	if len(out) == 0 {
		return nil, nil
	}
	return json.Marshal(out[0])
}

func readNumbers(raw []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// changedFile changes the lines of a report, whose cells are texts.
func (e editedB) changedFile(raw []byte) ([]byte, error) {
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	file := csv.NewWriter(&out)
	err = file.Write(rows[0])
	for _, cells := range rows[1:] {
		line := object{}
		for i, name := range rows[0] {
			line[name] = cells[i]
		}
		for _, o := range e.change("report", line) {
			var written []string
			for _, name := range rows[0] {
				written = append(written, fmt.Sprint(o[name]))
			}
			err = file.Write(written)
		}
	}
	file.Flush()
	return out.Bytes(), err
}
