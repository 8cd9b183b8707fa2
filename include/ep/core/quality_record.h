// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ep {

// How well a model in a number format predicts a text. Stored besides the runs, and found again by
// model, format and text.
struct QualityRecord {
    std::string model{}; // folder name
    std::string fingerprint{}; // as computed: "int8"
    std::string dtype{}; // as computed: "int8"
    std::string device{};
    std::string text_name{}; // file name of the text
    std::string text_hash{}; // "sha256:..." of its bytes; the text itself is not stored
    std::int64_t tokens = 0; // number of tokens in the text
    std::int64_t scored = 0; // number of tokens with a prediction
    std::int64_t context = 0; // size of a window in tokens
    std::int64_t stride = 0; // tokens between the starts of two windows
    double nll = 0.0; // mean negative log-likelihood of the scored tokens, in nats
    double perplexity = 1.0; // exp(nll)
    // nll of consecutive parts of the text with nearly equal numbers of scored tokens; their
    // scatter shows how well nll is known. Empty: not measured.
    std::vector<double> nll_blocks{};
    // Compared with f32 of the same weights, over the scored tokens; absent for f32 itself.
    std::optional<double> kl{}; // mean of D(f32 || this), in nats
    std::optional<double> top1{}; // share of tokens with the same most likely token, 0..1
    std::int64_t created_at_ms = 0; // wall clock, UTC
    std::string app_version{};

    bool operator==(const QualityRecord&) const = default;
    bool sameText(const QualityRecord& other) const
    {
        return text_hash == other.text_hash && context == other.context && stride == other.stride;
    }
};

// The formats that decide the quality of a model's runs: the number format and, if different, that
// of the cache, "f32, KV cache q8_0". Used as the dtype of a QualityRecord.
inline std::string qualityFormat(const std::string& dtype, const std::string& cache)
{
    const bool plain = cache.empty() || cache == "growing" || cache == "static";
    return plain ? dtype : dtype + ", KV cache " + cache;
}

} // namespace ep
