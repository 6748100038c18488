-- +goose NO TRANSACTION
-- +goose Up

-- Beside payments that go on: a rule over all rows, and an index, would keep them waiting.
ALTER TABLE payments VALIDATE CONSTRAINT payments_further;
DROP INDEX CONCURRENTLY IF EXISTS payments_further_of; -- one that a migration left unfinished
CREATE INDEX CONCURRENTLY payments_further_of ON payments (further_of) WHERE further_of IS NOT NULL;
