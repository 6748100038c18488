#!/bin/sh
# Starts the platform on this machine, or brings it to the version of bin/images (make images). `up.sh sandbox` starts it with
# stand-ins for the payment providers and for mail, and with the demo content.
# COMPOSE is the program, `docker compose` unless set, and ENGINE what loads images, docker unless set.
set -eu
umask 077
cd "$(dirname "$0")"
COMPOSE=${COMPOSE:-docker compose} ENGINE=${ENGINE:-docker}

# Secrets that are missing are made. The folder is closed; the files are not, since containers read them as users of their own.
mkdir -p secrets
keep() { # name, value
	if [ ! -e "secrets/$1" ]; then
		printf '%s' "$2" >"secrets/$1"
		chmod 644 "secrets/$1"
	fi
}
random() { od -An -vtx1 -N32 /dev/urandom | tr -d ' \n'; }
for name in postgres_password content_password payments_owner_password payments_password service_secret sealing_key; do
	keep $name "$(random)"
done
keep session_key "$(head -c 32 /dev/urandom | base64)"
address() { printf 'postgres://%s:%s@postgres:5432/%s?sslmode=disable' "$1" "$(cat "secrets/$2")" "$3"; }
keep content_database_url "$(address talkoot_content content_password talkoot_content)"
keep payments_owner_database_url "$(address talkoot_payments_owner payments_owner_password talkoot_payments)"
keep payments_database_url "$(address talkoot_payments_service payments_password talkoot_payments)"
for name in smtp_url stripe_secret_key stripe_webhook_secret mangopay_api_key; do
	keep $name ""
done

if [ ! -e .env ]; then
	cp .env.example .env
fi
write() { # variable, value: into .env, where compose reads it whoever calls it
	sed "/^$1=/d" .env >.env.new
	echo "$1=$2" >>.env.new
	mv .env.new .env
	export "$1=$2"
}
files=compose.yaml
if [ "${1:-}" = sandbox ]; then
	files=$files:sandbox.yaml
elif [ ! -s secrets/smtp_url ]; then
	echo "Read deploy/compose/.env, and put the mail server's address into deploy/compose/secrets/smtp_url. Then again." >&2
	exit 1
fi
if [ -e compose.override.yaml ]; then # what this machine has differently
	files=$files:compose.override.yaml
fi
write COMPOSE_FILE "$files"

images=../../bin/images
if [ ! -e $images/digests.txt ]; then
	echo "There are no images: run make images first." >&2
	exit 1
fi
write TALKOOT_VERSION "$(sed -n 's/^talkoot\/content:\([^ ]*\) .*/\1/p' $images/digests.txt)"
$ENGINE load -q -i $images/images.tar

$COMPOSE up -d
echo "Started. $(sed -n 's/^PUBLIC_URL=//p' .env) answers once content is healthy: $COMPOSE ps"
