package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// demo is the part of the demo content that pledges need; scripts/demo/README.md describes the files.
type demo struct {
	people    map[string]person
	names     [][2]string
	addresses [][3]string
	campaigns []demoCampaign
}

type person struct {
	Key       string
	FirstName string `yaml:"first_name"`
	LastName  string `yaml:"last_name"`
	Email     string
	Password  string
}

type demoCampaign struct {
	Slug     string
	Stage    int
	Language string
	Rewards  []demoReward
	Pledges  demoPledges `yaml:"demo_pledges"`
	Support  demoSupport `yaml:"demo_support"`
}

type demoReward struct {
	Key        string
	Amount     int64
	AddedCosts []struct {
		Key    string
		Amount float64
	} `yaml:"added_costs"`
	Texts     map[string]struct{ Title string }
	Questions map[string][]string `yaml:"custom_questions"`
	Answers   [][]string          `yaml:"demo_answers"`
}

type demoPledges struct {
	Count          int
	AnonymousShare float64 `yaml:"anonymous_share"`
	Counts         []choice
	Latest         []struct {
		choice    `yaml:",inline"`
		Person    string
		Anonymous bool
	}
}

// demoSupport is of monthly supporters, all within counts.
type demoSupport struct {
	AnonymousShare float64 `yaml:"anonymous_share"`
	Counts         []choice
	Gone           int // have stopped at once, after their first month
	Ending         int // have stopped, and are paid for until the next one
	Paused         int
	Latest         []struct {
		choice `yaml:",inline"`
		Person string
	}
}

// choice is what one backer pays for.
type choice struct {
	Reward    string
	AddedCost string  `yaml:"added_cost"`
	Custom    float64 // euros
	Count     int
	OnItsWay  bool `yaml:"on_its_way"` // the bank confirms the payment only days later
}

func (c choice) same(other choice) bool {
	return c.Reward == other.Reward && c.AddedCost == other.AddedCost && c.Custom == other.Custom
}

func readDemo(dir string) (*demo, error) {
	var people struct {
		People []person
		Names  []struct{ Names [][2]string } `yaml:"backer_names"`
		Places [][3]string                   `yaml:"addresses"`
	}
	if err := readYAML(filepath.Join(dir, "people.yaml"), &people); err != nil {
		return nil, err
	}
	d := &demo{people: map[string]person{}, addresses: people.Places}
	for _, p := range people.People {
		d.people[p.Key] = p
	}
	for _, group := range people.Names {
		d.names = append(d.names, group.Names...)
	}
	files, err := filepath.Glob(filepath.Join(dir, "campaigns", "*.yaml"))
	if err != nil || len(files) == 0 || len(d.names) == 0 || len(d.addresses) == 0 {
		return nil, errors.Join(fmt.Errorf("no demo content in %q", dir), err)
	}
	for _, file := range files {
		var c demoCampaign
		if err := readYAML(file, &c); err != nil {
			return nil, err
		}
		d.campaigns = append(d.campaigns, c)
	}
	return d, nil
}

func readYAML(file string, into any) error {
	text, err := os.ReadFile(file) //nolint:gosec // a path of the repository
	if err != nil {
		return fmt.Errorf("read demo content: %w", err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// planned is one pledge to be made, or monthly support to be begun.
type planned struct {
	key                        string // unique, and the same in each run
	rewardID                   *int64
	addedCost                  *int
	euros                      string // exact, two decimals
	email, firstName, lastName string
	signIn                     *person // nil: without an account
	anonymous, onItsWay        bool
	isMonthly                  bool
	then                       afterwards
	address                    *[3]string
	answers                    map[string]string
	language, visitorIP        string
}

// afterwards is what a supporter does once the first month is paid.
type afterwards string

const (
	goesOn afterwards = ""
	stops  afterwards = "stops at once"
	ends   afterwards = "stops when what is paid has run out"
	pauses afterwards = "pauses"
)

// plan lists a campaign's pledges, or its supporters, the same ones in each run.
func (d *demo) plan(c demoCampaign, rewardIDs map[string]int64) ([]planned, error) {
	if len(c.Support.Counts) > 0 {
		return d.planSupport(c, rewardIDs)
	}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(c.Slug))
	random := rand.New(rand.NewPCG(seed.Sum64(), 1)) //nolint:gosec // a demo has to be repeatable, not secret
	var all []choice
	for _, entry := range c.Pledges.Counts {
		for range entry.Count {
			all = append(all, entry)
		}
	}
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, late := range c.Pledges.Latest { // they are among the counts, and come last
		for i := range all {
			if all[i].same(late.choice) {
				all = append(all[:i], all[i+1:]...)
				break
			}
		}
	}
	plan := make([]planned, 0, c.Pledges.Count)
	for _, what := range all {
		name := d.names[random.IntN(len(d.names))]
		p, err := d.fill(c, what, name[0], name[1], rewardIDs, random)
		if err != nil {
			return nil, err
		}
		p.anonymous = random.Float64() < c.Pledges.AnonymousShare
		p.email = fmt.Sprintf("%s.%s%d@posti.example", plainLetters(name[0]), plainLetters(name[1]), random.IntN(90)+10)
		plan = append(plan, p)
	}
	for _, late := range c.Pledges.Latest {
		who, ok := d.people[late.Person]
		if !ok {
			return nil, fmt.Errorf("no person %q", late.Person)
		}
		p, err := d.fill(c, late.choice, who.FirstName, who.LastName, rewardIDs, random)
		if err != nil {
			return nil, err
		}
		p.anonymous, p.email, p.signIn = late.Anonymous, who.Email, &who
		plan = append(plan, p)
	}
	return keyed(plan, c), nil
}

// planSupport lists a campaign's monthly supporters, the same ones in each run: those without an account, in no order, then
// the latest.
func (d *demo) planSupport(c demoCampaign, rewardIDs map[string]int64) ([]planned, error) {
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(c.Slug))
	random := rand.New(rand.NewPCG(seed.Sum64(), 2)) //nolint:gosec // as in plan
	all := c.Support.Counts
	var plan []planned
	for _, late := range c.Support.Latest { // they are among the counts
		all = slices.Clone(all)
		for i := range all {
			if all[i].same(late.choice) {
				all[i].Count--
			}
		}
	}
	for _, entry := range all {
		for range entry.Count {
			name := d.names[random.IntN(len(d.names))]
			p, err := d.fill(c, entry, name[0], name[1], rewardIDs, random)
			if err != nil {
				return nil, err
			}
			p.isMonthly, p.anonymous = true, random.Float64() < c.Support.AnonymousShare
			p.email = fmt.Sprintf("%s.%s%d@posti.example", plainLetters(name[0]), plainLetters(name[1]), random.IntN(900)+100)
			plan = append(plan, p)
		}
	}
	leaving := random.Perm(len(plan))
	for n, then := range slices.Concat(slices.Repeat([]afterwards{stops}, c.Support.Gone),
		slices.Repeat([]afterwards{ends}, c.Support.Ending), slices.Repeat([]afterwards{pauses}, c.Support.Paused)) {
		plan[leaving[n]].then = then
	}
	for _, late := range c.Support.Latest {
		who, ok := d.people[late.Person]
		if !ok {
			return nil, fmt.Errorf("no person %q", late.Person)
		}
		p, err := d.fill(c, late.choice, who.FirstName, who.LastName, rewardIDs, random)
		if err != nil {
			return nil, err
		}
		p.isMonthly, p.email, p.signIn = true, who.Email, &who
		plan = append(plan, p)
	}
	return keyed(plan, c), nil
}

// keyed gives each its key.
func keyed(plan []planned, c demoCampaign) []planned {
	for n := range plan {
		plan[n].key = fmt.Sprintf("demo-%s-%d", c.Slug, n)
	}
	return plan
}

func (d *demo) fill(c demoCampaign, what choice, first, last string, rewardIDs map[string]int64, random *rand.Rand) (
	planned, error) {
	p := planned{firstName: first, lastName: last, language: c.Language, onItsWay: what.OnItsWay,
		euros: fmt.Sprintf("%.2f", what.Custom),
		// Documentation addresses (RFC 5737), so that rate limits apply to each visitor separately.
		visitorIP: fmt.Sprintf("198.51.100.%d", random.IntN(254)+1)}
	if what.Reward == "" {
		return p, nil
	}
	for _, r := range c.Rewards {
		if r.Key != what.Reward {
			continue
		}
		id, ok := rewardIDs[r.Texts[c.Language].Title]
		if !ok {
			return p, fmt.Errorf("reward %q is not on the platform", r.Key)
		}
		sum := float64(r.Amount)
		p.rewardID = &id
		for i, cost := range r.AddedCosts {
			if cost.Key == what.AddedCost || (what.AddedCost == "" && cost.Amount == 0) {
				p.addedCost, sum = &i, sum+cost.Amount
			}
		}
		p.euros = fmt.Sprintf("%.2f", sum)
		p.answers = map[string]string{}
		for i, question := range r.Questions[c.Language] {
			if question == "ask_for_address" {
				p.address = &d.addresses[random.IntN(len(d.addresses))]
			} else if i < len(r.Answers) && len(r.Answers[i]) > 0 {
				answer := r.Answers[i][random.IntN(len(r.Answers[i]))]
				p.answers[fmt.Sprintf("custom_question_%d", i+1)] = strings.ReplaceAll(answer, "{name}", first)
			}
		}
		return p, nil
	}
	return p, fmt.Errorf("no reward %q", what.Reward)
}

// plainLetters makes the local part of an address from a name.
func plainLetters(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r
		}
		if plain, ok := map[rune]rune{'ä': 'a', 'å': 'a', 'ö': 'o', 'é': 'e', 'á': 'a', 'š': 's', 'č': 'c', 'ž': 'z'}[r]; ok {
			return plain
		}
		return -1
	}, strings.ToLower(name))
}
