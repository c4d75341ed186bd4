@{#- The launch script of a model pod, run as `bash -c`: one role's steps from its log to `vllm serve`.
    reads: command, crash_cleanup, log_dir, pre_launch, shm_dir, trace_dir, vllm_env
    Every key is bash already, quoted and safe from Kubernetes' own expansion of $(NAME). -#}@
set -euo pipefail
@{% if log_dir or crash_cleanup or pre_launch %}@

step=
@{% if log_dir or crash_cleanup %}@
serving=
stopping=
vllm_pid=
@{% endif %}@
@{% if crash_cleanup %}@

clear_caches() {
  local root folder kept
  root=$(realpath -ms -- "${VLLM_CACHE_ROOT:?}")
  [[ $root != / ]] || return 0
  echo "manifesto: clearing compilation caches" >&2
  find "$root/" -type d -name torch_compile_cache -prune -exec rm -rf -- {} + || true
  for folder in "$root/deep_gemm" "${FLASHINFER_CACHE_DIR-}" "${FLASHINFER_WORKSPACE_BASE-}" \
    "${FLASH_ATTENTION_CUTE_DSL_CACHE_DIR-}" "${TRITON_CACHE_DIR-}" "${TORCHINDUCTOR_CACHE_DIR-}" \
    "${TILELANG_CACHE_DIR-}"; do
    [[ -n $folder ]] || continue
    folder=$(realpath -ms -- "$folder")
    for kept in "$root" "${HOME:-/}" "${HF_HOME:-/}"; do
      if [[ $(realpath -ms -- "$kept")/ == "${folder%/}"/* ]]; then
        echo "manifesto: $folder is kept, it holds $kept" >&2
        continue 2
      fi
    done
    rm -rf -- "$folder" || true
  done
}
@{% endif %}@

finish() {
  local status=$?
  trap '' TERM INT USR1
  [[ -z $step ]] || echo "manifesto: $step ended the pod (status $status)" >&2
@{% if crash_cleanup %}@
  if [[ -n $serving ]]; then
    [[ -n $stopping ]] || clear_caches
    rm -f -- "$marker"
  fi
@{% endif %}@
@{% if log_dir %}@
  if [[ -n ${tee_pid-} ]]; then
    exec >&"$console" 2>&1
    for _ in {1..20}; do
      kill -0 "$tee_pid" 2>/dev/null || break
      sleep 0.1
    done
  fi
@{% endif %}@
  exit "$status"
}
trap finish EXIT
@{% if not (log_dir or crash_cleanup) %}@
trap 'step=; exit 143' TERM INT
@{% endif %}@
@{% endif %}@
@{% if log_dir or crash_cleanup %}@

# Bash runs as process 1: it passes a stop on to vLLM and ends with vLLM's status.
stop() {
  stopping=$1
  interrupted=1
  if [[ -z $serving ]]; then
    step=
    exit "$2"
  fi
  kill -TERM "$vllm_pid" 2>/dev/null || true
}
trap 'stop asked 143' TERM INT
@{% endif %}@
@{% if log_dir %}@

# The console's output also goes to a file. A folder that cannot be written is no reason not to serve.
printf -v stamp '%(%Y%m%d-%H%M%S)T' -1
log_dir=@{ log_dir }@
log_file=$log_dir/${HOSTNAME}_$stamp.log
if mkdir -p -- "$log_dir" && : >>"$log_file"; then
  exec {console}>&1
  script_pid=$BASHPID
  trap 'stop tee 1' USR1
  exec > >(
    trap '' TERM INT
    tee -a -- "$log_file" || {
      echo "manifesto: the log tee ended the pod (status $?)" >&2
      kill -USR1 "$script_pid"
    }
  ) 2>&1
  tee_pid=$!
else
  echo "manifesto: warning: $log_file cannot be written, the console has the only log" >&2
fi
@{% endif %}@
@{% if trace_dir %}@

mkdir -p -- @{ trace_dir }@ || echo "manifesto: warning: the trace folder cannot be made" >&2
@{% endif %}@

# Segments of an earlier container of this pod would make vLLM fail again and again.
find @{ shm_dir }@ -mindepth 1 -delete || echo "manifesto: warning: @{ shm_dir }@ could not be emptied" >&2
@{% if crash_cleanup %}@

# The marker outlives a container that died without running its exit handler.
marker=${VLLM_CACHE_ROOT:?}/.manifesto/$MANIFESTO_POD_UID-$HOSTNAME
[[ ! -e $marker ]] || clear_caches
@{% endif %}@

@{% if vllm_env %}@
if [[ ! -f $MANIFESTO_VLLM_ENV/.venv/bin/activate ]]; then
  echo "manifesto: there is no vllm-env at $MANIFESTO_VLLM_ENV: .venv/bin/activate is missing" >&2
  exit 1
fi
set +u
# shellcheck source=/dev/null
source "$MANIFESTO_VLLM_ENV/.venv/bin/activate"
set -u
@{% else %}@
if [[ -f /opt/vllm/bin/activate ]]; then
  set +u
  # shellcheck source=/dev/null
  source /opt/vllm/bin/activate
  set -u
fi
@{% endif %}@
@{% if pre_launch %}@

step="a pre-launch hook"
@{% for line in pre_launch %}@
@{ line }@
@{% endfor %}@
step=
@{% endif %}@

@{% if crash_cleanup %}@
if ! { mkdir -p -- "${marker%/*}" && : >"$marker"; }; then
  echo "manifesto: warning: $marker cannot be written" >&2
fi
@{% endif %}@
@{% if log_dir or crash_cleanup %}@
serving=1
@{% for line in command %}@
@{ line if loop.first else "  " ~ line }@@{ " \\" if not loop.last else " &" }@
@{% endfor %}@
vllm_pid=$!
[[ -z $stopping ]] || kill -TERM "$vllm_pid" 2>/dev/null || true

# A signal interrupts wait before vLLM has ended.
interrupted=1
while [[ -n $interrupted ]]; do
  interrupted=
  status=0
  wait "$vllm_pid" || status=$?
done
@{% if log_dir %}@
[[ $stopping != tee ]] || status=1
@{% endif %}@
exit "$status"
@{% else %}@
exec @{ command | join(" \\\n  ") }@
@{% endif %}@
