-- +goose Up
-- Whether an account has made the same pledge since a time: for the campaign and reward (0 for none), of the same sum, and not given up.
-- Others of the account wait for the one that asks until it has been made, so that two tabs that are pressed at once are both seen.
-- +goose StatementBegin
CREATE FUNCTION made_before(campaign bigint, reward bigint, account bigint, amount bigint, since timestamptz)
RETURNS boolean LANGUAGE plpgsql VOLATILE SET plan_cache_mode = force_generic_plan AS $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('made before ' || account, campaign));
    RETURN EXISTS (SELECT FROM pledges WHERE user_id = account AND created_at > since AND campaign_id = campaign
        AND coalesce(reward_id, 0) = reward AND amount_minor = amount AND status NOT IN ('failed', 'expired', 'refunded'));
END $$;
-- +goose StatementEnd
