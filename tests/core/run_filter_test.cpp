// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/core/run_filter.h"

#include <gtest/gtest.h>

namespace ep {

namespace {

constexpr std::int64_t kDay = 86'400'000;
constexpr std::int64_t kFirst = 1'700'000'000'000;

RunSummary runOf(int index)
{
    RunSummary run;
    run.info.created_at_ms = kFirst + index * kDay;
    run.info.model.name = index % 2 == 0 ? "even" : "odd";
    run.info.model.path = index % 2 == 0 ? "/models/even" : "/models/odd";
    run.info.prompt = "Tell me about Foxes and ÄPFEL";
    run.info.device = index % 3 == 0 ? "mps" : "cpu";
    run.info.dtype = index == 2 ? "bf16" : "f32";
    run.info.tags = {"t" + std::to_string(index % 4)};
    run.info.experiment = index < 4 ? "early" : "";
    run.info.status = index == 7 ? RunStatus::Cancelled : RunStatus::Complete;
    run.info.power.source = index == 5 ? "none" : "rapl";
    run.metrics.joules_per_token = index == 5 ? std::nullopt : std::optional(0.01 * (index + 1));
    return run;
}

} // namespace

TEST(RunFilter, HoldsAllConditionsTogether)
{
    struct Case {
        const char* what;
        RunFilter filter;
        int shown; // out of ten runs
    };
    const Case cases[] = {
        {"everything", {}, 10},
        {"model", {.models = {"even"}}, 5},
        {"path of the model", {.models = {"/models/odd"}}, 5},
        {"either model", {.models = {"even", "odd"}}, 10},
        {"model and device", {.models = {"even"}, .devices = {"mps"}}, 2},
        {"tag", {.tags = {"t1"}}, 3},
        {"experiment", {.experiments = {"early"}}, 4},
        {"number format", {.dtypes = {"bf16"}}, 1},
        {"status", {.statuses = {"cancelled"}}, 1},
        {"source", {.sources = {"none"}}, 1},
        {"depth", {.depths = {"none"}}, 0},
        {"from", {.from_ms = kFirst + 6 * kDay}, 4},
        {"until", {.until_ms = kFirst + 6 * kDay}, 6},
        {"last days", {.last_days = 2}, 3},
        {"most joules, which a run without does not have", {.most_joules = 0.045}, 4},
        {"least joules", {.least_joules = 0.045}, 5},
        {"text", {.text = "foxes"}, 10},
        {"words in different fields", {.text = " FOXES \t cancelled"}, 1},
        {"a word that no run has", {.text = "foxes wolves"}, 0},
        {"text and model", {.text = "t2", .models = {"even"}}, 2},
        {"letters of any case", {.text = "äpfel"}, 10},
    };
    const std::int64_t now = kFirst + 9 * kDay;
    for (const Case& c : cases) {
        int shown = 0;
        for (int i = 0; i < 10; ++i)
            shown += c.filter.accepts(runOf(i), now) ? 1 : 0;
        EXPECT_EQ(shown, c.shown) << c.what;
        RunFilter withoutText = c.filter;
        withoutText.text.clear();
        EXPECT_EQ(c.filter.onlyText(), withoutText == RunFilter()) << c.what;
    }
}

} // namespace ep
