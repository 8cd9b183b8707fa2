// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/model/analytic.h"
#include "ep/model/computed_model.h"
#include "ep/model/describe.h"
#include "ep/model/dtype.h"
#include "ep/model/dtype_plan.h"
#include "ep/model/format.h"
#include "ep/model/library.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace ep::app {

namespace {

using Json = json::OrderedJson;
struct ModelsOptions {
    std::vector<std::string> folders{};
    std::string model{};
    std::string dtype = "auto";
    bool json = false;
};

// --- list ---------------------------------------------------------------------------------------

Json toJson(const model::ModelListing& listing)
{
    Json json{{"name", listing.name},
              {"path", listing.path.string()},
              {"architecture", listing.architecture},
              {"supported", listing.supported},
              {"problem", listing.problem},
              {"parameters", nullptr},
              {"file_bytes", listing.weight_bytes}};
    if (listing.parameters > 0)
        json["parameters"] = listing.parameters;
    return json;
}

int listModels(const ModelsOptions& options)
{
    std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
    for (const std::filesystem::path& folder : folders) {
        std::error_code ignored;
        if (!std::filesystem::is_directory(folder, ignored))
            return fail({ErrorCode::NotFound, {"There is no folder %1.", folder.string()}});
    }
    if (folders.empty())
        folders = modelFolders();
    const std::vector<model::ModelListing> models = model::discoverModels(folders);
    if (options.json) {
        Json json{
            {"format", "energy-profiler-model-list"}, {"version", 1}, {"models", Json::array()}};
        for (const model::ModelListing& listing : models)
            json["models"].push_back(toJson(listing));
        printAsJson(json);
        return kExitDone;
    }
    if (models.empty()) {
        print("No models found; name a folder with --models-dir.\n");
        return kExitDone;
    }
    using Align = TextTable::Align;
    TextTable table({{"model"},
                     {"architecture"},
                     {"parameters", Align::Right},
                     {"files", Align::Right},
                     {"folder"}});
    std::string problems;
    for (const model::ModelListing& listing : models) {
        table.addRow({listing.name, listing.architecture,
                      listing.parameters > 0 ? formatCount(listing.parameters) : kMissingText,
                      formatBytes(listing.weight_bytes), listing.path.string()});
        if (!listing.supported)
            problems += listing.name + ": " + listing.problem.english() + '\n';
    }
    print(table.toString() + (problems.empty() ? "" : "\nCannot be loaded:\n" + problems));
    return kExitDone;
}

// --- show ---------------------------------------------------------------------------------------

// The context lengths at which costs are listed: powers of four up to the model's context.
std::vector<std::int64_t> contextsOf(const ModelFacts& facts)
{
    std::vector<std::int64_t> contexts;
    for (std::int64_t context = 128; context < facts.context_length; context *= 4)
        contexts.push_back(context);
    contexts.push_back(facts.context_length);
    return contexts;
}

Json toJson(const model::Cost& cost)
{
    return {{"flops", cost.flops},
            {"bytes", cost.bytes()},
            {"weight_bytes", cost.weight_bytes},
            {"cache_bytes", cost.cache_bytes},
            {"activation_bytes", cost.activation_bytes}};
}

// The cost of each component, summed over all layers.
std::map<Component, model::Cost> byComponent(const model::PassCost& pass)
{
    std::map<Component, model::Cost> sums;
    for (const auto& layer : pass.layers) {
        for (const model::ComponentCost& part : layer)
            sums[part.component] += part.cost;
    }
    return sums;
}

struct Shown {
    model::ModelDescription model;
    std::string dtype;
    model::ComputedModel computed;
    std::vector<model::SizedFormat> formats{};
};

// Bits of each weight, including its share of the scales.
double bitsOf(const Shown& shown, std::int64_t bytes)
{
    const auto parameters = static_cast<double>(shown.model.facts.parameters);
    return parameters > 0.0 ? 8.0 * static_cast<double>(bytes) / parameters : 0.0;
}

Json formatsJson(const Shown& shown)
{
    Json formats = Json::array();
    for (const model::SizedFormat& format : shown.formats) {
        formats.push_back({{"dtype", format.word},
                           {"name", format.name},
                           {"weight_bytes", format.weight_bytes},
                           {"bits_per_weight", bitsOf(shown, format.weight_bytes)},
                           {"larger_than_stored", format.larger_than_stored}});
    }
    return formats;
}

// The type of each tensor, by llama.cpp's name for it.
Json typesJson(const Shown& shown)
{
    const auto plan = model::parseDTypePlan(shown.dtype, shown.model.format);
    const model::TensorList& list = shown.model.tensors;
    const model::TensorTypes types = model::typesIn(list, plan ? *plan : model::DTypePlan{});
    Json json = Json::object();
    for (std::size_t i = 0; i < types.size(); ++i)
        json[list.tensors[i].own] = model::name(computedType(list.tensors[i], types[i]));
    return json;
}

Json toJson(const Shown& shown)
{
    const ModelFacts& facts = shown.model.facts;
    Json json{
        {"format", "energy-profiler-model"},
        {"version", 1},
        {"name", facts.name},
        {"path", facts.path},
        {"architecture", facts.architecture},
        {"parameters", facts.parameters},
        {"active_parameters", facts.active_parameters},
        {"embedding_parameters", facts.embedding_parameters},
        {"attention_parameters", facts.attention_parameters},
        {"mlp_parameters", facts.mlp_parameters},
        {"layers", facts.layers},
        {"hidden_size", facts.hidden_size},
        {"intermediate_size", facts.intermediate_size},
        {"attention_heads", facts.attention_heads},
        {"kv_heads", facts.kv_heads},
        {"head_dim", facts.head_dim},
        {"attention_kind", model::attentionKind(facts.attention_heads, facts.kv_heads)},
        {"vocabulary_size", facts.vocabulary_size},
        {"context_length", facts.context_length},
        {"experts", facts.experts},
        {"experts_per_token", facts.experts_per_token},
        {"weight_bytes", facts.weight_bytes},
        {"stored_dtype", facts.stored_dtype},
        {"tensor_types", Json::object()},
        {"fingerprint", facts.fingerprint},
        {"dtype", shown.dtype},
        {"computed_weight_bytes", shown.computed.weight_bytes},
        {"computed_types", typesJson(shown)},
        {"formats", formatsJson(shown)},
        {"kv_bytes_per_token", model::kvBytesPerToken(shown.computed.config, shown.computed.sizes)},
        {"state_bytes", model::stateBytes(shown.computed.config, shown.computed.sizes)},
        {"costs", Json::array()}};
    for (const auto& [type, count] : shown.model.types)
        json["tensor_types"][type] = count;
    for (const std::int64_t context : contextsOf(facts)) {
        const model::ModelConfig& config = shown.computed.config;
        const model::NumberSizes& sizes = shown.computed.sizes;
        const auto decode = model::passCost(config, {.context = context - 1}, sizes);
        Json components = Json::object();
        for (const auto& [component, cost] : byComponent(decode))
            components[std::string(name(component))] = toJson(cost);
        json["costs"].push_back(
            {{"context", context},
             {"prefill_token", toJson(model::prefillTokenCost(config, context, sizes))},
             {"decode_token", toJson(decode.total())},
             {"decode_parts",
              {{"embedding", toJson(decode.embedding)},
               {"components", components},
               {"final_norm", toJson(decode.final_norm)},
               {"lm_head", toJson(decode.lm_head)}}}});
    }
    return json;
}

// "Q4_K 132, F32 73; Q4_K by a kernel of its own, with 16-bit activations"
std::string typesText(const model::ModelDescription& model)
{
    std::string text;
    std::string kernels;
    for (const auto& [type, count] : model.types) {
        text += (text.empty() ? "" : ", ") + type + " " + std::to_string(count);
        const auto dtype = model::dtypeFromStored(type);
        if (dtype && model::inBlocks(*dtype))
            kernels += "; " + type + " " + std::string(model::matmulInWords(*dtype));
    }
    return text + kernels;
}

std::string factsText(const model::ModelDescription& model)
{
    const ModelFacts& facts = model.facts;
    std::string text;
    const auto line = [&](const char* title, const std::string& value) {
        text += title + value + '\n';
    };
    line("model         ", facts.name);
    line("folder        ", facts.path);
    line("architecture  ", facts.architecture);
    line("parameters    ",
         formatCount(facts.parameters) + " (embedding " + formatCount(facts.embedding_parameters)
             + ", attention " + formatCount(facts.attention_parameters) + ", MLP "
             + formatCount(facts.mlp_parameters) + ")");
    if (facts.experts > 0) {
        line("experts       ",
             std::to_string(facts.experts_per_token) + " of " + std::to_string(facts.experts)
                 + " for each token; " + formatCount(facts.active_parameters)
                 + " parameters active");
    }
    line("layers        ",
         std::to_string(facts.layers) + ", hidden " + std::to_string(facts.hidden_size) + ", MLP "
             + std::to_string(facts.intermediate_size));
    line("attention     ",
         std::string(model::attentionKind(facts.attention_heads, facts.kv_heads)) + ", "
             + std::to_string(facts.attention_heads) + " heads of " + std::to_string(facts.head_dim)
             + ", " + std::to_string(facts.kv_heads) + " of keys and values");
    line("vocabulary    ", std::to_string(facts.vocabulary_size));
    line("context       ", counted(facts.context_length, "token"));
    line("weights       ",
         formatBytes(facts.weight_bytes) + " stored, " + facts.stored_dtype + ", fingerprint "
             + facts.fingerprint);
    line("tensors       ", typesText(model));
    return text;
}

std::string costsText(const Shown& shown)
{
    const auto flops = [](double value) {
        std::string text = formatBytes(static_cast<std::int64_t>(value));
        text.pop_back(); // keeps the prefix of the unit
        return text + "FLOP";
    };
    const auto bytes = [](double value) { return formatBytes(static_cast<std::int64_t>(value)); };
    using Align = TextTable::Align;
    TextTable table({{"context", Align::Right},
                     {"prefill/token", Align::Right},
                     {"", Align::Right},
                     {"decode/token", Align::Right},
                     {"", Align::Right},
                     {"KV cache", Align::Right}});
    const model::ModelConfig& config = shown.computed.config;
    const model::NumberSizes& sizes = shown.computed.sizes;
    const std::int64_t position = model::kvBytesPerToken(config, sizes);
    const std::int64_t states = model::stateBytes(config, sizes);
    for (const std::int64_t context : contextsOf(shown.model.facts)) {
        const auto prefill = model::prefillTokenCost(config, context, sizes);
        const auto decode = model::decodeTokenCost(config, context - 1, sizes);
        table.addRow({std::to_string(context), flops(prefill.flops), bytes(prefill.bytes()),
                      flops(decode.flops), bytes(decode.bytes()),
                      bytes(static_cast<double>(position * context + states))});
    }
    return "computed in " + shown.dtype + " on the processor, analytic:\n" + table.toString();
}

// "auto" is marked by the name of the stored format.
std::string formatsText(const Shown& shown)
{
    using Align = TextTable::Align;
    TextTable table({{"--dtype"}, {"weights", Align::Right}, {"bits", Align::Right}, {""}});
    for (const model::SizedFormat& format : shown.formats) {
        table.addRow({format.word, formatBytes(format.weight_bytes),
                      formatSignificant(bitsOf(shown, format.weight_bytes), 3),
                      format.word == "auto"           ? "as stored: " + format.name
                          : format.larger_than_stored ? "no more accurate than stored"
                                                      : ""});
    }
    return "formats, from the smallest to the largest:\n" + table.toString();
}

int showModel(const ModelsOptions& options)
{
    const auto folder = findModel(options.model);
    if (!folder)
        return fail(folder.error());
    auto described = model::describeModel(*folder);
    if (!described)
        return fail(described.error());
    if (const auto plan = model::parseDTypePlan(options.dtype, described->format)) {
        if (const Status possible = model::checkRules(described->tensors, *plan); !possible)
            return fail(possible.error());
    }
    const Shown shown{.model = *described,
                      .dtype = options.dtype == "auto" ? described->format
                                                       : model::formatName(options.dtype),
                      .computed = model::computedIn(*described, options.dtype),
                      .formats = model::sizedFormats(*described)};
    if (options.json)
        printAsJson(toJson(shown));
    else
        print(factsText(shown.model) + '\n' + formatsText(shown) + '\n' + costsText(shown));
    return kExitDone;
}

} // namespace

void addModelsCommand(CLI::App& app, Invocation& invocation)
{
    CLI::App* models =
        app.add_subcommand("models",
                           "List the models on this machine, show, tokenize with, verify or "
                           "rate one");
    models->require_subcommand(1);
    auto options = std::make_shared<ModelsOptions>();

    CLI::App* listing =
        models->add_subcommand("list", "List the models in the known or the given folders");
    listing
        ->add_option("--models-dir", options->folders,
                     "Folder to search, up to four levels deep; may be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
    CLI::App* showing =
        models->add_subcommand("show", "Show the properties of a model and the cost of a token");
    showing->add_option("DIR", options->model, "Model folder, or name of a known model")
        ->required();
    showing
        ->add_option("--dtype", options->dtype,
                     "Compute type: " + model::formatChoicesText() + "; auto is as stored")
        ->check(settingCheck("dtype"));
    for (CLI::App* command : {listing, showing})
        command->add_flag("--json", options->json, "Print JSON");
    listing->callback(
        [options, &invocation] { invocation.action = [options] { return listModels(*options); }; });
    showing->callback(
        [options, &invocation] { invocation.action = [options] { return showModel(*options); }; });
    addTokenizeCommand(*models, invocation);
    addVerifyCommand(*models, invocation);
    addQualityCommand(*models, invocation);
}

} // namespace ep::app
