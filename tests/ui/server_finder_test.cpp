// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/figure_cards.h"
#include "pages/model_picker.h"
#include "pages/server_finder.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"
#include "support/wait_until.h"

#include <QComboBox>
#include <QLabel>
#include <QTest>

#include <gtest/gtest.h>

#include <atomic>

namespace {

using namespace ep;

attach::FoundServer ollama()
{
    return {.endpoint = {"127.0.0.1", 11434},
            .engine = "Ollama 0.12.3",
            .dialect = "ollama-chat",
            .models = {"qwen3:0.6b", "llama3.2"}};
}

constexpr int kEntries = 5; // a separator, and what else can be measured

TEST(ServerFinder, AddsTheModelsOfServersOnlyWhenAsked)
{
    test::TempFolder folder;
    test::writeTinyModel(folder.path() / "shipped" / "tiny");
    ui::ModelPicker picker({folder.path() / "shipped"});
    auto* finder = picker.findChild<ui::ServerFinder*>();
    auto* combo = picker.findChild<QComboBox*>();
    ASSERT_TRUE(finder && combo);
    std::atomic<int> searches = 0;
    std::vector<attach::FoundServer> servers{ollama()};
    finder->setSearch([&](const CancelToken&) {
        ++searches;
        return servers;
    });
    picker.search({}, {});
    ASSERT_TRUE(test::waitUntil([&] { return combo->count() == kEntries + 1; }));
    EXPECT_EQ(searches, 0);
    finder->look();
    ASSERT_TRUE(test::waitUntil([&] { return combo->count() == kEntries + 3; }));
    ASSERT_TRUE(picker.current() && picker.current()->server);
    EXPECT_EQ(picker.current()->server->address, "http://127.0.0.1:11434");
    EXPECT_EQ(picker.current()->server->model, "qwen3:0.6b");
    EXPECT_TRUE(picker.loadable());
    // Searching folders again keeps the servers; searching servers replaces them.
    picker.search({}, {});
    QTest::qWait(300);
    EXPECT_EQ(combo->count(), kEntries + 3);
    servers.clear();
    finder->look();
    ASSERT_TRUE(test::waitUntil([&] { return combo->count() == kEntries + 1; }));
    EXPECT_EQ(picker.findChild<QLabel*>(QStringLiteral("modelFacts"))->text(),
              QStringLiteral("No running server was found on this machine."));
}

TEST(ServerCard, SaysWhatThereIsAndWhatIsNot)
{
    ep::Run run;
    EXPECT_TRUE(ui::serverCard(run).rows.empty());
    ServerRecord& server = run.info.profiling.server.emplace();
    server.engine = "llama.cpp b1";
    server.address = "http://127.0.0.1:8080";
    server.output_tokens = 7;
    server.refusals = {"Too short."};
    server.notes = {"A note."};
    const ui::FigureCard card = ui::serverCard(run);
    EXPECT_EQ(card.title, QStringLiteral("llama.cpp b1 at http://127.0.0.1:8080"));
    EXPECT_EQ(card.note,
              QStringLiteral("Too short.\nA note.\n"
                             "Layers and components are not visible from outside."));
    EXPECT_EQ(card.rows.front().value, QStringLiteral("not stated by the server"));
    EXPECT_EQ(card.rows[3].value, QStringLiteral("7"));
}

} // namespace
