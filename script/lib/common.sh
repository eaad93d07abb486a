# shellcheck shell=bash disable=SC2034,SC2154  # its variables are the sourcing script's as well
# What the scripts share. Each of them sets `program` to its name and sources this file.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
exit_usage=2
exit_environment=4

say() { printf '%s: %s\n' "$program" "$*" >&2; }

# die <exit code> <message>...
die() {
  local code=$1
  shift
  say "$@"
  exit "$code"
}

# Prints nvcc's path; fails where there is none. Looks where cmake/Cuda.cmake looks.
find_nvcc() {
  local candidate
  for candidate in "${CUDACXX:-}" nvcc /usr/local/cuda/bin/nvcc; do
    if [[ -n $candidate ]] && command -v "$candidate"; then return 0; fi
  done
  return 1
}

# Prints the distribution and its release: "debian 12".
debian_release() {
  (
    ID=unknown VERSION_ID=''
    # shellcheck source=/dev/null
    source "${TRACKER_OS_RELEASE:-/etc/os-release}" 2>/dev/null || true
    printf '%s %s\n' "$ID" "$VERSION_ID"
  )
}

# apt_lacks <package>: whether apt, which knows packages, does not know this one.
apt_lacks() { [[ -n $(apt-cache madison g++ 2>/dev/null) && -z $(apt-cache madison "$1" 2>/dev/null) ]]; }

# Prints the path of a browser that tests/site can drive; fails where there is none.
find_browser() {
  local candidate
  for candidate in "${CHROMIUM:-chromium}" chromium-browser google-chrome google-chrome-stable; do
    if command -v "$candidate"; then return 0; fi
  done
  return 1
}

# Whether an NVIDIA driver sees a GPU.
has_gpu() { [[ -e /dev/nvidia0 || -n $(find /proc/driver/nvidia/gpus -mindepth 1 -print -quit 2>/dev/null) ]]; }

# The preset to build where the caller names none.
default_preset() {
  if find_nvcc >/dev/null; then echo release; else echo cpu; fi
}

# configure <preset> [<option of cmake>...]: quick when nothing changed. The compiler launcher is only read the first time.
configure() {
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER:-ccache}
    export CMAKE_CUDA_COMPILER_LAUNCHER=${CMAKE_CUDA_COMPILER_LAUNCHER:-ccache}
  fi
  cmake --preset "$@"
}

# The tests of kernels_cuda_test that each tool of compute-sanitizer watches. Watching for races takes a hundred
# times as long: the kernels that share memory, on few shapes.
declare -A sanitized=(
  [memcheck]='*'
  [initcheck]='GemmCuda*'
  [synccheck]='GemmCuda*'
  [racecheck]='*TransposeCuda*smem_padded*:*TransposeCuda*_tile*:*TransposeCuda*strip*:GemmCuda.TakesUnalignedMatrices:GemmCuda.RunsFromAGraph:TensorCuda.CanBeCapturedIntoAGraph'
)
