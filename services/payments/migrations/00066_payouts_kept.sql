-- +goose Up

-- What came back of a payout that a bank has sent back: less than was sent when a bank has kept its fee.
ALTER TABLE settlement_moves ADD COLUMN returned_minor bigint NOT NULL DEFAULT 0;
UPDATE settlement_moves SET returned_minor = amount_minor WHERE state = 'returned';
ALTER TABLE settlement_moves ADD CONSTRAINT settlement_moves_came_back CHECK ((state = 'returned') = (returned_minor > 0)) NOT VALID;
ALTER TABLE settlement_moves VALIDATE CONSTRAINT settlement_moves_came_back;
