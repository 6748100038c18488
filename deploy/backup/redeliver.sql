-- On the payments database, as its owner, when the content database was brought back to the moment :since, which is at most a week ago:
--   psql -v ON_ERROR_STOP=1 -v since="'2026-11-29 12:00:00+00'" -f redeliver.sql
--
-- Every event of the time that content has lost is told again. Those that it has kept it knows by their ids. Ten minutes more, since a
-- message is done after it was taken.
UPDATE outbox SET done_at = NULL, next_attempt_at = 'epoch', attempts = 0, last_error = NULL
WHERE done_at > :since::timestamptz - interval '10 minutes' AND kind <> 'provider.forget';
