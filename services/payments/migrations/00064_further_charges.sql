-- +goose Up
-- A pledge that is changed to a higher sum is charged further: a payment with a subject of its own, which belongs to this pledge. Null for all
-- others.
ALTER TABLE payments ADD COLUMN further_of text;
ALTER TABLE payments ADD CONSTRAINT payments_further CHECK (further_of IS NULL OR subject_kind = 'pledge') NOT VALID;
