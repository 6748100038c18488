//go:build unix

package main

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"

	"golang.org/x/crypto/x509roots/fallback/bundle"
)

// trusted are Mozilla's certificates as a file, from a pinned module, so that an image does not depend on whose machine built
// it. Those are left out that are trusted for a part of what they sign only, which a file cannot say.
func trusted() ([]byte, error) {
	var file bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		if err := pem.Encode(&file, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, fmt.Errorf("write trusted certificates: %w", err)
		}
	}
	if file.Len() == 0 {
		return nil, errors.New("there are no trusted certificates")
	}
	return file.Bytes(), nil
}

// bill is a software bill of materials in CycloneDX's form.
type bill struct {
	Format      string      `json:"bomFormat"`
	SpecVersion string      `json:"specVersion"`
	Version     int         `json:"version"`
	Metadata    metadata    `json:"metadata"`
	Components  []component `json:"components"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	PURL    string `json:"purl,omitempty"`
}

// writeParts writes which modules, in which versions, a program of Go was linked from. The linker knows.
func writeParts(program, to string, of release) error {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return fmt.Errorf("read what a program was built from: %w", err)
	}
	b := bill{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		Metadata:   metadata{component{Type: "application", Name: path.Base(program), Version: of.version}},
		Components: []component{{Type: "library", Name: "stdlib", Version: info.GoVersion, PURL: "pkg:golang/stdlib@" + info.GoVersion[len("go"):]}},
	}
	for _, module := range info.Deps {
		b.Components = append(b.Components, partOf(module, of))
	}
	text, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return fmt.Errorf("write parts of %s: %w", program, err)
	}
	if err := os.WriteFile(to, append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write parts of %s: %w", program, err)
	}
	return nil
}

// partOf is a module; those of the checkout have the version of the release.
func partOf(module *debug.Module, of release) component {
	for module.Replace != nil && module.Replace.Version != "" {
		module = module.Replace
	}
	version := module.Version
	if version == "(devel)" || version == "v0.0.0" {
		version = of.version
	}
	return component{Type: "library", Name: module.Path, Version: version, PURL: "pkg:golang/" + module.Path + "@" + version}
}

// writeWebParts has npm write what the web app is built from.
func writeWebParts(ctx context.Context, root, to string) error {
	cmd := exec.CommandContext(ctx, "npm", "sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only") // our own words
	cmd.Dir = filepath.Join(root, "frontend")
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("npm sbom: %w", err)
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		return fmt.Errorf("write parts of the web app: %w", err)
	}
	return nil
}
