// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "options.h"
#include "resources.h"

#include "ep/ui/application.h"

#include <memory>

namespace ep::app {

namespace {

struct GuiCommandOptions {
    DatabaseOption database;
    std::string run{};
};

int openWindow(const GuiCommandOptions& options, Invocation& invocation)
{
    ui::GuiOptions window;
    window.database = options.database.path();
    window.modelFolders = {resourceFolder() / "models"};
    window.open = options.run;
    window.page = options.run.empty() ? ui::Page::Live : ui::Page::Analysis;
    return ui::runApplication(invocation.argc, invocation.argv, window);
}

} // namespace

void addGuiCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<GuiCommandOptions>();
    CLI::App* command = app.add_subcommand("gui", "Open the window (also without a subcommand)");
    command->add_option("RUN", options->run, "Id of a stored run to open, or its beginning");
    options->database.addTo(*command);
    const auto open = [options, &invocation] { return openWindow(*options, invocation); };
    command->callback([open, &invocation] { invocation.action = open; });
    invocation.action = open;
}

} // namespace ep::app
