// SPDX-License-Identifier: GPL-3.0-or-later
#include "drafter.h"

#include "kernels.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace ep::model {
namespace {

constexpr std::ptrdiff_t kLongestGram = 4;
constexpr std::ptrdiff_t kShortestGram = 2;
constexpr std::int64_t kDraftRoom = 256; // initial positions beyond the prompt

class NgramDrafter final : public Drafter {
public:
    bool begin(std::span<const text::TokenId> /*prompt*/) override { return true; }

    bool propose(std::span<const text::TokenId> ids, std::int64_t most,
                 std::vector<text::TokenId>& out) override
    {
        const auto size = std::ssize(ids);
        for (std::ptrdiff_t length = kLongestGram; length >= kShortestGram; --length) {
            if (length >= size)
                continue;
            const auto last = ids.last(static_cast<std::size_t>(length));
            for (std::ptrdiff_t begin = size - length - 1; begin >= 0; --begin) {
                const std::ptrdiff_t end = begin + length;
                if (!std::equal(last.begin(), last.end(), ids.begin() + begin))
                    continue;
                const std::ptrdiff_t count = std::min<std::ptrdiff_t>(most, size - end);
                out.insert(out.end(), ids.begin() + end, ids.begin() + end + count);
                return true;
            }
        }
        return true;
    }
};

class ModelDrafter final : public Drafter {
public:
    ModelDrafter(const Decoder& decoder, Ops& ops, std::int64_t vocabulary, CancelToken cancel)
        : m_decoder(decoder)
        , m_ops(ops)
        , m_vocabulary(std::min<std::int64_t>(vocabulary, decoder.config.vocab_size))
        , m_cancel(std::move(cancel))
    {
    }

    bool begin(std::span<const text::TokenId> prompt) override
    {
        m_cache = std::make_unique<KvCache>(cacheShape(m_decoder.config), m_ops.cacheOptions(),
                                            std::ssize(prompt) + kDraftRoom);
        return !fits(prompt, 0) || follow(prompt);
    }

    bool propose(std::span<const text::TokenId> ids, std::int64_t most,
                 std::vector<text::TokenId>& out) override
    {
        if (!fits(ids, most))
            return true;
        std::vector<text::TokenId> known(ids.begin(), ids.end());
        for (std::int64_t i = 0; i < most; ++i) {
            if (!follow(known))
                return false;
            const text::TokenId next = likeliest();
            if (next >= m_vocabulary)
                break;
            out.push_back(next);
            known.push_back(next);
        }
        return true;
    }

    std::int64_t cacheBytes() const override { return m_cache ? m_cache->bytes() : 0; }

private:
    bool fits(std::span<const text::TokenId> ids, std::int64_t more) const
    {
        return std::ssize(ids) + more <= m_decoder.contextLength(false)
            && std::ranges::all_of(
                   ids, [&](text::TokenId id) { return id < m_decoder.config.vocab_size; });
    }

    // Computes the positions that its cache lacks for these ids, at least the last one; positions
    // of rejected tokens are overwritten.
    bool follow(std::span<const text::TokenId> ids)
    {
        const auto length = std::ssize(ids);
        std::int64_t common = std::ranges::mismatch(ids, m_stored).in1 - ids.begin();
        common = std::min<std::int64_t>(common, length - 1);
        if (m_decoder.startsAnew(common, length))
            common = 0;
        m_cache->reserve(length);
        m_cache->advance(common - m_cache->length());
        const std::span<const text::TokenId> rest = ids.subspan(static_cast<std::size_t>(common));
        const SequenceRows rows{.cache = m_cache.get(), .first = 0, .count = std::ssize(rest)};
        Step step{m_ops, {&rows, 1}, m_workspace, nullptr, m_cancel};
        step.askObserver();
        if (!m_decoder.forward(step, rest, Decoder::Logits::LastRows))
            return false;
        m_cache->advance(rows.count);
        m_stored.assign(ids.begin(), ids.end());
        return true;
    }

    text::TokenId likeliest()
    {
        const std::span<const float> logits = m_ops.host(m_workspace.logits, 0);
        return static_cast<text::TokenId>(std::ranges::max_element(logits) - logits.begin());
    }

    const Decoder& m_decoder;
    Ops& m_ops;
    std::int64_t m_vocabulary;
    CancelToken m_cancel;
    Workspace m_workspace;
    std::unique_ptr<KvCache> m_cache;
    std::vector<text::TokenId> m_stored; // ids of the positions in the cache
};

} // namespace

std::unique_ptr<Drafter> makeNgramDrafter()
{
    return std::make_unique<NgramDrafter>();
}

std::unique_ptr<Drafter> makeModelDrafter(const Decoder& decoder, Ops& ops, std::int64_t vocabulary,
                                          CancelToken cancel)
{
    return std::make_unique<ModelDrafter>(decoder, ops, vocabulary, std::move(cancel));
}

} // namespace ep::model
