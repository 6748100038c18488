// Package overview shows a campaign's team how it is doing: money by day, where backers come from, what is left, what
// to do next; and its backers as a table. It owns no tables, and writes only the audit row of a download.
//
// The sums agree with the campaign's totals: the days, and also the sources, add up to funding_reached and
// number_of_backers, settling adds up to funding_settling. Package pledges (contribution) defines what a pledge adds.
package overview
