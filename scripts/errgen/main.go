// Command errgen turns the error catalogue into code: the typed constants and the table of services/kit/apperr, and
// the texts that the web app shows. The catalogue (proto-docs/errors.yaml) is the only source; the same catalogue
// always gives the same bytes, so CI finds stale output with git diff. It refuses a catalogue with a missing text, a
// wrong HTTP status or two keys that would get one name, and reports all faults at once.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	in := flag.String("in", "proto-docs/errors.yaml", "the error catalogue")
	goOut := flag.String("go", "services/kit/apperr/codes.gen.go", "where the Go constants go")
	jsonOut := flag.String("json", "frontend/src/api/errors.generated.json", "where the web app's texts go")
	flag.Parse()
	if err := run(*in, *goOut, *jsonOut); err != nil {
		fmt.Fprintln(os.Stderr, "errgen:", err)
		os.Exit(1)
	}
}

func run(in, goOut, jsonOut string) error {
	source, err := os.ReadFile(in)
	if err != nil {
		return fmt.Errorf("read the catalogue: %w", err)
	}
	catalogue, err := parse(source)
	if err != nil {
		return fmt.Errorf("%s: %w", in, err)
	}
	code, err := renderGo(catalogue)
	if err != nil {
		return fmt.Errorf("render Go: %w", err)
	}
	texts, err := renderJSON(catalogue)
	if err != nil {
		return fmt.Errorf("render JSON: %w", err)
	}
	if err := write(goOut, code); err != nil {
		return err
	}
	return write(jsonOut, texts)
}

func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // source folders are world-readable
		return fmt.Errorf("make the folder of %s: %w", path, err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil { //nolint:gosec // source files are world-readable
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
