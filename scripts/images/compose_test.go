//go:build unix

package main

import (
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

type composeFile struct {
	Services map[string]struct {
		Image       string   `yaml:"image"`
		ReadOnly    bool     `yaml:"read_only"`
		CapDrop     []string `yaml:"cap_drop"`
		SecurityOpt []string `yaml:"security_opt"`
		MemLimit    string   `yaml:"mem_limit"`
		Ports       []string `yaml:"ports"`
		Secrets     []string `yaml:"secrets"`
	} `yaml:"services"`
	Secrets map[string]struct {
		File string `yaml:"file"`
	} `yaml:"secrets"`
}

func readCompose(t *testing.T, name string) composeFile {
	t.Helper()
	text, err := os.ReadFile(path.Join("../../deploy/compose", name))
	if err != nil {
		t.Fatal(err)
	}
	var file composeFile
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCompose_BoundsEveryContainerAndOpensTheEdgeAlone(t *testing.T) {
	for file, open := range map[string]string{"compose.yaml": "edge", "sandbox.yaml": "sandbox"} {
		found := readCompose(t, file)
		if len(found.Services) == 0 {
			t.Errorf("%s has no services", file)
		}
		for name, s := range found.Services {
			if s.Image == "" { // only more variables for one of compose.yaml
				continue
			}
			if !s.ReadOnly || !slices.Equal(s.CapDrop, []string{"ALL"}) || !slices.Contains(s.SecurityOpt, "no-new-privileges:true") || s.MemLimit == "" {
				t.Errorf("%s: %s can do more than it needs: %+v", file, name, s)
			}
			if len(s.Ports) > 0 != (name == open) {
				t.Errorf("%s: %s has ports %v", file, name, s.Ports)
			}
		}
	}
}

func TestCompose_NamesSecretsThatUpMakes(t *testing.T) {
	up, err := os.ReadFile("../../deploy/compose/up.sh")
	if err != nil {
		t.Fatal(err)
	}
	words := strings.FieldsFunc(string(up), func(r rune) bool { return strings.ContainsRune(" \n\t;", r) })
	file := readCompose(t, "compose.yaml")
	for name, secret := range file.Secrets {
		if secret.File != "secrets/"+name || !slices.Contains(words, name) {
			t.Errorf("nobody makes %s (%s)", name, secret.File)
		}
	}
	for name, s := range file.Services {
		for _, secret := range s.Secrets {
			if _, there := file.Secrets[secret]; !there {
				t.Errorf("%s wants the secret %s, which is not there", name, secret)
			}
		}
	}
}
