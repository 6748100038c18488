-- +goose Up

-- Under which key of its caller's a charge was begun, hashed: a call with that key is about this charge, also before the key itself is kept.
ALTER TABLE attempts ADD COLUMN caller_key text NOT NULL DEFAULT '';
