// Package demo_test checks the demo content for what its readers rely on.
package demo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"
)

var languages = []string{"fi", "en", "sv"}

type texts map[string]any // by language

type campaign struct {
	Slug    string
	Texts   texts
	Rewards []struct {
		Key        string
		Texts      texts
		Questions  texts `yaml:"custom_questions"`
		AddedCosts []struct {
			Key         string
			Description texts
		} `yaml:"added_costs"`
	}
	Goals []struct {
		Target             int
		Title, Description texts
	} `yaml:"subscriptions_goals"`
	Posts []post
}

type post struct {
	Title, Language, Status string
	Texts                   texts // in the other languages
}

type experiment struct {
	Key   string
	Texts texts
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

// lacks names the texts of a campaign that a reader of some language does not find in it.
func (c campaign) lacks() (missing []string) {
	look := func(what string, in texts) {
		for _, language := range languages {
			if _, there := in[language]; !there && len(in) > 0 {
				missing = append(missing, what+" in "+language)
			}
		}
	}
	look("texts", c.Texts)
	for _, r := range c.Rewards {
		look("reward "+r.Key, r.Texts)
		look("questions of "+r.Key, r.Questions)
		for _, cost := range r.AddedCosts {
			look("added cost "+cost.Key+" of "+r.Key, cost.Description)
		}
	}
	for _, g := range c.Goals {
		look(fmt.Sprint("goal ", g.Target), g.Title)
		look(fmt.Sprint("description of goal ", g.Target), g.Description)
	}
	for _, p := range c.Posts {
		if p.Status != "published" {
			continue // nobody reads a draft
		}
		all := texts{p.Language: p.Title}
		for language, text := range p.Texts {
			all[language] = text
		}
		look("post "+p.Title, all)
	}
	return missing
}

// A text in another language than the page's is marked, and rare: what a reader meets is in their own.
func TestCampaigns_AreInAllLanguagesButForThree(t *testing.T) {
	onPurpose := []string{"savon-sanakirja-lapsille", "sommarbio-pa-hango-udd", "turn-it-over-the-puhos-tape"}
	files, err := filepath.Glob("campaigns/*.yaml")
	if err != nil || len(files) < 30 {
		t.Fatalf("%d campaigns, %v", len(files), err)
	}
	for _, file := range files {
		var c campaign
		read(t, file, &c)
		missing := c.lacks()
		switch {
		case slices.Contains(onPurpose, c.Slug) && len(c.Texts) == len(languages):
			t.Errorf("%s is to show how a text in another language is marked, and has all languages", c.Slug)
		case !slices.Contains(onPurpose, c.Slug) && len(missing) > 0:
			t.Errorf("%s lacks %q", c.Slug, missing)
		}
	}
}

func TestExperiments_AreInAllLanguagesButForOne(t *testing.T) {
	const onPurpose = "cykelbuss"
	var content struct{ Experiments []experiment }
	read(t, "experiments.yaml", &content)
	if len(content.Experiments) < 10 {
		t.Fatalf("%d experiments", len(content.Experiments))
	}
	for _, e := range content.Experiments {
		if whole := len(e.Texts) == len(languages); whole == (e.Key == onPurpose) {
			t.Errorf("%s is in %d languages", e.Key, len(e.Texts))
		}
	}
}
