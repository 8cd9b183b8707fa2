// SPDX-License-Identifier: GPL-3.0-or-later
#include "prompt_cache.h"

#include "ops.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ep::model {
namespace {

constexpr std::int64_t kMaxKeptBytes = std::int64_t{1} << 30;

std::int64_t commonBeginning(std::span<const text::TokenId> a, std::span<const text::TokenId> b)
{
    return std::ranges::mismatch(a, b).in1 - a.begin();
}

} // namespace

PromptCache::Match PromptCache::find(std::span<const text::TokenId> prompt, bool inBlocks) const
{
    const std::int64_t most = static_cast<std::int64_t>(prompt.size()) - 1;
    Match best;
    for (const Entry& entry : m_entries) {
        if (entry.cache.inBlocks() != inBlocks)
            continue;
        const std::int64_t common = std::min(most, commonBeginning(prompt, entry.prompt));
        const std::int64_t whole = common / kAttendedRows * kAttendedRows;
        if (whole > best.positions)
            best = {.cache = &entry.cache, .positions = whole, .length = std::ssize(entry.prompt)};
    }
    return best;
}

void PromptCache::keep(std::span<const text::TokenId> prompt, const KvCache& cache,
                       std::vector<LayerCacheShape> shape, const at::TensorOptions& options)
{
    const auto length = static_cast<std::int64_t>(prompt.size());
    const auto known = std::ranges::find_if(m_entries, [&](const Entry& entry) {
        return entry.cache.inBlocks() == cache.inBlocks()
            && commonBeginning(prompt, entry.prompt) == length;
    });
    if (known != m_entries.end()) {
        m_entries.splice(m_entries.begin(), m_entries, known);
        return;
    }
    std::erase_if(m_entries, [&](const Entry& entry) { // drops prompts that the new one extends
        return entry.cache.inBlocks() == cache.inBlocks()
            && commonBeginning(prompt, entry.prompt)
            == static_cast<std::int64_t>(entry.prompt.size());
    });
    Entry& entry = m_entries.emplace_front(
        Entry{.prompt = {prompt.begin(), prompt.end()},
              .cache = KvCache(std::move(shape), options, length,
                               cache.inBlocks() ? CacheKind::Q8 : CacheKind::Growing)});
    entry.cache.takePrefix(cache, length);
    while (!m_entries.empty() && bytes() > kMaxKeptBytes)
        m_entries.pop_back();
}

std::int64_t PromptCache::bytes() const
{
    std::int64_t bytes = 0;
    for (const Entry& entry : m_entries)
        bytes += entry.cache.bytes();
    return bytes;
}

} // namespace ep::model
