// Package recommend suggests open campaigns and live experiments, each with one reason in words.
//
// It owns the tables recommendation_changes, recommendation_interests, recommendation_pairs and recommendation_lists.
// Invariants:
//   - only what can be joined is suggested: campaigns in funding whose deadline is ahead, monthly ones, and experiments
//     that are planned or running;
//   - a reason tells nothing about one person to another. That people back or like two campaigns is told only of
//     MinPeople or more, without their number, and counted without anonymous pledges and support, blocked people, addresses that
//     nobody has confirmed, and campaigns that hide their backers;
//   - "because you backed", "because you like" and "from your topics" are told to the signed-in person alone, in an
//     answer that nothing caches, and the first counts their anonymous pledges and support as well;
//   - who supports monthly counts as a backer while their support is active;
//   - a recount (Recount) makes recommendation_pairs equal to what people back and like then: what is refunded, ended, made
//     anonymous, unliked or deleted is forgotten.
//
// Pledges, support and likes are not read for a suggestion to others: triggers note whose have changed, and the worker counts
// these people anew. Nor are campaigns searched: the worker makes lists of each tag, category and place (Refresh), a
// subject leads to some of these by their keys, and Go ranks what is in them. What is shown is read anew, so that what
// cannot be joined any more is left out at once.
package recommend
