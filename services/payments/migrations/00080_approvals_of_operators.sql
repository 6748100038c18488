-- +goose Up

-- Nobody approves a payout under a name that is no operator's. Approvals of before stay as they are: they count while their person is one.
-- +goose StatementBegin
CREATE FUNCTION approves_as_operator() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM operators o WHERE lower(btrim(o.name)) = lower(btrim(NEW.actor)) AND o.is_operator
        AND o.number = (SELECT max(number) FROM operators WHERE user_id = o.user_id)) THEN
        RAISE EXCEPTION '% answers for money by no account', NEW.actor USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_approvals_operator';
    END IF;
    RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER settlement_approvals_operator BEFORE INSERT ON settlement_approvals FOR EACH ROW EXECUTE FUNCTION approves_as_operator();
