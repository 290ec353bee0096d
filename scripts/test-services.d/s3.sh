# shellcheck shell=bash
#
# moto's server, which speaks S3, in a virtualenv. Each test starts its own. Without Python or a package index the
# tests of S3 are skipped, and say so.

readonly MOTO_VERSION=5.2.5
readonly S3_VENV=${XDG_CACHE_HOME:-$HOME/.cache}/atrium-tests/moto-$MOTO_VERSION

has_s3() { [ -x "$S3_VENV/bin/moto_server" ]; }

install_s3() {
  local name new
  if has_s3; then return; fi
  for name in python3.13 python3.12 python3.11 python3.10 python3; do
    if "$name" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then break; fi
  done
  mkdir -p "$(dirname "$S3_VENV")"
  new=$(mktemp -d "$S3_VENV.XXXXXX")
  # Made aside, so that one which was interrupted does not count. Its scripts name its folder.
  if "$name" -m venv "$new" >&2 &&
    "$new/bin/python" -m pip install -q --disable-pip-version-check \
      -r "$(dirname "${BASH_SOURCE[0]}")/s3-requirements.txt" >&2 &&
    sed -i "s|$new|$S3_VENV|g" "$new/bin/moto_server" && mv -T "$new" "$S3_VENV"; then
    log "installed moto $MOTO_VERSION"
  else
    rm -rf "$new"
    log "warning: could not install moto $MOTO_VERSION; tests of S3 will be skipped"
  fi
}
