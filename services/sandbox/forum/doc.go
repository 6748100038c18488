// Package forum stands in for a Discourse forum whose members log in with their account at the platform, by
// DiscourseConnect. It shows who is logged in, and what the platform has told of them.
//
// As Discourse, it makes a nonce for each log-in, which only the browser that asked may bring back, once, within ten
// minutes. Its state is in memory: after a restart everybody is logged out.
//
// The protocol: https://meta.discourse.org/t/13045
package forum
