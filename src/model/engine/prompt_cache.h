// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kv_cache.h"

#include "ep/text/tokenizer.h"

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace ep::model {

// Keys and values of a model's newest prompts, so that a prompt with the same beginning need not
// be computed from the start. Answers are not stored: they were computed one by one, which rounds
// differently. Belongs to the inference thread.
class PromptCache {
public:
    struct Match {
        const KvCache* cache = nullptr; // valid until the next call of keep(); null: nothing fits
        std::int64_t positions = 0; // number of positions that can be reused
        std::int64_t length = 0; // length of the stored prompt that matched
    };
    // Finds the longest common prefix. It excludes the last token of the prompt, which is always
    // computed, and ends at a whole attention block, so that the rest is rounded as usual.
    Match find(std::span<const text::TokenId> prompt, bool inBlocks) const;

    // Keeps the newest prompts, up to 1 GiB. cache: the prompt's cache, without states.
    void keep(std::span<const text::TokenId> prompt, const KvCache& cache,
              std::vector<LayerCacheShape> shape, const at::TensorOptions& options);

    std::int64_t bytes() const;

private:
    struct Entry {
        std::vector<text::TokenId> prompt;
        KvCache cache;
    };

    std::list<Entry> m_entries; // newest first
};

} // namespace ep::model
