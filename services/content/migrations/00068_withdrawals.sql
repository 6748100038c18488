-- +goose Up
-- A pledge that its backer has taken back after it was paid, or while their bank confirmed it: nothing of it counts any more, and what was
-- paid goes back (package pledges).
ALTER TABLE pledges DROP CONSTRAINT pledges_status, DROP CONSTRAINT pledges_released_is_over;
ALTER TABLE pledges
    ADD CONSTRAINT pledges_status CHECK (status IN ('created', 'awaiting_payment', 'processing', 'paid', 'failed', 'expired',
        'refunded', 'partly_refunded', 'disputed', 'withdrawn')),
    ADD CONSTRAINT pledges_released_is_over CHECK (released_at IS NULL OR status IN ('failed', 'expired', 'refunded', 'withdrawn')),
    ADD CONSTRAINT pledges_withdrawn_is_released CHECK (status <> 'withdrawn' OR released_at IS NOT NULL);

-- As in 00038, without what was taken back.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION made_before(campaign bigint, reward bigint, account bigint, amount bigint, since timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('made before ' || account, campaign));
    RETURN EXISTS (SELECT FROM pledges WHERE user_id = account AND created_at > since AND campaign_id = campaign
        AND coalesce(reward_id, 0) = reward AND amount_minor = amount AND status NOT IN ('failed', 'expired', 'refunded', 'withdrawn'));
END $$;
-- +goose StatementEnd

-- What a link opens: the receipt alone, as those of earlier mails do, or the page of the pledge, where it can be taken back. A link that
-- has ended stays for a while: it is how a new one is asked for, which goes to the pledge's own address.
ALTER TABLE receipt_links ADD COLUMN opens text NOT NULL DEFAULT 'receipt' CONSTRAINT receipt_links_opens CHECK (opens IN ('receipt', 'pledge'));
