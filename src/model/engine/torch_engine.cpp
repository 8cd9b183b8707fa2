// SPDX-License-Identifier: GPL-3.0-or-later
#include "torch_engine.h"

#include "aten_ops.h"
#include "blas.h"
#include "cpu_ops.h"
#include "dequantization.h"
#include "device.h"
#include "generation.h"
#include "gpu/gpu_fused.h"
#include "gpu/gpu_library.h"
#include "gpu/gpu_matmul.h"
#include "guarded.h"
#include "kernel_choice.h"
#include "kernel_measurement.h"
#include "model_facts.h"
#include "tensor_list.h"
#include "torch_replay.h"

#include "ep/core/format.h"
#include "ep/core/processor_count.h"
#include "ep/core/start_thread.h"
#include "ep/model/analytic.h"
#include "ep/model/dtype.h"
#include "ep/model/sequences.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace ep::model {
namespace {

// "The checkpoint holds N tensors that the architecture does not use, among them a, b, c."
Message unknownTensors(const std::vector<std::string>& names)
{
    constexpr std::size_t kNamed = 3;
    std::string some;
    for (std::size_t i = 0; i < std::min(kNamed, names.size()); ++i)
        some += (i ? ", " : "") + names[i];
    return {names.size() == 1
                ? "The checkpoint holds %1 tensor that the architecture does not use, among them "
                  "%2."
                : "The checkpoint holds %1 tensors that the architecture does not use, among them "
                  "%2.",
            names.size(), some};
}

// Throws LoadError if the family does not read a tensor of a layer in a GGUF file: the program that
// wrote the file does use it, and without it the numbers would differ.
void refuseUnread(const Checkpoint& checkpoint, const ModelConfig& config,
                  const WeightLoader& weights)
{
    constexpr std::string_view kLayer = "blk.";
    for (const std::string& name : weights.unknown()) {
        const Checkpoint::Entry* const entry = checkpoint.find(name);
        const std::string own = entry->own_name;
        int layer = 0;
        if (!own.starts_with(kLayer)
            || std::from_chars(own.data() + kLayer.size(), own.data() + own.size(), layer).ec
                != std::errc()
            || layer >= config.num_hidden_layers)
            continue;
        throw LoadError({ErrorCode::Unsupported,
                         {"The tensor %1 in %2 belongs to a layer, but this program does not know "
                          "what it is for: attach to the server that runs the model.",
                          own, (checkpoint.folder() / entry->file).string()}});
    }
}

// Adds a sentence for each part that text does not need, "The vision part, 0.4 B parameters, is not
// loaded.", and one for unknown tensors.
void noteUnread(const Checkpoint& checkpoint, const ModelConfig& config,
                const WeightLoader& weights, std::vector<Message>& notes)
{
    std::map<std::string_view, std::int64_t> parts; // with their numbers of parameters
    std::vector<std::string> others;
    for (const std::string& name : weights.unknown()) {
        const std::string_view part = partLeftOut(name, config.num_hidden_layers);
        if (part.empty())
            others.push_back(name);
        else
            parts[part] += checkpoint.find(name)->tensor.elements();
    }
    for (const auto& [part, parameters] : parts) {
        notes.emplace_back("The %1, %2 parameters, is not loaded.", part, formatCount(parameters));
    }
    if (!others.empty())
        notes.push_back(unknownTensors(others));
}

constexpr int kMaxThreads = 1024;
constexpr std::int64_t kWorthMeasuring = std::int64_t{16} << 20; // bytes of weights

std::string threadsInWords(int threads)
{
    return std::to_string(threads) + (threads == 1 ? " thread" : " threads");
}

struct ChosenKernels {
    KernelChoice choice;
    std::string origin; // where the choice comes from, and what was measured
};

// Chooses kernels as requested, otherwise as stored for this processor; otherwise measures them and
// stores the choice. Models with few weights use the usual kernels, and so does every model if
// nothing can be stored.
ChosenKernels chooseKernels(const LoadRequest& request, const WeightLoader& weights,
                            const std::shared_ptr<ThreadPool>& pool, const ProgressFn& progress)
{
    const KernelWish wish = orThrow(parseKernelWish(request.kernels));
    ChosenKernels chosen{.choice = {}, .origin = "default"};
    const bool worthMeasuring =
        wish.measure || (weights.bytes() >= kWorthMeasuring && !request.kernel_memory.file.empty());
    if (worthMeasuring && !wish.complete()) {
        const std::string processor = request.kernel_memory.processor + ", "
            + std::to_string(lastCacheBytes() >> 20) + " MiB, " + kernels().name + ", "
            + threadsInWords(pool->threads());
        KernelStore store(request.kernel_memory.file, processor);
        std::optional<KernelMeasurement> measurement;
        const auto measure = [&]() -> KernelMeasurement& {
            if (!measurement) {
                if (progress)
                    progress(1.0, "Measuring which kernels are the fastest here");
                measurement.emplace(pool);
            }
            return *measurement;
        };
        std::string rates;
        for (const WeightKind& kind : weights.kinds()) {
            if (inBlocks(kind.dtype)) { // one kernel for a row; for many, pairs always beat panels
                chosen.choice.setMany(kind.dtype, ManyWay::Pairs);
                continue;
            }
            std::optional<RowWay> way = wish.measure ? std::nullopt : store.row(kind);
            if (!way) {
                way = measure().chooseRow(kind);
                store.setRow(kind, *way);
                rates += (rates.empty() ? "" : "; ") + std::string(name(kind.dtype)) + " x "
                    + std::to_string(kind.columns) + ": " + measure().rates();
            }
            chosen.choice.setRow(kind, *way);
            std::optional<ManyWay> many = wish.measure ? std::nullopt : store.many(kind.dtype);
            if (!many) {
                many = measure().chooseMany(kind);
                store.setMany(kind.dtype, *many);
            }
            chosen.choice.setMany(kind.dtype, *many);
        }
        if (measurement)
            store.save();
        chosen.origin = rates.empty() ? "as measured earlier" : "measured: " + rates;
    }
    wish.apply(weights.kinds(), chosen.choice);
    if (wish.all || !wish.of_columns.empty() || wish.many)
        chosen.origin = wish.complete() ? "as requested" : "partly as requested, " + chosen.origin;
    return chosen;
}

ForwardResult::Hidden hiddenStats(const std::string& name, const Matrix& value, Ops& ops,
                                  std::int64_t rows)
{
    double count = 0.0, sum = 0.0, squares = 0.0, magnitudes = 0.0;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::int64_t row = 0; row < rows; ++row) {
        for (const float v : ops.host(value, row)) {
            const auto x = static_cast<double>(v);
            count += 1.0;
            sum += x;
            squares += x * x;
            magnitudes += std::abs(x);
            largest = std::max(largest, x);
        }
    }
    const double mean = sum / count;
    return {.name = name,
            .mean = mean,
            .std = std::sqrt(std::max(0.0, squares / count - mean * mean)),
            .abs_mean = magnitudes / count,
            .max = largest};
}

at::ScalarType activationType(DType dtype)
{
    return dtype == DType::F16 ? at::kHalf : dtype == DType::BF16 ? at::kBFloat16 : at::kFloat;
}

bool keepsStates(const ModelConfig& config)
{
    const std::vector<LayerCacheShape> layers = cacheShape(config);
    return std::ranges::any_of(layers, [](const LayerCacheShape& layer) {
        return layer.inputValues() > 0 || layer.stateValues() > 0;
    });
}

} // namespace

int chooseThreads(int asked)
{
    if (asked < 0 || asked > kMaxThreads) {
        throw LoadError({ErrorCode::InvalidInput,
                         {"The number of threads is %1, but must be between 0 (all cores) and %2.",
                          asked, kMaxThreads}});
    }
    return asked > 0 ? asked : fastProcessors();
}

TorchEngine::TorchEngine(const LoadRequest& request, const ProgressFn& progress,
                         const CancelToken& cancel)
{
    if (progress)
        progress(0.0, {"Reading %1", request.folder.string()});
    const auto files = request.files ? request.files : orThrow(openModel(request.folder));
    const ModelConfig& config = files->config;
    const Checkpoint& checkpoint = *files->weights;
    // The processor needs no facts, and collecting them would open LibTorch's CUDA half.
    m_device = orThrow(
        chooseDevice(request.device, request.device == "cpu" ? DeviceFacts() : deviceFacts()));
    if (const std::string failure = whyItFails(m_device); !failure.empty()) {
        const std::string device = deviceName(m_device);
        if (request.device != "auto") {
            throw LoadError({ErrorCode::Unsupported,
                             {"The device %1 exists, but fails a test matmul (%2): choose the "
                              "device cpu.",
                              device, failure}});
        }
        m_notes.push_back(Message("Computing on the processor: the device %1 exists, but fails a "
                                  "test matmul (%2).",
                                  device, failure));
        m_device = at::kCPU;
    }
    m_files = WeightFiles(checkpoint);
    NumberFormat format = chooseNumberFormat(request.dtype, *files, m_device);
    m_dtype = format.computed;

    const int threads = chooseThreads(request.threads);
    if (!dividesMatmuls()) // LibTorch's own threads end the program if they cannot start
        orThrow(checkThreads(2 * (threads - 1)));
    setThreadsBesideOurs(threads);
    const auto pool = std::make_shared<ThreadPool>(threads);
    WeightLoader weights(checkpoint, m_device, format.wide, *pool, progress, cancel);
    weights.roundMatrices(std::move(format.rounded));
    if (format.own_types)
        weights.keepPlainTypes();
    if (format.kept)
        weights.keepStoredTypes();
    m_dtypeInWords = format.name;
    m_notes.insert(m_notes.end(), format.notes.begin(), format.notes.end());
    m_decoder = makeDecoder(config, weights);
    refuseUnread(checkpoint, config, weights);
    if (m_device.is_cpu()) {
        const ChosenKernels chosen = chooseKernels(request, weights, pool, progress);
        m_kernels = std::string(kernels().name) + ", " + chosen.choice.describe(weights.kinds());
        m_computation =
            "own kernels: " + m_kernels + " (" + chosen.origin + "); " + threadsInWords(threads);
        m_ops = std::make_unique<CpuOps>(pool, chosen.choice);
    } else {
        useDevice(format, weights);
    }

    m_facts = factsOf(config, request.folder);
    m_facts.weight_bytes = weights.bytes();
    m_facts.kv_bytes_per_token =
        kvBytesPerToken(config, numberSizes(m_dtype, format.wide, !m_device.is_cpu()));
    m_facts.stored_dtype = files->format;
    m_facts.fingerprint = fingerprint(*files);
    m_facts.quantization = format.quantization + m_multiplied;
    noteUnread(checkpoint, config, weights, m_notes);
    orThrow(m_files.unchanged());
    if (progress)
        progress(1.0, "Model loaded");
}

const std::vector<text::TokenId>& TorchEngine::eosTokenIds() const
{
    return m_decoder.config.eos_token_ids;
}

std::string TorchEngine::device() const
{
    return deviceName(m_device);
}

std::string TorchEngine::dtype() const
{
    return m_dtypeInWords;
}

std::string TorchEngine::attentionImplementation(bool decomposed) const
{
    return m_ops->attentionImplementation(decomposed);
}

std::unique_ptr<SpanTimer> TorchEngine::makeSpanTimer()
{
    if (!m_timer) {
        m_timer = chooseTimer(m_device, timerKinds(m_device),
                              [&](SpanTimer& timer) { return whyMarksFail(timer, m_device); });
    }
    return m_timer->make ? m_timer->make(m_device) : nullptr;
}

void TorchEngine::synchronize()
{
    synchronizeDevice(m_device);
}

// what: the subject of the message, such as "The prompt"
Status TorchEngine::checkIds(std::span<const text::TokenId> ids, const Message& what,
                             bool pastContext) const
{
    const ModelConfig& config = m_decoder.config;
    if (ids.empty()) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 has no token: type at least one character.", what}};
    }
    if (ids.size() > static_cast<std::size_t>(m_decoder.contextLength(pastContext))) {
        return Error{ErrorCode::InvalidInput,
                     {"%1 has %2 tokens, but the model %3 has a context of %4: shorten it.", what,
                      ids.size(), m_facts.name, m_decoder.contextLength(pastContext)}};
    }
    const auto outside = std::find_if(ids.begin(), ids.end(), [&](text::TokenId id) {
        return id < 0 || id >= config.vocab_size;
    });
    if (outside != ids.end()) {
        return Error{ErrorCode::InvalidInput,
                     {"The tokenizer gave the id %1, but the model %2 knows only %3: "
                      "tokenizer.json belongs to another model.",
                      *outside, m_facts.name, config.vocab_size}};
    }
    return {};
}

Status TorchEngine::checkRequest(const GenerationRequest& request) const
{
    if (request.prompts.empty())
        return Error{ErrorCode::InvalidInput, "There is no prompt: give at least one."};
    for (std::size_t i = 0; i < request.prompts.size(); ++i) {
        const Message what = request.prompts.size() == 1 ? Message("The prompt")
                                                         : Message("Prompt %1 of the batch", i + 1);
        if (const Status ids = checkIds(request.prompts[i], what, request.past_context); !ids)
            return ids;
    }
    if (request.max_new_tokens < 1) {
        return Error{
            ErrorCode::InvalidInput,
            {"The number of new tokens is %1, but must be at least 1.", request.max_new_tokens}};
    }
    if (const Status possible = checkLevers(request); !possible)
        return possible;
    return checkSampling(request.sampling);
}

Result<std::unique_ptr<Generation>> TorchEngine::begin(const GenerationRequest& request,
                                                       Observer* observer, CancelToken cancel)
{
    if (const Status valid = checkRequest(request); !valid)
        return valid.error();
    return guarded("the KV cache", [&]() -> Result<std::unique_ptr<Generation>> {
        auto drafter = makeDrafter(request, cancel);
        auto generation = std::make_unique<TorchGeneration>(m_decoder, *m_ops, m_files, m_kept,
                                                            std::move(drafter), request, observer,
                                                            std::move(cancel));
        if (const Status unchanged = m_files.unchanged(); !unchanged)
            return unchanged.error();
        generation->start();
        return std::unique_ptr<Generation>(std::move(generation));
    });
}

Result<std::unique_ptr<Replay>> TorchEngine::record(const ReplayRequest& request,
                                                    const CancelToken& cancel)
{
    if (const Status valid = checkIds(request.prompt, "The prompt", false); !valid)
        return valid.error();
    if (static_cast<std::int64_t>(request.prompt.size()) + request.tokens
        > m_decoder.contextLength(false)) {
        return Error{
            ErrorCode::InvalidInput,
            {"The context of the model %1 has no room for %2 tokens after the prompt: shorten it.",
             m_facts.name, request.tokens}};
    }
    return guarded("the replay", [&]() -> Result<std::unique_ptr<Replay>> {
        auto replay = std::make_unique<TorchReplay>(m_decoder, *m_ops, m_files, m_device);
        if (const Status recorded = replay->record(request, cancel); !recorded)
            return recorded.error();
        return std::unique_ptr<Replay>(std::move(replay));
    });
}

Result<ForwardResult> TorchEngine::forwardWith(CacheKind kind, std::span<const text::TokenId> ids,
                                               const CancelToken& cancel)
{
    if (const Status valid = checkIds(ids, "The prompt", true); !valid)
        return valid.error();
    if (const Message why = whyNotCached(kind); !why.empty())
        return Error{ErrorCode::Unsupported, why};
    return guarded("the forward pass", [&]() -> Result<ForwardResult> {
        const ModelConfig& config = m_decoder.config;
        const auto rows = static_cast<std::int64_t>(ids.size());
        KvCache cache(cacheShape(config), m_ops->cacheOptions(), rows, kind);
        Workspace workspace;
        const std::array sequences{SequenceRows{.cache = &cache, .first = 0, .count = rows}};
        Step step{*m_ops, sequences, workspace, nullptr, cancel};

        ForwardResult result;
        result.vocabulary = config.vocab_size;
        result.experts.resize(static_cast<std::size_t>(config.num_hidden_layers));
        result.attention_entropy_last.resize(static_cast<std::size_t>(config.num_hidden_layers));
        step.entropies = &result.attention_entropy_last;
        step.experts = &result.experts;
        const bool done = m_decoder.forward(
            step, ids, Decoder::Logits::AllRows, [&](const std::string& what, const Matrix& value) {
                result.hidden.push_back(hiddenStats(what, value, *m_ops, rows));
            });
        if (!done)
            return Error{ErrorCode::Cancelled, "The forward pass was cancelled."};
        if (const Status unchanged = m_files.unchanged(); !unchanged)
            return unchanged.error();
        for (std::int64_t row = 0; row < rows; ++row) {
            const std::span<const float> logits = m_ops->host(workspace.logits, row);
            result.logits.insert(result.logits.end(), logits.begin(), logits.end());
        }
        return result;
    });
}

// How TorchEngine computes on an accelerator.

// Sets up the operations on an accelerator, and the text that says how a run multiplies
// block-quantized weights.
void TorchEngine::useDevice(const NumberFormat& format, const WeightLoader& weights)
{
    const at::ScalarType type = activationType(format.wide);
    if (m_device.is_cuda())
        avoidCudnnAttention();
    auto ops = std::make_unique<AtenOps>(m_device, type);
    bool asStored = false;
    m_computation = "LibTorch";
    if (const GpuLanguage* const language = gpuLanguageOf(m_device.type())) {
        auto matmul = std::make_shared<GpuMatmul>(*language, m_device, type);
        for (const WeightKind& kind : weights.kinds())
            matmul->prepare(kind.dtype);
        asStored = isPlain(m_dtype) ? matmul->dequantizedFirst().empty() : matmul->prepare(m_dtype);
        m_computation = matmul->computation();
        m_kernels = matmul->kernels();
        std::ranges::move(matmul->notes(), std::back_inserter(m_notes));
        ops->useMatmul(std::move(matmul));
        auto fused = std::make_shared<GpuFused>(*language, m_device, type);
        std::ranges::move(fused->notes(), std::back_inserter(m_notes));
        ops->useFused(std::move(fused));
    }
    if (!asStored && !format.note_if_dequantized.empty())
        m_notes.push_back(format.note_if_dequantized);
    if (inBlocks(m_dtype)) {
        m_multiplied = asStored ? "multiplied as stored, by kernels for "
                + std::string(gpuLanguageOf(m_device.type())->name)
                                : "dequantized for each matmul";
    }
    m_ops = std::move(ops);
}

// Ways in which an engine can save work in a generation, or why it cannot.

Status TorchEngine::checkLevers(const GenerationRequest& request) const
{
    const bool drafts = request.draft_tokens > 0;
    const bool kept = request.prompt_cache != PromptCacheUse::Off;
    const auto* const proposer = dynamic_cast<const TorchEngine*>(request.draft_model);
    for (const Message& why : {whyNotCached(request.cache), drafts ? whyNoDrafts() : Message(),
                               drafts && proposer ? proposer->whyNoDrafts() : Message(),
                               kept ? whyNoPromptCache() : Message()}) {
        if (!why.empty())
            return Error{ErrorCode::Unsupported, why};
    }
    return checkSequences(request.prompts.size(), drafts || kept);
}

Message TorchEngine::whyNoDrafts() const
{
    if (!keepsStates(m_decoder.config))
        return {};
    return {"The layers of %1 have states that cannot go back behind rejected tokens: leave out "
            "the draft.",
            m_facts.name};
}

Message TorchEngine::whyNoPromptCache() const
{
    if (!keepsStates(m_decoder.config))
        return {};
    return {"The layers of %1 have states that exist only at the end of a prompt: leave out the "
            "prompt cache.",
            m_facts.name};
}

Message TorchEngine::whyNotCached(CacheKind kind) const
{
    if (kind != CacheKind::Q8)
        return {};
    if (!m_device.is_cpu())
        return "Keys and values in q8_0 are computed on the processor only: choose the device cpu.";
    const std::int64_t block = rowOf(DType::Q8_0).block;
    bool any = false;
    for (const LayerCacheShape& layer : cacheShape(m_decoder.config)) {
        any = any || layer.keysAndValues() > 0;
        for (const std::int64_t dimension : {layer.head_dim, layer.v_head_dim}) {
            if (dimension % block != 0) {
                return {"A head of %1 has %2 numbers, which q8_0 cannot divide into blocks of 32: "
                        "use another cache.",
                        m_facts.name, dimension};
            }
        }
    }
    if (any)
        return {};
    return {"The layers of %1 keep no keys and values, so there is nothing to put into q8_0: use "
            "another cache.",
            m_facts.name};
}

std::unique_ptr<Drafter> TorchEngine::makeDrafter(const GenerationRequest& request,
                                                  const CancelToken& cancel) const
{
    if (request.draft_tokens <= 0)
        return nullptr;
    const auto* const proposer = dynamic_cast<const TorchEngine*>(request.draft_model);
    return proposer ? makeModelDrafter(proposer->m_decoder, *proposer->m_ops,
                                       m_decoder.config.vocab_size, cancel)
                    : makeNgramDrafter();
}

} // namespace ep::model
