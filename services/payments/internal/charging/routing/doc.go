// Package routing decides by which methods a campaign can be paid now, and who takes each. The page, the calls that pay and the audit go
// by the same function, Offered.
//
// It owns provider_switches: operators switch a provider off and on again, each time with a reason; what has begun there is looked at,
// paid and given back all the same.
package routing
