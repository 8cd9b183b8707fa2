// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/quality.h"

#include "ep/core/clock.h"
#include "ep/core/format.h"
#include "ep/core/user_file.h"
#include "ep/json/document.h"
#include "ep/model/engine_library.h"
#include "ep/model/perplexity.h"
#include "ep/session/environment.h"
#include "ep/session/privacy.h"
#include "ep/text/tokenizer.h"

#include <algorithm>
#include <utility>

namespace ep::session {

namespace {

using Json = json::OrderedJson;

constexpr const char* kExactFormat = "f32";

Result<std::unique_ptr<model::Engine>>
loadEngine(model::EngineLibrary& library, const QualityRequest& request, const std::string& dtype,
           const ProgressFn& progress, const CancelToken& cancel)
{
    return library.load({.folder = request.model,
                         .device = request.device,
                         .dtype = dtype,
                         .threads = request.threads},
                        progress, cancel);
}

} // namespace

Result<QualityRecord> measureQuality(const QualityRequest& request, const ProgressFn& progress,
                                     const CancelToken& cancel)
{
    const auto text = readTextFile(request.text, cancel);
    if (!text)
        return text.error();
    const auto tokenizer = text::Tokenizer::load(request.model);
    if (!tokenizer)
        return tokenizer.error();
    const auto ids = (*tokenizer)->tryEncode(*text);
    if (!ids)
        return Error{ids.error().code, {"%1: %2", request.text.string(), ids.error().message}};
    const auto library = model::EngineLibrary::open();
    if (!library)
        return library.error();
    const auto engine = loadEngine(**library, request, request.dtype, progress, cancel);
    if (!engine)
        return engine.error();
    std::unique_ptr<model::Engine> exact;
    if ((*engine)->dtype() != kExactFormat) {
        auto loaded = loadEngine(**library, request, kExactFormat, progress, cancel);
        if (!loaded)
            return loaded.error();
        exact = std::move(*loaded);
    }
    const bool blocked = request.cache == model::CacheKind::Q8;
    model::Engine* const reference = exact ? exact.get() : blocked ? engine->get() : nullptr;
    const auto found = model::measurePerplexity(
        **engine, reference,
        {.ids = *ids, .context = request.context, .stride = request.stride, .cache = request.cache},
        progress, cancel);
    if (!found)
        return Error{found.error().code, {"%1: %2", request.text.string(), found.error().message}};
    QualityRecord record;
    record.model = (*engine)->facts().name;
    record.fingerprint = (*engine)->facts().fingerprint;
    record.dtype = qualityFormat((*engine)->dtype(), model::name(request.cache));
    record.device = (*engine)->device();
    record.text_name = request.text.filename().string();
    record.text_hash = hashedText(*text);
    record.tokens = static_cast<std::int64_t>(ids->size());
    record.scored = found->scored;
    record.context = found->context;
    record.stride = found->stride;
    record.nll = found->nll;
    record.perplexity = found->perplexity();
    record.nll_blocks = found->nll_blocks;
    record.kl = found->kl;
    record.top1 = found->top1;
    record.created_at_ms = wallClockMs();
    record.app_version = applicationVersion();
    return record;
}

std::string qualityText(const QualityRecord& record)
{
    std::string text = "perplexity " + formatPerplexity(record.perplexity) + " on "
        + record.text_name + " (" + std::to_string(record.scored) + " tokens scored, context "
        + std::to_string(record.context) + ", stride " + std::to_string(record.stride) + ")";
    if (record.kl && record.top1) {
        text += "; against f32 of the same weights: KL divergence "
            + formatSignificant(*record.kl, 3) + " nats, the same most likely token in "
            + formatPercent(*record.top1);
    }
    return text;
}

std::string qualityJson(const QualityRecord& record)
{
    const Json json{{"format", "energy-profiler-quality"},
                    {"version", 1},
                    {"model", record.model},
                    {"fingerprint", record.fingerprint},
                    {"dtype", record.dtype},
                    {"device", record.device},
                    {"text", record.text_name},
                    {"text_hash", record.text_hash},
                    {"tokens", record.tokens},
                    {"scored_tokens", record.scored},
                    {"context", record.context},
                    {"stride", record.stride},
                    {"nll", record.nll},
                    {"perplexity", record.perplexity},
                    {"nll_blocks", record.nll_blocks},
                    {"kl_nats", record.kl},
                    {"top1_agreement", record.top1}};
    return json::textOf(json, 2);
}

} // namespace ep::session
