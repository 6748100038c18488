-- +goose Up
-- Addresses are kept at the host that mail for them is sent to since 00052: those that were stored before are rewritten, in fullwidth letters or
-- punycode (gｍail.example, xn--hyry-5qa.fi), where nobody has the other form. The audit lists those that clash.

-- +goose StatementBegin
-- mail_label is a label of a host name in letters (RFC 3492); one that is no punycode stays.
CREATE FUNCTION mail_label(label text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    rest text := substr(label, 5);
    letters text := '';
    code bigint := 128;
    at bigint := 0;
    bias bigint := 72;
    before bigint; weight bigint; k bigint; digit bigint; threshold bigint; delta bigint;
    place int := 1;
BEGIN
    IF label NOT LIKE 'xn--%' THEN
        RETURN label;
    END IF;
    IF rest LIKE '%-%' THEN
        letters := regexp_replace(rest, '-[^-]*$', '');
        rest := regexp_replace(rest, '^.*-', '');
    END IF;
    WHILE place <= length(rest) LOOP
        before := at; weight := 1; k := 36;
        LOOP
            digit := strpos('abcdefghijklmnopqrstuvwxyz0123456789', substr(rest, place, 1)) - 1;
            IF place > length(rest) OR digit < 0 THEN
                RETURN label;
            END IF;
            place := place + 1;
            at := at + digit * weight;
            threshold := least(26, greatest(1, k - bias));
            EXIT WHEN digit < threshold;
            weight := weight * (36 - threshold);
            k := k + 36;
        END LOOP;
        delta := (at - before) / CASE before WHEN 0 THEN 700 ELSE 2 END;
        delta := delta + delta / (length(letters) + 1);
        k := 0;
        WHILE delta > 455 LOOP
            delta := delta / 35;
            k := k + 36;
        END LOOP;
        bias := k + 36 * delta / (delta + 38);
        code := code + at / (length(letters) + 1);
        at := at % (length(letters) + 1);
        letters := left(letters, at::int) || chr(code::int) || substr(letters, at::int + 1);
        at := at + 1;
    END LOOP;
    RETURN letters;
EXCEPTION WHEN OTHERS THEN -- a code that is no character
    RETURN label;
END $$;

-- mail_address is an address at the host that mail for it is sent to, as the service writes it (profiles.NormalEmail).
CREATE FUNCTION mail_address(address text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    host text := regexp_replace(address, '^.*@', '');
BEGIN
    IF address NOT LIKE '%@%' OR host !~ '[^\x01-\x7f]' AND host !~* 'xn--' THEN
        RETURN address;
    END IF;
    RETURN left(address, length(address) - length(host)) || (
        SELECT string_agg(mail_label(label), '.' ORDER BY n)
        FROM regexp_split_to_table(translate(lower(normalize(host, NFKC)), U&'\3002', '.'), '\.') WITH ORDINALITY AS labels (label, n));
END $$;
-- +goose StatementEnd

-- mail_addresses are those that are not written so, with where they stand and how they would be.
CREATE VIEW mail_addresses AS
SELECT place, id, lower(email) AS is_written, lower(mail_address(email)) AS should_be FROM (
    SELECT 'user' AS place, CAST(id AS text) AS id, email FROM users WHERE erased_at IS NULL
    UNION ALL SELECT 'pledge', id, email FROM pledges
    UNION ALL SELECT 'subscription', id, email FROM subscriptions
    UNION ALL SELECT 'invitation', CAST(id AS text), email FROM team_invitations) a
WHERE email ~ '@.*[^\x01-\x7f]' OR email ~* '@.*xn--';

CREATE TEMPORARY TABLE rewritten ON COMMIT DROP AS
SELECT is_written, should_be FROM (SELECT DISTINCT is_written, should_be FROM mail_addresses WHERE is_written <> should_be) a
WHERE NOT EXISTS (SELECT FROM users WHERE lower(email) = should_be) AND NOT EXISTS (SELECT FROM pledges WHERE lower(email) = should_be)
  AND NOT EXISTS (SELECT FROM subscriptions WHERE lower(email) = should_be)
  AND NOT EXISTS (SELECT FROM team_invitations WHERE lower(email) = should_be)
  AND NOT EXISTS (SELECT FROM mail_addresses o WHERE o.should_be = a.should_be AND o.is_written <> a.is_written);

UPDATE users SET email = mail_address(email) WHERE lower(email) IN (SELECT is_written FROM rewritten);
UPDATE pledges SET email = mail_address(email) WHERE lower(email) IN (SELECT is_written FROM rewritten);
UPDATE subscriptions SET email = mail_address(email) WHERE lower(email) IN (SELECT is_written FROM rewritten);
UPDATE team_invitations SET email = mail_address(email) WHERE lower(email) IN (SELECT is_written FROM rewritten);
-- Whoever refused letters goes on doing so, and who has had one gets no second.
UPDATE letter_refusals l SET address_hash = sha256(convert_to(should_be, 'UTF8')) FROM rewritten
WHERE l.address_hash = sha256(convert_to(is_written, 'UTF8'))
  AND NOT EXISTS (SELECT FROM letter_refusals o WHERE o.campaign_id = l.campaign_id AND o.address_hash = sha256(convert_to(should_be, 'UTF8')));
UPDATE letters l SET address_hash = sha256(convert_to(should_be, 'UTF8')) FROM rewritten
WHERE l.address_hash = sha256(convert_to(is_written, 'UTF8'))
  AND NOT EXISTS (SELECT FROM letters o WHERE o.post_id = l.post_id AND o.address_hash = sha256(convert_to(should_be, 'UTF8')));
UPDATE undeliverable_addresses l SET address_hash = sha256(convert_to(should_be, 'UTF8')) FROM rewritten
WHERE l.address_hash = sha256(convert_to(is_written, 'UTF8'))
  AND NOT EXISTS (SELECT FROM undeliverable_addresses o WHERE o.address_hash = sha256(convert_to(should_be, 'UTF8')));
