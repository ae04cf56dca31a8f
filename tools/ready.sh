# shellcheck shell=bash disable=SC2154,SC2015
# is_ready TARGET: whether the last set-up for TARGET still stands. Cheap (a few ms): this is in front of every start.
#
# The stamp lists this folder, the Python, and the installed torch and triton; each must still be there, and a program for
# a GPU if there is one now. It is as old as the build's start, so any source, or folder of sources, that changed since is
# newer.
has_gpu() { [[ -e /dev/nvidiactl || -e /dev/dxg ]]; }

is_ready() {
    local stamp=$root/build/release/$1.stamp path
    [[ -e $stamp ]] || return 1
    local -a listed
    mapfile -t listed <"$stamp"
    [[ ${listed[0]} == "$root" && ( -z ${TRITONSMITH_PYTHON:-} || ${listed[1]} == "$TRITONSMITH_PYTHON" ) ]] || return 1
    ! has_gpu || [[ ${listed[-1]} == */tritonsmith-gpu-worker ]] || return 1
    for path in "${listed[@]}"; do
        [[ -e $path ]] || return 1
    done
    local newer
    newer=$(cd "$root" && find src cmake tools python/CMakeLists.txt python/native CMakeLists.txt CMakePresets.json benches tests \
        -newer "$stamp" ! -name '*.pyc' ! -name __pycache__ -print -quit 2>/dev/null)
    [[ -z $newer ]]
}
