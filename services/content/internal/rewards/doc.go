// Package rewards is what a backer gets: its price, its stock and its texts.
//
// It owns the tables rewards and reward_texts. Stock is taken and given back here only, each in one conditional UPDATE
// inside the caller's transaction, so that it is never oversold (the constraint rewards_never_oversold is the second
// lock). What a pledge is and when it holds stock is decided by package pledges.
package rewards
