// SPDX-License-Identifier: GPL-3.0-or-later
// Records runs into a database until it is killed: crash_recorder DATABASE. Prints what the store
// has confirmed: "progress ID TOKENS" and "saved ID". With an id: only that run.
#include "support/sample_run.h"

#include "ep/store/store.h"

#include <cstdio>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

constexpr int kTokens = 6;
constexpr int kBatch = 2;

int failed(const ep::Error& error)
{
    std::fprintf(stderr, "%s\n", error.message.english().c_str());
    return 1;
}

void tell(const std::string& line)
{
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

int record(ep::store::Store& store, const std::string& id)
{
    const ep::Run run = ep::test::makeSampleRun({.id = id, .tokens = kTokens});
    ep::RunInfo begun = run.info;
    begun.response.clear();
    begun.output_tokens = 0;
    if (const ep::Status done = store.beginRun(begun); !done)
        return failed(done.error());
    const auto& tokens = run.trace.tokens;
    for (int first = 0; first < kTokens; first += kBatch) {
        const std::vector<ep::TokenSpan> batch(tokens.begin() + first,
                                               tokens.begin() + first + kBatch);
        if (const ep::Status done = store.appendProgress(id, batch, {}); !done)
            return failed(done.error());
        tell("progress " + id + " " + std::to_string(first + kBatch));
    }
    if (const ep::Status done = store.saveRun(run); !done)
        return failed(done.error());
    tell("saved " + id);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2 && argc != 3)
        return 2;
    auto store = ep::store::Store::open(argv[1]);
    if (!store)
        return failed(store.error());
    if (argc == 3)
        return record(**store, argv[2]);
    for (int i = 0;; ++i) {
        const std::string id = "run-" + std::to_string(::getpid()) + "-" + std::to_string(i);
        if (const int status = record(**store, id); status != 0)
            return status;
    }
}
