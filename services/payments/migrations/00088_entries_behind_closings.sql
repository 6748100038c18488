-- +goose NO TRANSACTION
-- +goose Up

-- The entries of an account behind its last closing are read by this index alone; beside payments that go on.
DROP INDEX CONCURRENTLY IF EXISTS ledger_entries_of_account_by_id; -- one that a migration left unfinished
CREATE INDEX CONCURRENTLY ledger_entries_of_account_by_id ON ledger_entries (account_id, id) INCLUDE (amount_minor);
DROP INDEX CONCURRENTLY IF EXISTS ledger_entries_of_account; -- the same without the order
