// Package pledges is one-off support: what a backer promises, holds, pays and gets back.
//
// It owns the pledges table, its transitions and the inbox of payment events. It decides prices (price.go), holds
// stock while a pledge waits for its money (through package rewards) and keeps the campaign's totals in step (through
// package campaigns). It knows nothing of providers: the payment service says what happened to the money, as events.
//
// Invariants, each kept in one transaction with the change that could break it:
//   - a pledge's status changes only in move, along the table transitions, and every change leaves a row behind;
//   - quantity is counted in the reward's stock exactly while stock_held is true;
//   - a campaign's totals are the sum of contribution over its pledges;
//   - an event has its effect once, and a repeat gets the first answer;
//   - money enters a pledge only while its campaign is funding: the stage is held until the step is committed, so that
//     whoever moves it sees every pledge that is paid;
//   - a pledge that its backer released or took back never becomes paid;
//   - what a paid pledge is for changes only in choose, or when its further charge is taken (changeRaised), with a row of pledge_changes;
//   - a raise changes its pledge only by money that is taken with it, and one waits at most; what is back is added up over all charges (sumUp);
//   - when we end an unpaid pledge ourselves (released, taken back, campaign closed), a message tells the payment service (package
//     closing).
package pledges
