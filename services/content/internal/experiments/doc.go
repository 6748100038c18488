// Package experiments is experiments that teams publish, in the stages idea, planned, running, evaluated, adopted,
// ended and archived.
//
// It owns the tables experiments and experiment_*. Invariants:
//   - an experiment is open once it has a title in its own language, and keeps one from then on; before that, and
//     while it is disabled, it is in no list and only those who may edit it (package access) see it;
//   - a team moves it forward one stage at a time, when it has what that stage needs (stageNeeds); staff set
//     any;
//   - lists read experiment_listings, which is written in the transaction that changes what it is made from;
//   - every change has a version and an audit row, as changes of campaigns have (package changes);
//   - no payments happen here: the crowd's money is what the linked campaign has raised when somebody looks, the rest is
//     what the team states.
package experiments
