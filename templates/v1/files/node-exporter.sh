@{#- Runs the node exporter again and again, so that its end never restarts the container.
    reads: exporter_pause_seconds, node_port -#}@
trap 'kill "$child" 2>/dev/null; exit 0' TERM INT
while true; do
  /bin/node_exporter --web.listen-address=:@{ node_port }@ --path.procfs=/host/proc --path.sysfs=/host/sys \
    --collector.disable-defaults --collector.cpu --collector.infiniband --collector.loadavg --collector.meminfo \
    --collector.netdev --collector.netstat --collector.pressure --collector.schedstat &
  child=$!
  wait "$child"
  echo "the exporter ended with status $?, once more in @{ exporter_pause_seconds }@ seconds" >&2
  sleep @{ exporter_pause_seconds }@ &
  child=$!
  wait "$child"
done
