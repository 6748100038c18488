package pledges

import (
	"fmt"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/rewards"
)

// minAmountMinor is the least that provider A charges in euros. The most is the contract's.
const minAmountMinor = 50

// Line is one row of what a backer pays for.
type Line struct {
	Label       string `json:"label"`
	AmountMinor int64  `json:"amount_minor"`
}

// Price is what a pledge costs and why, all in Amount's currency.
type Price struct {
	Amount   money.Amount `gorm:"embedded;embeddedPrefix:amount_"`
	Lines    []Line       `gorm:"-"`
	VATMinor int64        `gorm:"column:vat_minor"` // included in Amount
}

// price works out the sum of a pledge. Amount is what the backer agreed to pay: at least the reward's price times the
// quantity plus the chosen added cost; what is above that is free support. Without a reward any sum from the
// provider's minimum goes. Faults are reported on the field that they concern, all of them.
func price(offer *Offer, in Input) (Price, *apperr.Error) {
	faults := apperr.New(apperr.InvalidFields)
	amount, bad := money.FromInput("amount", in.Amount, offer.Currency)
	if bad != nil {
		return Price{}, faults.WithFields(bad)
	}
	if offer.Reward == nil {
		if amount.Minor < minAmountMinor {
			faults = faults.WithField("amount", "amount_too_small", apperr.Params{"min": "0.50"})
		}
		if in.Meta.AddedCost != nil {
			faults = faults.WithField("pledge_meta.added_cost", "unknown_added_cost")
		}
		if in.Meta.Quantity != 1 {
			faults = faults.WithField("pledge_meta.quantity", "max_value", apperr.Params{"max": 1})
		}
		return Price{Amount: amount, Lines: []Line{{labels[in.Language].support, amount.Minor}}}, orNil(faults)
	}

	reward := offer.Reward
	quantity, most := int64(in.Meta.Quantity), rewards.MaxQuantity(reward.Stock)
	if quantity < 1 || quantity > int64(most) {
		return Price{}, faults.WithField("pledge_meta.quantity", "max_value", apperr.Params{"max": most})
	}
	wanted, err := reward.Amount.Mul(quantity)
	if err != nil {
		return Price{}, faults.WithField("pledge_meta.quantity", "max_value", apperr.Params{"max": most})
	}
	label := reward.Title
	if quantity > 1 {
		label = fmt.Sprintf("%d × %s", quantity, reward.Title)
	}
	lines := []Line{{label, wanted.Minor}}
	switch added := in.Meta.AddedCost; {
	case added == nil && len(reward.AddedCosts) > 0:
		faults = faults.WithField("pledge_meta.added_cost", "required")
	case added == nil:
	case *added < 0 || *added >= len(reward.AddedCosts):
		faults = faults.WithField("pledge_meta.added_cost", "unknown_added_cost")
	default:
		cost := reward.AddedCosts[*added]
		wanted.Minor += cost.AmountMinor
		if cost.AmountMinor > 0 {
			lines = append(lines, Line{cost.In(in.Language), cost.AmountMinor})
		}
	}
	least := max(wanted.Minor, minAmountMinor)
	if amount.Minor < least {
		faults = faults.WithField("amount", "amount_too_small", apperr.Params{"min": money.New(least, offer.Currency).FormatMajor()})
	}
	if extra := amount.Minor - wanted.Minor; extra > 0 {
		lines = append(lines, Line{labels[in.Language].extra, extra})
	}
	vat, err := wanted.IncludedVAT(money.BasisPoints(reward.VATTenths) * 10)
	if err != nil {
		return Price{}, apperr.From(fmt.Errorf("tax of reward %d: %w", reward.ID, err))
	}
	return Price{Amount: amount, Lines: lines, VATMinor: vat.Minor}, orNil(faults)
}

// orNil is nil when no fault was found.
func orNil(faults *apperr.Error) *apperr.Error {
	if len(faults.Fields) == 0 {
		return nil
	}
	return faults
}

// labels of lines that are no reward's, in the backer's language.
var labels = map[string]struct{ support, extra string }{
	"fi": {"Tuki ilman vastiketta", "Vapaa lisä"},
	"en": {"Support without a reward", "Extra support"},
	"sv": {"Stöd utan belöning", "Extra stöd"},
}
