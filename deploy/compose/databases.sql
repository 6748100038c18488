-- Two databases that know nothing of each other. Content owns its tables. The payment service owns none of its own: it can
-- neither switch the ledger's triggers off nor remove history; the migrations grant to the group what it may.
\getenv content_password content_password
\getenv payments_owner_password payments_owner_password
\getenv payments_password payments_password

SELECT format('CREATE ROLE %I', name)
FROM (VALUES ('talkoot_content'), ('talkoot_payments_owner'), ('talkoot_payments'), ('talkoot_payments_service')) AS wanted (name)
WHERE name NOT IN (SELECT rolname FROM pg_roles) \gexec

ALTER ROLE talkoot_content LOGIN PASSWORD :'content_password';
ALTER ROLE talkoot_payments_owner LOGIN PASSWORD :'payments_owner_password';
ALTER ROLE talkoot_payments_service LOGIN PASSWORD :'payments_password';
GRANT talkoot_payments TO talkoot_payments_service;

SELECT format('CREATE DATABASE %I OWNER %I ENCODING UTF8 LOCALE ''C.UTF-8'' TEMPLATE template0', name, owner)
FROM (VALUES ('talkoot_content', 'talkoot_content'), ('talkoot_payments', 'talkoot_payments_owner')) AS wanted (name, owner)
WHERE name NOT IN (SELECT datname FROM pg_database) \gexec

REVOKE CONNECT, TEMPORARY ON DATABASE talkoot_content, talkoot_payments FROM PUBLIC;
GRANT CONNECT ON DATABASE talkoot_payments TO talkoot_payments;
