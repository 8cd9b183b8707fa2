// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/memory.h"

#include "cache_shape.h"
#include "families/family.h"
#include "layer_shape.h"

#include "ep/core/format.h"

#include <algorithm>
#include <charconv>

#ifdef __APPLE__
#include <algorithm>
#include <mach/mach.h>
#else
#include <fstream>
#include <iterator>
#endif

namespace ep::model {

MemoryNeed memoryNeed(const ComputedModel& model, const GenerationPlan& plan)
{
    const ModelConfig& config = model.config;
    NumberSizes sizes = model.sizes;
    const double plainCache = sizes.cache;
    if (plan.cache == CacheKind::Q8)
        sizes.cache = bytesOfNumber(DType::Q8_0);
    const auto bytes = [](std::int64_t elements, double size) {
        return static_cast<std::int64_t>(static_cast<double>(elements) * size);
    };
    MemoryNeed need;
    need.weights = model.weight_bytes;
    const std::int64_t positions =
        std::min(plan.prompt_positions + plan.new_positions,
                 plan.sequences * std::int64_t{config.max_position_embeddings});
    need.cache =
        positions * kvBytesPerToken(config, sizes) + plan.sequences * stateBytes(config, sizes);
    if (plan.keeps_prompt)
        need.cache += plan.prompt_positions * kvBytesPerToken(config, sizes);
    if (plan.cache == CacheKind::Q8) { // numbers of the layer that is being computed
        std::int64_t widest = 0;
        for (const LayerCacheShape& layer : cacheShape(config))
            widest = std::max(widest, layer.keysAndValues());
        need.cache += bytes(positions * widest, plainCache);
    }

    // Matrices of the residual stream, the projections, the MLP and the logits.
    const FamilyShape family = familyShape(config);
    std::int64_t width = 0;
    for (int layer = 0; layer < config.num_hidden_layers; ++layer) {
        const LayerShape s = layerShape(family, config, layer);
        const std::int64_t intermediate =
            std::max({s.intermediate, s.expert_intermediate, s.shared_intermediate});
        const std::int64_t latent = s.latent.rank == 0
            ? 0
            : config.num_attention_heads * (s.latent.keptKeys() + std::int64_t{s.latent.rank});
        width = std::max(width, 6 * s.hidden + 2 * s.q + 2 * s.kv + latent + 3 * intermediate);
    }
    width += 2 * std::int64_t{config.per_layer_input} * config.num_hidden_layers;
    const std::int64_t rows = std::max(plan.prompt_positions, plan.sequences);
    need.workspace = bytes(rows * width + plan.sequences * config.vocab_size, sizes.activation);
    return need;
}

std::optional<std::int64_t> availableFromMeminfo(std::string_view text)
{
    constexpr std::string_view kKey = "MemAvailable:";
    constexpr std::int64_t kMaxKilobytes = std::int64_t{1} << 52;
    const auto place = text.find(kKey);
    if (place == std::string_view::npos)
        return std::nullopt;
    text.remove_prefix(place + kKey.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    std::int64_t kilobytes = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), kilobytes);
    if (error != std::errc() || kilobytes < 0 || kilobytes > kMaxKilobytes)
        return std::nullopt;
    return kilobytes * 1024;
}

Status checkMemory(const MemoryNeed& need, std::optional<std::int64_t> available,
                   const std::string& modelName)
{
    if (!available || need.total() <= *available)
        return {};
    return Error{ErrorCode::NoMemory,
                 {"%1 needs %2 of memory (%3 weights, %4 cache, %5 working memory), %6 free: close "
                  "other programs, use a smaller model, a narrower type (bf16, int8) or fewer "
                  "tokens, or try anyway.",
                  modelName, formatBytes(need.total()), formatBytes(need.weights),
                  formatBytes(need.cache), formatBytes(need.workspace), formatBytes(*available)}};
}

#ifdef __APPLE__
// Pages that are free or immediately available: macOS' purgeable pages, and the larger of inactive
// (which can be dropped or compressed) and external (of files, recently used or not). Some pages
// are both; the system does not report how many.
std::optional<std::int64_t> availableMemory()
{
    vm_statistics64_data_t statistics = {};
    mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
    vm_size_t page = 0;
    const mach_port_t host = mach_host_self(); // adds a right to the port, released below
    const bool known = host_page_size(host, &page) == KERN_SUCCESS
        && host_statistics64(host, HOST_VM_INFO64, reinterpret_cast<host_info64_t>(&statistics),
                             &count)
            == KERN_SUCCESS;
    mach_port_deallocate(mach_task_self(), host);
    if (!known)
        return std::nullopt;
    const std::int64_t pages = static_cast<std::int64_t>(statistics.free_count)
        + statistics.purgeable_count
        + std::max(statistics.inactive_count, statistics.external_page_count);
    return pages * static_cast<std::int64_t>(page);
}
#else
std::optional<std::int64_t> availableMemory()
{
    std::ifstream file("/proc/meminfo");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return availableFromMeminfo(text);
}
#endif

} // namespace ep::model
