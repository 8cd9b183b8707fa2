// SPDX-License-Identifier: GPL-3.0-or-later
#include "sqlite/database.h"
#include "sqlite/opening.h"

#include "ep/core/clock.h"
#include "ep/store/store_files.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <mutex>
#include <sys/stat.h>
#include <system_error>
#include <tuple>

namespace ep::store {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kSecondMs = 1000;
constexpr const char* kBackingUp = "back up the run database";

std::mutex g_mutex; // guards the policy
BackupPolicy g_policy;

BackupPolicy policy()
{
    const std::lock_guard guard(g_mutex);
    return g_policy;
}

// "2026-11-25-103000", in UTC so that names sort by time.
std::string timeName()
{
    const std::time_t now = wallClockMs() / 1000;
    struct tm parts = {};
    ::gmtime_r(&now, &parts);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d-%H%M%S", &parts);
    return text.data();
}

std::string dailyPrefix(const fs::path& database)
{
    return database.stem().string() + ".backup-";
}

fs::path withTime(const fs::path& database, const char* word)
{
    return database.parent_path()
        / (database.stem().string() + word + timeName() + database.extension().string());
}

std::vector<Backup> find(const fs::path& database, bool daily)
{
    const std::string prefix = daily ? dailyPrefix(database) : database.filename().string() + ".v";
    const std::string middle = daily ? database.extension().string() : ".bak";
    std::vector<Backup> found;
    std::error_code failed;
    const fs::path folder = database.has_parent_path() ? database.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const std::string name = entry.path().filename().string();
        const bool matches = name.starts_with(prefix) && name.find(".part-") == std::string::npos
            && (daily ? name.ends_with(middle) : name.find(middle) != std::string::npos);
        struct stat status = {};
        if (!matches || ::stat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        found.push_back({database.parent_path() / name, std::int64_t{status.st_mtime} * kSecondMs,
                         std::int64_t{status.st_size}});
    }
    std::sort(found.begin(), found.end(), [](const Backup& a, const Backup& b) {
        return std::tie(a.written_ms, a.file) > std::tie(b.written_ms, b.file);
    });
    return found;
}

// Also if neither exists yet.
bool isSameFile(const fs::path& one, const fs::path& other)
{
    std::error_code failed;
    if (fs::equivalent(one, other, failed))
        return true;
    const fs::path place = fs::weakly_canonical(one, failed);
    return !place.empty() && place == fs::weakly_canonical(other, failed);
}

std::int64_t lastChangeMs(const fs::path& database)
{
    std::int64_t last = 0;
    for (const char* suffix : {"", "-wal"}) {
        struct stat status = {};
        if (::stat((database.string() + suffix).c_str(), &status) == 0 && status.st_size > 0)
            last = std::max(last, std::int64_t{status.st_mtime} * kSecondMs);
    }
    return last;
}

// Whether there is anything to back up: a backup without runs might be mistaken for a useful one.
Result<bool> hasRuns(const fs::path& database)
{
    const auto source = openForReading(database);
    if (!source)
        return source.error();
    const auto runs =
        (*source)->queryInteger("SELECT EXISTS (SELECT 1 FROM profiling_runs)", kBackingUp);
    return runs ? Result<bool>(*runs != 0) : runs.error();
}

// Checks the copy, because a damaged one must not replace a sound one.
Status copyChecked(const fs::path& database, const fs::path& target)
{
    const auto source = openForReading(database);
    if (!source)
        return source.error();
    const DatabaseDraft draft(target);
    if (const Status copied = (*source)->copyTo(draft.file()); !copied)
        return copied;
    {
        const auto copy = Database::open(draft.file(), Database::Access::Immutable);
        if (!copy)
            return copy.error();
        const auto sound = (*copy)->queryInteger(
            "SELECT quick_check = 'ok' FROM pragma_quick_check(1)", kBackingUp);
        if (!sound)
            return sound.error();
        if (*sound == 0)
            return Error{ErrorCode::InvalidInput,
                         {"%1 is damaged, so its earlier backups are kept; restore one with "
                          "\"energy-profiler db --restore\".",
                          database.string()}};
    }
    return draft.putInPlace("--db");
}

bool hasRoom(const fs::path& database, std::uintmax_t bytes)
{
    constexpr std::uintmax_t kLeft = 200'000'000; // room left for further runs
    std::error_code failed;
    const fs::space_info space =
        fs::space(database.parent_path().empty() ? fs::path(".") : database.parent_path(), failed);
    return !failed && space.available > bytes + kLeft;
}

} // namespace

void setBackupPolicy(const BackupPolicy& chosen)
{
    const std::lock_guard guard(g_mutex);
    g_policy = chosen;
}

std::vector<Backup> backupsOf(const fs::path& database)
{
    std::vector<Backup> all = find(database, true);
    const std::vector<Backup> migrated = find(database, false);
    all.insert(all.end(), migrated.begin(), migrated.end());
    std::stable_sort(all.begin(), all.end(),
                     [](const Backup& a, const Backup& b) { return a.written_ms > b.written_ms; });
    return all;
}

Status checkReplaceable(const fs::path& file, const fs::path& database)
{
    std::vector<fs::path> kept;
    std::error_code failed;
    const fs::path target = fs::weakly_canonical(database, failed); // of a link
    for (const fs::path& place : {database, target}) {
        for (const char* suffix : {"", "-wal", "-shm", "-journal"})
            kept.emplace_back(place.string() + suffix);
    }
    for (const Backup& backup : backupsOf(database))
        kept.push_back(backup.file);
    for (const fs::path& one : kept) {
        if (isSameFile(one, file)) {
            return Error{ErrorCode::InvalidInput,
                         {"%1 is the run database or one of its backups; choose another file.",
                          file.string()}};
        }
    }
    return {};
}

Result<bool> backUpIfDue(const fs::path& database)
{
    const BackupPolicy chosen = policy();
    if (!chosen.on || chosen.kept < 1)
        return false;
    std::error_code failed;
    const std::uintmax_t size = fs::file_size(database, failed);
    if (failed || size > static_cast<std::uintmax_t>(chosen.most_bytes) || !hasRoom(database, size))
        return false;
    std::vector<Backup> daily = find(database, true);
    if (!daily.empty()) {
        const std::int64_t age = wallClockMs() - daily.front().written_ms;
        const bool fresh = age >= 0 && age < kDayMs;
        if (fresh || lastChangeMs(database) < daily.front().written_ms)
            return false;
    }
    if (const auto worth = hasRuns(database); !worth || !*worth)
        return worth;
    const fs::path target = withTime(database, ".backup-");
    if (const Status copied = copyChecked(database, target); !copied)
        return copied.error();
    // The new backup is the newest, even if the clock says otherwise.
    for (std::size_t i = static_cast<std::size_t>(chosen.kept) - 1; i < daily.size(); ++i) {
        std::error_code ignored;
        if (daily[i].file != target)
            fs::remove(daily[i].file, ignored);
    }
    return true;
}

Result<fs::path> restoreBackup(const fs::path& database, const fs::path& backup)
{
    {
        const auto source = openForReading(backup);
        if (!source)
            return aboutAnother(source.error());
        const auto sound = (*source)->queryInteger(
            "SELECT quick_check = 'ok' FROM pragma_quick_check(1)", "read the backup");
        if (!sound)
            return aboutAnother(sound.error());
        if (*sound == 0) {
            return Error{
                ErrorCode::InvalidInput,
                {"%1 is damaged; choose another backup (\"energy-profiler db --backups\").",
                 backup.string()}};
        }
        const DatabaseDraft draft(database);
        if (const Status copied = (*source)->copyTo(draft.file()); !copied)
            return copied.error();
        // The log belongs to the file, so it moves with it.
        const fs::path aside = withTime(database, ".before-restore-");
        std::error_code failed;
        for (const char* suffix : {"-wal", "-shm", ""}) {
            if (!fs::exists(database.string() + suffix, failed))
                continue;
            fs::rename(database.string() + suffix, aside.string() + suffix, failed);
            if (failed) {
                return Error{ErrorCode::Io,
                             {"Cannot put %1%2 aside: %3; make its folder writable.",
                              database.string(), suffix, failed.message()}};
            }
        }
        if (const Status put = draft.putInPlace("--db"); !put)
            return put.error();
        return aside;
    }
}

} // namespace ep::store
