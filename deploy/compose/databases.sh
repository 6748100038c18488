#!/bin/sh
# Makes the databases and their users where they are missing. Runs in the PostgreSQL image, as the server's own user.
set -eu
for name in postgres_password content_password payments_owner_password payments_password; do
	value=$(cat "/run/secrets/$name")
	export "$name=$value"
done
PGPASSWORD=$(cat /run/secrets/postgres_password)
export PGPASSWORD PGHOST=postgres PGUSER=postgres PGCONNECT_TIMEOUT=5
for _ in 1 2 3 4 5 6 7 8 9 10; do # the first start of a server is a start for itself
	if psql -qd postgres -v ON_ERROR_STOP=1 -f /setup/databases.sql; then exit 0; fi
	sleep 2
done
exit 1
