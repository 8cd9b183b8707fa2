// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decoder.h"
#include "sampler.h"
#include "tape.h"
#include "weight_files.h"

#include "ep/model/replay.h"

#include <memory>
#include <optional>
#include <vector>

namespace ep::model {

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
