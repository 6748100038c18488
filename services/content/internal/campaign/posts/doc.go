// Package posts is the updates that creators publish on their campaign's page.
//
// It owns the tables posts and post_texts. Invariants:
//   - a post begins as a draft, which only those who may edit the campaign can see; the time of its first publication
//     stays when it is taken back and published again;
//   - a campaign publishes at most ten new posts in 24 hours, because each is mailed to all its backers;
//   - a published post has a title and a text in its own language;
//   - a post of a level above 0 is read whole by the team, the staff and the backers whom the level lets in; everybody
//     else gets its title and a preview, which is never the whole text, and the rest does not leave the database for
//     them;
//   - the document is what is kept and changed; HTML, intro and teasers are made from it when it is written;
//   - changes go through package changes, with a version and an audit row; a deleted post stays in the database, and
//     nobody can see it.
//
// Who may edit is decided by package campaigns, who gets a letter about a post by package letters.
package posts
