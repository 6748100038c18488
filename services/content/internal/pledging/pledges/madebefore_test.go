package pledges_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/pledging/pledges"
)

// asked is the refusal of what its person has made before, nil for any other outcome.
func asked(err error) *apperr.Error {
	if refused := apperr.From(err); err != nil && errors.Is(refused, apperr.New(apperr.MadeBefore)) {
		return refused
	}
	return nil
}

var answers = map[string]string{"custom_question_1": "Aino"}

// answered is an input with the answer that the unlimited reward asks for.
func (w *world) answered(rewardID int64, amount string) pledges.Input {
	in := w.input(rewardID, amount)
	if rewardID == w.unlimited {
		in.Meta.Answers = answers
	}
	return in
}

func TestCreate_TheSamePledgeOfOneAccountIsAskedAbout(t *testing.T) {
	w := setup(t)
	leena, reijo := w.person(t, "leena@example.fi"), w.person(t, "reijo@example.fi")
	the := func(user int64, change func(*pledges.Input)) pledges.Input {
		in := w.answered(w.unlimited, "12")
		in.OnceMore = false
		if user != 0 {
			in.UserID = &user
		}
		if change != nil {
			change(&in)
		}
		return in
	}
	first := w.mustCreate(t, the(leena, nil))
	w.clock.advance(20 * time.Second)
	_, err := w.Create(t.Context(), the(leena, nil))
	if refused := asked(err); refused == nil || refused.Params["paid"] != false || !refused.Params["at"].(time.Time).Equal(noon) {
		t.Fatalf("%v", err)
	}
	w.mustApply(t, event(first, pledges.PaymentSucceeded), pledges.Applied)
	_, err = w.Create(t.Context(), the(leena, func(in *pledges.Input) { in.Meta.Email = "other@example.fi" }))
	if refused := asked(err); refused == nil || refused.Params["paid"] != true {
		t.Fatalf("%v", err)
	}
	for name, in := range map[string]pledges.Input{
		"another person's":    the(reijo, nil),
		"nobody's account's":  the(0, nil),
		"another sum":         the(leena, func(in *pledges.Input) { in.Amount = "13" }),
		"another reward":      the(leena, func(in *pledges.Input) { in.RewardID, in.Meta.Answers = nil, nil }),
		"one that they meant": the(leena, func(in *pledges.Input) { in.OnceMore = true }),
	} {
		if _, err := w.Create(t.Context(), in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.clock.advance(10 * time.Minute)
	if _, err := w.Create(t.Context(), the(leena, nil)); err != nil {
		t.Errorf("later: %v", err)
	}
}

func TestCreate_OneThatWasGivenUpIsNotAskedAbout(t *testing.T) {
	w := setup(t)
	leena := w.person(t, "leena@example.fi")
	in := w.answered(w.unlimited, "12")
	in.UserID, in.OnceMore = &leena, false
	first := w.mustCreate(t, in)
	if err := w.Release(t.Context(), first.ID); err != nil {
		t.Fatal(err)
	}
	w.mustCreate(t, in)
}

func TestCreate_ARepeatOfTheCallFindsItsPledge(t *testing.T) {
	w := setup(t)
	leena := w.person(t, "leena@example.fi")
	in := w.answered(w.unlimited, "12")
	in.UserID, in.OnceMore, in.Caller, in.IdempotencyKey, in.RequestHash = &leena, false, "user:1", "one-key-of-a-form", []byte("hash")
	first := w.mustCreate(t, in)
	if again := w.mustCreate(t, in); again.ID != first.ID {
		t.Errorf("made another")
	}
}

func TestCreate_TwoWindowsPressedAtOnceMakeOnePledge(t *testing.T) {
	for name, reward := range map[string]func(*world) int64{
		"unlimited":        func(w *world) int64 { return w.unlimited },
		"limited":          func(w *world) int64 { return w.posted },
		"without a reward": func(*world) int64 { return 0 },
	} {
		t.Run(name, func(t *testing.T) {
			w := setup(t)
			leena := w.person(t, "leena@example.fi")
			var made, refused int
			var mu sync.Mutex
			var group sync.WaitGroup
			for range 6 {
				in := w.answered(reward(w), "60")
				if reward(w) == w.posted {
					w.byPost(&in)
				}
				in.UserID, in.OnceMore = &leena, false
				group.Go(func() {
					_, err := w.Create(t.Context(), in)
					mu.Lock()
					defer mu.Unlock()
					switch {
					case err == nil:
						made++
					case asked(err) != nil:
						refused++
					default:
						t.Error(err)
					}
				})
			}
			group.Wait()
			if made != 1 || refused != 5 {
				t.Errorf("%d made, %d asked about", made, refused)
			}
		})
	}
}

func TestListOwnIn_IsWhatGoesOnInOneCampaign(t *testing.T) {
	w := setup(t)
	leena, reijo := w.person(t, "leena@example.fi"), w.person(t, "reijo@example.fi")
	first := w.backs(t, leena, "any@example.fi", nil)
	w.mustApply(t, event(first, pledges.PaymentSucceeded), pledges.Applied)
	guest := w.backs(t, 0, "LEENA@example.fi", func(in *pledges.Input) {
		in.RewardID, in.Amount, in.Meta.Answers = &w.unlimited, "10", answers
	})
	w.mustApply(t, event(guest, pledges.PaymentSucceeded), pledges.Applied)
	w.backs(t, leena, "any@example.fi", nil) // not paid
	w.mustApply(t, event(w.backs(t, reijo, "reijo@example.fi", nil), pledges.PaymentSucceeded), pledges.Applied)
	list, err := w.ListOwnIn(t.Context(), leena, w.campaign)
	if err != nil || len(list) != 2 || list[0].ID != guest.ID || list[0].RewardTitle == "" || list[0].AmountMinor != 10_00 ||
		list[1].ID != first.ID || list[1].Status != pledges.Paid || list[1].ChargedAt.IsZero() {
		t.Errorf("%+v %v", list, err)
	}
	if list, err = w.ListOwnIn(t.Context(), leena, w.campaign+1); err != nil || len(list) != 0 {
		t.Errorf("another campaign: %+v %v", list, err)
	}
}
