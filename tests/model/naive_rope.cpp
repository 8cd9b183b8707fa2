// SPDX-License-Identifier: GPL-3.0-or-later
#include "naive_math.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>

namespace ep::test {
namespace {

using Json = nlohmann::json;

NaiveRow powers(double theta, int dimensions)
{
    NaiveRow result;
    for (int i = 0; i < dimensions; i += 2)
        result.push_back(std::pow(theta, -static_cast<double>(i) / dimensions));
    return result;
}

NaiveRope yarn(const Json& config, const Json& p, double theta, int dimensions)
{
    const double context = p.value("original_max_position_embeddings",
                                   config["max_position_embeddings"].get<double>());
    const double factor = p["factor"];
    // The pair whose wave fits `turns` times into the context.
    const auto pairOf = [&](double turns) {
        return dimensions * std::log(context / (turns * 2.0 * std::numbers::pi))
            / (2.0 * std::log(theta));
    };
    double low = pairOf(p.value("beta_fast", 32.0));
    double high = pairOf(p.value("beta_slow", 1.0));
    if (p.value("truncate", true)) {
        low = std::floor(low);
        high = std::ceil(high);
    }
    low = std::max(low, 0.0);
    high = std::min(high, dimensions - 1.0);
    if (low == high)
        high += 0.001;
    NaiveRope rope{powers(theta, dimensions), 1.0};
    for (std::size_t i = 0; i < rope.frequencies.size(); ++i) {
        const double keep =
            1.0 - std::clamp((static_cast<double>(i) - low) / (high - low), 0.0, 1.0);
        rope.frequencies[i] *= keep + (1.0 - keep) / factor;
    }
    const auto magnitude = [&](double weight) {
        return factor <= 1.0 ? 1.0 : 1.0 + 0.1 * weight * std::log(factor);
    };
    if (p.contains("attention_factor"))
        rope.factor = p["attention_factor"];
    else if (p.contains("mscale") && p.contains("mscale_all_dim"))
        rope.factor = magnitude(p["mscale"]) / magnitude(p["mscale_all_dim"]);
    else
        rope.factor = magnitude(1.0);
    return rope;
}

NaiveRope longrope(const Json& config, const Json& p, double theta, int dimensions,
                   std::int64_t length)
{
    const double original = config.contains("original_max_position_embeddings")
        ? config["original_max_position_embeddings"].get<double>()
        : 4096.0;
    const double stretch = config["max_position_embeddings"].get<double>() / original;
    const Json& factors =
        static_cast<double>(length) > original ? p["long_factor"] : p["short_factor"];
    NaiveRope rope{powers(theta, dimensions), 1.0};
    for (std::size_t i = 0; i < rope.frequencies.size(); ++i)
        rope.frequencies[i] /= factors[i].get<double>();
    if (p.contains("attention_factor"))
        rope.factor = p["attention_factor"];
    else if (stretch > 1.0)
        rope.factor = std::sqrt(1.0 + std::log(stretch) / std::log(original));
    return rope;
}

NaiveRow llama3(const Json& p, NaiveRow frequencies)
{
    const double context = p["original_max_position_embeddings"];
    const double low = p["low_freq_factor"];
    const double high = p["high_freq_factor"];
    const double factor = p["factor"];
    for (double& f : frequencies) {
        const double turns = context * f / (2.0 * std::numbers::pi);
        if (turns >= high)
            continue;
        const double smooth = std::max(0.0, (turns - low) / (high - low));
        f *= smooth + (1.0 - smooth) / factor;
    }
    return frequencies;
}

} // namespace

NaiveRope naiveRope(const Json& config, const Json& parameters, double theta, int dimensions,
                    std::int64_t length)
{
    if (parameters.is_null())
        return {powers(theta, dimensions), 1.0};
    const std::string kind =
        parameters.contains("rope_type") ? parameters["rope_type"] : parameters["type"];
    if (kind == "default")
        return {powers(theta, dimensions), 1.0};
    if (parameters.contains("long_factor")) // longrope, which Phi 3 also called su and yarn
        return longrope(config, parameters, theta, dimensions, length);
    if (kind == "yarn")
        return yarn(config, parameters, theta, dimensions);
    const double factor = parameters["factor"];
    if (kind == "linear") {
        NaiveRow frequencies = powers(theta, dimensions);
        for (double& f : frequencies)
            f /= factor;
        return {frequencies, 1.0};
    }
    if (kind == "llama3")
        return {llama3(parameters, powers(theta, dimensions)), 1.0};
    if (kind == "dynamic") {
        const double context = config["max_position_embeddings"];
        const double seen = std::max(context, static_cast<double>(length));
        const double grown = theta
            * std::pow(factor * seen / context - (factor - 1.0), dimensions / (dimensions - 2.0));
        return {powers(grown, dimensions), 1.0};
    }
    throw std::runtime_error("no rotation " + kind);
}

} // namespace ep::test
