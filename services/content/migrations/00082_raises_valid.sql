-- +goose NO TRANSACTION
-- +goose Up

-- Beside pledges that go on: looking at all rows under the lock that adds a rule would keep them waiting.
ALTER TABLE pledge_changes VALIDATE CONSTRAINT pledge_changes_amount;
ALTER TABLE pledges VALIDATE CONSTRAINT pledges_uncontested;
