-- +goose Up
-- What staff have stopped stays stopped; what is its creator's may be paid out all the same, once they say so.
ALTER TABLE campaign_holds ADD COLUMN pays_out boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT campaign_holds_pays_out CHECK (NOT pays_out OR kind = 'stopped');
