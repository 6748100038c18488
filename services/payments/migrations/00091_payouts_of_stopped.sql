-- +goose Up
-- A campaign that takes no money any more, and whose creator is paid what is theirs.
ALTER TABLE campaign_holds ADD COLUMN pays_out boolean NOT NULL DEFAULT false,
    ADD CONSTRAINT campaign_holds_pays_out CHECK (NOT pays_out OR is_on_hold);
