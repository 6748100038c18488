-- +goose Up

-- A method is what the payer does, not where on our page they do it.
ALTER TABLE attempts DROP CONSTRAINT attempts_method;
UPDATE attempts SET method = 'card' WHERE method = 'form';
ALTER TABLE attempts ADD CONSTRAINT attempts_method CHECK (method IN ('card', 'page', 'unasked'));
