// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "kv_cache.h"

#include "ep/text/tokenizer.h"

#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace ep::model {

// Keys and values of the newest prompts of a model, so that a prompt that begins like one of them
// need not be computed from the start. Of prompts only: those of answers were computed one by one,
// which rounds differently. Belongs to the inference thread.
class PromptCache {
public:
    struct Match {
        const KvCache* cache = nullptr; // valid until the next call of keep(); null: nothing fits
        std::int64_t positions = 0; // that can be reused
        std::int64_t length = 0; // of the stored prompt that matched
    };
    // The longest common prefix. It leaves out the last token of the prompt, which is always
    // computed, and ends at a whole block of attention, so that the rest is rounded as usual.
    Match find(std::span<const text::TokenId> prompt, bool inBlocks) const;

    // The newest prompts of up to 1 GiB stay. cache: of the prompt, without states.
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
