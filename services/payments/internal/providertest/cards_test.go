package providertest_test

import (
	"net/url"
	"testing"
	"time"

	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providertest"
)

func TestStrict_KeepsTheRulesOfRepeatedPayments(t *testing.T) {
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC) }
	providertest.TestCards(t, func(*testing.T) providertest.Cards {
		s := providertest.New(now)
		return providertest.Cards{
			Provider: s, Now: now, PaySetup: s.PaySetup, Change: s.ChangeCard, Renew: s.RenewCard,
			Pay:        func(ref provider.Ref, card provider.Remedy) bool { return s.PayForm(ref.Object, card) },
			Confirm:    func(ref provider.Ref, card string) { s.ConfirmKept(ref.Object, card) },
			LoseAnswer: func() { s.LoseAnswers = 1 },
			Hooks: func() (out []provider.Delivery) {
				for _, q := range s.Hooks() {
					out = append(out, provider.Delivery{Query: url.Values(q), At: now()})
				}
				return out
			},
		}
	})
}
