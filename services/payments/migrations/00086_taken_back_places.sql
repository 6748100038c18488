-- +goose Up

-- Where provider B has put what was taken back of a creator's own wallet: a campaign's wallet, which is another campaign's than the run's when the debt was of
-- that one. What of it has paid no debt is payable as that campaign's money.
ALTER TABLE transfer_reversals
    ADD COLUMN place       text   NOT NULL DEFAULT 'main' CONSTRAINT transfer_reversals_place CHECK (place <> ''), -- of our balance at the provider
    ADD COLUMN campaign_id bigint; -- whose place it is, when that is not the run's campaign
