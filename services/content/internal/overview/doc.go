// Package overview tells a campaign's team how it is doing: money by day, where backers come from, what is left, what to do
// next; and who has backed it, as a table. It owns no tables and only reads.
//
// The sums are those of the campaign's totals: days, and sources, add up to funding_reached and number_of_backers, settling
// to funding_settling. What a pledge counts is defined in package pledges (contribution).
package overview
