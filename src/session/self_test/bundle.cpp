// SPDX-License-Identifier: GPL-3.0-or-later
#include "self_test/groups.h"
#include "self_test/mach_object.h"

#include <QFileInfo>
#include <QProcess>

#include <algorithm>
#include <set>
#include <system_error>

namespace ep::session {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPackageAgain = "package the program again; scripts/package_macos.sh --check "
                                      "names all that is wrong";

bool isOfSystem(const std::string& library)
{
    return library.starts_with("/usr/lib/") || library.starts_with("/System/");
}

std::string replacedPrefix(const std::string& text, const std::string& prefix, const fs::path& by)
{
    return text.starts_with(prefix) ? by.string() + text.substr(prefix.size()) : text;
}

// The files that dyld would try, in order.
std::vector<fs::path> placesOf(const std::string& library, const fs::path& user,
                               const std::vector<std::string>& rpaths, const fs::path& program)
{
    const auto expanded = [&](const std::string& text) {
        return replacedPrefix(replacedPrefix(text, "@loader_path", user.parent_path()),
                              "@executable_path", program.parent_path());
    };
    constexpr std::string_view kByRpath = "@rpath/";
    if (!library.starts_with(kByRpath))
        return {expanded(library)};
    std::vector<fs::path> places;
    for (const std::string& rpath : rpaths)
        places.push_back(fs::path(expanded(rpath)) / library.substr(kByRpath.size()));
    return places;
}

bool liesIn(const fs::path& file, const fs::path& folder)
{
    std::error_code error;
    const fs::path real = fs::weakly_canonical(file, error);
    const fs::path whole = fs::weakly_canonical(folder, error);
    const auto [end, at] = std::mismatch(whole.begin(), whole.end(), real.begin(), real.end());
    return !error && end == whole.end() && fs::exists(real, error);
}

// The problem with one file; empty: none.
std::string faultOf(const fs::path& file, const MachObject& object, const MachObject& programObject,
                    const fs::path& program, const fs::path& app)
{
    const std::set<std::string> different(object.rpaths.begin(), object.rpaths.end());
    if (different.size() != object.rpaths.size())
        return file.filename().string() + " has an rpath twice";
    std::vector<std::string> rpaths = object.rpaths;
    // The program's own rpaths apply to everything it loads.
    rpaths.insert(rpaths.end(), programObject.rpaths.begin(), programObject.rpaths.end());
    for (const std::string& rpath : object.rpaths) {
        if (rpath.starts_with('/'))
            return file.filename().string() + " has the rpath " + rpath + " outside of the bundle";
    }
    for (const MachObject::Library& library : object.libraries) {
        if (library.weak || isOfSystem(library.name))
            continue;
        const auto places = placesOf(library.name, file, rpaths, program);
        if (std::ranges::none_of(places, [&](const fs::path& place) { return liesIn(place, app); }))
            return file.filename().string() + " needs " + library.name
                + ", which is not in the bundle";
    }
    return {};
}

// Null if there is no such program.
std::optional<std::pair<bool, std::string>> verifySignature(const fs::path& app)
{
    const QString codesign = QStringLiteral("/usr/bin/codesign");
    if (!QFileInfo(codesign).isExecutable())
        return std::nullopt;
    constexpr int kPatienceMs = 60'000;
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(codesign,
                  {QStringLiteral("--verify"), QStringLiteral("--deep"), QStringLiteral("--strict"),
                   QString::fromStdString(app.string())});
    if (!process.waitForFinished(kPatienceMs)) {
        process.kill();
        process.waitForFinished();
        return std::pair(false, std::string("codesign did not come to an end"));
    }
    return std::pair(process.exitCode() == 0, process.readAll().simplified().toStdString());
}

} // namespace

void checkBundle(SelfTestContext& context)
{
    const fs::path& program = context.request.program;
    const fs::path app = program.parent_path().parent_path().parent_path();
    if (app.extension() != ".app")
        return context.notHere("bundle", "libraries", "the program was not started from a bundle");
    const auto programObject = readMachObject(program);
    if (!programObject)
        return context.fail("bundle", "libraries", program.string() + " is not a macOS program",
                            kPackageAgain);
    int files = 0;
    std::string fault;
    std::error_code error;
    for (fs::recursive_directory_iterator it(app / "Contents", error), end; !error && it != end;
         it.increment(error)) {
        if (it->is_symlink(error) || !it->is_regular_file(error))
            continue;
        const auto object = readMachObject(it->path());
        if (!object)
            continue;
        ++files;
        if (fault.empty())
            fault = faultOf(it->path(), *object, *programObject, program, app);
    }
    if (fault.empty())
        context.ok("bundle", "libraries",
                   "every reference of its " + std::to_string(files)
                       + " programs and libraries ends inside it");
    else
        context.fail("bundle", "libraries", fault, kPackageAgain);
    const auto signature = verifySignature(app);
    if (!signature)
        context.notHere("bundle", "signature", "codesign is not available");
    else if (signature->first)
        context.ok("bundle", "signature", "codesign finds it whole");
    else
        context.fail("bundle", "signature", signature->second, kPackageAgain);
}

} // namespace ep::session
