// Package rewards is the rewards of campaigns: price, stock and texts.
//
// It owns the tables rewards and reward_texts. Stock is reserved and released here only, each in one conditional
// UPDATE inside the caller's transaction, so that it is never oversold; the constraint rewards_never_oversold makes
// sure. When a pledge reserves and releases stock is decided by package pledges.
package rewards
