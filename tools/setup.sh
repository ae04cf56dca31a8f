# shellcheck shell=bash disable=SC2154,SC2015
# Sets this machine up: packages, Python environment, sources, build. Sourced by ./tritonsmith and ./test, which call
#
#   set_up TARGET      what is built: program (all that judges), generate, engine and train (cmake/Program.cmake), or all
#                      (these, tests and benchmarks)
#
# Every step looks first whether its work is done already, so an interrupted set-up goes on where it stopped. Everything
# is said on stderr: stdout belongs to the program. Expects $root, the project's folder.
#
# Environment: TRITONSMITH_PYTHON  a Python that has torch and triton (nothing is installed then)
#              TRITONSMITH_JOBS    compilers at a time

readonly torch_version=2.11.0 triton_version=3.6.0
readonly tree_sitter_sources=("tree-sitter==0.23.2" "tree-sitter-python==0.23.6")
readonly third_party=$root/.cache/third_party build=$root/build/release

say() { printf 'tritonsmith: %s\n' "$*" >&2; }

# stop WHAT FIX: one line that names what is wrong, one that fixes it; 3 is "the machine failed".
stop() {
    say "$1"
    [[ -z ${2:-} ]] || say "  fix: $2"
    exit 3
}

set_up() {
    local target=$1 started=$SECONDS
    mkdir -p "$root/.cache"
    exec 9>"$root/.cache/setup.lock"
    if ! flock -n 9; then
        say "another set-up of this folder is running; waiting for it"
        flock 9
    fi
    if is_ready "$target"; then
        exec 9>&-
        return
    fi
    trap 'say "interrupted; the same command goes on from here"; exit 130' INT TERM
    install_packages
    choose_python
    install_test_packages "$target"
    install_cuda_compiler "$target"
    fetch_sources
    configure
    compile "$target"
    trap - INT TERM
    ((SECONDS - started < 5)) || say "ready after $((SECONDS - started)) s"
    exec 9>&-
}

# --- 1. what the system must have ------------------------------------------------------------------------------

# Names the Debian packages of what is missing. Headers are asked of the compiler itself, vendored ones included.
missing_packages() {
    local missing=()
    command -v g++ >/dev/null || missing+=(g++)
    command -v cmake >/dev/null || missing+=(cmake)
    command -v ninja >/dev/null || missing+=(ninja-build)
    [[ -d $root/.vendor/include ]] || command -v pkg-config >/dev/null || missing+=(pkgconf)
    if [[ ! -d $root/.vendor/include ]]; then
        local header found pair
        found=$(printf '#if __has_include(<%s>)\nhave %s\n#endif\n' \
            {nlohmann/json.hpp,CLI/CLI.hpp,fmt/format.h,gtest/gtest.h,gmock/gmock.h,benchmark/benchmark.h,sqlite3.h,pcre2.h,utf8proc.h,toml++/toml.h,httplib.h,openssl/ssl.h}{,} \
            | g++ -std=c++20 -E -P -x c++ - 2>/dev/null) || true
        for pair in nlohmann/json.hpp=nlohmann-json3-dev CLI/CLI.hpp=libcli11-dev fmt/format.h=libfmt-dev \
            gtest/gtest.h=libgtest-dev gmock/gmock.h=libgmock-dev benchmark/benchmark.h=libbenchmark-dev sqlite3.h=libsqlite3-dev \
            pcre2.h=libpcre2-dev utf8proc.h=libutf8proc-dev toml++/toml.h=libtomlplusplus-dev httplib.h=libcpp-httplib-dev openssl/ssl.h=libssl-dev; do
            header=${pair%%=*}
            [[ $found == *"have $header"* ]] || missing+=("${pair#*=}")
        done
    fi
    if [[ -z ${TRITONSMITH_PYTHON:-} && ! -e $root/.venv/.complete ]] && ! has_libraries python3 && [[ -z $(base_python) ]]; then
        missing+=(python3 python3-dev python3-venv)
    fi
    echo "${missing[*]}"
}

install_packages() {
    local missing
    missing=$(missing_packages)
    if [[ -n $missing ]]; then
        local line="apt-get install -y --no-install-recommends $missing" as_root=()
        command -v apt-get >/dev/null || stop "these are missing (by their Debian names): $missing" \
            "install them with this system's package manager; libraries may also come from tools/vendor (CONTRIBUTING.md)"
        if ((EUID != 0)); then
            if command -v sudo >/dev/null && { [[ -t 0 && -t 2 ]] || sudo -n true 2>/dev/null; }; then
                as_root=(sudo)
            else
                stop "Debian packages are missing, and only root may install them" "sudo $line"
            fi
        fi
        say "installing Debian packages: $missing"
        local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
        "${as_root[@]}" dpkg --configure -a >&2 || true # an interrupted earlier installation
        # shellcheck disable=SC2086  # $missing is a list of words
        "${apt[@]}" install -y --no-install-recommends $missing >&2 2>/dev/null ||
            { "${apt[@]}" update >&2 && "${apt[@]}" install -y --no-install-recommends $missing >&2; } ||
            stop "apt-get could not install: $missing" "see what apt-get says above, then: sudo apt-get update && sudo $line"
        missing=$(missing_packages)
        [[ -z $missing ]] || stop "still missing after the installation: $missing" "install them by hand"
    fi
    local version
    version=$(cmake --version)
    [[ $version =~ ([0-9]+)\.([0-9]+) ]] && ((BASH_REMATCH[1] > 3 || BASH_REMATCH[2] >= 25)) ||
        stop "cmake ${BASH_REMATCH[0]} is too old: 3.25 or newer is needed" "python3 -m pip install 'cmake>=3.25'"
    version=$(g++ -dumpversion)
    ((${version%%.*} >= 12)) || stop "g++ $version is too old: 12 or newer is needed" "apt-get install g++-12, and make it the default g++"
}

# --- 2. a Python with torch and triton -------------------------------------------------------------------------

# has_libraries PYTHON: whether it has the pinned versions and the header files (asked without importing: fast).
has_libraries() {
    "$1" -I - "$torch_version" "$triton_version" 2>/dev/null <<'PYTHON'
import importlib.metadata as metadata, os, sys, sysconfig
version = lambda name: metadata.version(name).split("+")[0]
sys.exit([version("torch"), version("triton")] != sys.argv[1:] or not os.path.exists(sysconfig.get_path("include") + "/Python.h"))
PYTHON
}

# The Python to make an environment from: 3.10 or newer, with its header files and venv; the system's own first.
base_python() {
    local python
    for python in /usr/bin/python3 python3 python3.{14,13,12,11,10}; do
        "$python" -I -c 'import ensurepip, os, sys, sysconfig, venv
sys.exit(not ((3, 10) <= sys.version_info < (3, 15) and os.path.exists(sysconfig.get_path("include") + "/Python.h")))' 2>/dev/null &&
            { command -v "$python"; return; }
    done
    true
}

choose_python() {
    if [[ -n ${TRITONSMITH_PYTHON:-} ]]; then
        [[ $TRITONSMITH_PYTHON == /* ]] || stop "TRITONSMITH_PYTHON=$TRITONSMITH_PYTHON is not an absolute path" "name the interpreter in full"
        has_libraries "$TRITONSMITH_PYTHON" || stop "TRITONSMITH_PYTHON=$TRITONSMITH_PYTHON lacks torch $torch_version, triton $triton_version or Python.h" \
            "unset it, and an environment is made here; or install them there"
        python=$TRITONSMITH_PYTHON
    elif [[ -e $root/.venv/.complete && $(<"$root/.venv/.complete") == "$(<"$root/tools/requirements.txt")" ]]; then
        python=$root/.venv/bin/python
    elif [[ ! -d $root/.venv ]] && has_libraries python3; then
        python=$(python3 -I -c 'import sys; print(sys.executable)')
        say "using $python, which has torch $torch_version and triton $triton_version"
    else
        make_environment
        python=$root/.venv/bin/python
    fi
}

make_environment() {
    local venv=$root/.venv
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        say "making the Python environment .venv"
        "$(base_python)" -m venv --clear "$venv" >&2 || stop "the Python environment could not be made" "rm -rf $venv, and see that the disk has 10 GB free"
    fi
    local free
    free=$(df -Pk "$root" | awk 'NR == 2 { print int($4 / 1048576) }')
    ((free >= 8)) || say "only $free GiB free on this disk; torch and its CUDA libraries take about 7"
    say "installing torch $torch_version and triton $triton_version into .venv (about 3 GB to download)"
    "$venv/bin/python" -m pip install --disable-pip-version-check -r "$root/tools/requirements.txt" >&2 ||
        stop "pip could not install what tools/requirements.txt lists" "see what pip says above (network? disk?), then run the same command: what pip finished stays"
    cp "$root/tools/requirements.txt" "$venv/.complete"
}

# Peers that tests compare with (tokenizers, transformers, the openai client). Only our own environment gets them: with
# another Python, tests that miss one are skipped.
install_test_packages() {
    local venv=$root/.venv list=$root/tools/requirements_tests.txt
    [[ $1 == all && $python == "$venv/bin/python" ]] || return 0
    [[ ! -e $venv/.tests || $(<"$venv/.tests") != "$(<"$list")" ]] || return 0
    say "installing what tests compare with into .venv: $(tr '\n' ' ' <"$list")"
    "$python" -m pip install -q --disable-pip-version-check -r "$root/tools/requirements.txt" -r "$list" >&2 ||
        stop "pip could not install what tools/requirements_tests.txt lists" "see what pip says above, then run the same command"
    cp "$list" "$venv/.tests"
}

# nvcc for our CUDA kernels (src/kernels), where no toolkit has it: for tests always, for the engine and training only
# where there is a GPU. Without it everything else works, so that a failure stops nothing.
install_cuda_compiler() {
    local venv=$root/.venv list=$root/tools/requirements_cuda.txt nvcc
    [[ $python == "$venv/bin/python" ]] || return 0
    [[ $1 == all ]] || { [[ $1 == engine || $1 == train ]] && has_gpu; } || return 0
    for nvcc in "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
        [[ -n $nvcc && $("$nvcc" --version 2>/dev/null) == *"release 13."* ]] && return 0
    done
    [[ ! -e $venv/.cuda || $(<"$venv/.cuda") != "$(<"$list")" ]] || return 0
    say "installing the CUDA compiler into .venv (about 100 MB to download)"
    if "$python" -m pip install -q --disable-pip-version-check -r "$list" >&2; then
        cp "$list" "$venv/.cuda"
        rm -f "$build/build.ninja" # cmake is to look for it again
    else
        say "pip could not install what tools/requirements_cuda.txt lists: going on without our CUDA kernels"
    fi
}

# --- 3. sources that Debian has no recent package of --------------------------------------------------------------

fetch_sources() {
    [[ ! -d $root/.vendor/tree-sitter-0.23.2 ]] || return 0
    local requirement name archive
    for requirement in "${tree_sitter_sources[@]}"; do
        name=${requirement/==/-}
        [[ ! -e $third_party/$name.complete ]] || continue
        say "fetching the source package $name"
        mkdir -p "$third_party"
        "$python" -m pip download -q --disable-pip-version-check --no-deps --no-binary "${requirement%%=*}" -d "$third_party" "$requirement" >&2 ||
            stop "pip could not fetch $requirement" "see what pip says above; without a network, bring .vendor/ from another machine (tools/vendor)"
        archive=$(compgen -G "$third_party/${name//-/[-_]}.tar.gz")
        tar -xzf "$archive" -C "$third_party" || stop "$archive is damaged" "rm $archive, and run the same command"
        touch "$third_party/$name.complete"
    done
}

# --- 4. build ---------------------------------------------------------------------------------------------------

configure() {
    if [[ -e $build/CMakeCache.txt ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$build/CMakeCache.txt"; then
        say "this folder was moved: it is built again"
        rm -rf "$build"
    fi
    if [[ -e $build/build.ninja ]] && grep -qxF "TRITONSMITH_PYTHON:FILEPATH=$python" "$build/CMakeCache.txt"; then
        return # ninja configures again by itself where CMake's files changed
    fi
    say "configuring"
    (cd "$root" && cmake --preset setup -DTRITONSMITH_PYTHON="$python" --log-level=WARNING) >&2 ||
        stop "cmake could not configure the build" "see what cmake says above; rm -rf $build starts afresh"
}

# One compiler takes up to 2 GB on torch's headers.
compilers() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable/ { print int($2 / 2097152) }' /proc/meminfo)
    ((memory >= 1)) || memory=1
    echo "${TRITONSMITH_JOBS:-$((cores < memory ? cores : memory))}"
}

# What is built with a target (cmake/Program.cmake).
declare -rA built_with=([program]=program [generate]="program generate" [engine]="program generate engine" [train]="program train"
    [all]="program generate engine train all")

compile() {
    local target=$1 mark=$root/.cache/build.mark targets=("$1") gpu='' name
    touch "$mark" # before the build: what is edited meanwhile is newer than the stamp
    if has_gpu; then
        gpu=$build/bin/tritonsmith-gpu-worker
        [[ $target == all ]] || targets+=("${target}_gpu")
    fi
    if [[ ! -e $build/bin/tritonsmith ]]; then
        say "building (some minutes; later builds take only what changed)"
    elif [[ $target == engine && ! -e $build/bin/tritonsmith-engine ]]; then
        say "building the engine, which runs models on this machine (some minutes, and only once)"
    elif [[ $target == train && ! -e $build/bin/tritonsmith-train ]]; then
        say "building what trains models (some minutes, and only once)"
    fi
    (cd "$root" && ninja -C "$build" -j "$(compilers)" "${targets[@]}") >&2 ||
        stop "the build failed" "see the compiler's first error above; with little memory try TRITONSMITH_JOBS=1"
    local packages
    packages=$("$python" -I -c 'import importlib.metadata as m; print(*[m.distribution(n)._path for n in ("torch", "triton")], sep="\n")')
    for name in ${built_with[$target]}; do
        printf '%s\n' "$root" "$python" "$packages" ${gpu:+"$gpu"} >"$build/$name.stamp.part"
        touch -r "$mark" "$build/$name.stamp.part"
        mv "$build/$name.stamp.part" "$build/$name.stamp"
    done
}
