#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the first person with a Mac runs: builds, tests, packages and measures, and puts all that it
# found into one archive to send. Nothing is sent; only the paths of the build could identify you
# or your files. It asks before anything that needs sudo, and continues after a failed step.
#   scripts/try_on_mac.sh                   everything, about 50 minutes
#   scripts/try_on_mac.sh --model FOLDER    the long runs with a model of yours instead of the demo model
#   scripts/try_on_mac.sh --no-sudo         without the steps that need it
#   scripts/try_on_mac.sh --list            only names the steps
set -uo pipefail
cd "$(dirname "$0")/.." || exit

model=demo-llama-5m
sudo_wanted=ask
list=no
while [ $# -gt 0 ]; do
    case "$1" in
        --model) model=${2:?--model needs a folder}; shift ;;
        --no-sudo) sudo_wanted=no ;;
        --list) list=yes ;;
        *) sed -n '3,10p' "$0" >&2; exit 2 ;;
    esac
    shift
done

out=$PWD/build-try/$(date +%Y%m%d-%H%M%S)
program=$PWD/build/bin/energy-profiler
app="$PWD/build/bundle/Energy Profiler.app"
bundled="$app/Contents/MacOS/energy-profiler"
prompt="The old man walked to the house and"
runs=100 # until count_runs finds a better number
failed=()
passed=()

say() { echo "try: $*" >&2; }

# step NAME WHAT COMMAND...: writes the command's output to a file of the archive
step() {
    local name=$1 what=$2
    shift 2
    if [ $list = yes ]; then
        printf '%-22s %s\n' "$name" "$what"
        return
    fi
    say "$what"
    local begin=$SECONDS status=0
    "$@" >"$out/$name.txt" 2>&1 </dev/null || status=$?
    echo "exit status $status after $((SECONDS - begin)) s" >>"$out/$name.txt"
    if [ $status -eq 0 ]; then
        passed+=("$name")
    else
        failed+=("$name")
        say "  failed (status $status): $out/$name.txt"
    fi
}

ask() { # QUESTION
    local answer
    [ $list = no ] || return 0
    [ -t 0 ] || return 1
    printf 'try: %s [y/N] ' "$1" >&2
    read -r answer
    case "$answer" in y | Y | yes) return 0 ;; *) return 1 ;; esac
}

about_this_mac() {
    sw_vers
    uname -a
    sysctl -n hw.model machdep.cpu.brand_string hw.memsize hw.ncpu
    xcodebuild -version || clang --version
    brew --version
    brew list --versions pytorch qt qtbase qtcharts qtwebsockets libzip cli11 boost libomp openblas
    otool -l "$(brew --prefix)/lib/libtorch_cpu.dylib" | sed -n '/LC_BUILD_VERSION/,/sdk/p'
    pmset -g
}

# Without sudo: makes Homebrew unreadable for the process and all that it starts.
without_homebrew() {
    local prefix
    prefix=$(brew --prefix)
    sandbox-exec -p "(version 1)(allow default)(deny file-read* (subpath \"$prefix\"))" "$@"
}

# The number of runs of 400 tokens that take two minutes, from the time that 20 take.
count_runs() {
    local begin=$SECONDS took
    "$bundled" run --model "$model" --prompt "$prompt" --max-new-tokens 400 --repeat 20 --cool-down 0 \
        --depth none --power none --no-save || return 1
    took=$((SECONDS - begin))
    [ $took -gt 0 ] || took=1
    runs=$((20 * 120 / took))
    [ $runs -gt 0 ] || runs=1
    echo "20 runs took $took s: $runs runs"
}

# The same work twice, one run after the other in one process: in front, and then hidden as Finder
# starts a program, without a visible window, so that macOS may let it nap.
in_front_run() {
    "$bundled" run --model "$model" --prompt "$prompt" --max-new-tokens 400 --repeat $runs --cool-down 0 \
        --depth none --power ioreport --no-save --json-file "$out/in-front.json"
}
covered_run() {
    open -g -j -n -W -a "$app" --args run --model "$model" --prompt "$prompt" --max-new-tokens 400 \
        --repeat $runs --cool-down 0 --depth none --power ioreport --no-save --json-file "$out/covered.json"
    [ -s "$out/covered.json" ] # open itself does not report how the program ended
}

thousand_tokens() {
    "$program" run --model "$model" --prompt "$prompt" --batch-size 2 --max-new-tokens 500 \
        --depth module --device mps --no-save --json-file "$out/thousand-tokens.json"
}

# The same tokens from 16-bit weights and from 4.5-bit blocks, alternately.
as_stored() {
    for dtype in f16 q4_k f16 q4_k; do
        "$program" run --model "$model" --prompt "$prompt" --max-new-tokens 200 --depth none \
            --device mps --dtype "$dtype" --no-save --json-file "$out/as-stored-$dtype.json" || return 1
    done
}

# Maximum resident set size and peak memory footprint while the model loads and makes one token.
memory_while_loading() {
    for device in cpu mps; do
        echo "== $device"
        /usr/bin/time -l "$program" run --model "$model" --prompt "$prompt" --max-new-tokens 1 \
            --device "$device" --power none --no-save
    done
}

# The kernels of the processor by type of number, measured anew; a type that has none here fails alone.
kernels_by_type() {
    local status=0 dtype
    for dtype in f32 bf16 f16 q8_0 q4_0 q4_k q6_k mxfp4; do
        echo "== $dtype"
        "$program" run --model "$model" --prompt "$prompt" --max-new-tokens 100 --depth none --device cpu \
            --dtype $dtype --kernels measure --power none --no-save || status=1
    done
    return $status
}

# The time from start to end of the shortest run there is, ten times.
one_token() {
    local i
    for i in 1 2 3 4 5 6 7 8 9 10; do
        /usr/bin/time -p "$program" run --model demo-llama-5m --prompt "$prompt" --max-new-tokens 1 \
            --power none --device cpu --db "$out/one-token.db" || return 1
    done
}

# A command of somebody else, with a known amount of work on one core.
record_command() {
    "$program" record --power ioreport --baseline-seconds 5 --no-save --json-file "$out/record.json" -- \
        python3 -c 'print(sum(i * i for i in range(100_000_000)))'
}

# MLX itself, recorded while it generates, in an environment of its own that is removed afterwards.
record_mlx() {
    local status=0 depth
    python3 -m venv "$out/mlx" && "$out/mlx/bin/pip" install --quiet mlx-lm || return 1
    for depth in none module; do
        "$program" record --auto --depth $depth --power ioreport --no-save --json-file "$out/record-mlx-$depth.json" -- \
            "$out/mlx/bin/python" -m mlx_lm generate --model "$PWD/resources/models/demo-llama-5m" \
            --prompt "$prompt" --max-tokens 400 || status=1
    done
    rm -rf "$out/mlx"
    return $status
}

both_sources() {
    sudo -n true || return 1
    "$program" run --model "$model" --prompt "$prompt" --max-new-tokens 400 --repeat 10 --cool-down 0 \
        --power ioreport --also powermetrics --no-save --json-file "$out/both-sources.json"
}

draws_without_screen() {
    local id
    "$bundled" run --model demo-llama-5m --prompt "$prompt" --max-new-tokens 16 --power none \
        --db "$out/render.db" \
        && id=$("$bundled" runs list --json --db "$out/render.db" \
            | python3 -c 'import json, sys; print(json.load(sys.stdin)["runs"][0]["info"]["id"])') \
        && "$bundled" render "$id" --out "$out/report" --pdf --db "$out/render.db"
}

if [ $list = no ]; then
    [ "$(uname -s)" = Darwin ] || { say "this is for a Mac; --list names the steps"; exit 1; }
    mkdir -p "$out"
fi

step about "what this Mac is" about_this_mac
step setup "installing what is missing" ./scripts/setup.sh
step build "building" ./scripts/build.sh release
step test "running all tests" ./scripts/test.sh
step selftest "self-test from the source" "$program" doctor --test --json
step package "packaging" ./scripts/package_macos.sh "$out/dist"
step check-bundle "checking what the bundle refers to" ./scripts/package_macos.sh --check "$app"
step selftest-bundle "self-test from the bundle, Homebrew out of sight" without_homebrew "$bundled" doctor --test --json
step doctor-bundle "the doctor from the bundle, Homebrew out of sight" without_homebrew "$bundled" doctor --json
step window "the bundle's window" without_homebrew "$bundled" gui --separate --exit-when-shown --db "$out/window.db"
step render "a report from the bundle" draws_without_screen
step doctor "every power source with a load" "$program" doctor --load --seconds 20 --json
for dtype in f32 f16 bf16; do
    step "verify-mps-$dtype" "verify on the GPU in $dtype" "$program" verify --model demo-llama-5m \
        --reference tests/data/demo_model/golden.json --device mps --dtype $dtype --json
done
step families "every family's layers on the GPU" "$PWD/build/bin/engine_test" "--gtest_filter=*LogitsOfTheGpu*"
step thousand-tokens "1,000 tokens at depth module on the GPU" thousand_tokens
step as-stored "weights in blocks, multiplied as they are stored" as_stored
step kernels "kernels of the processor by type of number" kernels_by_type
step roofline "how fast this Mac computes and reads" "$program" calibrate --no-save --json
step one-token "runs of one token" one_token
step record "recording a command" record_command
step record-mlx "recording mlx-lm" record_mlx
step memory "memory while loading" memory_while_loading
step count-runs "how many runs take two minutes" count_runs
step in-front "two minutes in front" in_front_run
step covered "two minutes hidden" covered_run
if [ $sudo_wanted = ask ] && ask "powermetrics beside IOReport needs sudo once; go on?"; then
    [ $list = yes ] || sudo -v
    step both-sources "IOReport beside powermetrics" both_sources
fi
[ $list = no ] || exit 0

{
    echo "passed: ${passed[*]-}"
    echo "failed: ${failed[*]-}"
} | tee "$out/summary.txt" >&2
archive=build-try/energy-profiler-$(basename "$out").tar.gz
# The image is large and tells nothing.
tar -czf "$archive" --exclude='*.dmg' -C "$(dirname "$out")" "$(basename "$out")"
say "send this one file: $archive"
[ ${#failed[@]} -eq 0 ]
