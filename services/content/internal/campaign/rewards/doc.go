// Package rewards is the rewards of campaigns: price, stock and texts.
//
// It owns the tables rewards and reward_texts. Stock is reserved and released here only, each in one conditional
// UPDATE inside the caller's transaction, so that it is never oversold; the constraint rewards_never_oversold makes
// sure. When a pledge reserves and releases stock is decided by package pledges.
//
// A campaign that was approved with a visible reward has one as long as it is prepared or open.
//
// What a backer was promised (Bought) is kept with the pledge, so a reward may change at any time. A pledge is made
// from the version of the reward that its price was calculated with, or not at all. If a client says which version its
// backer saw (offer_version, which ignores stock and picture), the pledge is made for that version or refused. A reward
// that somebody holds or has paid for is not deleted; a deleted one stays as a row, for payments that come late.
package rewards
