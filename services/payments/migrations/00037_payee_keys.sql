-- +goose Up

-- While an account is made: since when by the key that it has, and what was said with it. A provider forgets keys after a day, and refuses one
-- that comes with other words; then one may have been made all the same.
ALTER TABLE payees
    ADD COLUMN keyed_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN said     text        NOT NULL DEFAULT ''; -- a sum of it
UPDATE payees SET keyed_at = created_at;
ALTER TABLE payees ADD CONSTRAINT payees_said CHECK (said = '' OR state = 'making');
