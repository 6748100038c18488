package browser

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
)

// Preview is a campaign in a list. Amounts are in euros.
type Preview struct {
	CampaignID      int64 `json:"campaign_id"`
	Slug, Title     string
	Stage           int
	FundingReached  float64 `json:"funding_reached"`  // as JSON has it, only compared
	FundingSettling float64 `json:"funding_settling"` // as JSON has it, only compared
	NumberOfBackers int     `json:"number_of_backers"`
}

// Campaign is a campaign's page.
type Campaign struct {
	Preview
	Counts struct{ Rewards, Posts, Backers int }
}

// Reward is what a backer may choose.
type Reward struct {
	RewardID       int64 `json:"reward_id"`
	Title          string
	Amount         int64 // euros
	Stock          int   // 0 is unlimited
	StockReserved  int   `json:"stock_reserved"`
	Backers        int
	AsksForAddress bool `json:"asks_for_address"`
}

// Backer is one entry of a campaign's list of backers. Amounts are in euros.
type Backer struct {
	Name      string
	Anonymous bool
	Amount    float64 // as JSON has it, only compared
}

// Campaigns reads the list of open campaigns in the visitor's language.
func (v *Visitor) Campaigns(ctx context.Context, query url.Values) (previews []Preview, total int, err error) {
	return v.previews(ctx, "/campaigns/preview/"+v.language()+"/?"+query.Encode())
}

// MonthlyCampaigns reads a list of those that take monthly support.
func (v *Visitor) MonthlyCampaigns(ctx context.Context, query url.Values) (previews []Preview, total int, err error) {
	return v.previews(ctx, "/campaigns/preview/subscriptions/"+v.language()+"/?"+query.Encode())
}

func (v *Visitor) previews(ctx context.Context, path string) (previews []Preview, total int, err error) {
	var answer struct {
		Previews []Preview
		Total    int
	}
	err = v.Get(ctx, path, &answer)
	return answer.Previews, answer.Total, err
}

// Campaign reads a campaign's page.
func (v *Visitor) Campaign(ctx context.Context, id int64) (Campaign, error) {
	var answer struct{ Campaign Campaign }
	err := v.Get(ctx, fmt.Sprintf("/campaigns/%d/%s/", id, v.language()), &answer)
	return answer.Campaign, err
}

// Rewards reads a campaign's rewards.
func (v *Visitor) Rewards(ctx context.Context, campaignID int64) ([]Reward, error) {
	var answer struct{ Rewards []Reward }
	err := v.Get(ctx, fmt.Sprintf("/campaigns/%d/rewards/%s/", campaignID, v.language()), &answer)
	return answer.Rewards, err
}

// Backers reads the latest backers of a campaign, and how many there are.
func (v *Visitor) Backers(ctx context.Context, campaignID int64) (backers []Backer, total int, err error) {
	var answer struct {
		Previews []Backer
		Total    int
	}
	err = v.Get(ctx, fmt.Sprintf("/campaigns/%d/backers/?limit=300", campaignID), &answer)
	return answer.Previews, answer.Total, err
}

// Mail is a mail that the sandbox received.
type Mail struct{ Subject, Text, HTML string }

// Mails reads what an address was sent, newest first.
func (v *Visitor) Mails(ctx context.Context, to string) ([]Mail, error) {
	var answer struct{ Messages []Mail }
	err := v.json(ctx, http.MethodGet, v.Sandbox+"/mail/api/messages?to="+url.QueryEscape(to), "", nil, &answer)
	return answer.Messages, err
}
