// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"

#include "ep/core/format.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace ep::session {

namespace {

// Lengths of the prompt before the first new token: one row, near the eight rows up to which
// LibTorch has special kernels, and longer.
constexpr std::array kPromptLengths{1, 7, 8, 9, 64, 200};
constexpr int kMadeTokens = 4;

// Allowed difference of a logit from the processor's in f32, relative to the largest one. For
// block-quantized types the reference has the rounded weights, and twice an exact computation's
// difference is allowed; checkKernels() verifies that their kernels are exact.
struct NumberFormat {
    const char* dtype;
    double tolerance;
};
constexpr std::array<NumberFormat, 8> kNumberFormats{{{"f32", 0.002},
                                                      {"f16", 0.02},
                                                      {"bf16", 0.1},
                                                      {"int8", 0.2},
                                                      {"q8_0", 0.03},
                                                      {"q4_0", 0.4},
                                                      {"q4_k", 0.3},
                                                      {"mlx4", 0.4}}};

std::vector<text::TokenId> promptOf(int length, int vocabulary)
{
    std::vector<text::TokenId> ids;
    for (int i = 0; i < length; ++i)
        ids.push_back((i * 131 + 17) % vocabulary);
    return ids;
}

// The model on the processor as reference for all other devices.
class Yardstick {
public:
    explicit Yardstick(std::unique_ptr<model::Engine> engine)
        : m_engine(std::move(engine))
    {
    }
    int vocabulary() const { return m_engine->facts().vocabulary_size; }
    // Logits of the position after the ids.
    Result<std::vector<float>> logits(std::span<const text::TokenId> ids)
    {
        const auto result = m_engine->forward(ids);
        if (!result)
            return result.error();
        return std::vector<float>(result->logits.end() - result->vocabulary, result->logits.end());
    }

private:
    std::unique_ptr<model::Engine> m_engine;
};

struct Deviation {
    double logits = 0.0; // largest difference of logits, relative to the largest logit
    double choice = 0.0; // chosen token's logit below the largest one, relative to it
    int prompt = 0; // prompt length at which the larger of the two occurred
};

double largestOf(const std::vector<float>& values)
{
    double largest = 0.0;
    for (const float value : values)
        largest = std::max(largest, std::abs(static_cast<double>(value)));
    return largest;
}

// Covers both paths through the model: a whole prompt at once, and token by token with the cache.
Result<Deviation> compare(model::Engine& engine, Yardstick& yardstick, const CancelToken& cancel)
{
    Deviation worst;
    const auto note = [&](double& figure, double value, int prompt) {
        if (!(value > figure))
            return;
        figure = value;
        worst.prompt = prompt;
    };
    for (const int length : kPromptLengths) {
        std::vector<text::TokenId> ids = promptOf(length, yardstick.vocabulary());
        const auto expected = yardstick.logits(ids);
        if (!expected)
            return expected.error();
        const auto result = engine.forward(ids);
        if (!result)
            return result.error();
        const double scale = largestOf(*expected);
        const float* const found = result->logits.data() + result->logits.size() - expected->size();
        for (std::size_t i = 0; i < expected->size(); ++i) {
            const double difference =
                std::abs(static_cast<double>(found[i]) - static_cast<double>((*expected)[i]));
            note(worst.logits, std::isfinite(difference) ? difference / scale : HUGE_VAL, length);
        }

        auto generation =
            engine.begin({.prompts = {ids}, .max_new_tokens = kMadeTokens}, nullptr, cancel);
        if (!generation)
            return generation.error();
        for (int i = 0; i < kMadeTokens; ++i) {
            const auto step = i == 0 ? (*generation)->prefill() : (*generation)->decode();
            if (!step)
                return step.error();
            const auto logits = yardstick.logits(ids);
            if (!logits)
                return logits.error();
            const text::TokenId token = step->sequences.front().token;
            const double best = *std::ranges::max_element(*logits);
            note(worst.choice,
                 (best - static_cast<double>((*logits)[static_cast<std::size_t>(token)])) / scale,
                 length);
            ids.push_back(token);
        }
        if (const Status finished = (*generation)->finish(); !finished)
            return finished.error();
    }
    return worst;
}

} // namespace

void checkDevices(SelfTestContext& context)
{
    if (!context.engine)
        return;
    const auto load = [&](const std::string& device, const std::string& dtype) {
        return context.engine->load(
            {.folder = context.request.model, .device = device, .dtype = dtype}, {},
            context.cancel);
    };
    auto reference = load("cpu", "f32");
    if (!reference)
        return context.fail("devices", "cpu f32", reference.error().message,
                            "install the program again, with its demo model");
    Yardstick yardstick(std::move(*reference));
    for (const std::string& device : context.engine->devices()) {
        for (const NumberFormat& format : kNumberFormats) {
            if (context.cancel.cancelled())
                return;
            const std::string name = device + ' ' + format.dtype;
            auto engine = load(device, format.dtype);
            if (!engine && engine.error().code == ErrorCode::Unsupported) {
                context.notHere("devices", name, engine.error().message);
                continue;
            }
            const auto deviation = engine ? compare(**engine, yardstick, context.cancel)
                                          : Result<Deviation>(engine.error());
            if (!deviation) {
                context.fail("devices", name, deviation.error().message,
                             "choose another device or type, and report this");
                continue;
            }
            const double larger = std::max(deviation->logits, deviation->choice);
            const std::string detail = "logits differ by " + formatPercent(deviation->logits)
                + " at most, generated tokens are within " + formatPercent(deviation->choice)
                + " of the best (allowed " + formatPercent(format.tolerance) + ")";
            if (larger <= format.tolerance)
                context.ok("devices", name, detail);
            else
                context.fail("devices", name,
                             Message("%1, with a prompt of %2 tokens", detail, deviation->prompt),
                             "choose another device or type, and report this");
        }
    }
}

} // namespace ep::session
