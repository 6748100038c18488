package app

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/contract"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/web"
)

// ReadLimits bound what one address reads. They hold for each process alone: asking Redis would cost more than most
// lists do.
type ReadLimits struct {
	Lists ratelimit.Limit
	// Dear is for searches and for pages far down a list.
	Dear ratelimit.Limit
}

// farDown is from which offset a list costs noticeably more than its first page.
const farDown = 1000

// rules limit every call that takes an offset. What the service's pages ask of their own API does not count: it is the
// same for everybody, and shared.
func (l ReadLimits) rules(c *contract.Contract) ratelimit.Rules {
	rules := ratelimit.Rules{}
	for _, operation := range c.Operations() {
		if slices.Contains(operation.Params, "offset") {
			rules[operation.Method+" "+operation.Route] = []ratelimit.Rule{
				{Name: "list", Limit: l.Lists, When: fromOutside},
				{Name: "search", Limit: l.Dear, When: func(c echo.Context) bool { return fromOutside(c) && isDear(c) }},
			}
		}
	}
	return rules
}

func fromOutside(c echo.Context) bool { return !web.Asks(c.Request().Context()) }

func isDear(c echo.Context) bool {
	query := c.Request().URL.RawQuery
	if !strings.Contains(query, "keyword") && !strings.Contains(query, "offset") && !strings.Contains(query, "%") {
		return false // most lists are not worth taking the query apart
	}
	offset, err := strconv.Atoi(c.QueryParam("offset"))
	return strings.TrimSpace(c.QueryParam("keyword")) != "" || err == nil && offset >= farDown
}

func mergeRules(lists ...ratelimit.Rules) ratelimit.Rules {
	all := ratelimit.Rules{}
	for _, one := range lists {
		maps.Copy(all, one)
	}
	return all
}
