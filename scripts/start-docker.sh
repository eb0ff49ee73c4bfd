#!/bin/sh
# Installs the Docker engine when it is missing (Debian, root), starts it when it does not answer, waits until it does.
# Prints the engine's process id when this call started it. Safe to call again.
# ROUTESETTER_DOCKER_DATA: data directory; ROUTESETTER_DOCKER_LOG: log file.
set -eu

socket="${ROUTESETTER_DOCKER_SOCKET:-/var/run/docker.sock}"
log="${ROUTESETTER_DOCKER_LOG:-/tmp/routesetter-dockerd.log}"
wait_seconds="${ROUTESETTER_DOCKER_WAIT:-60}"

answers() {
  [ -S "$socket" ] && [ "$(curl --silent --max-time 5 --unix-socket "$socket" http://docker/_ping 2>/dev/null)" = "OK" ]
}

if answers; then
  echo "docker: already running on $socket" >&2
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "docker: no engine answers on $socket, and only root can start one: run 'sudo $0'" >&2
  exit 1
fi
if ! command -v dockerd >/dev/null 2>&1; then
  if ! command -v apt-get >/dev/null 2>&1; then
    echo "docker: dockerd is missing and this system has no apt-get: install the Docker engine by hand" >&2
    exit 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  # A service start on install would leave an engine that nobody owns.
  policy=/usr/sbin/policy-rc.d
  made_policy=no
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
    made_policy=yes
  fi
  apt-get update -qq >&2 || true
  apt-get install -y -qq --no-install-recommends docker.io iptables curl >&2 || {
    [ "$made_policy" = yes ] && rm -f "$policy"
    echo "docker: apt-get install docker.io failed" >&2
    exit 1
  }
  [ "$made_policy" = yes ] && rm -f "$policy"
fi

rm -f /var/run/docker.pid
set -- dockerd --host "unix://$socket"
[ -n "${ROUTESETTER_DOCKER_DATA:-}" ] && set -- "$@" --data-root "$ROUTESETTER_DOCKER_DATA"
# setsid: a Ctrl-C in the calling terminal must not reach the engine.
setsid "$@" </dev/null >>"$log" 2>&1 &
pid=$!
waited=0
until answers; do
  if ! kill -0 "$pid" 2>/dev/null || [ "$waited" -ge "$wait_seconds" ]; then
    echo "docker: the engine did not answer within $wait_seconds s; last lines of $log:" >&2
    tail -n 15 "$log" >&2
    exit 1
  fi
  sleep 1
  waited=$((waited + 1))
done
echo "$pid"
