-- +goose NO TRANSACTION
-- +goose Up

-- Where an account went when two of one person were brought together: what is erased of it is looked up by that.
DROP INDEX CONCURRENTLY IF EXISTS audit_log_merges; -- one that a migration left unfinished
CREATE INDEX CONCURRENTLY audit_log_merges ON audit_log ((before ->> 'account')) WHERE entity = 'user' AND action = 'merge_accounts';
