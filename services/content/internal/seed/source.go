package seed

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/withdrawal"
	"talkoot.fi/content/internal/writing/richtext"
)

// demo is the content of the files that the content service needs.
type demo struct {
	people      []person
	tags        []labelled
	campaigns   []campaign // by first funding day
	experiments []experiment
}

type person struct {
	Key              string   `yaml:"key"`
	FirstName        string   `yaml:"first_name"`
	LastName         string   `yaml:"last_name"`
	Email            string   `yaml:"email"`
	Password         string   `yaml:"password"`
	Scope            []string `yaml:"scope"`
	Language         string   `yaml:"language"`
	ShortDescription string   `yaml:"short_description"`
	Avatar           string   `yaml:"avatar"`
	Skills           []string `yaml:"skills"`
	Tags             []string `yaml:"tags"`
	Links            []link   `yaml:"links"`
	Verified         bool     `yaml:"verified"`
	TOTPSecret       string   `yaml:"totp_secret"` // base32; everybody knows it, as they do the password
}

type link struct {
	URL   string `yaml:"url"`
	Title string `yaml:"title"`
}

type labelled struct {
	Key   string            `yaml:"key"`
	Label map[string]string `yaml:"label"`
}

type campaign struct {
	Slug         string          `yaml:"slug"`
	Stage        campaigns.Stage `yaml:"stage"` // after Finish
	Owner        string          `yaml:"owner"`
	Team         []string        `yaml:"team"`
	LegalCreator struct {
		Type string `yaml:"type"`
		Name string `yaml:"name"`
	} `yaml:"legal_creator"`
	Category          string                  `yaml:"category"`
	Categories        []string                `yaml:"categories"`
	Tags              []string                `yaml:"tags"`
	Language          string                  `yaml:"language"`
	Place             string                  `yaml:"place"`
	MinGoal           int64                   `yaml:"min_goal"`
	TargetGoal        int64                   `yaml:"target_goal"`
	FundingRule       campaigns.FundingRule   `yaml:"funding_rule"`
	FundingStartDays  int                     `yaml:"funding_start_days"`
	DeadlineDays      *int                    `yaml:"deadline_days"`
	Cover             string                  `yaml:"cover"`
	VideoURL          string                  `yaml:"video_url"`
	ContactEmail      string                  `yaml:"contact_email"`
	HideFundingAmount bool                    `yaml:"hide_funding_amount"`
	HideMemberCount   bool                    `yaml:"hide_member_count"`
	Texts             map[string]campaignText `yaml:"texts"`
	Rewards           []reward                `yaml:"rewards"`
	Goals             []goal                  `yaml:"subscriptions_goals"`
	Posts             []post                  `yaml:"posts"`
	Likes             int                     `yaml:"likes"`
	Review            *reviewed               `yaml:"review"` // of a draft, or of one that was approved
}

// reviewed is how far the review of a campaign has come.
type reviewed struct {
	AskedDaysAgo int    `yaml:"asked_days_ago"`
	By           string `yaml:"by"`       // who decides, a day after it was asked for
	Decision     string `yaml:"decision"` // approve, ask_for_changes; none while it waits
	Notes        []struct {
		Part   string `yaml:"part"`
		Text   string `yaml:"text"`
		Quote  string `yaml:"quote"`
		Mended bool   `yaml:"mended"`
	} `yaml:"notes"`
}

type campaignText struct {
	Title            string           `yaml:"title"`
	Tagline          string           `yaml:"tagline"`
	ShortDescription string           `yaml:"short_description"`
	AboutCreator     string           `yaml:"about_creator"`
	Story            []richtext.Block `yaml:"story"`
}

type reward struct {
	Amount     int64                                          `yaml:"amount"`
	Kind       withdrawal.Kind                                `yaml:"kind"` // goods unless it says another
	Stock      int                                            `yaml:"stock"`
	VAT        string                                         `yaml:"vat_percentage"`
	Active     bool                                           `yaml:"active"`
	Delivery   string                                         `yaml:"delivery"`
	Image      string                                         `yaml:"image"`
	Texts      map[string]struct{ Title, Description string } `yaml:"texts"`
	AddedCosts []struct {
		Amount         string            `yaml:"amount"`
		Description    map[string]string `yaml:"description"`
		WithoutAddress bool              `yaml:"without_address"`
	} `yaml:"added_costs"`
	Questions map[string][]string `yaml:"custom_questions"`
}

type goal struct {
	Target      int               `yaml:"target"`
	Title       map[string]string `yaml:"title"`
	Description map[string]string `yaml:"description"`
}

type post struct {
	DaysAgo  int                 `yaml:"days_ago"`
	Language string              `yaml:"language"`
	Status   string              `yaml:"status"`
	Level    int                 `yaml:"level"`
	postText `yaml:",inline"`    // in its own language
	Texts    map[string]postText `yaml:"texts"` // in the others
}

type postText struct {
	Title  string           `yaml:"title"`
	Intro  string           `yaml:"intro"`
	Blocks []richtext.Block `yaml:"blocks"`
}

type experiment struct {
	Key   string `yaml:"key"`
	Stage int    `yaml:"stage"`
	Owner string `yaml:"owner"`
	Team  []struct {
		Person string `yaml:"person"`
	} `yaml:"team"`
	Language     string                    `yaml:"language"`
	Place        string                    `yaml:"place"`
	Tags         []string                  `yaml:"tags"`
	Scene        string                    `yaml:"scene"`
	StageDaysAgo []int                     `yaml:"stage_days_ago"`
	Texts        map[string]experimentText `yaml:"texts"`
	Funding      struct {
		Goal    int64 `yaml:"goal"`
		Sources struct {
			Crowd         int64  `yaml:"crowd"`
			Campaign      string `yaml:"campaign"` // a slug; in place of Crowd
			Organisations []struct {
				Name   map[string]string `yaml:"name"`
				Amount int64             `yaml:"amount"`
			} `yaml:"organisations"`
		} `yaml:"sources"`
	} `yaml:"funding"`
	Links  []link          `yaml:"links"`
	ShowIn map[string]bool `yaml:"show_in"`
	Likes  int             `yaml:"likes"`
}

type experimentText struct {
	Title            string           `yaml:"title"`
	ShortDescription string           `yaml:"short_description"`
	Description      []richtext.Block `yaml:"description"`
}

// read reads all files.
func read(dir *os.Root) (*demo, error) {
	var people struct {
		People []person `yaml:"people"`
	}
	var taxonomy struct {
		Tags []labelled `yaml:"tags"`
	}
	var experiments struct {
		Experiments []experiment `yaml:"experiments"`
	}
	err := errors.Join(readFile(dir, "people.yaml", &people), readFile(dir, "taxonomy.yaml", &taxonomy),
		readFile(dir, "experiments.yaml", &experiments))
	if err != nil {
		return nil, err
	}
	found, err := readCampaigns(dir)
	if err != nil {
		return nil, err
	}
	return &demo{people: people.People, tags: taxonomy.Tags, campaigns: found, experiments: experiments.Experiments}, nil
}

func readCampaigns(dir *os.Root) ([]campaign, error) {
	names, err := fs.Glob(dir.FS(), "campaigns/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("list campaigns: %w", err)
	}
	found := make([]campaign, len(names))
	for i, name := range names {
		if err := readFile(dir, name, &found[i]); err != nil {
			return nil, err
		}
		if want := found[i].Slug + ".yaml"; path.Base(name) != want {
			return nil, fmt.Errorf("%s has the slug of %s", name, want)
		}
	}
	slices.SortStableFunc(found, func(a, b campaign) int { return a.FundingStartDays - b.FundingStartDays })
	return found, nil
}

func readFile(dir *os.Root, name string, into any) error {
	text, err := dir.ReadFile(name)
	if err != nil {
		return fmt.Errorf("read the demo content: %w", err)
	}
	if err := yaml.Unmarshal(text, into); err != nil {
		return fmt.Errorf("read the demo content: %s: %w", name, err)
	}
	return nil
}
