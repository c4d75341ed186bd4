@{#- The launch script of a model pod, run as `bash -c`: one role's steps from its log to `vllm serve`.
    reads: command, crash_cleanup, log_dir, pre_launch, shm_dir, trace_dir, vllm_env
    Every key is bash already, quoted where it is a word. -#}@
set -euo pipefail
@{% if log_dir or crash_cleanup or pre_launch %}@

@{% if log_dir or pre_launch %}@
script_pid=$BASHPID
@{% endif %}@
phase=
stopping=
vllm_pid=
@{% endif %}@
@{% if crash_cleanup %}@

# A folder that holds what must stay is no cache; of a link only the link goes.
clear_caches() {
  local folder place kept
  [[ $VLLM_CACHE_ROOT == /* && $(realpath -m -- "$VLLM_CACHE_ROOT") != / ]] || return 0
  echo "manifesto: clearing compilation caches" >&2
  find "$VLLM_CACHE_ROOT/" -type d -name torch_compile_cache -prune -exec rm -rf -- {} + || true
  for folder in "$VLLM_CACHE_ROOT/deep_gemm" "${FLASHINFER_CACHE_DIR-}" "${FLASHINFER_WORKSPACE_BASE-}" \
    "${FLASH_ATTENTION_CUTE_DSL_CACHE_DIR-}" "${TRITON_CACHE_DIR-}" "${TORCHINDUCTOR_CACHE_DIR-}" \
    "${TILELANG_CACHE_DIR-}"; do
    while [[ $folder == */ ]]; do folder=${folder%/}; done
    [[ $folder == /* ]] || continue
    place=$(realpath -m -- "$folder")
    for kept in "$VLLM_CACHE_ROOT" "${HOME:-/}" "${HF_HOME:-/}"; do
      if [[ $(realpath -m -- "$kept")/ == "${place%/}"/* ]]; then
        echo "manifesto: $folder is kept, it holds $kept" >&2
        continue 2
      fi
    done
    rm -rf -- "$folder" || true
  done
}

# The marker outlives a container that dies without running its exit handler.
mark() {
  if ! { mkdir -p -- "${marker%/*}" && : >"$marker"; }; then
    echo "manifesto: warning: $marker cannot be written" >&2
  fi
}
@{% endif %}@
@{% if log_dir %}@

copy_output() {
  trap '' TERM INT
  tee -a -- "$log_file" || {
    echo "manifesto: the log tee failed (status $?), the pod ends" >&2
    kill -USR1 "$script_pid"
  }
}
@{% endif %}@
@{% if log_dir or crash_cleanup or pre_launch %}@

finish() {
  local status=${vllm_status:-$?}
  trap '' TERM INT USR1 USR2
@{% if pre_launch %}@
  [[ $phase != hooks || -n $stopping ]] || echo "manifesto: a pre-launch hook ended the pod (status $status)" >&2
@{% endif %}@
@{% if crash_cleanup %}@
  if [[ $phase == vllm ]]; then
    [[ -n $stopping ]] || clear_caches
    rm -f -- "$marker" || true
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

# Bash runs as process 1: it passes a stop on to vLLM and ends with vLLM's status.
stop() {
  stopping=$1
  [[ -n $phase ]] || exit "$2"
  # A process that was forked just now would miss it.
  sleep 0.1
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
  trap 'exec >&"$console" 2>&1; stop tee 1' USR1
  exec > >(copy_output) 2>&1
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
# Hooks and vLLM run in a process of their own: no hook holds back a stop or changes what stands above.
trap 'phase=vllm@{ "; mark" if crash_cleanup else "" }@' USR2
phase=hooks
(
@{% for line in pre_launch %}@
@{ line }@
@{% endfor %}@
kill -USR2 "$script_pid"
exec @{ command | join(" \\\n  ") }@
) &
@{% elif log_dir or crash_cleanup %}@
phase=vllm
@{% if crash_cleanup %}@
mark
@{% endif %}@
@{ command | join(" \\\n  ") }@ &
@{% else %}@
exec @{ command | join(" \\\n  ") }@
@{% endif %}@
@{% if log_dir or crash_cleanup or pre_launch %}@
vllm_pid=$!
[[ -z $stopping ]] || stop "$stopping"

# A signal ends wait while vLLM is still there.
while kill -0 "$vllm_pid" 2>/dev/null; do
  wait "$vllm_pid" || true
done
vllm_status=0
wait "$vllm_pid" || vllm_status=$?
@{% if log_dir %}@
[[ $stopping != tee ]] || vllm_status=1
@{% endif %}@
@{% endif %}@
