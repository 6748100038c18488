#!/bin/sh
# restore.sh <folder of a backup> puts the databases and the pictures back as they were then. Both go back to one moment.
set -eu
cd "$(dirname "$0")"
COMPOSE=${COMPOSE:-docker compose}
from=${1:?usage: restore.sh backups/<time>}
for file in database pictures; do
	gzip -t "$from/$file.tar.gz"
done
$COMPOSE stop
unpack() { gzip -dc "$from/$1.tar.gz" | $COMPOSE run --rm -T files "$2"; }
# Where in its volume the server keeps its files is the image's to say.
# shellcheck disable=SC2016
unpack database 'data=/database${PGDATA#/var/lib/postgresql}; mkdir -p "$data" && find "$data" -mindepth 1 -delete &&
	tar -x -p -C "$data" && chmod 700 "$data" && chown -R postgres:postgres /database'
unpack pictures 'find /pictures -mindepth 1 -delete && tar -x -p -C /pictures'
# Ids and numbers that the lost time has given away are skipped, before anybody is let in. Redis forgot everything when it stopped.
$COMPOSE up -d --wait postgres
$COMPOSE exec -T postgres psql -U postgres -d talkoot_content -q -v ON_ERROR_STOP=1 -1 <../backup/after-content.sql
$COMPOSE up -d
echo "Restored. What becomes of the lost time is in deploy/backup/README.md."
