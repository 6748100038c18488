-- +goose NO TRANSACTION
-- +goose Up

-- The desk finds payments by the last four of a card or a bank account, and gives the journal by the days on which it was booked.
DROP INDEX CONCURRENTLY IF EXISTS payments_last_four; -- one that a migration left unfinished
CREATE INDEX CONCURRENTLY payments_last_four ON payments (right(method, 4), created_at DESC) WHERE method <> '';
DROP INDEX CONCURRENTLY IF EXISTS ledger_transactions_booked;
CREATE INDEX CONCURRENTLY ledger_transactions_booked ON ledger_transactions (booked_at);
