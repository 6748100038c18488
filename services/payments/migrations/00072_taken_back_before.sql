-- +goose Up

-- By itself: the lock that adds a column would keep payments waiting while all refunds are read.
UPDATE payments SET taken_back = true WHERE id IN (SELECT payment_id FROM refunds WHERE reason = 'withdrawn');
