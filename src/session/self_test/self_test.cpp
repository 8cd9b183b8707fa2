// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/self_test.h"

#include "self_test/groups.h"

#include "ep/core/clock.h"
#include "ep/session/environment.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <exception>

namespace ep::session {

namespace {

using Json = nlohmann::ordered_json;

struct CheckGroup {
    const char* name;
    void (*run)(SelfTestContext& context);
};

constexpr std::array<CheckGroup, 8> kCheckGroups{{{"activity", checkActivity},
                                                  {"kernels", checkKernels},
                                                  {"devices", checkDevices},
                                                  {"products", checkMatmuls},
                                                  {"clock", checkClocks},
                                                  {"database", checkDatabase},
                                                  {"bundle", checkBundle},
                                                  {"power", checkPower}}};

const char* wordOf(CheckState state)
{
    switch (state) {
    case CheckState::Ok:
        return "ok";
    case CheckState::Failed:
        return "failed";
    case CheckState::NotHere:
        return "not here";
    }
    return "";
}

std::string padded(std::string text, std::size_t width)
{
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

} // namespace

int SelfTestReport::failed() const
{
    return static_cast<int>(std::ranges::count_if(
        checks, [](const SelfCheck& check) { return check.state == CheckState::Failed; }));
}

SelfTestReport selfTest(const SelfTestRequest& request, const Backend& backend,
                        const CancelToken& cancel,
                        const std::function<void(const SelfCheck&)>& found)
{
    SelfTestReport report;
    report.environment = readEnvironment();
    const Nanoseconds begin = monotonicNow();
    SelfTestContext context{request, backend, cancel,
                            [&](SelfCheck check) {
                                report.checks.push_back(std::move(check));
                                if (found)
                                    found(report.checks.back());
                            },
                            nullptr};
    if (auto library = backend.openEngineLibrary()) {
        context.engine = std::move(*library);
        const model::EngineVersions versions = context.engine->versions();
        report.environment.torch_version = versions.torch;
        report.environment.blas = versions.blas;
    } else {
        context.fail("devices", "engine", library.error().message,
                     "install the program again, including its engine");
    }
    for (const CheckGroup& group : kCheckGroups) {
        if (cancel.cancelled())
            break;
        try {
            group.run(context);
        } catch (const std::exception& exception) {
            context.fail(group.name, "unexpected error", exception.what(), "report this");
        }
    }
    report.cancelled = cancel.cancelled();
    report.seconds = toSeconds(monotonicNow() - begin);
    return report;
}

std::string lineOf(const SelfCheck& check)
{
    constexpr std::size_t kStateWidth = 10;
    constexpr std::size_t kGroupWidth = 10;
    std::string line = padded(wordOf(check.state), kStateWidth) + padded(check.group, kGroupWidth)
        + check.name + ": " + check.detail;
    if (!check.remedy.empty())
        line += "; " + check.remedy;
    return line;
}

std::string selfTestJson(const SelfTestReport& report)
{
    Json checks = Json::array();
    for (const SelfCheck& check : report.checks) {
        Json one{{"group", check.group},
                 {"name", check.name},
                 {"state", wordOf(check.state)},
                 {"detail", check.detail}};
        if (!check.remedy.empty())
            one["remedy"] = check.remedy;
        checks.push_back(std::move(one));
    }
    const Environment& machine = report.environment;
    const Json json{{"format", "energy-profiler-selftest"},
                    {"version", 1},
                    {"failed", report.failed()},
                    {"cancelled", report.cancelled},
                    {"seconds", report.seconds},
                    {"environment",
                     {{"app_version", machine.app_version},
                      {"os", machine.os},
                      {"machine", machine.machine},
                      {"cpu", machine.cpu},
                      {"threads", machine.threads},
                      {"torch_version", machine.torch_version},
                      {"blas", machine.blas}}},
                    {"checks", std::move(checks)}};
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

} // namespace ep::session
