// Package people is the people behind everything: the index of people, their public pages, what they change of
// themselves, and what admins change of them. It owns the table user_tags and changes rows of users, which package
// profiles owns; accounts, passwords and sessions are package sessions'.
//
// Invariants:
//   - the index (column users.listed) has who has confirmed their address, is not blocked and has introduced themself
//     with a short description or skills; it is searched by what it shows, never by email or phone;
//   - a public page exists for who is listed, and for the team of a public campaign or experiment; all others are not
//     found, so that counting ids up tells nobody's name;
//   - email, phone, scope and settings are told to the person and to admins alone;
//   - whoever changes how a person is shown brings the previews of the campaigns that they created up to date in the
//     same transaction;
//   - every change has its row in the audit log; of the phone number only that it changed.
package people
