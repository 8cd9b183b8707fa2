// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/returning_user.h"

#include "support/sample_run.h"
#include "support/tiny_model.h"

#include "ep/store/store.h"
#include "ep/ui/settings_store.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

namespace ep::test {

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kNewestMs = 1'764'000'000'000; // in November 2025

std::string idOf(int run)
{
    std::array<char, 37> text{};
    std::snprintf(text.data(), text.size(), "%08x-2222-4333-8444-555555555555", run + 1);
    return text.data();
}

Run runOf(int index)
{
    constexpr std::array kModels{"tiny", "tiny-second", "smollm2-135m"};
    constexpr std::array kTypes{"f32", "bf16", "int8"};
    constexpr int kRepeats = 4; // per configuration
    const auto configuration = static_cast<std::size_t>(index / kRepeats);
    Run run = makeSampleRun({.id = idOf(index),
                             .created_at_ms = kNewestMs - index * kDayMs * 180 / 120,
                             .tokens = 4 + static_cast<int>(configuration % 5) * 6,
                             .layers = 2 + static_cast<int>(configuration % 3) * 4,
                             .deep = configuration % 2 == 0,
                             .power = index % 7 != 3});
    run.info.prompt = "Prompt number " + std::to_string(configuration) + ": tell a short story";
    run.info.model.name = kModels[configuration % kModels.size()];
    run.info.dtype = kTypes[configuration % kTypes.size()];
    run.info.experiment = configuration % 3 == 0 ? "prompts" : "";
    run.info.tags =
        index % 5 == 0 ? std::vector<std::string>{"keep", "paper"} : std::vector<std::string>{};
    if (index % 11 == 5)
        run.info.title = "A run with a title of its own";
    if (index % 13 == 7)
        run.info.status = RunStatus::Cancelled;
    if (index % 17 == 9) {
        run.info.status = RunStatus::Failed;
        run.info.status_message = "The run failed: not enough memory.";
    }
    return run;
}

} // namespace

ReturningUser makeReturningUser(const std::filesystem::path& folder, int runs)
{
    ReturningUser user{.settings = folder / "used.ini",
                       .database = folder / "used.db",
                       .models = folder / "models",
                       .runs = {}};
    writeTinyModel(user.models / "tiny");
    writeTinyModel(user.models / "tiny-second", {.layers = 4, .seed = 2});

    auto store = store::Store::open(user.database);
    if (!store)
        throw std::runtime_error(store.error().message);
    for (int i = runs - 1; i >= 0; --i) { // oldest first
        if (const Status saved = (*store)->saveRun(runOf(i)); !saved)
            throw std::runtime_error(saved.error().message);
        user.runs.push_back(idOf(i));
    }
    std::ranges::reverse(user.runs);

    ui::SettingsStore file(QString::fromStdString(user.settings.string()));
    ui::Settings settings = file.settings();
    settings.welcomeSeen = true;
    settings.prompt = QStringLiteral("Tell me about the sea");
    settings.run.system = "Answer in one sentence.";
    settings.modelFolder = QString::fromStdString((user.models / "tiny").string());
    settings.modelFolders = {QString::fromStdString((folder / "more").string())};
    settings.run.max_new_tokens = 48;
    settings.samplingExpanded = true;
    settings.measurementExpanded = true;
    settings.tags = QStringLiteral("keep, paper");
    settings.run.experiment = "prompts";
    settings.recentFiles = {QString::fromStdString((folder / "gone.json").string())};
    settings.historyTrend = true;
    settings.database = QString::fromStdString(user.database.string());
    file.save(settings);
    return user;
}

} // namespace ep::test
