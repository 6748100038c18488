-- On the content database that was brought back to an earlier moment, before anybody uses it: psql -v ON_ERROR_STOP=1 -1 -f after-content.sql
--
-- The payment service knows ids and numbers of the time that is lost. None of them may be given again: a new campaign with the id
-- of a lost one would have its money, a receipt's number would be somebody else's. So every sequence jumps.
SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, coalesce(last_value, 1) + 100000) FROM pg_sequences;

-- Of words about a campaign's accounts the payment service takes those with the highest number.
UPDATE campaigns SET payment_accounts_number = payment_accounts_number + 1000 WHERE payment_accounts_number > 0;

-- Likewise of holds: the one that stands is told on under a number that was not there.
INSERT INTO campaign_holds (campaign_id, number, kind, reason, sentence, tells_on, since, at)
SELECT h.campaign_id, h.number + 1000, h.kind, h.reason, h.sentence, h.tells_on, h.since, h.at
FROM campaign_holds h JOIN campaigns c ON c.id = h.campaign_id AND c.hold_number = h.number;
UPDATE campaigns c SET hold_number = hold_number + 1000
WHERE EXISTS (SELECT FROM campaign_holds h WHERE h.campaign_id = c.id AND h.number = c.hold_number + 1000);
