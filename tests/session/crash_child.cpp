// SPDX-License-Identifier: GPL-3.0-or-later
// A long run with scripted parts, started in order to be killed: crash_child DATABASE MODEL_FOLDER
// Prints the index of each token as it completes.
#include "support/fake_engine.h"
#include "support/fake_power_feed.h"

#include "ep/session/profiler.h"

#include <QCoreApplication>

#include <cstdio>

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    if (argc != 3)
        return 2;
    using namespace ep;
    using namespace std::chrono_literals;
    session::Profiler profiler(
        {.openEngineLibrary = []() -> Result<std::shared_ptr<model::EngineLibrary>> {
             return std::shared_ptr<model::EngineLibrary>(std::make_shared<test::FakeEngineLibrary>(
                 test::EngineScript{.context_length = 1'000'000, .layer_time = 2ms}));
         },
         .makePowerFeed =
             [] { return std::make_unique<test::FakePowerFeed>(test::PowerScript()); }});
    QObject::connect(&profiler, &session::Profiler::tokenComplete,
                     [](const session::TokenComplete& token) {
                         std::printf("%d\n", token.token.index);
                         std::fflush(stdout);
                     });
    session::RunRequest request;
    request.database = argv[1];
    request.load.folder = argv[2];
    request.prompt = "Once";
    request.max_new_tokens = 500'000;
    profiler.start(request);
    return QCoreApplication::exec();
}
