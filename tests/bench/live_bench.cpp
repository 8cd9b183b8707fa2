// SPDX-License-Identifier: GPL-3.0-or-later
// What the window costs the runs made in it:
//   live_bench [--pairs N] [--tokens N] [--model FOLDER-OR-GGUF]
// Runs of a model (by default the bundled one) are made alternately in a window and by
// `energy-profiler run`, each in a process of its own with the modelled source. Prints the ratios
// of their figures, and the share of a core that the window used beside the run. The bundled model
// ends within half a second, to which the first frame adds a fixed cost: a larger model shows the
// cost for a run of some seconds. QT_QPA_PLATFORM=xcb measures on a real display.
#include "support/temp_folder.h"

#include "ep/power/source.h"
#include "ep/store/store.h"
#include "ep/ui/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <vector>

extern char** environ;

namespace {

using namespace ep;

constexpr int kLookMs = 200;
constexpr int kLookForTokenMs = 5;
constexpr int kChoosingMs = 1500; // time a user takes to choose, while the engine is opened
constexpr const char* kFirstToken = "first_token_ms";
constexpr const char* kPrompt = "The old man walked to the house and";
constexpr const char* kModel = EP_MODELS "/demo-llama-5m";

// A window that makes one run and closes: live_bench --window FOLDER TOKENS MODEL.
int makeRunInWindow(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM",
            qEnvironmentVariable("QT_QPA_PLATFORM", QStringLiteral("offscreen")).toUtf8());
    QApplication application(argc, argv);
    const std::filesystem::path folder = argv[2];
    ui::SettingsStore store(QString::fromStdString((folder / "settings.ini").string()));
    ui::Settings settings = store.settings();
    settings.welcomeSeen = true;
    settings.modelFolder = QString::fromLocal8Bit(argv[4]);
    settings.prompt = QString::fromUtf8(kPrompt);
    settings.run.max_new_tokens = std::atoi(argv[3]);
    settings.run.chat =
        session::ChatUse::Off; // as in the terminal, which sends the prompt unchanged
    settings.run.power.kind = "modelled";
    store.save(settings);
    ui::MainWindow window({.backend = session::realBackend(),
                           .probeSources = [] { return power::probeSources(); },
                           .database = folder / "runs.db",
                           .bundledModels = {EP_MODELS}},
                          store);
    window.show();
    auto* button = window.findChild<QPushButton*>(QStringLiteral("startStopButton"));
    const auto* tokens = window.findChild<QLabel*>(QStringLiteral("liveTokens"));
    QElapsedTimer clock; // from the click
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &window, [&] {
        if (!clock.isValid() && button->isEnabled()) {
            clock.start();
            button->click();
            look.setInterval(kLookForTokenMs);
        } else if (clock.isValid() && !window.running()) {
            QApplication::quit();
        } else if (look.interval() == kLookForTokenMs
                   && std::atoi(qUtf8Printable(tokens->text())) > 0) {
            std::ofstream(folder / kFirstToken) << clock.elapsed();
            look.setInterval(kLookMs);
        }
    });
    window.prepareRuns(); // as the program does
    QTimer::singleShot(kChoosingMs, &look, [&look] { look.start(kLookMs); });
    return QApplication::exec();
}

bool execute(std::vector<std::string> words)
{
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    int status = 1;
    const bool spawned =
        posix_spawn(&child, arguments.front(), &actions, nullptr, arguments.data(), environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    return spawned && waitpid(child, &status, 0) == child && status == 0;
}

struct Figures {
    double tokensPerSecond = 0.0;
    double joulesPerToken = 0.0;
    double firstTokenMs = 0.0; // from the click on Start; in the window only
    double ownCores = 0.0; // processor time of the window, or of printing in the terminal
    bool known = false;
};

Figures newestRun(const std::filesystem::path& database)
{
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    const auto runs =
        store ? (*store)->list({}, 1) : Result<std::vector<RunSummary>>(store.error());
    if (!runs || runs->empty())
        return {};
    const RunSummary& run = runs->front();
    Figures figures{.tokensPerSecond = run.metrics.tokens_per_second.value_or(0.0),
                    .joulesPerToken = run.metrics.joules_per_token.value_or(0.0),
                    .known = run.metrics.tokens_per_second.has_value()};
    if (const auto& quality = run.info.power.quality; quality && quality->own_cpu_share)
        figures.ownCores = *quality->own_cpu_share * static_cast<double>(quality->processors);
    return figures;
}

Figures measure(const std::string& self, const std::filesystem::path& folder, bool inWindow,
                const std::string& tokens, const std::string& model)
{
    const std::string database = (folder / "runs.db").string();
    const bool made = inWindow
        ? execute({self, "--window", folder.string(), tokens, model})
        : execute({EP_PROGRAM, "run", "--model", model, "--prompt", kPrompt, "--max-new-tokens",
                   tokens, "--power", "modelled", "--db", database});
    Figures figures = made ? newestRun(database) : Figures{};
    if (inWindow)
        std::ifstream(folder / kFirstToken) >> figures.firstTokenMs;
    return figures;
}

void print(const char* what, std::vector<double> values, const char* unit)
{
    std::ranges::sort(values);
    std::printf("%-46s median %.3f%s (%.3f to %.3f)\n", what, values[values.size() / 2], unit,
                values.front(), values.back());
}

std::string option(int argc, char** argv, const std::string& name, const std::string& fallback)
{
    for (int i = 1; i + 1 < argc; ++i) {
        if (argv[i] == name)
            return argv[i + 1];
    }
    return fallback;
}

bool smoke(int argc, char** argv)
{
    return std::any_of(argv, argv + argc, [](const char* word) {
        return std::string(word).starts_with("--benchmark_min_time");
    });
}

} // namespace

int main(int argc, char** argv)
{
    if (argc == 5 && std::string(argv[1]) == "--window")
        return makeRunInWindow(argc, argv);
    const bool brief = smoke(argc, argv);
    const int pairs =
        std::max(1, std::atoi(option(argc, argv, "--pairs", brief ? "1" : "15").c_str()));
    const std::string tokens = option(argc, argv, "--tokens", brief ? "32" : "400");
    const std::string model = option(argc, argv, "--model", kModel);
    const test::TempFolder folder;
    std::vector<double> speed, energy, first, window, terminal;
    for (int pair = 0; pair < pairs; ++pair) {
        std::array<Figures, 2> of; // terminal, window; each one goes first in half of the pairs
        for (const int turn : {pair % 2, 1 - pair % 2})
            of[static_cast<std::size_t>(turn)] =
                measure(argv[0], folder.path(), turn == 1, tokens, model);
        if (!of[0].known || !of[1].known) {
            std::fprintf(stderr, "a run failed\n");
            return 1;
        }
        speed.push_back(of[1].tokensPerSecond / of[0].tokensPerSecond);
        if (of[0].joulesPerToken > 0.0)
            energy.push_back(of[1].joulesPerToken / of[0].joulesPerToken);
        first.push_back(of[1].firstTokenMs);
        terminal.push_back(100.0 * of[0].ownCores);
        window.push_back(100.0 * of[1].ownCores);
    }
    std::printf("%d pairs of runs of %s tokens\n", pairs, tokens.c_str());
    print("tokens/s, Live / terminal", speed, "");
    if (!energy.empty())
        print("J/token, Live / terminal", energy, "");
    print("from Start to the first token in Live", first, " ms");
    print("the window beside the run, of one core", window, " %");
    print("the terminal's output beside the run", terminal, " %");
    return 0;
}
