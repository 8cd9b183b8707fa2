// SPDX-License-Identifier: GPL-3.0-or-later
// How fast the engine computes a model, for scripts/bench_against_llama.py: a prompt and the tokens
// after it, in the whole engine as a run uses it, without an observer. Prints a line of JSON per
// repetition: seconds for the prompt and for the tokens after it.
//   ep-engine-speed MODEL DTYPE THREADS PROMPT NEW BATCH REPETITIONS [KERNELS]
#include "torch_engine.h"

#include "ep/core/clock.h"

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ep::bench {
namespace {

struct Work {
    int prompt = 1;
    int tokens = 1;
    int batch = 1;
};

void measure(model::Engine& engine, const Work& work, bool shown)
{
    model::GenerationRequest request;
    request.max_new_tokens = work.tokens + 1; // the prompt yields the first token
    request.past_context = true;
    for (int i = 0; i < work.batch; ++i) {
        std::vector<text::TokenId> ids;
        for (int position = 0; position < work.prompt; ++position)
            ids.push_back((position * 37 + i) % 251);
        request.prompts.push_back(std::move(ids));
    }
    auto generation = engine.begin(request, nullptr, {});
    if (!generation)
        throw std::runtime_error(generation.error().message.english());
    const Nanoseconds begin = monotonicNow();
    if (!(*generation)->prefill())
        throw std::runtime_error("the prompt was not computed");
    const Nanoseconds afterPrompt = monotonicNow();
    for (int i = 0; i < work.tokens; ++i) {
        if (!(*generation)->decode())
            throw std::runtime_error("a token was not computed");
    }
    const Nanoseconds end = monotonicNow();
    if (!shown)
        return;
    std::cout << "{\"prompt_s\": " << toSeconds(afterPrompt - begin)
              << ", \"tokens_s\": " << toSeconds(end - afterPrompt) << "}" << std::endl;
}

int run(const std::vector<std::string>& words)
{
    if (words.size() < 7) {
        std::cerr << "usage: ep-engine-speed MODEL DTYPE THREADS PROMPT NEW BATCH REPETITIONS"
                     " [KERNELS]\n";
        return 2;
    }
    model::LoadRequest request{.folder = words[0], .device = "cpu", .dtype = words[1]};
    request.threads = std::stoi(words[2]);
    request.kernels = words.size() > 7 ? words[7] : "measure";
    model::TorchEngine engine(request, {}, {});
    std::cerr << engine.computation() << '\n';
    const Work work{
        .prompt = std::stoi(words[3]), .tokens = std::stoi(words[4]), .batch = std::stoi(words[5])};
    measure(engine, {.prompt = work.prompt > 1 ? work.prompt : 1, .tokens = 1, .batch = work.batch},
            false); // warm-up
    for (int i = 0; i < std::stoi(words[6]); ++i)
        measure(engine, work, true);
    return 0;
}

} // namespace
} // namespace ep::bench

int main(int argc, char** argv)
{
    try {
        return ep::bench::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
    }
    return 1;
}
