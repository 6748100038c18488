-- +goose Up
-- The day on which a creator sent a pledge's reward, or handed it over.
ALTER TABLE pledges ADD COLUMN sent_on date;
