package dbx

// CommitAsync is a condition, always true, for the WHERE of a statement that is a transaction of its own: its commit does not
// wait until the log is on disk (PostgreSQL's manual, Asynchronous Commit). It is for what may be forgotten when the server
// crashes, because the work is then done once more and comes to the same: leases, and marks of what is done.
const CommitAsync = `set_config('synchronous_commit', 'off', true) = 'off'`
