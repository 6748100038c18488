package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// shipped is one package that a program or the web app has in it.
type shipped struct {
	name, version string
	licences      []string
	in            []string // content, payments, edge, web
	text          string   // of its licences; empty where it is not installed
}

// programs are what is shipped, by name: the folder that it is built in, its package, and whether it has a module graph of its own.
func programs() map[string]program {
	return map[string]program{
		"content":  {"services/content", "./cmd/content", false},
		"payments": {"services/payments", "./cmd/payments", false},
		"edge":     {"deploy/edge", ".", true},
	}
}

type program struct {
	dir, pkg string
	isAlone  bool
}

// goPackages are the modules that a program is linked from, as it is built for an installation.
func goPackages(ctx context.Context, root, name string, p program) (list []shipped, err error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-tags", "cloud", "-f", //nolint:gosec // our own words
		"{{with .Module}}{{if .Version}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}", p.pkg)
	cmd.Dir, cmd.Stderr = filepath.Join(root, p.dir), os.Stderr
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	if p.isAlone {
		cmd.Env = append(cmd.Env, "GOWORK=off")
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules of %s: %w", name, err)
	}
	lines := strings.Fields(string(out))
	if len(lines)%3 != 0 || len(lines) == 0 {
		return nil, fmt.Errorf("list the modules of %s: unexpected answer", name)
	}
	seen := map[string]bool{}
	for l := range slices.Chunk(lines, 3) {
		if seen[l[0]] {
			continue
		}
		seen[l[0]] = true
		one := shipped{name: l[0], version: l[1], in: []string{name}}
		if one.licences, one.text, err = ofFolder(l[2]); err != nil {
			return nil, fmt.Errorf("%s: %w", l[0], err)
		}
		if file := within()[one.name]; file != "" {
			text, err := os.ReadFile(filepath.Join(l[2], file))
			if err != nil {
				return nil, fmt.Errorf("%s: read the licence of what is in it: %w", l[0], err)
			}
			one.text += string(text) + "\n"
		}
		list = append(list, one)
	}
	return list, nil
}

// within are the licences of what a module has in it from somebody else, whose text goes along: the Go typefaces, by Bigelow & Holmes.
func within() map[string]string {
	return map[string]string{"golang.org/x/image": "font/gofont/ttfs/README"}
}

// buildsOnly are dependencies of the web app that build it and are not in it. Whatever is not named here counts as shipped.
func buildsOnly() []string {
	return []string{"@swc/core", "css-loader", "css-minimizer-webpack-plugin", "html-webpack-plugin", "lightningcss", "mini-css-extract-plugin",
		"swc-loader", "terser-webpack-plugin", "webpack", "webpack-cli"}
}

// lock is what we read of a package-lock.json.
type lock struct {
	Packages map[string]lockPackage
}

type lockPackage struct {
	Version, License     string
	Dependencies         map[string]string
	PeerDependencies     map[string]string
	PeerDependenciesMeta map[string]struct{ Optional bool }
}

// npmPackages are the packages that the web app consists of, by its lock file.
func npmPackages(lockFile string) ([]shipped, error) {
	text, err := os.ReadFile(lockFile)
	if err != nil {
		return nil, fmt.Errorf("read the web app's packages: %w", err)
	}
	var l lock
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, fmt.Errorf("read the web app's packages: %w", err)
	}
	reached := map[string]bool{}
	var faults []error
	var reach func(from string)
	reach = func(from string) {
		p := l.Packages[from]
		needs := maps.Clone(p.Dependencies)
		if needs == nil {
			needs = map[string]string{}
		}
		for name := range p.PeerDependencies {
			if !p.PeerDependenciesMeta[name].Optional {
				needs[name] = ""
			}
		}
		for name := range needs {
			if from == "" && slices.Contains(buildsOnly(), name) {
				continue
			}
			at, found := l.find(from, name)
			if !found {
				faults = append(faults, fmt.Errorf("%s needs %s, which the lock file does not have", from, name))
			} else if !reached[at] {
				reached[at] = true
				reach(at)
			}
		}
	}
	reach("")
	var list []shipped
	for _, at := range slices.Sorted(maps.Keys(reached)) {
		p := l.Packages[at]
		name := at[strings.LastIndex(at, "node_modules/")+len("node_modules/"):]
		one := shipped{name: name, version: p.Version, licences: spdx(p.License), in: []string{"web"}}
		dir := filepath.Join(filepath.Dir(lockFile), at)
		if _, err := os.Stat(dir); err == nil {
			if _, one.text, err = ofFolder(dir); err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
		}
		list = append(list, one)
	}
	return list, errors.Join(faults...)
}

// find is where Node finds a package that another one needs: beside it, or further up.
func (l lock) find(from, name string) (at string, found bool) {
	for dir := from; ; {
		at = path.Join(dir, "node_modules", name)
		if _, found = l.Packages[at]; found || dir == "" {
			return at, found
		}
		i := strings.LastIndex(dir, "node_modules/")
		if dir = strings.TrimSuffix(dir[:max(i, 0)], "/"); i < 0 {
			dir = ""
		}
	}
}

// spdx are the licences of an expression. Of alternatives the first allowed one is taken.
func spdx(expression string) []string {
	expression = strings.Trim(expression, "()")
	if expression == "" {
		return nil
	}
	if choice := strings.Split(expression, " OR "); len(choice) > 1 {
		for _, one := range choice {
			if slices.Contains(allowed(), one) {
				return []string{one}
			}
		}
		return choice
	}
	list := strings.Split(expression, " AND ")
	slices.Sort(list)
	return list
}
