package experiments

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// FundingChange is an experiment's goal and where its money comes from. Nil leaves a part as it is. Amounts are in
// major units.
type FundingChange struct {
	Goal     *json.Number
	Currency *string
	Campaign *int64 // whose total is the crowd's part; 0 unlinks
	State    *json.Number
	// Organizations are those that give money; OrganizationsRaised is their sum where none is named.
	OrganizationsRaised *json.Number
	Organizations       *[]WantedOrganization
}

// WantedOrganization is one that gives money, in major units.
type WantedOrganization struct {
	Name   string
	Raised json.Number
}

// ChangeFunding changes an experiment's funding in one transaction. The linked campaign has the experiment's
// currency; the caller has checked that the person may edit it (campaigns.Access). Errors: ErrUnknown;
// ChangedMeanwhile; InvalidFields.
func ChangeFunding(ctx context.Context, db *gorm.DB, e Edit, wanted FundingChange) error {
	return e.change(ctx, db, "change_funding",
		func(ctx context.Context, tx *gorm.DB, c *changes.Change, r *Record) error {
			faults := apperr.New(apperr.InvalidFields)
			amount := func(path string, n *json.Number) *money.Decimal {
				if n == nil {
					return nil
				}
				read, bad := money.FromInput(path, *n, "")
				faults = faults.WithFields(bad)
				decimal := read.Decimal()
				return &decimal
			}
			changes.Set(c, "goal", "goal_minor", &r.GoalMinor, amount("goal", wanted.Goal))
			changes.Set(c, "currency", "currency", &r.Currency, wanted.Currency)
			changes.Set(c, "sources.state.raised", "state_minor", &r.StateMinor,
				amount("sources.state.raised", wanted.State))
			raised := amount("sources.organizations.raised", wanted.OrganizationsRaised)
			if wanted.Organizations != nil {
				list := []Organization{}
				for i, o := range *wanted.Organizations {
					path := fmt.Sprintf("sources.organizations.list[%d]", i)
					name := richtext.Line(o.Name)
					if name == "" {
						faults = faults.WithField(path+".name", apperr.RuleRequired)
					} else if rule := profiles.CheckShown(name); rule != "" {
						faults = faults.WithField(path+".name", rule)
					}
					list = append(list, Organization{name, *amount(path+".raised", &o.Raised)})
				}
				if err := setJSON(c, "sources.organizations.list", "organizations", &r.Organizations, list); err != nil {
					return err
				}
			}
			if len(r.Organizations) > 0 || wanted.Organizations != nil && raised == nil {
				total := sum(r.Organizations)
				if raised != nil && *raised != total {
					faults = faults.WithField("sources.organizations.raised", apperr.RuleFixed)
				}
				raised = &total
			}
			changes.Set(c, "sources.organizations.raised", "organizations_minor", &r.OrganizationsMinor, raised)
			if err := r.link(ctx, tx, c, wanted.Campaign, faults); err != nil {
				return err
			}
			return faults.OrNil()
		})
}

// link sets whose total the crowd's part is. What the team stated as the crowd's part ends with it. Error:
// InvalidFields with the faults found before.
func (r *Record) link(ctx context.Context, tx *gorm.DB, c *changes.Change, wanted *int64,
	faults *apperr.Error) error {
	const path = "sources.crowd.campaign_id"
	if wanted != nil {
		campaign, stated := wanted, money.Decimal(0)
		if *wanted == 0 {
			campaign = nil
		}
		if changes.Set(c, path, "crowd_campaign_id", &r.CrowdCampaignID, &campaign) && campaign != nil {
			changes.Set(c, "sources.crowd.raised", "raised_minor", &r.RaisedMinor, &stated)
		}
	}
	if r.CrowdCampaignID == nil || !c.Has(path) && !c.Has("currency") {
		return nil
	}
	var currency string
	err := tx.WithContext(ctx).Raw(`SELECT currency FROM campaigns WHERE id = ?`, *r.CrowdCampaignID).Scan(&currency).Error
	if err != nil {
		return fmt.Errorf("read currency of campaign %d: %w", *r.CrowdCampaignID, err)
	}
	if currency != r.Currency {
		return faults.WithField(path, apperr.RuleUnknownCampaign)
	}
	return nil
}
