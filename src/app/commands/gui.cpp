// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/core/start_thread.h"
#include "ep/ui/application.h"

#include <cstdlib>
#include <memory>

namespace ep::app {

namespace {

struct GuiCommandOptions {
    DatabaseOption database;
    std::string run{};
    bool separate = false;
    bool exitWhenShown = false;
};

// Threads of the window, of Qt's connection to the display, and of GLib, which ends the program if
// one of its threads cannot start.
constexpr int kThreads = 8;

int openWindow(const GuiCommandOptions& options, Invocation& invocation)
{
    if (const Status startable = checkThreads(kThreads); !startable)
        return fail(startable.error());
    ui::GuiOptions window;
    // Without --db, the settings of the window apply.
    window.database = options.database.text;
    if (window.database.empty() && std::getenv("EP_DB") != nullptr)
        window.database = options.database.path();
    window.resources = resourceFolder();
    window.modelFolders = {window.resources / "models"};
    window.demoRun = demoRunFile();
    window.single = !options.separate;
    window.exitWhenShown = options.exitWhenShown;
    window.open = options.run;
    window.page = options.run.empty() ? ui::Page::Live : ui::Page::Analysis;
    return ui::runApplication(invocation.argc, invocation.argv, window);
}

} // namespace

void addGuiCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<GuiCommandOptions>();
    CLI::App* command =
        app.add_subcommand("gui", "Open the window (the default without a subcommand)");
    command->add_option(
        "RUN", options->run,
        "What to open: the id of a stored run (or its beginning), a run file, or a model folder");
    command->add_flag("--separate", options->separate,
                      "Open another window even if one already shows this database");
    command->add_flag("--exit-when-shown", options->exitWhenShown)->group(""); // for benchmarks
    options->database.addTo(*command);
    const auto open = [options, &invocation] { return openWindow(*options, invocation); };
    command->callback([open, &invocation] { invocation.action = open; });
    invocation.action = open;
}

} // namespace ep::app
