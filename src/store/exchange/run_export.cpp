// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/gzip_stream.h"
#include "exchange/whole_file.h"

#include "ep/store/run_json.h"
#include "ep/store/run_tables.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>
#include <system_error>
#include <vector>
#include <zip.h>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;
// Out of nine: a long run takes half the time of level 6, for 5 % more bytes.
constexpr zip_uint32_t kZipLevel = 4;

Status zipFolder(const fs::path& folder, const std::string& file)
{
    std::vector<fs::path> tables;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        tables.push_back(entry.path());
    std::sort(tables.begin(), tables.end());
    Draft draft(file);
    int code = 0;
    Archive archive(zip_open(draft.path().c_str(), ZIP_CREATE | ZIP_EXCL, &code));
    if (!archive) {
        zip_error_t error;
        zip_error_init_with_code(&error, code);
        const std::string why = zip_error_strerror(&error);
        zip_error_fini(&error);
        return cannotWrite(file, why);
    }
    for (const fs::path& table : tables) {
        zip_source_t* source = zip_source_file(archive.get(), table.c_str(), 0, -1);
        if (!source)
            return cannotWrite(file, zip_strerror(archive.get()));
        const zip_int64_t index =
            zip_file_add(archive.get(), table.filename().c_str(), source, ZIP_FL_ENC_UTF_8);
        if (index < 0) {
            zip_source_free(source);
            return cannotWrite(file, zip_strerror(archive.get()));
        }
        zip_set_file_compression(archive.get(), static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE,
                                 kZipLevel);
    }
    if (zip_close(archive.get()) != 0)
        return cannotWrite(file, zip_strerror(archive.get()));
    static_cast<void>(archive.release()); // zip_close() has freed it
    return draft.take();
}

} // namespace

Status exportJson(const RunSource& run, const std::string& file)
{
    return writeWhole(file, [&](std::ostream& sink) {
        if (!file.ends_with(".gz"))
            return writeJson(run, sink);
        GzipSink packed(sink);
        std::ostream text(&packed);
        const Status written = writeJson(run, text);
        packed.finish();
        return written;
    });
}

Status exportTrace(const RunSource& run, const std::string& file)
{
    return writeWhole(file, [&](std::ostream& sink) { return writeTrace(run, sink); });
}

Status exportTables(const Store& store, const std::vector<std::string>& runIds,
                    std::span<const TableKind> kinds, const TableOptions& options,
                    const std::string& out, bool append, const CancelToken& cancel)
{
    if (out.ends_with(".zip")) {
        const Draft tables(out);
        const Status written =
            exportTables(store, runIds, kinds, options, tables.path().string(), false, cancel);
        return written ? zipFolder(tables.path(), out) : written;
    }
    std::error_code failed;
    fs::create_directories(out, failed);
    if (failed) {
        return Error{
            ErrorCode::Io,
            {"Cannot create the folder %1 (%2); choose another place, or one table with --table.",
             out, failed.message()}};
    }
    for (const TableKind kind : kinds) {
        const fs::path file =
            fs::path(out) / (std::string(name(kind)) + (options.json_lines ? ".jsonl" : ".csv"));
        const Status written =
            exportTable(store, runIds, kind, options, file.string(), append, cancel);
        if (!written)
            return written;
    }
    return {};
}

Status exportCsvZip(const RunSource& run, const std::string& file, CsvText formulas)
{
    const Draft tables(file);
    std::error_code failed;
    if (!fs::create_directory(tables.path(), failed))
        return cannotWrite(
            file, failed ? failed.message() : "a temporary folder could not be created next to it");
    const Status written = exportCsv(run, tables.path().string(), formulas);
    return written ? zipFolder(tables.path(), file) : written;
}

} // namespace ep::store
