-- +goose NO TRANSACTION
-- +goose Up

-- The desk finds payments by the last four of a card or a bank account.
DROP INDEX CONCURRENTLY IF EXISTS payments_last_four; -- one that a migration left unfinished
CREATE INDEX CONCURRENTLY payments_last_four ON payments (right(method, 4), created_at DESC) WHERE method <> '';
