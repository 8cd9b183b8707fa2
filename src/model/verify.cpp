// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/model/verify.h"

#include "verify_experts.h"
#include "verify_stats.h"

#include "ep/core/format.h"
#include "ep/json/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace ep::model {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxReferenceBytes = 1'000'000'000;
constexpr double kLogitTolerance = 1e-4; // share of the range of the reference's logits, for f32
constexpr double kNarrowLogitTolerance = 3e-2; // if weights were rounded to 16 bits
// Scripts that write references use different names.
constexpr std::array kRouterKeys{"router_choices", "router_topk", "router_top_k",
                                 "selected_experts"};
constexpr std::array kExpertGateKeys{"expert_gate_negative_fraction", "expert_negative_fraction",
                                     "expert_activation_kill_ratio", "mlp_gate_negative_fraction"};
constexpr double kStatTolerance = 1e-3; // relative to a statistic or 1, whichever is larger

std::optional<std::vector<double>> numbers(const Json& json, const char* key)
{
    const auto found = json.find(key);
    if (found == json.end() || !found->is_array()
        || !std::all_of(found->begin(), found->end(),
                        [](const Json& value) { return value.is_number(); }))
        return std::nullopt;
    return found->get<std::vector<double>>();
}

// The numbers of an array, or an empty vector.
std::vector<double> rowOf(const Json& json)
{
    std::vector<double> row;
    if (!json.is_array())
        return row;
    for (const Json& value : json) {
        if (value.is_number())
            row.push_back(value.get<double>());
    }
    return row;
}

std::optional<std::vector<text::TokenId>> tokenIds(const Json& json, const char* key)
{
    const auto values = numbers(json, key);
    if (!values)
        return std::nullopt;
    std::vector<text::TokenId> ids;
    for (const double value : *values)
        ids.push_back(static_cast<text::TokenId>(std::clamp(value, -1.0, 2147483647.0)));
    return ids;
}

std::size_t matchingPrefix(std::span<const text::TokenId> a, std::span<const text::TokenId> b)
{
    return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first
                                    - a.begin());
}

// Compares one engine with one reference, part by part.
class Verifier {
public:
    Verifier(Engine& engine, const text::Tokenizer* tokenizer, const Json& reference,
             CancelToken cancel)
        : m_engine(engine)
        , m_tokenizer(tokenizer)
        , m_reference(reference)
        , m_cancel(std::move(cancel))
    {
    }

    Result<VerifyReport> run()
    {
        const auto ids = tokenIds(m_reference, "input_ids");
        if (ids) {
            if (const Status forward = checkForward(*ids); !forward)
                return forward.error();
            if (const Status greedy = checkGreedy(*ids); !greedy)
                return greedy.error();
        }
        if (const Status cases = checkTextCases(); !cases)
            return cases.error();
        return std::move(m_report);
    }

private:
    void add(std::string name, bool passed, std::string detail)
    {
        m_report.checks.push_back({std::move(name), passed, std::move(detail)});
    }

    double logitTolerance() const
    {
        const auto stored = m_reference.find("stored_dtype");
        const bool narrowed =
            m_engine.dtype() != "f32" && stored != m_reference.end() && *stored == "float32";
        return narrowed ? kNarrowLogitTolerance : kLogitTolerance;
    }

    void checkLogits(const std::string& name, const char* key, std::size_t position,
                     const ForwardResult& forward)
    {
        const auto expected = numbers(m_reference, key);
        if (!expected)
            return;
        const auto vocabulary = static_cast<std::size_t>(forward.vocabulary);
        if (expected->size() != vocabulary || (position + 1) * vocabulary > forward.logits.size()) {
            add(name, false,
                "the reference has " + std::to_string(expected->size()) + " logits, the model "
                    + std::to_string(vocabulary));
            return;
        }
        double difference = 0.0;
        for (std::size_t i = 0; i < vocabulary; ++i) {
            const auto actual = static_cast<double>(forward.logits[position * vocabulary + i]);
            difference = std::max(difference, std::abs(actual - (*expected)[i]));
        }
        const auto [least, most] = std::minmax_element(expected->begin(), expected->end());
        const double relative = difference / std::max(*most - *least, 1e-12);
        m_report.max_abs_logit_difference = std::max(m_report.max_abs_logit_difference, difference);
        m_report.max_rel_logit_difference = std::max(m_report.max_rel_logit_difference, relative);
        add(name, relative <= logitTolerance(),
            "largest difference " + formatSignificant(difference) + ", "
                + formatSignificant(relative) + " of their range");
    }

    Status checkForward(const std::vector<text::TokenId>& ids)
    {
        const Result<ForwardResult> forward = m_engine.forward(ids, m_cancel);
        if (!forward)
            return forward.error();
        checkLogits("logits at the last position", "logits_last", ids.size() - 1, *forward);
        const auto position = m_reference.find("position");
        if (position != m_reference.end() && position->is_number_unsigned())
            checkLogits("logits in the middle", "logits_position", position->get<std::size_t>(),
                        *forward);

        if (const auto expected = tokenIds(m_reference, "argmax_all_positions")) {
            std::vector<text::TokenId> actual;
            const auto vocabulary = static_cast<std::ptrdiff_t>(forward->vocabulary);
            for (auto row = forward->logits.begin(); row != forward->logits.end();
                 row += vocabulary)
                actual.push_back(
                    static_cast<text::TokenId>(std::max_element(row, row + vocabulary) - row));
            const std::size_t same = matchingPrefix(actual, *expected);
            add("largest logit at every position", actual == *expected,
                std::to_string(same) + " of " + std::to_string(expected->size()) + " the same");
        }
        if (const auto hidden = m_reference.find("hidden_states");
            hidden != m_reference.end() && hidden->is_object())
            checkHidden(*hidden, *forward);
        if (const auto entropies = m_reference.find("attention_entropy_last");
            entropies != m_reference.end() && entropies->is_array())
            checkEntropies(*entropies, *forward);
        checkExperts(forward->experts);
        return {};
    }

    void checkExperts(const ExpertLayers& layers)
    {
        RouterComparison choices(layers, logitTolerance());
        for (const char* const key : kRouterKeys) {
            if (const auto found = m_reference.find(key); found != m_reference.end())
                choices.compare(*found);
        }
        if (choices.count() > 0)
            add("choices of the routers", choices.passed(), choices.detail());
        Comparison comparison(kStatTolerance);
        for (const char* const key : kExpertGateKeys) {
            if (const auto fractions = m_reference.find(key); fractions != m_reference.end())
                compareExpertGates(*fractions, layers, comparison);
        }
        if (comparison.count() > 0)
            add("activation inputs of experts below zero", comparison.passed(),
                comparison.detail());
    }

    void checkEntropies(const Json& reference, const ForwardResult& forward)
    {
        Comparison comparison(kStatTolerance);
        const auto& entropies = forward.attention_entropy_last;
        for (std::size_t layer = 0; layer < std::min(entropies.size(), reference.size()); ++layer) {
            const auto expected = rowOf(reference[layer]);
            for (std::size_t head = 0; head < expected.size(); ++head) {
                const bool there = head < entropies[layer].size();
                comparison.add("layer " + std::to_string(layer) + " head " + std::to_string(head),
                               there ? entropies[layer][head] : std::nan(""), expected[head]);
            }
        }
        if (comparison.count() > 0)
            add("attention entropies", comparison.passed(), comparison.detail());
    }

    void checkHidden(const Json& reference, const ForwardResult& forward)
    {
        Comparison comparison(kStatTolerance);
        const ForwardResult::Hidden* raw = nullptr;
        for (const ForwardResult::Hidden& hidden : forward.hidden) {
            const Json* expected = nullptr;
            if (hidden.name == "token_embedding") {
                raw = &hidden;
            } else if (hidden.name.starts_with("layer ")) {
                const std::size_t layer = std::stoul(hidden.name.substr(6));
                if (reference.contains("layers") && reference["layers"].is_array()
                    && layer < reference["layers"].size())
                    expected = &reference["layers"][layer];
            } else if (reference.contains(hidden.name)) {
                expected = &reference[hidden.name];
            }
            if (!expected)
                continue;
            // Some references contain the output of the embedding module before scaling.
            Comparison plain(kStatTolerance);
            if (raw && hidden.name == "embedding")
                addHidden(plain, *raw, *expected);
            addHidden(comparison, plain.count() > 0 && plain.passed() ? *raw : hidden, *expected);
        }
        if (comparison.count() > 0)
            add("hidden states", comparison.passed(), comparison.detail());
    }

    static void addHidden(Comparison& comparison, const ForwardResult::Hidden& hidden,
                          const Json& expected)
    {
        comparison.add(hidden.name, "mean", hidden.mean, expected);
        comparison.add(hidden.name, "std", hidden.std, expected);
        comparison.add(hidden.name, "abs_mean", hidden.abs_mean, expected);
        comparison.add(hidden.name, "max", hidden.max, expected);
    }

    // The greedy tokens that follow ids; the statistics observer may be null.
    Result<std::vector<text::TokenId>> continuation(const std::vector<text::TokenId>& ids,
                                                    std::size_t count, Observer* observer)
    {
        GenerationRequest request;
        request.prompts = {ids};
        request.max_new_tokens = static_cast<int>(count);
        request.past_context = true;
        auto generation = m_engine.begin(request, observer, m_cancel);
        if (!generation)
            return generation.error();
        std::vector<text::TokenId> tokens;
        Result<StepResult> step = (*generation)->prefill();
        while (step) {
            tokens.push_back(step->sequences.front().token);
            if (step->finished)
                break;
            step = (*generation)->decode();
        }
        const Status end = (*generation)->finish();
        if (!step)
            return step.error();
        if (!end)
            return end.error();
        return tokens;
    }

    Status checkGreedy(const std::vector<text::TokenId>& ids)
    {
        const auto expected = tokenIds(m_reference, "greedy_new_ids");
        StatsObserver stats;
        const auto actual =
            continuation(ids, expected && !expected->empty() ? expected->size() : 1, &stats);
        if (!actual)
            return actual.error();
        if (const auto modules = m_reference.find("module_output_stats");
            modules != m_reference.end()) {
            Comparison comparison(kStatTolerance);
            stats.compare(*modules, comparison);
            if (comparison.count() > 0)
                add("component statistics", comparison.passed(), comparison.detail());
        }
        if (const auto fractions = m_reference.find("mlp_gate_negative_fraction");
            fractions != m_reference.end()) {
            Comparison comparison(kStatTolerance);
            stats.compareGates(*fractions, comparison);
            if (comparison.count() > 0)
                add("activation inputs below zero", comparison.passed(), comparison.detail());
        }
        if (expected) {
            m_report.greedy_matches = static_cast<int>(matchingPrefix(*actual, *expected));
            m_report.greedy_total = static_cast<int>(expected->size());
            add("greedy continuation", *actual == *expected,
                std::to_string(m_report.greedy_matches) + " of "
                    + std::to_string(m_report.greedy_total) + " tokens the same");
        }
        return {};
    }

    Status checkTextCases()
    {
        const auto cases = m_reference.find("text_cases");
        if (cases == m_reference.end() || !cases->is_array())
            return {};
        int number = 0;
        for (const Json& item : *cases) {
            const std::string name = "text " + std::to_string(++number);
            const auto ids = tokenIds(item, "ids");
            const auto expected = tokenIds(item, "new_ids");
            if (!ids || !expected || expected->empty())
                continue;
            if (m_tokenizer && item.contains("text") && item["text"].is_string())
                add(name + ": ids", m_tokenizer->encode(item["text"].get<std::string>()) == *ids,
                    std::to_string(ids->size()) + " ids");
            const auto actual = continuation(*ids, expected->size(), nullptr);
            if (!actual)
                return actual.error();
            add(name + ": greedy continuation", *actual == *expected,
                std::to_string(matchingPrefix(*actual, *expected)) + " of "
                    + std::to_string(expected->size()) + " tokens the same");
            if (m_tokenizer && item.contains("decoded_new") && item["decoded_new"].is_string())
                add(name + ": decoded text",
                    m_tokenizer->decode(*actual) == item["decoded_new"].get<std::string>(),
                    std::to_string(m_tokenizer->decode(*actual).size()) + " bytes");
        }
        return {};
    }

    Engine& m_engine;
    const text::Tokenizer* m_tokenizer;
    const Json& m_reference;
    CancelToken m_cancel;
    VerifyReport m_report;
};

} // namespace

bool VerifyReport::passed() const
{
    return !checks.empty()
        && std::all_of(checks.begin(), checks.end(),
                       [](const VerifyCheck& check) { return check.passed; });
}

std::vector<std::string> VerifyReport::lines() const
{
    std::vector<std::string> lines;
    for (const VerifyCheck& check : checks)
        lines.push_back(std::string(check.passed ? "ok      " : "FAILED  ") + check.name + ": "
                        + check.detail);
    const auto failed = std::count_if(checks.begin(), checks.end(),
                                      [](const VerifyCheck& check) { return !check.passed; });
    lines.push_back(failed == 0 ? "The model agrees with the reference."
                                : std::to_string(failed) + " of " + std::to_string(checks.size())
                            + " checks failed.");
    return lines;
}

Result<VerifyReport> verifyAgainst(Engine& engine, const text::Tokenizer* tokenizer,
                                   const std::filesystem::path& reference, CancelToken cancel)
{
    const auto json = json::readFile(reference, kMaxReferenceBytes);
    if (!json)
        return json.error();
    try {
        Result<VerifyReport> report = Verifier(engine, tokenizer, *json, std::move(cancel)).run();
        if (report && report->checks.empty()) {
            return Error{ErrorCode::InvalidInput,
                         {"%1 contains nothing to compare with: it needs input_ids and logits_last "
                          "or greedy_new_ids, or text_cases.",
                          reference.string()}};
        }
        return report;
    } catch (const Json::exception&) {
        return Error{
            ErrorCode::InvalidInput,
            {"%1 is not a reference file: its parts have other types.", reference.string()}};
    }
}

} // namespace ep::model
