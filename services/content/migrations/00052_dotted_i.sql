-- +goose Up

-- Addresses are compared in lower case, in which the capital İ is a plain i, and so another mailbox's address: they are kept with the i
-- and its dot that it is in domains.
UPDATE users SET email = replace(email, U&'\0130', U&'i\0307') WHERE email LIKE U&'%\0130%';
UPDATE pledges SET email = replace(email, U&'\0130', U&'i\0307') WHERE email LIKE U&'%\0130%';
UPDATE subscriptions SET email = replace(email, U&'\0130', U&'i\0307') WHERE email LIKE U&'%\0130%';
UPDATE team_invitations SET email = replace(email, U&'\0130', U&'i\0307') WHERE email LIKE U&'%\0130%';
