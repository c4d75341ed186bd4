@{#- Runs the GPU exporter again and again, so that its end never restarts the container.
    reads: dcgm_port, exporter_pause_seconds -#}@
trap 'kill "$child" 2>/dev/null; exit 0' TERM INT
while true; do
  /usr/local/dcgm/dcgm-exporter-entrypoint.sh --address=:@{ dcgm_port }@ --collectors=/etc/dcgm-counters/counters.csv &
  child=$!
  wait "$child"
  echo "the exporter ended with status $?, once more in @{ exporter_pause_seconds }@ seconds" >&2
  sleep @{ exporter_pause_seconds }@ &
  child=$!
  wait "$child"
done
