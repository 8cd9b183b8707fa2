// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/gzip_stream.h"
#include "sqlite/file_access.h"

#include "ep/core/uuid.h"
#include "ep/store/run_json.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <system_error>
#include <vector>
#include <zip.h>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

Error cannotWrite(const std::string& file, const std::string& why)
{
    return {ErrorCode::Io,
            "Cannot write " + file + " (" + why + "); free some space or choose another place."};
}

// A temporary file next to the target; deleted unless it has replaced it.
class Draft {
public:
    explicit Draft(const std::string& file)
        : m_file(file)
        , m_draft(file + "." + makeUuid().substr(0, 8) + ".part")
    {
    }
    ~Draft()
    {
        std::error_code ignored;
        fs::remove_all(m_draft, ignored);
    }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    const fs::path& path() const { return m_draft; }
    Status take()
    {
        std::error_code failed;
        fs::rename(m_draft, m_file, failed);
        return failed ? Status(cannotWrite(m_file, failed.message())) : Status();
    }

private:
    std::string m_file;
    fs::path m_draft;
};

Status writeWhole(const std::string& file, const std::function<Status(std::ostream&)>& write)
{
    // Anything other than a file (a pipe, /dev/stdout) is written directly.
    std::error_code ignored;
    if (fs::exists(file, ignored) && !fs::is_regular_file(file, ignored)) {
        std::ofstream stream(file, std::ios::binary);
        if (const Status written = write(stream); !written)
            return written;
        stream.close();
        return stream ? Status() : Status(cannotWrite(file, systemMessage(errno)));
    }
    Draft draft(file);
    errno = 0;
    std::ofstream stream(draft.path(), std::ios::binary | std::ios::trunc);
    if (stream) {
        if (const Status written = write(stream); !written)
            return written;
    }
    stream.close();
    if (!stream)
        return cannotWrite(file, systemMessage(errno != 0 ? errno : EIO));
    return draft.take();
}

struct DiscardArchive {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, DiscardArchive>;

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
        if (zip_file_add(archive.get(), table.filename().c_str(), source, ZIP_FL_ENC_UTF_8) < 0) {
            zip_source_free(source);
            return cannotWrite(file, zip_strerror(archive.get()));
        }
    }
    if (zip_close(archive.get()) != 0)
        return cannotWrite(file, zip_strerror(archive.get()));
    static_cast<void>(archive.release()); // freed by closing
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
