package inproc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/pquerna/otp/totp"

	"talkoot.fi/content/inproc"
	"talkoot.fi/content/inproc/publicclient"
)

// stranger is somebody who has the contract and the address of the service, and nothing else: all calls go through a
// client that is generated from the contract.
type stranger struct {
	*publicclient.ClientWithResponses
	t     *testing.T
	token string
}

func newStranger(t *testing.T, address string) *stranger {
	t.Helper()
	s := &stranger{t: t}
	var err error
	s.ClientWithResponses, err = publicclient.NewClientWithResponses(address, publicclient.WithRequestEditorFn(
		func(_ context.Context, r *http.Request) error {
			if s.token != "" {
				r.Header.Set("Authorization", "Bearer "+s.token)
			}
			return nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// good is the body of a successful answer; any other answer fails the test at once.
func good[T any](t *testing.T, body *T, answer fmt.Stringer, err error) T {
	t.Helper()
	if err != nil || body == nil {
		t.Fatalf("%v, %v", answer, err)
	}
	return *body
}

// raw is an answer's body; failures print it as text.
type raw []byte

func (r raw) String() string { return string(r) }

const strangersPassword = "pitkä salasana"

func (s *stranger) register(firstName string) {
	s.t.Helper()
	a, err := s.RegisterWithResponse(s.t.Context(), publicclient.Registration{
		Email: firstName + "@example.com", FirstName: firstName, LastName: "Testinen", Password: strangersPassword,
	})
	s.token = good(s.t, a.JSON201, raw(a.Body), err).Token.String
}

func (s *stranger) confirm(mail string) {
	s.t.Helper()
	link := regexp.MustCompile(`/#token=([A-Z0-9]+)`).FindStringSubmatch(mail)
	if link == nil {
		s.t.Fatalf("no link in %q", mail)
	}
	a, err := s.ConfirmEmailWithResponse(s.t.Context(), publicclient.EmailLink{Token: link[1]})
	if err != nil || a.StatusCode() != http.StatusOK {
		s.t.Fatal(a, err)
	}
}

// useSecondStep sets up a code app, and signs in again with a second step, without which staff have no rights.
func (s *stranger) useSecondStep(email string, now time.Time) {
	s.t.Helper()
	password := strangersPassword
	confirmed, err := s.ConfirmIdentityWithResponse(s.t.Context(), publicclient.Confirmation{Password: &password})
	if err != nil || confirmed.StatusCode() != http.StatusNoContent {
		s.t.Fatal(raw(confirmed.Body), err)
	}
	begun, err := s.BeginTotpWithResponse(s.t.Context())
	code, codeErr := totp.GenerateCode(good(s.t, begun.JSON201, raw(begun.Body), err).Secret, now)
	if codeErr != nil {
		s.t.Fatal(codeErr)
	}
	used, err := s.ConfirmTotpWithResponse(s.t.Context(), publicclient.TotpCode{Code: code})
	codes := good(s.t, used.JSON200, raw(used.Body), err).BackupCodes
	asked, err := s.SignInWithResponse(s.t.Context(), publicclient.Credentials{Email: email, Password: password})
	step := good(s.t, asked.JSON202, raw(asked.Body), err).SecondStep
	// The code app's present code has been used.
	taken, err := s.TakeSecondStepWithResponse(s.t.Context(),
		publicclient.SecondStepProof{Challenge: step.Challenge, BackupCode: &(*codes)[0]})
	s.token = good(s.t, taken.JSON200, raw(taken.Body), err).Token.String
}

// begin makes a draft that opens for one-off support.
func (s *stranger) begin() (campaignID int64) {
	s.t.Helper()
	a, err := s.CreateCampaignWithResponse(s.t.Context(), &publicclient.CreateCampaignParams{}, publicclient.NewDraft{})
	return good(s.t, a.JSON201, raw(a.Body), err).Campaign.CampaignID
}

// write fills in what a review asks for.
func (s *stranger) write(campaignID int64) {
	s.t.Helper()
	title, tagline, text := "Saunalautta", "Yhteinen sauna järvelle", strings.Repeat("Rakennamme lautan talkoilla. ", 20)
	story := publicclient.WrittenRichText{Type: publicclient.Doc, Content: []map[string]any{
		{"type": "paragraph", "content": []any{map[string]any{"type": "text", "text": text}}},
	}}
	texts, err := s.ChangeCampaignLanguageWithResponse(s.t.Context(), campaignID, nil, publicclient.CampaignLanguageChange{
		Fi: &publicclient.CampaignTextsChange{Title: &title, Tagline: &tagline, JSONDescription: &story},
	})
	version := good(s.t, texts.JSON200, raw(texts.Body), err).Version

	first, last, rule, goal := "2026-12-01", "2026-12-31", publicclient.FundingRuleKeepWhatIsRaised, float32(500)
	contact, legal, place, cover := "elli@example.com", "Elli Testinen", "Inari", s.upload(campaignID)
	ifMatch := fmt.Sprintf("%q", fmt.Sprint(version))
	settings, err := s.ChangeCampaignSettingsWithResponse(s.t.Context(), campaignID,
		&publicclient.ChangeCampaignSettingsParams{IfMatch: &ifMatch},
		publicclient.CampaignSettingsChange{
			FirstDayOfFunding: &first, LastDayOfFunding: &last, FundingRule: &rule, MinGoal: &goal, TargetGoal: &goal,
			ContactEmail: &contact, LegalCreator: &legal, Place: &place, ProjectPic: &cover,
		})
	good(s.t, settings.JSON200, raw(settings.Body), err)
	person := publicclient.Person
	meta, err := s.ChangeCampaignMetaWithResponse(s.t.Context(), campaignID, nil,
		publicclient.CampaignMetaChange{LegalCreatorType: &person})
	good(s.t, meta.JSON200, raw(meta.Body), err)
}

// upload stores a cover and returns its name.
func (s *stranger) upload(campaignID int64) string {
	s.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	file, err := form.CreateFormFile("file", "cover.png")
	if err == nil {
		err = png.Encode(file, image.NewGray(image.Rect(0, 0, 1600, 900)))
	}
	if err == nil {
		err = form.Close()
	}
	if err != nil {
		s.t.Fatal(err)
	}
	a, err := s.UploadCampaignFileWithBodyWithResponse(s.t.Context(), campaignID, form.FormDataContentType(), &body)
	return good(s.t, a.JSON201, raw(a.Body), err).File.Name
}

// offer adds a reward of 25 euros and makes it visible.
func (s *stranger) offer(campaignID int64) {
	s.t.Helper()
	made, err := s.CreateRewardWithResponse(s.t.Context(), campaignID, nil)
	id := good(s.t, made.JSON201, raw(made.Body), err).Reward.RewardID
	title, amount, active := "Lauttaretki", 25, publicclient.RewardChangeActive(1)
	texts, err := s.ChangeRewardLanguageWithResponse(s.t.Context(), id, nil,
		publicclient.RewardLanguageChange{Fi: &publicclient.RewardTextsChange{Title: &title}})
	good(s.t, texts.JSON200, raw(texts.Body), err)
	shown, err := s.ChangeRewardWithResponse(s.t.Context(), id, nil,
		publicclient.RewardChange{Amount: &amount, Active: &active})
	good(s.t, shown.JSON200, raw(shown.Body), err)
}

// stage is where the campaign stands, for this reader; -1 when there is none.
func (s *stranger) stage(campaignID int64) int {
	s.t.Helper()
	a, err := s.CampaignWithResponse(s.t.Context(), campaignID, "fi")
	if err == nil && a.StatusCode() == http.StatusNotFound {
		return -1
	}
	return int(good(s.t, a.JSON200, raw(a.Body), err).Campaign.Stage)
}

// Whoever has the contract alone can build an app for creators: from an account to a campaign that opens by itself.
func TestContract_IsEnoughToBringACampaignFromAnAccountToItsOpening(t *testing.T) {
	w := setup(t)
	letters := map[string]string{} // verification mails by address
	w.config.Mail = func(_ context.Context, m inproc.Mail) error {
		if m.Kind == "mail.verification" {
			letters[m.To] = m.Text
		}
		return nil
	}
	w.open(w.config)
	server := httptest.NewServer(w.Handler())
	t.Cleanup(server.Close)
	creator, staff, visitor := newStranger(t, server.URL), newStranger(t, server.URL), newStranger(t, server.URL)
	creator.register("elli")
	staff.register("toimittaja")
	if _, err := w.RelayOnce(t.Context()); err != nil {
		t.Fatal(err)
	}
	creator.confirm(letters["elli@example.com"])
	staff.confirm(letters["toimittaja@example.com"])
	w.makeStaff("toimittaja@example.com")
	staff.useSecondStep("toimittaja@example.com", w.config.Now())
	w.campaign("toinen") // an installation has categories

	campaign := creator.begin()
	early, err := creator.RequestReviewWithResponse(t.Context(), campaign)
	if err != nil || early.JSONDefault == nil || early.JSONDefault.Status != "not_ready" {
		t.Fatalf("a review of an empty draft: %s, %v", early.Body, err)
	}
	creator.write(campaign)
	creator.offer(campaign)
	if got := visitor.stage(campaign); got != -1 {
		t.Errorf("a visitor sees the draft in stage %d", got)
	}
	asked, err := creator.RequestReviewWithResponse(t.Context(), campaign)
	if got := good(t, asked.JSON200, raw(asked.Body), err); got.Review.State != publicclient.ReviewStateRequested {
		t.Errorf("after asking: %+v", got.Review)
	}
	read, err := staff.ReviewChangesWithResponse(t.Context(), campaign)
	seen := publicclient.SeenParts{}
	for _, part := range good(t, read.JSON200, raw(read.Body), err).Parts {
		seen[string(part.Part)] = part.Digest
	}
	decided, err := staff.DecideReviewWithResponse(t.Context(), campaign,
		publicclient.ReviewDecision{Decision: publicclient.Approve, Seen: &seen})
	if got := good(t, decided.JSON200, raw(decided.Body), err); got.Review.State != publicclient.ReviewStateApproved {
		t.Errorf("after the decision: %+v", got.Review)
	}

	var stages []int
	for range 3 { // 20 November, 30 November, 10 December
		if _, err := w.OpenDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.pass(time.Minute) // what visitors see may be seconds old
		stages = append(stages, visitor.stage(campaign))
		w.pass(10 * 24 * time.Hour)
	}
	if !slices.Equal(stages, []int{1, 1, 2}) {
		t.Errorf("visitors see the stages %v", stages)
	}
	list, err := visitor.CampaignRewardsWithResponse(t.Context(), campaign, "fi")
	if got := good(t, list.JSON200, raw(list.Body), err); len(got.Rewards) != 1 || got.Rewards[0].Title != "Lauttaretki" {
		t.Errorf("rewards %+v", got)
	}
}

// makeStaff gives a person the right to edit everything, as the operator's command does.
func (w *world) makeStaff(email string) {
	w.t.Helper()
	db, err := pgx.Connect(w.t.Context(), w.config.DatabaseURL)
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = db.Exec(w.t.Context(), `UPDATE users SET scope = '{view,edit}' WHERE email = $1`, email)
	if err := errors.Join(err, db.Close(w.t.Context())); err != nil {
		w.t.Fatal(err)
	}
}
