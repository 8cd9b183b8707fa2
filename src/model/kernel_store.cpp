// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernel_store.h"

#include "ep/json/document.h"

#include <fstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace ep::model {
namespace {

constexpr int kRevision = 5; // revision of the kernels and their names
constexpr std::uint64_t kMaxBytes = 1 << 20;
constexpr const char* kProcessors = "processors";

std::string keyOf(const WeightKind& kind)
{
    return std::string(name(kind.dtype)) + " x " + std::to_string(kind.columns);
}

std::string keyOf(DType dtype)
{
    return std::string(name(dtype)) + " many";
}

json::Json readAll(const std::filesystem::path& file)
{
    const json::Json empty{{"kernels", kRevision}, {kProcessors, json::Json::object()}};
    if (file.empty())
        return empty;
    auto read = json::readFile(file, kMaxBytes);
    if (!read)
        return empty;
    const auto revision = read->find("kernels");
    const auto processors = read->find(kProcessors);
    const bool usable = revision != read->end() && revision->is_number_integer()
        && *revision == kRevision && processors != read->end() && processors->is_object();
    return usable ? std::move(*read) : empty;
}

} // namespace

KernelStore::KernelStore(std::filesystem::path file, std::string processor)
    : m_file(std::move(file))
    , m_processor(std::move(processor))
{
    const json::Json all = readAll(m_file);
    const json::Json& processors = all[kProcessors];
    const auto own = processors.find(m_processor);
    if (own == processors.end() || !own->is_object())
        return;
    for (const auto& [key, value] : own->items()) {
        if (value.is_string())
            m_choices.emplace(key, value.get<std::string>());
    }
}

std::optional<RowWay> KernelStore::row(const WeightKind& kind) const
{
    const auto found = m_choices.find(keyOf(kind));
    return found == m_choices.end() ? std::nullopt : rowWayNamed(found->second);
}

std::optional<ManyWay> KernelStore::many(DType dtype) const
{
    const auto found = m_choices.find(keyOf(dtype));
    return found == m_choices.end() ? std::nullopt : manyWayNamed(found->second);
}

void KernelStore::setRow(const WeightKind& kind, RowWay way)
{
    m_choices[keyOf(kind)] = nameOf(way);
}

void KernelStore::setMany(DType dtype, ManyWay way)
{
    m_choices[keyOf(dtype)] = manyWayName(way);
}

void KernelStore::save() const
{
    if (m_file.empty())
        return;
    json::Json all = readAll(m_file);
    json::Json& own = all[kProcessors][m_processor];
    if (!own.is_object())
        own = json::Json::object();
    for (const auto& [key, value] : m_choices)
        own[key] = value;
    // Replaced as a whole, so that no reader sees half a file.
    std::error_code error;
    std::filesystem::create_directories(m_file.parent_path(), error);
    std::filesystem::path fresh = m_file;
    fresh += "." + std::to_string(::getpid());
    {
        std::ofstream out(fresh);
        out << all.dump(1, ' ', false, json::Json::error_handler_t::replace) << '\n';
        if (!out.flush()) {
            out.close();
            std::filesystem::remove(fresh, error);
            return;
        }
    }
    std::filesystem::rename(fresh, m_file, error);
    if (error)
        std::filesystem::remove(fresh, error);
}

} // namespace ep::model
