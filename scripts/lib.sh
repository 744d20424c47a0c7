# shellcheck shell=bash
# Shared by quickstart and test; to be sourced. Leaves the shell in the root of the source tree.

CDPATH='' cd -- "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

readonly build_packages=(g++ cmake ninja-build python3
  libtbb-dev libzstd-dev libxxhash-dev libboost-program-options-dev nlohmann-json3-dev libcpp-httplib-dev)
readonly test_packages=(libgtest-dev libbenchmark-dev pkg-config zstd xxhash
  python3-dev pybind11-dev python3-numpy python3-pytest python3-venv chromium chromium-driver python3-selenium zsh fish)
readonly bench_packages=(libgtest-dev libbenchmark-dev)
jobs=${RETROSOW_JOBS:-$(nproc 2>/dev/null || echo 2)}

say() { printf '\n== %s\n' "$*"; }

# Exit code 3: something this machine should have is not there.
give_up() {
  printf 'error: %s\n' "$*" >&2
  exit 3
}

# as_root COMMAND ...
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

apt_get() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@"
}

# Prints those of the given Debian packages that are not installed, one a line.
missing_packages() {
  local package
  for package in "$@"; do
    case " $(dpkg-query -W -f '${db:Status-Status} ' "$package" 2>/dev/null)" in
      *" installed "*) ;;
      *) printf '%s\n' "$package" ;;
    esac
  done
}

# Whether apt knows a version of every given package that it could install.
packages_known() {
  local package
  for package in "$@"; do
    case "$(LC_ALL=C apt-cache policy "$package" 2>/dev/null)" in
      *"Candidate: (none)"* | "") return 1 ;;
    esac
  done
}

# install_packages PACKAGE ...: installs what is missing, and nothing else.
install_packages() {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    check_by_hand "$@"
    return
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" = 0 ]; then
    echo "all there: $*"
    return
  fi
  echo "missing: ${missing[*]}"
  if [ "$(id -u)" != 0 ] && ! { command -v sudo >/dev/null && sudo true; }; then
    give_up "neither root nor able to use sudo; ask an administrator for: apt-get install ${missing[*]}"
  fi
  if ! packages_known "${missing[@]}"; then
    apt_get update || give_up "apt-get update failed; these packages are missing: ${missing[*]}"
  fi
  # Package lists may have grown old: the second try is with new ones.
  apt_get install -y --no-install-recommends "${missing[@]}" ||
    { apt_get update && apt_get install -y --no-install-recommends "${missing[@]}"; } ||
    give_up "could not install: ${missing[*]}"
}

# For systems without apt: finds out by trying, and says what is needed.
check_by_hand() {
  local compiler=${CXX:-c++} package what lacking=()
  for package in "$@"; do
    case $package in
      g++) command -v "$compiler" >/dev/null || lacking+=("a C++20 compiler") ;;
      cmake) command -v cmake >/dev/null || lacking+=("CMake 3.21 or later") ;;
      ninja-build) command -v ninja >/dev/null || lacking+=("Ninja") ;;
      python3) command -v python3 >/dev/null || lacking+=("Python 3") ;;
      pkg-config) command -v pkg-config >/dev/null || lacking+=("pkg-config") ;;
      zstd) command -v zstd >/dev/null || lacking+=("the command zstd") ;;
      python3-numpy | python3-pytest | python3-venv)
        python3 -c "import ${package#python3-}" 2>/dev/null || lacking+=("the module ${package#python3-} of Python 3") ;;
      python3-dev | pybind11-dev)
        what=Python.h
        if [ "$package" = pybind11-dev ]; then what=pybind11/pybind11.h; fi
        # shellcheck disable=SC2046  # several words
        echo "#include <$what>" | "$compiler" $(python3-config --includes 2>/dev/null) -E -x c++ - >/dev/null 2>&1 ||
          lacking+=("the library with <$what>") ;;
      xz-utils) command -v xz >/dev/null || lacking+=("the command xz") ;;
      python3-matplotlib) python3 -c 'import matplotlib' 2>/dev/null || lacking+=("matplotlib for Python 3") ;;
      chromium) command -v chromium >/dev/null || lacking+=("Chromium") ;;
      chromium-driver) command -v chromedriver >/dev/null || lacking+=("chromedriver") ;;
      python3-selenium) python3 -c 'import selenium' 2>/dev/null || lacking+=("Selenium for Python 3") ;;
      xxhash) command -v xxhsum >/dev/null || lacking+=("the command xxhsum") ;;
      *)
        case $package in
          libtbb-dev) what=tbb/parallel_for.h ;;
          libzstd-dev) what=zstd.h ;;
          libxxhash-dev) what=xxhash.h ;;
          libboost-program-options-dev) what=boost/program_options.hpp ;;
          nlohmann-json3-dev) what=nlohmann/json.hpp ;;
          libcpp-httplib-dev) what=httplib.h ;;
          libgtest-dev) what=gtest/gtest.h ;;
          libbenchmark-dev) what=benchmark/benchmark.h ;;
        esac
        echo "#include <$what>" | "$compiler" -E -x c++ - >/dev/null 2>&1 ||
          lacking+=("the library with <$what>")
        ;;
    esac
  done
  if [ "${#lacking[@]}" != 0 ]; then
    printf 'needed: %s\n' "${lacking[@]}" >&2
    give_up "not a Debian system, so please install what is needed (on Debian: apt-get install $*)"
  fi
}

# build_preset PRESET TARGET [cmake option ...]
build_preset() {
  local preset=$1 target=$2
  shift 2
  cmake --preset "$preset" "$@" && cmake --build --preset "$preset" --target "$target" -j "$jobs"
}

# The commit that was measured; changes outside results/ are marked.
measured_commit() {
  local hash
  hash=$(git rev-parse --short=12 --verify HEAD 2>/dev/null) || { echo unknown; return; }
  if [ -n "$(git status --porcelain --untracked-files=no -- . ':!results')" ]; then
    hash+=-dirty
  fi
  echo "$hash"
}

cpu_model() {
  local model
  model=$(LC_ALL=C lscpu 2>/dev/null |
    sed -n 's/^Model name: *//p; s/^CPU family: *\(.*\)/family \1/p; s/^Model: */model /p' | paste -sd ,) || true
  model=${model:-unknown}
  echo "${model//,/, }"
}

# The index of all results and the report, from what is under results/ now.
write_index() {
  say "Writing results/README.md and results/REPORT.md"
  python3 scripts/results_index.py results
  python3 scripts/report.py results
}

# What scripts that write results need: packages, the release program, a Python that sees Debian's packages.
# RETROSOW_BINARY is taken instead of a new build where it is set.
prepare_results() {
  results_binary=${RETROSOW_BINARY:-build/release/bin/retrosow}
  results_python=/usr/bin/python3
  [ -x "$results_python" ] || results_python=python3
  say "Packages"
  install_packages "${build_packages[@]}" python3-matplotlib "$@"
  if [ -z "${RETROSOW_BINARY-}" ]; then
    say "Building $results_binary"
    build_preset release retrosow -DRETROSOW_BUILD_TESTS=OFF -DRETROSOW_BUILD_BENCH=OFF
  fi
}

# prepare_benchmarks TARGET ...: the same for scripts that run benchmarks. results_binaries is the folder of the
# programs; RETROSOW_BINARIES, or that of RETROSOW_BINARY, is taken instead of a new build where it is set.
prepare_benchmarks() {
  results_binaries=${RETROSOW_BINARIES:-${RETROSOW_BINARY:+$(dirname "$RETROSOW_BINARY")}}
  RETROSOW_BINARY=${results_binaries:-build/release/bin}/retrosow prepare_results "${bench_packages[@]}" xz-utils
  if [ -z "$results_binaries" ]; then
    results_binaries=build/release/bin
    say "Building the benchmarks"
    local target
    for target in retrosow "$@"; do
      build_preset release "$target" -DRETROSOW_BUILD_BENCH=ON
    done
  fi
}

# read_facts CALL.json GAMES NAME=VALUE ...: facts=(NAME=VALUE ...) of a run that measure.py measured.
read_facts() {
  local text
  text=$("$results_python" scripts/facts.py "$results_binaries/retrosow" "$@" "commit=$(measured_commit)" \
    "processor=$(cpu_model)") || return
  mapfile -t facts <<<"$text"
}
