package review

import (
	"slices"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/zone"
)

var noon = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// ready is a one-off draft that lacks nothing, in its only language.
func ready() facts {
	return facts{Stage: campaigns.StageDraft, OpensAs: campaigns.StageFunding, Review: campaigns.ReviewNone,
		Language: "fi", Picture: "kansi.jpg",
		ProjectPicAlt: "Katto", HasGoal: true, FirstDay: "2026-11-28", LastDay: "2026-12-31", ContactEmail: "a@b.fi",
		LegalCreator:     "Kylä ry",
		LegalCreatorType: "association", Title: "Katto", Tagline: "Uusi", StoryLength: minStory, Rewards: 1, HasAccount: true}
}

// missing lists the items that are not done.
func missing(list []Item) (keys []string) {
	for _, item := range list {
		if !item.Done {
			keys = append(keys, item.Key)
		}
	}
	return keys
}

func TestChecklist_NamesWhatIsMissing(t *testing.T) {
	helsinki, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	asked := noon
	for name, c := range map[string]struct {
		change func(*facts)
		want   []string
	}{
		"nothing": {func(*facts) {}, nil},
		"an empty draft": {func(f *facts) { *f = facts{OpensAs: 2} }, []string{"title", "tagline", "story",
			"cover", "goal", "dates", "offer", "contact", "legal_creator", "payment_account"}},
		"a story one character short": {func(f *facts) { f.StoryLength-- }, []string{"story"}},
		"a cover that is only drawn":  {func(f *facts) { f.Picture = "scene-katto.svg" }, []string{"cover"}},
		"a first day that is over":    {func(f *facts) { f.FirstDay = "2026-11-19" }, []string{"dates"}},
		"a first day that is today":   {func(f *facts) { f.FirstDay = "2026-11-20" }, nil},
		"a last day before the first": {func(f *facts) { f.LastDay = "2026-11-27" }, []string{"dates"}},
		"one day":                     {func(f *facts) { f.LastDay = f.FirstDay }, nil},
		"60 days":                     {func(f *facts) { f.LastDay = "2027-01-26" }, nil},
		"61 days":                     {func(f *facts) { f.LastDay = "2027-01-27" }, []string{"dates"}},
		"no last day":                 {func(f *facts) { f.LastDay = "" }, []string{"dates"}},
		"the first day came while it was read": {func(f *facts) {
			f.Review, f.FirstDay, asked = campaigns.ReviewRequested, "2026-11-18", noon.AddDate(0, 0, -2)
		}, nil},
		"the last day came while it was read": {func(f *facts) {
			f.Review, f.FirstDay, f.LastDay, asked = campaigns.ReviewRequested, "2026-11-18", "2026-11-19", noon.AddDate(0,
				0, -2)
		}, []string{"dates"}},
		"days that have passed since it opened": {
			func(f *facts) { f.Stage, f.FirstDay, f.LastDay = 3, "2026-10-01", "2026-10-30" }, nil},
		"no reward": {func(f *facts) { f.Rewards = 0 }, []string{"offer"}},
		"a monthly goal does not help a one-off": {func(f *facts) { f.Rewards, f.HasGoal, f.Goals = 0, false, 2 },
			[]string{"goal", "offer"}},
		"monthly: a sum is no goal": {func(f *facts) { f.OpensAs = campaigns.StageRecurring }, []string{"goal"}},
		"monthly: a goal is goal and offer": {
			func(f *facts) { f.OpensAs, f.Goals, f.Rewards, f.HasGoal = campaigns.StageRecurring, 1, 0, false }, nil},
		"monthly: needs no days": {
			func(f *facts) { f.OpensAs, f.Goals, f.FirstDay, f.LastDay = campaigns.StageRecurring, 1, "", "" }, nil},
		"monthly: but no first day that is over": {
			func(f *facts) { f.OpensAs, f.Goals, f.FirstDay = campaigns.StageRecurring, 1, "2026-11-19" }, []string{"dates"}},
		"a legal creator of no type":      {func(f *facts) { f.LegalCreatorType = "" }, []string{"legal_creator"}},
		"a cover without a description":   {func(f *facts) { f.ProjectPicAlt = "" }, []string{"alt_texts"}},
		"a picture without a description": {func(f *facts) { f.Pictures, f.PicturesDescribed = 2, 1 }, []string{"alt_texts"}},
		"a drawn cover needs none": {func(f *facts) { f.Picture, f.ProjectPicAlt = "scene-katto.svg", "" },
			[]string{"cover"}},
		"a language that was begun": {func(f *facts) { f.Begun, f.Missing, f.MissingLanguage = 2, 1, "sv" },
			[]string{"translations"}},
		"no account to be paid out to": {func(f *facts) { f.HasAccount = false }, []string{"payment_account"}},
	} {
		asked = noon
		f := ready()
		c.change(&f)
		f.AskedAt = &asked
		if got := missing(f.checklist(noon, helsinki)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q missing, want %q", name, got, c.want)
		}
	}
}

func TestChecklist_AdviceKeepsNobodyFromAsking(t *testing.T) {
	f := ready()
	f.HasAccount, f.ProjectPicAlt, f.Begun, f.Late, f.LateLanguage, f.LateSeconds =
		false, "", 1, 1, "sv", (50 * time.Hour).Seconds()
	list := f.checklist(noon, time.UTC)
	if err := notReady(list); err != nil || len(missing(list)) != 3 {
		t.Errorf("%v with %q missing", err, missing(list))
	}
	for _, item := range list {
		if item.Key == "translations" && (item.Language != "sv" || item.BehindDays != 2 || item.Have != 0 || item.Of != 1) {
			t.Errorf("%+v", item)
		}
		if item.Key == "alt_texts" && (item.Have != 0 || item.Of != 1) {
			t.Errorf("%+v", item)
		}
	}
	f.Title, f.ContactEmail = "", ""
	refused := apperr.From(notReady(f.checklist(noon, time.UTC)))
	if refused.Status != apperr.NotReady || len(refused.Fields) != 2 || refused.Fields[0].Path != "title" ||
		refused.Fields[1].Path != "contact" {
		t.Errorf("%+v", refused)
	}
}

// Every event in every state of a draft, of an approved campaign, and of one that has opened.
func TestMoves_AreThoseOfTheTable(t *testing.T) {
	states := []campaigns.ReviewState{campaigns.ReviewNone, campaigns.ReviewRequested, campaigns.ReviewApproved,
		campaigns.ReviewChangesRequested}
	want := map[Event][3]string{ // the state after each of states; - is refused
		Requested:        {"requested - - requested", "- - - -", "- - - -"},
		Withdrawn:        {"- none - -", "- - - -", "- - - -"},
		Approved:         {"- approved - -", "- approved - -", "- - - -"},
		ChangesRequested: {"- changes_requested - -", "- changes_requested changes_requested -", "- - - -"},
	}
	for event, rows := range want {
		for i, stage := range []campaigns.Stage{campaigns.StageDraft, campaigns.StagePreparing, campaigns.StageFunding} {
			got := ""
			for _, state := range states {
				if to, err := event.next(stage, state); err == nil {
					got += " " + string(to)
				} else {
					got += " -"
				}
			}
			if got[1:] != rows[i] {
				t.Errorf("%s in stage %d: %s, want %s", event, stage, got[1:], rows[i])
			}
		}
	}
}
