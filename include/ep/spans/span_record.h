// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ep/core/activation_stats.h"
#include "ep/core/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Records that other programs send about their own work (docs/spans.md).
namespace ep::spans {

// Limits the bytes that the program keeps of one outsider's input. Everything that grows with the
// input is charged here, so that each way in has one limit. One thread.
class ByteBudget {
public:
    explicit ByteBudget(std::size_t most)
        : m_left(most)
    {
    }

    // Returns false if the bytes do not fit; the caller must not keep them then.
    bool take(std::size_t bytes)
    {
        if (bytes > m_left) {
            m_exceeded = true;
            return false;
        }
        m_left -= bytes;
        return true;
    }
    void giveBack(std::size_t bytes) { m_left += bytes; }
    bool exceeded() const { return m_exceeded; } // whether something did not fit

private:
    std::size_t m_left;
    bool m_exceeded = false;
};

enum class RecordKind : std::uint8_t {
    Phase,
    Section,
    Token,
    Layer,
    Component,
    Operation,
    Facts, // about the sender: its engine, model and clock
    Dropped, // number of records that the sender dropped because it does not wait
};
inline constexpr int kSpanKinds = 6; // number of kinds that are spans; they come first
inline constexpr int kRecordKinds = 8;

constexpr bool isSpan(RecordKind kind)
{
    return static_cast<int>(kind) < kSpanKinds;
}

// One record; its texts are valid only during the call that delivers it.
struct Record {
    RecordKind kind = RecordKind::Component;
    std::string_view name{}; // "prefill", "model.layers.3.mlp.up_proj"
    std::int32_t layer = kNoLayer;
    std::int32_t token = kNoToken;
    std::int32_t sequence = 0; // within a batch
    Nanoseconds start_ns = 0; // on the sender's monotonic clock
    Nanoseconds duration_ns = 0;
    std::optional<std::int64_t> bytes{};
    std::optional<std::int64_t> flops{};
    std::string_view text{}; // text of a token
    std::optional<ActivationStats> stats{};
    // Facts:
    std::string_view engine{}; // "transformers 5.1.0"
    std::string_view model{};
    std::string_view device{};
    std::string_view dtype{};
    std::string_view clock{}; // clock of the times: "device"; otherwise the host's
    std::optional<Nanoseconds> clock_ns{}; // reading of the sender's clock when sending
    // Sender of the following records, in a file that several processes write.
    std::optional<std::int64_t> sender{};
    std::optional<std::int64_t> layers{};
    std::optional<std::int64_t> input_tokens{};
    // Dropped:
    std::int64_t count = 0;
};

} // namespace ep::spans
