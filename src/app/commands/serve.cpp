// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt_check.h"
#include "options.h"
#include "resources.h"
#include "terminal.h"

#include "ep/api/server.h"
#include "ep/json/document.h"
#include "ep/session/guarded_application.h"
#include "ep/store/store.h"

#include <QCoreApplication>

#include <cstdio>
#include <memory>

namespace ep::app {

namespace {

constexpr int kUsualPort = 8000;

struct ServeOptions {
    DatabaseOption database;
    int port = kUsualPort;
    std::string token_file{};
    std::vector<std::string> model_folders{};
    int queue = api::Limits().queue;
    bool hashes_only = false;
    bool json = false;
};

int serve(const ServeOptions& options, Invocation& invocation)
{
    const session::GuardedApplication<QCoreApplication> application(invocation.argc,
                                                                    invocation.argv);
    api::Options wanted;
    wanted.port = static_cast<std::uint16_t>(options.port);
    wanted.database = options.database.path();
    wanted.token_file = options.token_file.empty() ? api::defaultTokenFile()
                                                   : std::filesystem::path(options.token_file);
    wanted.model_folders.assign(options.model_folders.begin(), options.model_folders.end());
    for (const std::filesystem::path& folder : modelFolders())
        wanted.model_folders.push_back(folder);
    wanted.limits.queue = options.queue;
    wanted.store_texts = !options.hashes_only;
    const std::string token_file = wanted.token_file.string();

    const Interrupt interrupt;
    api::Server server(std::move(wanted), session::realBackend());
    if (const Status listening = server.listen(); !listening)
        return fail(listening.error());
    // Stored runs can still be read.
    if (const auto store = store::Store::open(options.database.path()); !store)
        printError("runs cannot be stored: " + store.error().message.english());
    const std::string address = "http://127.0.0.1:" + std::to_string(server.port());
    if (options.json) {
        printAsJson(json::OrderedJson({{"format", "energy-profiler-serving"},
                                       {"version", 1},
                                       {"address", address},
                                       {"port", server.port()},
                                       {"token_file", token_file}}),
                    -1);
    } else {
        print("Serving " + address + " until Ctrl-C\ntoken    " + token_file + "\nhelp     "
              + address + "/openapi.json\n");
    }
    static_cast<void>(flushOutput());

    serveUntilInterrupt(server, interrupt);
    return kExitDone;
}

} // namespace

void addServeCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<ServeOptions>();
    CLI::App* command = app.add_subcommand(
        "serve", "Serve the local API on 127.0.0.1 to programs that have its token");
    command->add_option("--port", options->port, "Port (default 8000; 0: any free port)")
        ->check(wholeFrom(0, kMaxPort));
    command
        ->add_option("--token-file", options->token_file,
                     "Token file, created at the first start (default: api-token in the folder of "
                     "the default database)")
        ->type_name("FILE");
    command
        ->add_option("--models-dir", options->model_folders,
                     "Folder with additional models; may be repeated")
        ->type_name("DIR")
        ->allow_extra_args(false);
    command->add_option("--queue", options->queue, "Maximum number of waiting runs (default 16)")
        ->check(wholeFrom(0, 1000));
    addHashesOnly(*command, options->hashes_only);
    command->add_flag("--json", options->json, "Print the address and the token file as JSON");
    options->database.addTo(*command);
    command->callback([options, &invocation] {
        invocation.action = [options, &invocation] { return serve(*options, invocation); };
    });
}

} // namespace ep::app
