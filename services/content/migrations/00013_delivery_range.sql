-- +goose Up
-- A reward may be delivered within months: 2027-05/2027-09 (an interval of ISO 8601).
ALTER TABLE rewards
    DROP CONSTRAINT rewards_delivery_check,
    ADD CONSTRAINT rewards_delivery_check CHECK (delivery = ''
        OR delivery ~ '^\d{4}-(0[1-9]|1[0-2])(/\d{4}-(0[1-9]|1[0-2]))?$'
            AND split_part(delivery, '/', 1) < coalesce(nullif(split_part(delivery, '/', 2), ''), '9999-13'));
