#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what is missing, builds, and runs all tests.
#   --asan | --tsan     with AddressSanitizer + UBSan, or with ThreadSanitizer
#   --coverage          with gcov; prints line and branch coverage (needs gcovr)
#   --bench [--smoke]   the benchmarks instead of the tests; --smoke: only that they run
#   --fuzz              the fuzz targets, 20 s each (EP_FUZZ_SECONDS=N: N s each)
#   --filter REGEX      only tests whose name matches
#   --werror            warnings are errors
set -euo pipefail
cd "$(dirname "$0")/.."

configuration=release
filter=
werror=
smoke=
while [ $# -gt 0 ]; do
    case "$1" in
        --asan) configuration=asan ;;
        --tsan) configuration=tsan ;;
        --coverage) configuration=coverage ;;
        --bench) configuration=bench ;;
        --fuzz) configuration=fuzz ;;
        --smoke) smoke=yes ;;
        --werror) werror=--werror ;;
        --filter) filter=${2:?--filter needs a regular expression}; shift ;;
        *) sed -n '3,10p' "$0" >&2; exit 2 ;;
    esac
    shift
done

if [ $configuration = fuzz ]; then
    ./scripts/setup.sh --fuzz
else
    ./scripts/setup.sh
fi
folder=$(./scripts/build.sh $configuration $werror | tail -n 1)

if [ $configuration = bench ]; then
    status=0
    for program in "$folder"/bin/*_bench; do
        echo "== $(basename "$program")"
        if [ -n "$smoke" ]; then
            "$program" --benchmark_min_time=0.001 >/dev/null || status=1
        else
            "$program" || status=1
        fi
    done
    exit $status
fi

# Leaks and races inside the system's libraries are not ours to report.
export LSAN_OPTIONS="suppressions=$PWD/scripts/lsan.supp:print_suppressions=0"
export TSAN_OPTIONS="suppressions=$PWD/scripts/tsan.supp"
export UBSAN_OPTIONS=print_stacktrace=1
# The program itself handles SIGBUS in mapped files, and reports allocations that fail.
export ASAN_OPTIONS=handle_sigbus=0:allocator_may_return_null=1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
status=0
# Twice as many as there are processors, since most tests wait half of their time.
ctest --test-dir "$folder" --parallel $((2 * $(getconf _NPROCESSORS_ONLN))) --output-on-failure --no-tests=error \
    ${filter:+-R "$filter"} | tee "$log" || status=$?
echo "The slowest:"
sed -nE 's/^ *[0-9]+\/[0-9]+ Test +#[0-9]+: ([^ ]+) .* ([0-9.]+) sec$/\2 s  \1/p' "$log" | sort -rn | head -n 10
grep -E 'tests passed|Total Test time' "$log" || true

if [ $configuration = coverage ]; then
    # gcov writes lines about long template names that gcovr cannot parse.
    gcovr --root . --filter 'src/' --filter 'include/' --exclude-unreachable-branches \
        --exclude-throw-branches --gcov-ignore-parse-errors --print-summary "$folder" | tail -n 4
fi
exit $status
