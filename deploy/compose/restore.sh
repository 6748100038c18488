#!/bin/sh
# restore.sh <folder of a backup> puts the databases and the pictures back as they were then. What has happened since is lost, but
# for what the payment providers tell: see README.md.
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
$COMPOSE up -d
echo "Restored; read in README.md what comes next."
