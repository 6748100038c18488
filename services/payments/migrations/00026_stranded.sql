-- +goose Up

-- When the content service was told that a payment waits where nothing begins any more and can be paid elsewhere; told once.
ALTER TABLE payments ADD COLUMN stranded_at timestamptz;
