package campaigns

import (
	"context"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/writing/changes"
)

// SetSubscriptionGoals replaces a campaign's goals. Errors: those of RequireEdit and SetGoals.
func (h *Handlers) SetSubscriptionGoals(ctx context.Context, r api.SetSubscriptionGoalsRequestObject) (
	api.SetSubscriptionGoalsResponseObject, error) {
	edit, err := h.edit(ctx, r.CampaignID, r.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	wanted := make([]WantedGoal, len(r.Body.SubscriptionsGoals))
	for i, g := range r.Body.SubscriptionsGoals {
		wanted[i] = WantedGoal{Target: g.Target, GoalText: GoalText{Title: g.Title}}
		if g.GoalID != nil {
			wanted[i].ID = *g.GoalID
		}
		if g.Description != nil {
			wanted[i].Description = *g.Description
		}
	}
	goals, version, err := SetGoals(ctx, h.db, edit, languages.OfQuery(ctx, r.Params.Language), wanted)
	if err != nil {
		return nil, err
	}
	answer := api.SubscriptionGoalsAnswer{Version: version, SubscriptionsGoals: make([]api.SubscriptionGoalTexts,
		len(goals))}
	for i, g := range goals {
		texts := map[string]api.SubscriptionGoalText{}
		for language, t := range g.Texts {
			texts[language] = api.SubscriptionGoalText{Title: t.Title, Description: t.Description}
		}
		answer.SubscriptionsGoals[i] = api.SubscriptionGoalTexts{GoalID: g.ID, Target: g.Target, Texts: texts}
	}
	return api.SetSubscriptionGoals200JSONResponse{
		Headers: api.SetSubscriptionGoals200ResponseHeaders{ETag: changes.ETag(version)}, Body: answer}, nil
}
