package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// listFile has every package that ships, with its licence.
const listFile = "deploy/licences/packages.md"

// edgeSum is what the edge's modules follow from; its list is made anew when it changes.
const edgeSum = "deploy/edge/go.sum"

// everything is all that ships, by name and version.
func everything(ctx context.Context, root string) ([]shipped, error) {
	all := map[string]shipped{}
	add := func(list []shipped) {
		for _, one := range list {
			key := one.name + " " + one.version
			if before, is := all[key]; is {
				one.in = append(before.in, one.in...)
			}
			all[key] = one
		}
	}
	for _, name := range slices.Sorted(maps.Keys(programs())) {
		list, err := goPackages(ctx, root, name, programs()[name])
		if err != nil {
			return nil, err
		}
		add(list)
	}
	list, err := npmPackages(filepath.Join(root, "frontend", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	add(list)
	sorted := slices.Collect(maps.Values(all))
	slices.SortFunc(sorted, func(a, b shipped) int { return strings.Compare(a.name+" "+a.version, b.name+" "+b.version) })
	return sorted, nil
}

// refuse says which packages are under a licence that is neither allowed nor accepted for them.
func refuse(list []shipped) error {
	var faults []error
	for _, one := range list {
		if len(one.licences) == 0 {
			faults = append(faults, fmt.Errorf("%s %s has no licence that we know", one.name, one.version))
		}
		for _, licence := range one.licences {
			if _, is := accepted()[one.name+" "+licence]; !is && !slices.Contains(allowed(), licence) {
				faults = append(faults, fmt.Errorf("%s %s (in %s) is under %s, which is not among %s", one.name, one.version, strings.Join(one.in, ", "), licence,
					strings.Join(allowed(), ", ")))
			}
		}
	}
	return errors.Join(faults...)
}

// listOf is the list as it is kept.
func listOf(root string, list []shipped) ([]byte, error) {
	sum, err := edgeHash(root)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "# What ships, and under which licence\n\nMade by `make supply`. Programs are linked for Linux with the tag `cloud`. "+
		"`%s` has the SHA-256 %s.\n\n", edgeSum, sum)
	fmt.Fprintf(&out, "%d packages.\n\n| package | version | licence | in |\n| --- | --- | --- | --- |\n", len(list))
	for _, one := range list {
		licence := strings.Join(one.licences, " and ")
		if reason, is := accepted()[one.name+" "+licence]; is {
			licence += ": " + reason
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s |\n", one.name, one.version, licence, strings.Join(one.in, ", "))
	}
	return out.Bytes(), nil
}

func edgeHash(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, edgeSum))
	if err != nil {
		return "", fmt.Errorf("read the edge's modules: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(text)), nil
}

// writeLicences makes the list anew, and in bin/ the texts that go with copies of the programs.
func writeLicences(ctx context.Context, root string) error {
	list, err := everything(ctx, root)
	if err != nil {
		return err
	}
	if err := refuse(list); err != nil {
		return err
	}
	text, err := listOf(root, list)
	if err != nil {
		return err
	}
	file := filepath.Join(root, listFile)
	before, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the list of licences: %w", err)
	}
	texts := filepath.Join(root, "bin", "licence-texts.txt")
	err = errors.Join(os.MkdirAll(filepath.Dir(texts), 0o750), os.MkdirAll(filepath.Dir(file), 0o755), //nolint:gosec // of the checkout
		os.WriteFile(texts, textsOf(list), 0o644), os.WriteFile(file, text, 0o644)) //nolint:gosec // for everybody to read
	if err != nil {
		return fmt.Errorf("write the licences: %w", err)
	}
	if !bytes.Equal(before, text) {
		fmt.Printf("licences: %s was stale and is made anew; look at it and commit it\n", listFile)
	}
	fmt.Printf("licences: %d packages ship, all under licences of the list; their texts are in bin/licence-texts.txt\n", len(list))
	return nil
}

// textsOf are the texts of all licences, each with the packages that have it.
func textsOf(list []shipped) []byte {
	by := map[string][]string{}
	for _, one := range list {
		if one.text != "" {
			by[one.text] = append(by[one.text], one.name+" "+one.version)
		}
	}
	texts := slices.SortedFunc(maps.Keys(by), func(a, b string) int { return strings.Compare(by[a][0], by[b][0]) })
	var out bytes.Buffer
	for _, text := range texts {
		fmt.Fprintf(&out, "%s\n\n%s\n%s\n", strings.Join(by[text], "\n"), text, strings.Repeat("-", 80))
	}
	return out.Bytes()
}
