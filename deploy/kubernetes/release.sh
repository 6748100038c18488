#!/bin/sh
# Brings an overlay into the cluster in order: what processes need, the migrations, then the processes, each waited for.
#   release.sh small|large|FOLDER   from the images of images/kustomization.yaml
#   release.sh undo                 each process back to its version before; migrations stay, as that version works with them
# KUBECTL names the program, with what it needs: KUBECTL="kubectl --context production".
set -eu
cd "$(dirname "$0")"
kubectl=${KUBECTL:-kubectl}
namespace=${NAMESPACE:-talkoot}
limit=${LIMIT:-10m}
processes="content-api payments-api content-worker payments-worker edge"

apply() { # selector, folder
	$kubectl apply --server-side --field-manager=talkoot-release --selector "$1" -k "$2"
}

await_processes() {
	for process in $processes; do
		$kubectl -n "$namespace" rollout status "deployment/$process" --timeout="$limit"
	done
}

case ${1:-} in
undo)
	for process in $processes; do $kubectl -n "$namespace" rollout undo "deployment/$process"; done
	await_processes
	exit ;;
small | large) folder=overlays/$1 ;;
*) folder=${1:?which overlay: small, large, or a folder} ;;
esac

# Jobs cannot be changed, so those of the last release go first.
$kubectl -n "$namespace" delete job --selector talkoot.fi/step=migrate --ignore-not-found
apply 'talkoot.fi/step notin (migrate, run)' "$folder"
if $kubectl -n "$namespace" get clusters.postgresql.cnpg.io >/dev/null 2>&1 && [ -z "${SKIP_DATABASES:-}" ]; then
	$kubectl -n "$namespace" wait --for=condition=Ready clusters.postgresql.cnpg.io --all --timeout="$limit"
fi
apply talkoot.fi/step=migrate "$folder"
$kubectl -n "$namespace" wait --for=condition=Complete job --selector talkoot.fi/step=migrate --timeout="$limit" || {
	echo "A migration did not end. Nothing of the new version runs; the old one serves on." >&2
	$kubectl -n "$namespace" logs --selector talkoot.fi/step=migrate --tail=20 >&2 || :
	exit 1
}
apply talkoot.fi/step=run "$folder"
await_processes || {
	echo "A process did not become ready; the old version of it serves on. To go back: $0 undo" >&2
	exit 1
}
