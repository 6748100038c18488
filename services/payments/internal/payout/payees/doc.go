// Package payees knows who is paid as a creator, by which account at a provider, and which campaigns are paid to them.
//
// It owns the tables payees, campaign_accounts and campaign_wallets. Invariants:
//   - Who asks for an account at a provider is given the one that they have and that is not closed; only who joins two accounts of theirs
//     here has two. Its idempotency key comes from its row, so that a lost answer makes no second one. Where a provider forgets keys, or takes
//     them with the same words alone, another key is taken only when no call with the one before can be on its way, and what that has made is
//     looked for first.
//   - What a provider says is applied in the order in which it was asked (looks); each change is told to the content service by one
//     event, in the transaction that makes it.
//   - Who a creator is (birth date, address) is handed on and kept nowhere here.
//   - A campaign's money at a provider with wallets is in a wallet of that campaign and its owner. Wallets are never given up: what is in
//     them is looked for also when the campaign has another account.
//
// Which campaign is paid by which account the content service decides; which of them take money now, package routing.
package payees
