# Citus for the tests, if CITUS_SOURCE names its source: a folder or a tarball.
# Part of scripts/test-services, whose functions and variables it uses.
# shellcheck shell=bash disable=SC2154

readonly CITUS_NODES='0 1 2' # the coordinator and two workers

wants_citus() { [ -n "${CITUS_SOURCE:-}" ]; }
has_citus() { [ -e "/usr/lib/postgresql/$1/lib/citus.so" ] && [ -e "/usr/share/postgresql/$1/extension/citus.control" ]; }

build_citus() {
  local postgres=$1 source=$work_dir/citus pg_config=/usr/lib/postgresql/$1/bin/pg_config
  apt_install gcc libc6-dev make libkrb5-dev liblz4-dev libpq-dev libssl-dev libzstd-dev "postgresql-server-dev-$postgres"
  mkdir "$source"
  if [ -d "$CITUS_SOURCE" ]; then
    tar -C "$CITUS_SOURCE" --exclude=.git -cf - . | tar -C "$source" -xf -
  else
    tar -C "$source" --strip-components=1 -xf "$CITUS_SOURCE"
  fi || die "could not read CITUS_SOURCE ($CITUS_SOURCE)" "Set it to a folder or a tarball with the source of Citus."

  # Later minor versions of PostgreSQL have this function themselves.
  if grep -q '^extern bool have_createdb_privilege' "$("$pg_config" --includedir-server)/commands/dbcommands.h"; then
    sed -i 's/^have_createdb_privilege(void)/citus_have_createdb_privilege(void)/' "$source/src/include/pg_version_compat.h"
  fi
  log "building Citus for PostgreSQL $postgres; this takes some minutes"
  if ! (cd "$source" && ./configure "PG_CONFIG=$pg_config" --without-libcurl &&
    make -j "$(nproc)" with_llvm=no extension && as_root make with_llvm=no install-extension) >"$work_dir/build.log" 2>&1; then
    tail -n 40 "$work_dir/build.log" >&2
    die "could not build Citus for PostgreSQL $postgres" "See the end of the compiler's output above."
  fi
}

citus_pid() { server_pid "$data/citus-$citus_node/data/postmaster.pid" "$data/citus-$citus_node/data"; }

stop_citus() {
  for citus_node in $CITUS_NODES; do stop_server citus_pid; done
}

# Starts the nodes; each test run makes them a cluster in its own databases.
start_citus() {
  local postgres=$1 bin=/usr/lib/postgresql/$1/bin home attempt
  citus_urls=
  for citus_node in $CITUS_NODES; do
    home=$data/citus-$citus_node
    mkdir "$home"
    if is_root; then chown "$SERVICE_USER:" "$home"; fi
    as_service_user "$bin/initdb" --pgdata="$home/data" --username="$DB_ROLE" --auth=trust \
      --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$home/initdb.log" 2>&1 ||
      { cat "$home/initdb.log" >&2 && die "initdb failed" "See its message above."; }
    cat >>"$home/data/postgresql.conf" <<CONF
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 300
max_prepared_transactions = 300
max_worker_processes = 100
shared_buffers = 128MB
fsync = off
dynamic_shared_memory_type = mmap
shared_preload_libraries = 'citus'
citus.enable_statistics_collection = off
citus.node_conninfo = 'sslmode=disable'
CONF
    for ((attempt = 1; ; attempt++)); do
      citus_port=$(free_port)
      if as_service_user "$bin/pg_ctl" start --pgdata="$home/data" --log="$home/log" --wait --timeout="$READY_SECONDS" \
        --options="-p $citus_port" </dev/null >/dev/null 2>&1; then break; fi
      if [ "$attempt" -ge "$PORT_ATTEMPTS" ]; then
        tail -n 20 "$home/log" >&2 || true
        die "a node of Citus did not start" "See the end of its log above."
      fi
    done
    citus_urls+=${citus_urls:+,}postgres://$DB_ROLE@127.0.0.1:$citus_port/postgres
  done
}
