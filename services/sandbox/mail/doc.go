// Package mail catches mail over SMTP and shows it in an inbox, so that no mail of a trial or a
// test leaves the machine.
//
// It owns the stored messages (the newest 5,000) and the inbox pages and JSON under /mail/. It
// accepts any sender, receiver and login, and delivers nothing.
package mail
