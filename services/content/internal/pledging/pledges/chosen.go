package pledges

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/rewards"
)

// chosen is what a pledge is for, as far as a change of it may replace it.
type chosen struct {
	RewardID *int64          `json:"reward_id"`
	Quantity int             `json:"quantity"`
	Lines    json.RawMessage `json:"lines"`
	VATMinor int64           `json:"vat_minor"`
	Bought   json.RawMessage `json:"bought"` // null for no reward
}

// choosing is a pledge as choose needs it besides its row.
type choosing struct {
	Was                        chosen `gorm:"embedded"`
	Email, FirstName, LastName string
	Language                   string
	Details                    json.RawMessage
	Changes                    int
}

func readChoosing(ctx context.Context, tx *gorm.DB, id string) (was choosing, err error) {
	err = tx.WithContext(ctx).Raw(`SELECT reward_id, quantity, lines, vat_minor, bought, email, first_name, last_name, language, details,
			(SELECT count(*) FROM pledge_changes WHERE pledge_id = pledges.id) AS changes
		FROM pledges WHERE id = ?`, id).Scan(&was).Error
	if err != nil {
		err = fmt.Errorf("read what a pledge is for: %w", err)
	}
	return was, err
}

// next is what a pledge is going to be.
type next struct {
	rewardID *int64
	quantity int
	price    Price
	bought   json.RawMessage // nil for no reward
	meta     Meta
}

// isAs reports whether it is what the pledge is.
func (n next) isAs(p *row, was choosing) bool {
	var meta Meta
	if json.Unmarshal(was.Details, &meta) != nil {
		return false
	}
	return isSame(n.rewardID, was.Was.RewardID) && n.quantity == was.Was.Quantity && n.price.Amount == p.Amount && isSameBought(n.bought, was.Was.Bought) &&
		n.meta.address() == meta.address() && maps.Equal(n.meta.Answers, meta.Answers)
}

// isSameBought compares what is bought in whatever order it was written; nothing is no reward's.
func isSameBought(a, b json.RawMessage) bool {
	var bought [2]rewards.Bought
	for i, text := range []json.RawMessage{a, b} {
		if len(text) > 0 && json.Unmarshal(text, &bought[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(bought[0], bought[1])
}

func isSame(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// chosenAnew works out what a choice comes to. Who keeps the reward with its addition, or takes fewer of it, keeps its terms as they were bought,
// whatever has become of it since; all else is chosen from what is offered now. Errors: as choose.
func (s *Service) chosenAnew(ctx context.Context, tx *gorm.DB, p *row, was choosing, wanted Choice) (n next, err error) {
	n = next{rewardID: wanted.RewardID, quantity: wanted.Quantity}
	if err := json.Unmarshal(was.Details, &n.meta); err != nil {
		return n, fmt.Errorf("decode details: %w", err)
	}
	isKept := isSame(wanted.RewardID, was.Was.RewardID) && wanted.Quantity <= was.Was.Quantity && wanted.AddedCost == nil
	in := Input{CampaignID: p.CampaignID, RewardID: wanted.RewardID, RewardVersion: wanted.RewardVersion, Amount: wanted.Amount, Language: was.Language}
	n.meta.Quantity = wanted.Quantity
	n.meta.Email, n.meta.FirstName, n.meta.LastName = was.Email, was.FirstName, was.LastName
	var offer *Offer
	if isKept {
		if offer, in.Meta, err = keptOffer(p, was, n.meta); err != nil {
			return n, err
		}
	} else {
		n.meta.AddedCost = wanted.AddedCost
		address := n.meta.address()
		if wanted.Address != nil {
			address = *wanted.Address
		}
		address.normalise()
		n.meta.sendTo(address)
		if !isSame(wanted.RewardID, was.Was.RewardID) {
			n.meta.Answers = nil
		}
		if wanted.Answers != nil {
			n.meta.Answers = wanted.Answers
		}
		in.Meta = n.meta
		if offer, err = readOffer(ctx, tx, in, s.now()); err != nil {
			return n, err
		}
		if faults := in.Meta.validate(offer); faults != nil {
			return n, faults
		}
	}
	cost, faults := price(offer, in)
	if faults != nil {
		return n, faults
	}
	n.price = cost
	switch {
	case isKept:
		n.bought = was.Was.Bought
	case offer.Reward != nil:
		bought := offer.bought(in)
		if n.bought, err = json.Marshal(bought); err != nil {
			return n, fmt.Errorf("encode what is bought: %w", err)
		}
		if bought.NeedsAddress {
			return n, nil
		}
		fallthrough
	default:
		n.meta.sendTo(Address{}) // nothing is sent
	}
	return n, nil
}

// keptOffer is the offer that a pledge was bought from, as far as prices follow from it: its own addition is the only one, and whether there is
// enough of the reward is no question. The chosen addition in the answer is that one.
func keptOffer(p *row, was choosing, meta Meta) (*Offer, Meta, error) {
	offer := &Offer{CampaignID: p.CampaignID, Currency: p.Amount.Currency}
	if len(was.Was.Bought) == 0 || string(was.Was.Bought) == "null" {
		meta.AddedCost = nil
		return offer, meta, nil
	}
	var bought rewards.Bought
	var lines []Line
	if err := errors.Join(json.Unmarshal(was.Was.Bought, &bought), json.Unmarshal(was.Was.Lines, &lines)); err != nil {
		return nil, meta, fmt.Errorf("decode what is bought: %w", err)
	}
	offer.Reward = &OfferedReward{Title: bought.Title, Amount: money.New(bought.AmountMinor, p.Amount.Currency), VATTenths: bought.VATTenths}
	meta.AddedCost = nil
	if added := addedLine(lines); added != nil {
		offer.Reward.AddedCosts = rewards.AddedCosts{{AmountMinor: added.AmountMinor,
			Description: map[string]string{strings.ToUpper(was.Language): added.Label}}}
		meta.AddedCost = new(int)
	}
	return offer, meta, nil
}

// addedLine is the line of what a reward's addition costs, nil for none. The lines of a pledge with a reward are: the reward, what its addition
// costs if it does, what is given besides if anything is.
func addedLine(lines []Line) *Line {
	if len(lines) < 2 {
		return nil
	}
	for _, language := range labels {
		if lines[1].Label == language.extra {
			return nil
		}
	}
	return &lines[1]
}

// Parts are what a pledge's amount is made of, in minor units.
type Parts struct {
	UnitMinor  int64 // of one of its reward, as it was bought
	AddedMinor int64 // of the reward's addition
	ExtraMinor int64 // what is given besides; all of it without a reward
}

func partsOf(price Price, quantity int, unitMinor int64) Parts {
	parts := Parts{UnitMinor: unitMinor}
	if added := addedLine(price.Lines); added != nil {
		parts.AddedMinor = added.AmountMinor
	}
	parts.ExtraMinor = price.Amount.Minor - int64(quantity)*unitMinor - parts.AddedMinor
	return parts
}
