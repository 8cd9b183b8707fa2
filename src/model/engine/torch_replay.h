// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"
#include "ops.h"
#include "sampler.h"
#include "weight_files.h"

#include "ep/model/observer.h"
#include "ep/model/replay.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ep::model {

// An operation that can be repeated, with copies of its inputs.
struct TapedCall {
    std::size_t part = 0; // index of its kind
    int layer = -1; // layer of the operation; -1 for sections outside of layers
    std::function<void(Ops&)> run;
};

// The operations of one token, in order.
struct TapedToken {
    std::vector<TapedCall> calls;
};

// Passes operations on and records each in the part that is open; the tape is told about parts as
// an observer of the same generation. Outputs of repeated operations are in one shared scratch
// matrix, inputs in separate copies. Decomposed operations are only passed on.
class Tape final : public Ops, public Observer {
public:
    explicit Tape(Ops& ops);

    // All operations from now on belong to a new token.
    void beginToken();
    const std::vector<ReplayPart>& parts() const { return m_parts; } // parts of one token
    bool isPart(const Tap& tap, std::size_t part) const; // whether a tap announces that part
    const std::vector<TapedToken>& tokens() const { return m_tokens; }

    // Records work that belongs to no operation, in the currently open part.
    void record(std::int64_t bytes, std::function<void(Ops&)> run);

    bool wants(const Tap& tap) override;
    void began(const Tap& tap) override;
    void ended(const Tap& tap, const TensorProbe* output) override;
    std::optional<float> statisticsThreshold() override { return std::nullopt; }

#define EP_OP(result, name, parameters) result name parameters override;
#define EP_OP_UNTAPED(result, name, parameters, arguments)                                         \
    result name parameters override                                                                \
    {                                                                                              \
        return m_ops.name arguments;                                                               \
    }
#include "ops.def"

private:
    // Records an operation and what its arguments are made of when it is repeated.
    template <typename Result, typename... Parameters, typename... Kept>
    void keep(std::int64_t bytes, Result (Ops::*operation)(Parameters...), Kept... kept);

    Ops& m_ops;
    std::vector<Tap> m_open; // components and sections, innermost last
    std::vector<ReplayPart> m_parts;
    std::vector<Tap> m_taps; // tap of each part, from any layer
    std::vector<TapedToken> m_tokens;
    Matrix m_scratch; // outputs of repeated operations
    RotaryAngles m_scratchAngles;
    Matrix m_secondScratch; // of operations with two outputs
};

// Refers to the decoder, operations and files of its engine, which must outlive it.
class TorchReplay final : public Replay {
public:
    TorchReplay(const Decoder& decoder, Ops& ops, const WeightFiles& files, at::Device device);

    // Call once. May throw.
    Status record(const ReplayRequest& request, const CancelToken& cancel);

    const std::vector<ReplayPart>& parts() const override { return m_tape.parts(); }
    std::int64_t cacheBytes() const override;
    Result<ReplayTimes> repeatParts(std::span<const int> passes, Nanoseconds duration,
                                    const CancelToken& cancel) override;
    Result<ReplayTimes> repeatTokens(std::optional<ExtraPasses> extra, Nanoseconds duration,
                                     const CancelToken& cancel) override;

private:
    struct Place {
        text::TokenId id = 0;
        std::int64_t position = 0;
    };
    // Computes a whole token at a position; returns the next one, absent if cancelled.
    std::optional<text::TokenId> pass(Ops& ops, std::span<const text::TokenId> ids,
                                      std::int64_t position, Observer* observer,
                                      const CancelToken& cancel);
    text::TokenId sample(Ops& ops);
    template <typename Once>
    Result<ReplayTimes> repeat(Nanoseconds duration, const CancelToken& cancel, Once once);

    const Decoder& m_decoder;
    Ops& m_ops;
    const WeightFiles& m_files;
    at::Device m_device;
    Tape m_tape;
    Workspace m_workspace;
    std::unique_ptr<KvCache> m_cache;
    std::vector<Place> m_places; // place of each recorded token
    Sampler m_sampler;
    std::size_t m_next = 0; // index of the next token
};

} // namespace ep::model
