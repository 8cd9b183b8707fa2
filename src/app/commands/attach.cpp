// SPDX-License-Identifier: GPL-3.0-or-later
#include "commands.h"
#include "exit_status.h"
#include "interrupt_check.h"
#include "recording_options.h"
#include "run_front.h"
#include "run_text.h"
#include "terminal.h"
#include "text_table.h"

#include "ep/api/proxy.h"
#include "ep/attach/dialect.h"
#include "ep/attach/server_search.h"
#include "ep/core/format.h"
#include "ep/core/joined.h"
#include "ep/core/safe_text.h"
#include "ep/json/document.h"
#include "ep/session/guarded_application.h"
#include "ep/session/run_settings.h"
#include "ep/store/store.h"

#include <QCoreApplication>

#include <memory>
#include <set>
#include <vector>

namespace ep::app {

namespace {

struct AttachOptions : RecordingOptions {
    std::string address{};
    bool list = false;
    bool proxy = false;
    bool energy_in_answers = false;
    int port = 0;
    std::string model{};
    std::string dialect{};
    std::string token_file{};
    bool prompt_given = false; // also true for an empty prompt
};

int listServers(const AttachOptions& options, Invocation& invocation)
{
    const session::GuardedApplication<QCoreApplication> application(invocation.argc,
                                                                    invocation.argv);
    const Interrupt interrupt;
    std::vector<attach::FoundServer> servers;
    if (options.address.empty()) {
        servers = attach::findServers(interrupt.token());
    } else {
        const auto endpoint = attach::parseEndpoint(options.address);
        if (!endpoint)
            return fail(endpoint.error());
        const auto token = readServerToken(options.token_file);
        if (!token)
            return fail(token.error());
        auto server = attach::identify(*endpoint, *token, interrupt.token());
        if (!server)
            return fail(server.error());
        servers.push_back(*std::move(server));
    }
    if (interrupt.token().cancelled())
        return kExitCancelled;
    if (!options.json.empty()) {
        json::OrderedJson json{{"format", "energy-profiler-server-list"},
                               {"version", 1},
                               {"servers", json::OrderedJson::array()}};
        for (const auto& server : servers)
            json["servers"].push_back({{"address", server.endpoint.origin()},
                                       {"engine", server.engine},
                                       {"dialect", server.dialect},
                                       {"models", server.models}});
        const Status written = writeText(options.json, json::textOf(json, 2) + '\n');
        return written ? kExitDone : fail(written.error());
    }
    if (servers.empty()) {
        print("No server answers at the usual ports of this machine (Ollama 11434, LM Studio 1234, "
              "llama.cpp and MLX 8080, vLLM and oMLX 8000, Apple's fm serve 1976, 2276).\n");
        return kExitDone;
    }
    TextTable table({{"address"}, {"server"}, {"models", TextTable::Align::Left, true}});
    for (const auto& server : servers)
        table.addRow({server.endpoint.origin(), server.engine, joined(server.models)});
    print(table.toString());
    return kExitDone;
}

Result<session::RunRequest> makeRequest(const AttachOptions& options)
{
    auto request = options.read();
    if (!request)
        return request;
    auto token = readServerToken(options.token_file);
    if (!token)
        return token.error();
    request->server = session::ServerTarget{.address = options.address,
                                            .model = options.model,
                                            .dialect = options.dialect,
                                            .token = *std::move(token)};
    request->depth = Depth::None;
    return request;
}

// A server answers one conversation at a time, so each becomes a request of its own.
std::vector<session::RunRequest> splitConversations(session::RunRequest& request)
{
    std::vector<session::RunRequest> further;
    while (request.conversations.size() > 1) {
        session::RunRequest one = request;
        one.conversations = {request.conversations.back()};
        request.conversations.pop_back();
        further.insert(further.begin(), std::move(one));
    }
    return further;
}

int askServer(const AttachOptions& options, Invocation& invocation)
{
    auto request = makeRequest(options);
    if (!request)
        return fail(request.error());
    if (!options.json.empty()) {
        if (const Status status = checkWritable(options.json); !status)
            return fail(status.error());
    }
    const session::GuardedApplication<QCoreApplication> application(invocation.argc,
                                                                    invocation.argv);
    auto further = splitConversations(*request);
    RunFront front({.request = std::move(*request),
                    .further = std::move(further),
                    .json = options.json,
                    .full = options.full,
                    .details = options.details});
    return front.exec();
}

int runProxy(const AttachOptions& options, Invocation& invocation)
{
    const auto endpoint = attach::parseEndpoint(options.address);
    if (!endpoint)
        return fail(endpoint.error());
    const auto token = readServerToken(options.token_file);
    if (!token)
        return fail(token.error());
    const session::GuardedApplication<QCoreApplication> application(invocation.argc,
                                                                    invocation.argv);
    const Interrupt interrupt;
    const auto server = attach::identify(*endpoint, *token, interrupt.token());
    if (!server)
        return fail(server.error());
    api::ProxyOptions proxied;
    proxied.server = *server;
    proxied.port = static_cast<std::uint16_t>(options.port);
    proxied.energy_in_answers = options.energy_in_answers;
    proxied.recorder.run = options.request;
    proxied.recorder.server_port = endpoint->port;
    proxied.recorder.engine = server->engine;
    if (!options.no_save) {
        if (const auto store = store::Store::open(proxied.recorder.run.database); !store)
            return fail(store.error());
    }
    api::Proxy proxy(std::move(proxied), session::realBackend());
    if (const Status listening = proxy.listen(); !listening)
        return fail(listening.error());
    const std::string address = "http://127.0.0.1:" + std::to_string(proxy.port());
    if (!options.json.empty()) {
        const json::OrderedJson json{{"format", "energy-profiler-proxy"},
                                     {"version", 1},
                                     {"address", address},
                                     {"port", proxy.port()},
                                     {"server", server->endpoint.origin()},
                                     {"engine", server->engine}};
        if (const Status written = writeText(options.json, json::textOf(json) + '\n'); !written)
            return fail(written.error());
    } else {
        print("Passing " + address + " on to " + server->engine + " at " + server->endpoint.origin()
              + " until Ctrl-C\npower    " + proxy.power().source + "\n\n");
    }
    static_cast<void>(flushOutput());
    if (const Message lack = lackOfEnergy(options.request.power, proxy.power()); !lack.empty())
        printError(lack);
    QObject::connect(
        &proxy, &api::Proxy::runMade, &proxy, [&](const session::RunFinished& finished) {
            if (options.json != "-") {
                print(requestLine(*finished.run) + '\n');
                static_cast<void>(flushOutput());
            }
            if (!finished.save_problem.empty())
                printError("The run was not stored: " + finished.save_problem.english());
        });
    std::set<QString> said;
    QObject::connect(&proxy, &api::Proxy::passedUnmeasured, &proxy, [&](const QString& path) {
        constexpr std::size_t kMaxSaid = 100;
        if (said.size() < kMaxSaid && said.insert(path).second)
            printError("Requests to " + terminalText(path.toStdString())
                       + " are passed on, but not measured (docs/attach.md lists what is).");
    });
    serveUntilInterrupt(proxy, interrupt);
    return kExitDone;
}

std::vector<std::string> dialectIds()
{
    std::vector<std::string> ids;
    for (const attach::Dialect& dialect : attach::dialects())
        ids.emplace_back(dialect.id);
    return ids;
}

void addAsking(CLI::App& command, AttachOptions& options)
{
    session::RunRequest& request = options.request;
    command.add_option("--model", options.model, "Model of the server (default: its only one)");
    command
        .add_option("--dialect", options.dialect,
                    "How to ask the server (default: the way in which it states most)")
        ->check(oneOf(dialectIds()));
    command.add_option("--prompt", request.prompt, "Text to answer or continue")
        ->type_name("TEXT")
        ->check(notEmpty());
    command.add_option("--prompt-file", options.prompt_file, "File with the text (-: stdin)")
        ->type_name("FILE");
    options.messages.addFile(command);
    options.messages.addVariables(command);
    command.add_option("--system", request.system, "System message of a chat")->type_name("TEXT");
    addSetting(command, request, "ignore_eos")
        ->description("Go on after the model's end token, where the server can");
    addSettings(command, request, kWithServers);
}

} // namespace

void addAttachCommand(CLI::App& app, Invocation& invocation)
{
    auto options = std::make_shared<AttachOptions>();
    CLI::App* command = app.add_subcommand(
        "attach",
        "Measure a server that runs on this machine: Ollama, llama.cpp, LM Studio, MLX, "
        "vLLM");
    command
        ->add_option("URL", options->address,
                     "Address of the server, as http://127.0.0.1:11434, or its port")
        ->check(refusing([](const std::string& text) -> Status {
            const auto endpoint = attach::parseEndpoint(text);
            return endpoint ? Status() : endpoint.error();
        }));
    command->add_flag("--list", options->list,
                      "List the servers found on this machine, or the one at URL");
    command->add_flag("--proxy", options->proxy,
                      "Pass the requests of other programs on to the server and measure each");
    command
        ->add_flag("--energy-in-answers", options->energy_in_answers,
                   "With --proxy: end each answer with the energy of its request, which waits for "
                   "the samples of power that cover it")
        ->needs("--proxy");
    command->add_option("--port", options->port, "Port of the proxy (default 0: any free port)")
        ->check(wholeFrom(0, kMaxPort));
    options->power.addTo(*command, options->request);
    addAsking(*command, *options);
    command
        ->add_option("--token-file", options->token_file,
                     "File with the server's bearer token (default: $EP_SERVER_TOKEN)")
        ->type_name("FILE");
    options->addKeeping(*command, "Print the run, the list or the proxy's address as JSON");
    command->callback([options, command, &invocation] {
        options->finish();
        options->prompt_given = command->count("--prompt") > 0;
        options->messages.check({.prompt = options->prompt_given || !options->prompt_file.empty(),
                                 .system = !options->request.system.empty(),
                                 .chat = true});
        if (!options->list && options->address.empty())
            throw CLI::RequiredError("URL, or --list");
        if (!options->list && !options->proxy && !options->prompt_given
            && options->prompt_file.empty() && !options->messages.given())
            throw CLI::ValidationError(
                "There is no prompt: give one with --prompt, --prompt-file or --messages, or "
                "--proxy to measure the requests of other programs.");
        invocation.action = [options, &invocation] {
            return options->list ? listServers(*options, invocation)
                : options->proxy ? runProxy(*options, invocation)
                                 : askServer(*options, invocation);
        };
    });
}

} // namespace ep::app
