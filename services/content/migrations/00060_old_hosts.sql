-- +goose Up
-- What 00058 left: contact addresses of campaigns, and links under way, which are compared with their account's address. Where an account
-- keeps its older form, because somebody has the other one, these keep it, too.
CREATE TEMPORARY TABLE contacts ON COMMIT DROP AS
SELECT id, contact_email AS is_written, mail_address(contact_email) AS should_be FROM campaigns c
WHERE contact_email <> mail_address(contact_email) AND NOT EXISTS (SELECT FROM users WHERE lower(email) = lower(c.contact_email));

UPDATE campaigns SET contact_email = should_be FROM contacts WHERE contacts.id = campaigns.id;
-- Staff have read it: nobody has changed it since.
UPDATE reviewed_parts SET parts = jsonb_set(parts, '{contact}', to_jsonb(should_be)) FROM contacts
WHERE contacts.id = campaign_id AND parts ->> 'contact' = is_written;

UPDATE email_verifications l SET email = u.email FROM users u
WHERE u.id = l.user_id AND l.email <> u.email AND lower(mail_address(l.email)) = lower(u.email);
UPDATE password_resets l SET email = u.email FROM users u
WHERE u.id = l.user_id AND l.email <> u.email AND lower(mail_address(l.email)) = lower(u.email);
