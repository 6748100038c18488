package app

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/web"
)

// ReadLimits are limits of reading lists, by address. Each process counts alone: asking Redis would cost more than
// most lists do.
type ReadLimits struct {
	Lists ratelimit.Limit
	// Searches is for searches and for pages far down a list, which cost more.
	Searches ratelimit.Limit
}

// deepOffset is the offset from which a page costs noticeably more than the first one.
const deepOffset = 1000

// rules limit every call that takes an offset, or a topic, of which no cache has all. Calls that the page shell makes to the service's own API do not count:
// they are the same for everybody and cached.
func (l ReadLimits) rules(c *contract.Contract) ratelimit.Rules {
	rules := ratelimit.Rules{}
	for _, operation := range c.Operations() {
		if slices.Contains(operation.Params, "offset") || slices.Contains(operation.Params, "topic") {
			rules[operation.Method+" "+operation.Route] = []ratelimit.Rule{
				{Name: "list", Limit: l.Lists, When: fromOutside},
				{Name: "search", Limit: l.Searches, When: func(c echo.Context) bool { return fromOutside(c) && isExpensive(c) }},
			}
		}
	}
	return rules
}

func fromOutside(c echo.Context) bool { return !web.IsShellCall(c.Request().Context()) }

func isExpensive(c echo.Context) bool {
	query := c.Request().URL.RawQuery
	if strings.Contains(query, "q=") && strings.TrimSpace(c.QueryParam("q")) != "" {
		return true
	}
	if !strings.Contains(query, "keyword") && !strings.Contains(query, "offset") && !strings.Contains(query, "%") {
		return false // the usual case, without parsing the query
	}
	offset, err := strconv.Atoi(c.QueryParam("offset"))
	return strings.TrimSpace(c.QueryParam("keyword")) != "" || err == nil && offset >= deepOffset
}

// editRules limit every call that changes a campaign, a reward, a post or an experiment. Those that have a limit of their own have that
// one instead (mergeRules).
func editRules(c *contract.Contract, limit ratelimit.Limit) ratelimit.Rules {
	rules := ratelimit.Rules{}
	for _, operation := range c.Operations() {
		isOfCampaign := strings.HasPrefix(operation.Route, "/campaigns/:campaign_id/") || strings.HasPrefix(operation.Route, "/rewards/") ||
			strings.HasPrefix(operation.Route, "/experiments/:experiment_id/")
		isByBackers := slices.ContainsFunc([]string{"/pledges", "/subscriptions", "/visits"}, func(end string) bool { return strings.HasSuffix(operation.Route, end) })
		if operation.Method != http.MethodGet && isOfCampaign && !isByBackers {
			rules[operation.Method+" "+operation.Route] = []ratelimit.Rule{{Name: "edit", Limit: limit}}
		}
	}
	return rules
}

func mergeRules(lists ...ratelimit.Rules) ratelimit.Rules {
	all := ratelimit.Rules{}
	for _, one := range lists {
		maps.Copy(all, one)
	}
	return all
}
