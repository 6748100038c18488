package rewards

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/pledging/withdrawal"
	"talkoot.fi/content/internal/writing/changes"
)

// ErrUnknown is a reward that there is not, or no longer.
var ErrUnknown = apperr.New(apperr.NotFound)

// Edit is who changes which reward, and when.
type Edit struct {
	RewardID int64
	// Known is the version that the person has seen, 0 for any.
	Known int64
	By    changes.Actor
	Now   time.Time
}

// Change is what changes of a reward. Nil leaves a field as it is.
type Change struct {
	AmountMinor     *money.Decimal
	Kind            *withdrawal.Kind
	Stock           *int // 0 is unlimited
	Active          *int // 1 visible, 0 hidden
	VAT             *VAT
	Image, Delivery *string
	AddedCosts      *AddedCosts
	// ImageExists says that there is a picture of the name in Image.
	ImageExists bool
}

// Record is the columns of a reward that people may change, and what its rules need.
type Record struct {
	ID, CampaignID, Version      int64
	AmountMinor                  money.Decimal
	Stock, StockReserved, Active int
	Backers                      int
	VATTenths                    VAT
	Delivery, Image              string
	Kind                         withdrawal.Kind
	AddedCosts                   AddedCosts
	DeletedAt                    *time.Time
}

// ErrNoStock refuses a stock of a level of monthly support: its supporters come back, change their level and are told of late, so that a
// number of places could not be kept.
var ErrNoStock error = apperr.New(apperr.InvalidFields).WithField("stock", apperr.RuleNoStock)

// TableName is GORM's.
func (Record) TableName() string { return "rewards" }

// Apply changes a reward, in one transaction, and returns it with its texts. The caller has checked who may do it.
// Pledges keep what their backers bought. Without a change nothing is written. Errors: ErrUnknown; ChangedMeanwhile;
// InvalidFields; ErrLast.
func Apply(ctx context.Context, db *gorm.DB, e Edit, wanted Change) (a Admin, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		a, err = apply(ctx, tx, e, wanted)
		return err
	})
	return a, err
}

func apply(ctx context.Context, tx *gorm.DB, e Edit, wanted Change) (Admin, error) {
	if wanted.Stock != nil && *wanted.Stock > 0 {
		if err := lockUncounted(ctx, tx, e.RewardID); err != nil {
			return Admin{}, err
		}
	}
	if wanted.Active != nil && *wanted.Active == 0 {
		if err := e.keepLast(ctx, tx); err != nil {
			return Admin{}, err
		}
	}
	r, c, err := e.begin(ctx, tx)
	if err != nil {
		return Admin{}, err
	}
	if wanted.Stock != nil && *wanted.Stock > 0 {
		if monthly, err := isMonthly(ctx, tx, r.CampaignID); err != nil || monthly {
			return Admin{}, cmp.Or(err, ErrNoStock)
		}
	}
	if wanted.Stock != nil && r.Stock == 0 && *wanted.Stock > 0 {
		counted, err := countUnlimited(ctx, tx, r.ID)
		if err != nil {
			return Admin{}, err
		}
		r.StockReserved += counted
		c.Column("stock_reserved", r.StockReserved)
	}
	changes.Set(c, "amount", "amount_minor", &r.AmountMinor, wanted.AmountMinor)
	changes.Set(c, "kind", "kind", &r.Kind, wanted.Kind)
	changes.Set(c, "stock", "stock", &r.Stock, wanted.Stock)
	changes.Set(c, "active", "active", &r.Active, wanted.Active)
	changes.Set(c, "vat_percentage", "vat_tenths", &r.VATTenths, wanted.VAT)
	changes.Set(c, "image", "image", &r.Image, wanted.Image)
	changes.Set(c, "delivery", "delivery", &r.Delivery, wanted.Delivery)
	changes.Set(c, "added_costs", "added_costs", &r.AddedCosts, wanted.AddedCosts)
	texts, err := readTexts(ctx, tx, r.ID)
	if err != nil {
		return Admin{}, err
	}
	if err := r.check(c, texts, wanted.ImageExists).OrNil(); err != nil {
		return Admin{}, err
	}
	return e.save(ctx, tx, c, r, texts)
}

// begin begins a change of a reward and locks its row until the transaction ends, also against pledges that are being made: those
// that have begun are done then, and later ones find the new version. Errors: ErrUnknown; ChangedMeanwhile.
func (e Edit) begin(ctx context.Context, tx *gorm.DB) (Record, *changes.Change, error) {
	return changes.LockKnown[Record](ctx, tx.Where("deleted_at IS NULL"), e.RewardID, e.Known, changes.ForUpdate)
}

// Versioned is changes.Row.
func (r Record) Versioned() (changes.Entity, int64) {
	return changes.Entity{Name: "reward", Table: "rewards", ID: r.ID}, r.Version
}

// save writes a change and reads what there is to answer.
func (e Edit) save(ctx context.Context, tx *gorm.DB, c *changes.Change, r Record, texts Texts) (Admin, error) {
	if changesOffer(c) {
		c.Column("offer_version", c.Version()+1)
	}
	if err := c.Save(ctx, tx, "change_reward", e.By, e.Now); err != nil {
		return Admin{}, err
	}
	if c.Any() {
		if err := campaigns.SettleParts(ctx, tx, r.CampaignID, e.Now); err != nil {
			return Admin{}, err
		}
	}
	r.Version = c.Version()
	sold, err := listSold(ctx, tx, r.ID)
	if err != nil {
		return Admin{}, err
	}
	monthly, err := isMonthly(ctx, tx, r.CampaignID)
	return Admin{Record: r, Texts: texts, Sold: sold, IsMonthly: monthly}, err
}

// changesOffer reports whether something that a backer buys is changed; backers who saw it before must then confirm
// again.
func changesOffer(c *changes.Change) bool {
	names := []string{"amount", "kind", "vat_percentage", "added_costs", "delivery"}
	for _, language := range languages.All {
		names = append(names, language+".title", language+".description", language+".custom_questions")
	}
	return slices.ContainsFunc(names, c.Has)
}

// mostPledgedMinor is the most that one pledge may be, as the contract has it.
const mostPledgedMinor = 100_000_00

// noPrice and noTitle are the faults of a reward that is shown without one.
var (
	noPrice = []apperr.Field{{Path: "amount", Rule: apperr.RuleMinValue, Params: apperr.Params{"min": 1}}}
	noTitle = []apperr.Field{{Path: "title", Rule: apperr.RuleRequired}}
)

// check adds a fault for each changed field that breaks a rule.
func (r Record) check(c *changes.Change, texts Texts, imageExists bool) *apperr.Error {
	faults := apperr.New(apperr.InvalidFields)
	if c.Has("stock") && r.Stock != 0 && r.Stock < r.StockReserved {
		faults = faults.WithField("stock", apperr.RuleMinValue, apperr.Params{"min": r.StockReserved})
	}
	if r.Active == 1 && (c.Has("active") || c.Has("amount")) && r.AmountMinor <= 0 {
		faults = faults.WithFields(noPrice)
	}
	if c.Has("active") && r.Active == 1 && !texts.haveTitle() {
		faults = faults.WithFields(noTitle)
	}
	if c.Has("image") && r.Image != "" && !imageExists {
		faults = faults.WithField("image", apperr.RuleUnknownPicture)
	}
	if first, last, isRange := strings.Cut(r.Delivery, "/"); c.Has("delivery") && isRange && last <= first {
		faults = faults.WithField("delivery", apperr.RuleFormat)
	}
	if c.Has("amount") || c.Has("added_costs") {
		faults = faults.WithFields(r.tooDear(c.Has("added_costs")))
	}
	if c.Has("added_costs") {
		for i, cost := range r.AddedCosts {
			if cost.In("en") == "" {
				faults = faults.WithField(fmt.Sprintf("added_costs[%d].description", i), apperr.RuleRequired)
			}
		}
	}
	return faults
}

// tooDear is the fault of a price that nobody can pay together with the least of the added costs, one of which is
// always chosen; of that cost when the costs were changed.
func (r Record) tooDear(costs bool) []apperr.Field {
	if len(r.AddedCosts) == 0 {
		return nil
	}
	cheapest := 0
	for i, cost := range r.AddedCosts {
		if cost.AmountMinor < r.AddedCosts[cheapest].AmountMinor {
			cheapest = i
		}
	}
	price, least := int64(r.AmountMinor), r.AddedCosts[cheapest].AmountMinor
	switch {
	case price+least <= mostPledgedMinor:
		return nil
	case costs:
		return []apperr.Field{{Path: fmt.Sprintf("added_costs[%d].amount", cheapest), Rule: apperr.RuleMaxValue,
			Params: apperr.Params{"max": (mostPledgedMinor - price) / 100}}}
	}
	return []apperr.Field{{Path: "amount", Rule: apperr.RuleMaxValue,
		Params: apperr.Params{"max": (mostPledgedMinor - least) / 100}}}
}
