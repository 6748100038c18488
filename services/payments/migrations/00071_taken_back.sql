-- +goose Up

-- Its pledge was taken back: what a bank has of it now and returns later is the backer's. Refunds alone do not say so while nothing is left
-- to give back.
ALTER TABLE payments ADD COLUMN taken_back boolean NOT NULL DEFAULT false;
