-- +goose Up

-- What a bank decides later about a charge is about that card, whatever card its support has by then, and also when it is over.
ALTER TABLE subscription_periods ADD COLUMN paid_card text NOT NULL DEFAULT ''; -- that paid it; '' until then, and of months before this column
