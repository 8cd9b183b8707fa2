// SPDX-License-Identifier: GPL-3.0-or-later
// Does not repeat scripts/package_macos.sh --check for the libraries of a bundle: a program that
// runs has found them.
#include "self_test/groups.h"

#include <QFileInfo>
#include <QProcess>

#include <system_error>

namespace ep::session {

namespace {

constexpr const char* kBundleGroup = "bundle";
constexpr const char* kSignature = "signature";
constexpr const char* kPackageAgain = "package the program again; scripts/package_macos.sh --check "
                                      "names all that is wrong";

} // namespace

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

} // namespace ep::session
