// SPDX-License-Identifier: GPL-3.0-or-later
#include "store/run_variations.h"

#include "support/sample_run.h"

#include "ep/core/own_part.h"
#include "ep/json/conversation.h"

#include <limits>

namespace ep::test {

namespace {

const std::vector<RunVariation> kVariations = {
    RunVariation{"whole", [](ep::Run&) {}}, //
    RunVariation{"without_power",
                 [](ep::Run& run) { run = makeSampleRun({.deep = false, .power = false}); }},
    RunVariation{"only_an_id",
                 [](ep::Run& run) {
                     run = {};
                     run.info.id = "00000000-0000-4000-8000-00000000000a";
                 }},
    RunVariation{"counters_on_every_rail",
                 [](ep::Run& run) {
                     double value = 0.1;
                     for (PowerSample& sample : run.trace.samples) {
                         for (auto& rail : sample.energy_mj.values)
                             rail = Millijoules{value += 0.7};
                         for (auto& rail : sample.power_mw.values)
                             rail = Milliwatts{value += 0.7};
                         sample.modelled = !sample.modelled;
                     }
                 }},
    RunVariation{"no_total_no_rails",
                 [](ep::Run& run) {
                     for (PowerSample& sample : run.trace.samples) {
                         sample.power_mw = {};
                         sample.total_mw.reset();
                     }
                 }},
    RunVariation{"idle_before_the_run",
                 [](ep::Run& run) {
                     const Nanoseconds begin = run.trace.time.begin_ns;
                     run.trace.phases.insert(run.trace.phases.begin(),
                                             {Phase::Idle, {begin - 1'000'000, begin - 5}, {}});
                 }},
    RunVariation{"cut_short_in_a_component",
                 [](ep::Run& run) {
                     run.info.status = RunStatus::Cancelled;
                     run.info.status_message = "Stopped.";
                     run.trace.tokens.pop_back(); // its layers, components and operations stay
                     run.trace.layers.pop_back();
                     std::erase_if(run.trace.components, [&](const Span& component) {
                         return component.token == 3 && component.component == Component::Attention;
                     });
                 }},
    RunVariation{"two_additions_in_a_layer",
                 [](ep::Run& run) {
                     Span residual = run.trace.components.back();
                     residual.time = {residual.time.end_ns, residual.time.end_ns + 5};
                     run.trace.components.push_back(residual);
                 }},
    RunVariation{"odd_text",
                 [](ep::Run& run) {
                     run.info.prompt = std::string("a\0b", 3) + "\xff'\";--";
                     run.info.annotations = {{.begin_ns = 5, .end_ns = 9, .text = "a, \"b\""}};
                     run.info.tags = {"", "a,b", "quote\"back\\slash", "\u00e4\U0001F600"};
                     run.trace.tokens[0].text = std::string("\0", 1);
                     run.trace.tokens[1].text.clear();
                 }},
    RunVariation{"small_numbers",
                 [](ep::Run& run) {
                     run.info.sampling.seed = std::uint64_t{1} << 63;
                     run.info.sampling.temperature = std::numeric_limits<double>::denorm_min();
                     run.info.sparsity_threshold = 0.1 + 0.2;
                     run.trace.layers[0].stats = ActivationStats{1e-45F, 3.4e38F, 0.1F, 1.0F};
                     run.trace.layers[1].stats.reset();
                 }},
    RunVariation{"a_batch",
                 [](ep::Run& run) {
                     run.info.batch = {{"first", "one \"\xc3\xa4\"", 3, 4}, {"", "", 0, 0}};
                     run.trace.tokens[1].sequences = 2;
                     run.info.chat_template = false;
                     run.info.sampling.stop.clear();
                 }},
    RunVariation{"conversations",
                 [](ep::Run& run) {
                     const auto read = ep::json::readConversations(
                         R"({"tools": [{"type": "function", "function": {"z": 1.0, "name": "ä"}}],
                             "messages": [{"role": "user", "content": "Hi\n\"you\""},
                             {"zeta": 1e22, "role": "assistant", "content": null, "tool_calls": [
                             {"function": {"name": "f", "arguments": {"b": 1, "a": 18446744073709551615}}}]}],
                             "template_variables": {"enable_thinking": false}})",
                         "chat");
                     run.info.conversation = read->conversations.front();
                     run.info.batch = {
                         {"Hi", "one", 3, 4, run.info.conversation},
                         {"Ho", "two", 3, 4, ep::json::promptConversation("S", "Ho")}};
                 }},
    RunVariation{"work_of_every_span",
                 [](ep::Run& run) {
                     run.trace.sections[0].work = SpanWork{0, 0};
                     run.trace.sections[1].work = SpanWork{1, std::int64_t{1} << 60};
                     run.trace.components[0].work.reset();
                     run.trace.operations[0].work = SpanWork{7, 8};
                 }},
    RunVariation{"half_of_the_quality",
                 [](ep::Run& run) { run.info.power.quality = PowerQuality{.samples = 1}; }},
    RunVariation{
        "calibrated",
        [](ep::Run& run) {
            CalibrationRecord calibration;
            calibration.id = "0f0e";
            calibration.kernels = "avx2";
            calibration.kappa = 1.01;
            calibration.kinds = {{.kind = "attention", .calls = 4, .share = 0.25, .tau = 0.01},
                                 {.kind = "q_proj", .doubled_share = 0.5, .problem = "Too small."}};
            run.info.power.attribution = AttributionRecord{
                .method = AttributionMethod::Calibrated, .note = {}, .calibration = calibration};
        }},
    RunVariation{"partly_covered",
                 [](ep::Run& run) {
                     run.info.power.attribution = AttributionRecord{
                         .note = {}, .known_mj = Millijoules{12.5}, .known_ns = 340'000'000};
                 }},
    RunVariation{"disturbed",
                 [](ep::Run& run) {
                     run.trace.tokens[0].processor_ns = 123'456'789;
                     run.trace.tokens[0].preemptions = 0;
                     run.metrics.joules_per_typical_token = 0.125;
                 }},
    RunVariation{"with_a_draft", [](ep::Run& run) { run.trace.tokens[0].drafted = 4; }},
    RunVariation{"names_of_their_own",
                 [](ep::Run& run) {
                     run.trace.components.back().component =
                         ownComponent(LayerBlock::Neither, "short conv");
                     run.trace.sections.back().section = ownSection("pooler");
                 }},
    RunVariation{"fresh_values_of_every_status", [](ep::Run& run) {
                     run.info.status = RunStatus::Failed;
                     run.info.depth = Depth::None;
                     run.metrics.energy.provenance = Provenance::Modelled;
                     run.trace.phases[0].energy.provenance = Provenance::Calibrated;
                 }}};

} // namespace

std::vector<RunVariation> runVariations()
{
    return kVariations;
}

} // namespace ep::test
