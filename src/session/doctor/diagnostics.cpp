// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/diagnostics.h"

#include "ep/core/format.h"
#include "ep/session/environment.h"
#include "ep/session/log_file.h"
#include "ep/store/store.h"
#include "ep/store/store_files.h"

#include <QString>
#include <QSysInfo>

#include <cstdlib>
#include <map>
#include <pwd.h>
#include <sstream>
#include <unistd.h>

namespace ep::session {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLogLines = 200;
constexpr std::size_t kMinName = 3; // shorter names would match inside words

void replaceAll(std::string& text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
}

void describeProgram(std::ostream& text, const DiagnosticsRequest& request)
{
    const Environment machine = readEnvironment();
    text << "== Program\n"
         << "version    " << machine.app_version << "\ncommit     "
         << (builtFromCommit().empty() ? "unknown" : builtFromCommit()) << "\nLibTorch   "
         << builtWithTorch() << " (built with)\nQt         " << qVersion() << " (built with "
         << QT_VERSION_STR << ")\nresources  " << request.resources.string() << "\nsettings   "
         << (request.settings.empty() ? "none" : request.settings.string()) << "\n\n== Machine\n"
         << "system     " << machine.os << "\nkernel     " << QSysInfo::kernelType().toStdString()
         << ' ' << QSysInfo::kernelVersion().toStdString() << "\nmachine    " << machine.machine
         << "\nprocessor  " << machine.cpu << ", " << machine.threads << " threads\n";
    for (const char* name : {"EP_DB", "EP_RESOURCES", "EP_ENGINE_LIBRARY", "QT_QPA_PLATFORM",
                             "QT_SCALE_FACTOR", "XDG_SESSION_TYPE"}) {
        if (const char* value = std::getenv(name))
            text << name << '=' << value << '\n';
    }
}

void describeDatabase(std::ostream& text, const fs::path& database)
{
    text << "\n== Database\nfile       " << database.string() << '\n';
    if (!store::mayExist(database)) {
        text << "There is no database yet.\n";
        return;
    }
    const auto store = store::Store::open(database, store::Store::Mode::ReadOnly);
    if (!store) {
        text << store.error().message << '\n';
        return;
    }
    if (const auto size = (*store)->size())
        text << "size       " << formatBytes(size->file_bytes) << '\n';
    const auto runs = (*store)->list();
    if (!runs) {
        text << runs.error().message << '\n';
        return;
    }
    std::map<std::string, int> kinds;
    for (const RunSummary& run : *runs) {
        ++kinds[std::string(name(run.info.status)) + ", " + run.info.model.architecture + ", "
                + run.info.device + ", " + run.info.dtype + ", power " + run.info.power.source
                + ", LibTorch "
                + (run.info.environment.torch_version.empty()
                       ? "unknown"
                       : run.info.environment.torch_version)];
    }
    text << "runs       " << runs->size() << '\n';
    for (const auto& [kind, count] : kinds)
        text << "  " << count << " x " << kind << '\n';
}

void describeSensors(std::ostream& text, const DiagnosticsRequest& request)
{
    text << "\n== Power sources\n";
    if (!request.probeSources) {
        text << "not probed\n";
        return;
    }
    for (const power::SourceReport& report : request.probeSources()) {
        text << report.kind << (report.available ? ": available. " : ": not available. ")
             << report.explanation << (report.remedy.empty() ? "" : " ") << report.remedy << '\n';
    }
}

std::string homeFolder()
{
    const char* home = std::getenv("HOME");
    return home != nullptr ? home : "";
}

std::string userName()
{
    const passwd* user = ::getpwuid(::geteuid());
    return user != nullptr && user->pw_name != nullptr ? user->pw_name : "";
}

} // namespace

std::string withoutNames(std::string text, const std::string& home, const std::string& user)
{
    if (home.size() > 1)
        replaceAll(text, home, "~");
    if (user.size() >= kMinName && user != "root")
        replaceAll(text, user, "USER");
    return text;
}

std::string collectDiagnostics(const DiagnosticsRequest& request)
{
    std::ostringstream text;
    describeProgram(text, request);
    describeDatabase(text, request.database);
    describeSensors(text, request);
    text << "\n== Log (" << request.log.string() << ")\n";
    const std::vector<std::string> lines = lastLines(request.log, kLogLines);
    for (const std::string& line : lines)
        text << line << '\n';
    if (lines.empty())
        text << "empty\n";
    return withoutNames(text.str(), homeFolder(), userName());
}

} // namespace ep::session
