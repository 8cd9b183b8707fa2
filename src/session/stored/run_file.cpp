// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/session/run_file.h"

#include "ep/core/user_file.h"
#include "ep/energy/attribute.h"
#include "ep/store/run_json.h"

#include <system_error>

namespace ep::session {

namespace fs = std::filesystem;

Result<store::ImportReport> importRunFile(store::Store& store, const fs::path& file,
                                          const CancelToken& cancel)
{
    std::error_code failed;
    if (!fs::is_regular_file(file, failed)) {
        return Error{
            ErrorCode::NotFound,
            {fs::exists(file, failed)
                 ? "%1 is not a regular file; name the JSON of a run or a run database to import."
                 : "There is no file %1; name the JSON of a run or a run database to import.",
             file.string()}};
    }
    if (store::isDatabase(file))
        return store.importDatabase(file, cancel);
    auto opened = UserFile::open(file);
    if (!opened)
        return opened.error();
    UserFileStream stream(*std::move(opened));
    auto run = store::runFromJson(stream);
    if (!run)
        return Error{run.error().code, {"%1: %2", file.string(), run.error().message}};
    energy::completeEnergies(*run);
    const auto added = store.importRun(*run);
    if (!added) {
        const bool itsFault = added.error().code == ErrorCode::InvalidInput;
        return Error{added.error().code,
                     itsFault ? Message("%1: %2", file.string(), added.error().message)
                              : added.error().message};
    }
    store::ImportReport report;
    (*added ? report.imported : report.skipped).push_back(run->info.id);
    return report;
}

} // namespace ep::session
