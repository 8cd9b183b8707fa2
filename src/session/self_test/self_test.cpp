// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/self_test.h"

#include "self_test/groups.h"

#include "ep/core/clock.h"
#include "ep/core/enum_words.h"
#include "ep/core/format.h"
#include "ep/json/document.h"
#include "ep/model/kernel_check.h"
#include "ep/session/environment.h"

#include <QFileInfo>
#include <QProcess>

#include <algorithm>
#include <array>
#include <exception>
#include <system_error>

namespace ep::session {
namespace {

using Json = json::OrderedJson;

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

constexpr std::array kStateWords{"ok", "failed", "not here"}; // in the order of CheckState

std::string padded(std::string text, std::size_t width)
{
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

constexpr const char* kBundleGroup = "bundle";
constexpr const char* kSignature = "signature";
constexpr const char* kPackageAgain = "package the program again; scripts/package_macos.sh --check "
                                      "names all that is wrong";

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
    std::string line = padded(wordOf(kStateWords, check.state), kStateWidth)
        + padded(check.group, kGroupWidth) + check.name + ": " + check.detail;
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
                 {"state", wordOf(kStateWords, check.state)},
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
    return json::textOf(json, 2) + '\n';
}

// Does not repeat scripts/package_macos.sh --check for the libraries of a bundle: a program that
// runs has found them.

void checkBundle(SelfTestContext& context)
{
    const std::filesystem::path& program = context.request.program;
    const std::filesystem::path app = program.parent_path().parent_path().parent_path();
    if (app.extension() != ".app")
        return context.notHere(kBundleGroup, kSignature,
                               "the program was not started from a bundle");
    std::error_code error;
    if (!std::filesystem::is_regular_file(program, error))
        return context.fail(kBundleGroup, kSignature,
                            Message("%1 is not a program", program.string()), kPackageAgain);
    const QString codesign = QStringLiteral("/usr/bin/codesign");
    if (!QFileInfo(codesign).isExecutable())
        return context.notHere(kBundleGroup, kSignature, "codesign is not available");
    constexpr int kPatienceMs = 60'000;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(codesign,
                  {QStringLiteral("--verify"), QStringLiteral("--deep"), QStringLiteral("--strict"),
                   QString::fromStdString(app.string())});
    if (!process.waitForFinished(kPatienceMs)) {
        process.kill();
        process.waitForFinished();
        return context.fail(kBundleGroup, kSignature, "codesign did not come to an end",
                            kPackageAgain);
    }
    if (process.exitCode() == 0)
        context.ok(kBundleGroup, kSignature, "codesign finds it whole");
    else
        context.fail(kBundleGroup, kSignature, process.readAll().simplified().toStdString(),
                     kPackageAgain);
}

void checkClocks(SelfTestContext& context)
{
    if (!context.engine)
        return;
    bool any = false;
    for (const std::string& device : context.engine->devices()) {
        if (device == "cpu" || context.cancel.cancelled())
            continue;
        any = true;
        const auto engine = context.engine->load(
            {.folder = context.request.model, .device = device, .dtype = "f32"}, {},
            context.cancel);
        if (!engine) {
            context.fail("clock", device, engine.error().message,
                         "choose another device, and report this");
            continue;
        }
        const auto timer = (*engine)->makeSpanTimer();
        const std::string note = (*engine)->clockNote().english();
        if (timer)
            context.ok("clock", device,
                       "its events pass their test" + (note.empty() ? "" : "; " + note));
        else
            context.fail("clock", device, note, "report this; until then use --exact");
    }
    if (!any)
        context.notHere("clock", "events", "the processor is the only device");
}

void checkKernels(SelfTestContext& context)
{
    for (const model::KernelTableCheck& check : model::checkKernelTables()) {
        std::string detail = "largest relative difference "
            + formatSignificant(check.largest_difference) + " (" + check.kernel + ")";
        if (check.used)
            detail += ", computes here";
        if (check.agrees)
            context.ok("kernels", check.table, std::move(detail));
        else
            context.fail("kernels", check.table, std::move(detail),
                         "report this with the name of the processor; results here are not to be "
                         "trusted");
    }
}

void checkMatmuls(SelfTestContext& context)
{
    if (!context.engine)
        return;
    const auto checks = context.engine->checkDeviceKernels();
    if (checks.empty())
        context.notHere("products", "as stored", "no device here has kernels of its own");
    for (const model::DeviceKernelCheck& check : checks) {
        const bool operation = check.dtype.empty();
        const std::string name = check.device + ' ' + (operation ? check.operation : check.dtype);
        if (check.problem.empty())
            context.ok("products", name,
                       operation ? "computed by a kernel of the program's own"
                                 : "weights are multiplied as they are stored");
        else
            context.fail("products", name,
                         (operation ? "computed by LibTorch's functions, because the kernel cannot "
                                      "be used: "
                                    : "weights are dequantized before each matmul, because the "
                                      "kernels cannot be used: ")
                             + check.problem,
                         "results are right, but take more time and energy: report this");
    }
}

} // namespace ep::session
