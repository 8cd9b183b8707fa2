// SPDX-License-Identifier: GPL-3.0-or-later
#include "ep/power/powermetrics_document.h"

#include "powermetrics/plist_text.h"

#include "ep/core/number_text.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace ep::power {

namespace {

constexpr std::size_t kMaxDepth = 64; // real documents nest 9 deep

// The positions in the tree whose values are used.
enum class Place : std::uint8_t { Other, Plist, Top, Processor, Gpu, Clusters, Cluster, Cpus, Cpu };

// Position of a container below `parent` with the given key (empty inside an array).
Place placeOf(Place parent, std::string_view key)
{
    switch (parent) {
    case Place::Plist:
        return Place::Top;
    case Place::Top:
        return key == "processor" ? Place::Processor : key == "gpu" ? Place::Gpu : Place::Other;
    case Place::Processor:
        return key == "clusters" ? Place::Clusters : Place::Other;
    case Place::Clusters:
        return Place::Cluster;
    case Place::Cluster:
        return key == "cpus" ? Place::Cpus : Place::Other;
    case Place::Cpus:
        return Place::Cpu;
    case Place::Gpu:
    case Place::Cpu:
    case Place::Other:
        break;
    }
    return Place::Other;
}

struct IntegerKey {
    Place place;
    std::string_view key;
    std::optional<std::int64_t> PowermetricsDocument::*member;
};
constexpr std::array<IntegerKey, 7> kIntegers = {{
    {Place::Top, "elapsed_ns", &PowermetricsDocument::elapsed_ns},
    {Place::Processor, "cpu_energy", &PowermetricsDocument::cpu_energy_mj},
    {Place::Processor, "gpu_energy", &PowermetricsDocument::gpu_energy_mj},
    {Place::Processor, "ane_energy", &PowermetricsDocument::ane_energy_mj},
    {Place::Processor, "dram_energy", &PowermetricsDocument::dram_energy_mj},
    {Place::Processor, "package_energy", &PowermetricsDocument::package_energy_mj},
    {Place::Gpu, "gpu_energy", &PowermetricsDocument::gpu_section_energy_mj},
}};

struct RealKey {
    Place place;
    std::string_view key;
    std::optional<double> PowermetricsDocument::*member;
};
constexpr std::array<RealKey, 8> kReals = {{
    {Place::Processor, "cpu_power", &PowermetricsDocument::cpu_power_mw},
    {Place::Processor, "gpu_power", &PowermetricsDocument::gpu_power_mw},
    {Place::Processor, "ane_power", &PowermetricsDocument::ane_power_mw},
    {Place::Processor, "dram_power", &PowermetricsDocument::dram_power_mw},
    {Place::Processor, "package_power", &PowermetricsDocument::package_power_mw},
    {Place::Processor, "combined_power", &PowermetricsDocument::combined_power_mw},
    {Place::Processor, "package_joules", &PowermetricsDocument::package_joules},
    {Place::Processor, "package_watts", &PowermetricsDocument::package_watts},
}};

struct TextKey {
    std::string_view key;
    std::string PowermetricsDocument::*member;
};
constexpr std::array<TextKey, 4> kTopTexts = {{
    {"hw_model", &PowermetricsDocument::hw_model},
    {"kern_osversion", &PowermetricsDocument::os_build},
    {"timestamp", &PowermetricsDocument::timestamp},
    {"thermal_pressure", &PowermetricsDocument::thermal_pressure},
}};

class Reader {
public:
    Status read(std::string_view xml);
    PowermetricsDocument take();

private:
    struct Container {
        Place place = Place::Other;
        bool is_dict = false;
    };

    static Reader& self(void* user) { return *static_cast<Reader*>(user); }
    void begin(std::string_view element);
    void end(std::string_view element);
    void stop(std::string reason);
    void store(std::string_view element);
    void storeCoreRatio();
    void finishCore();
    Place place() const { return m_stack.empty() ? Place::Other : m_stack.back().place; }

    XML_Parser m_parser = nullptr;
    PowermetricsDocument m_document;
    std::vector<Container> m_stack;
    std::string m_key;
    std::string m_text;
    bool m_collecting = false;
    bool m_sawPlist = false;
    std::string m_stopReason;
    // The core being read.
    std::optional<double> m_idleRatio;
    double m_downRatio = 0.0;
    double m_busySum = 0.0;
    int m_busyCount = 0;
};

Status Reader::read(std::string_view xml)
{
    const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser(
        XML_ParserCreate(nullptr), &XML_ParserFree);
    if (!parser)
        return Error{ErrorCode::Internal, "There is no memory for an XML parser."};
    m_parser = parser.get();
    XML_SetUserData(m_parser, this);
    XML_SetElementHandler(
        m_parser, [](void* user, const char* name, const char**) { self(user).begin(name); },
        [](void* user, const char* name) { self(user).end(name); });
    XML_SetCharacterDataHandler(m_parser, [](void* user, const char* text, int length) {
        if (self(user).m_collecting)
            self(user).m_text.append(text, static_cast<std::size_t>(length));
    });
    // The Apple DOCTYPE declares nothing inline. A document that does is not the tool's output, and
    // refusing declarations prevents exponential expansion.
    XML_SetEntityDeclHandler(m_parser,
                             [](void* user, const char*, int, const char*, int, const char*,
                                const char*, const char*,
                                const char*) { self(user).stop("it declares entities"); });
    const auto status = XML_Parse(m_parser, xml.data(), static_cast<int>(xml.size()), XML_TRUE);
    if (status == XML_STATUS_OK && m_sawPlist)
        return {};
    std::string reason = m_stopReason;
    if (reason.empty() && status == XML_STATUS_OK)
        reason = "it is not a property list";
    if (reason.empty())
        reason = std::string(XML_ErrorString(XML_GetErrorCode(m_parser))) + " in line "
            + std::to_string(XML_GetCurrentLineNumber(m_parser));
    return Error{
        ErrorCode::InvalidInput,
        {"A powermetrics document could not be read (%1); record it again with `-f plist`.",
         reason}};
}

PowermetricsDocument Reader::take()
{
    if (m_busyCount > 0)
        m_document.cores_busy_ratio = m_busySum / m_busyCount;
    return std::move(m_document);
}

void Reader::stop(std::string reason)
{
    if (m_stopReason.empty())
        m_stopReason = std::move(reason);
    XML_StopParser(m_parser, XML_FALSE);
}

void Reader::begin(std::string_view element)
{
    if (!m_stopReason.empty()) // expat may deliver one more event after a stop
        return;
    m_collecting = false;
    if (element == "dict" || element == "array" || element == "plist") {
        if (m_stack.size() >= kMaxDepth)
            return stop("it is nested too deeply");
        const bool root = element == "plist" && m_stack.empty();
        m_sawPlist = m_sawPlist || root;
        m_stack.push_back({root ? Place::Plist : placeOf(place(), m_key), element == "dict"});
        if (place() == Place::Processor)
            m_document.has_processor = true;
        if (place() == Place::Cpu) {
            m_idleRatio.reset();
            m_downRatio = 0.0;
        }
        m_key.clear();
        return;
    }
    m_text.clear();
    const bool used = place() != Place::Other;
    m_collecting = used && !m_stack.empty() && m_stack.back().is_dict;
}

void Reader::end(std::string_view element)
{
    if (!m_stopReason.empty())
        return;
    m_collecting = false;
    if (element == "dict" || element == "array" || element == "plist") {
        if (place() == Place::Cpu)
            finishCore();
        if (!m_stack.empty())
            m_stack.pop_back();
        m_key.clear();
        return;
    }
    if (element == "key") {
        m_key = m_text;
        return;
    }
    if (!m_key.empty())
        store(element);
    m_key.clear();
}

void Reader::store(std::string_view element)
{
    const auto here = place();
    if (here == Place::Cpu)
        return storeCoreRatio();
    for (const auto& row : kIntegers) {
        if (row.place == here && row.key == m_key) {
            const auto value = ep::readWhole(m_text);
            m_document.*row.member = value && *value >= 0 ? value : std::nullopt;
            return;
        }
    }
    for (const auto& row : kReals) {
        if (row.place == here && row.key == m_key) {
            const auto value = ep::readNumber(m_text);
            m_document.*row.member = value && *value >= 0 ? value : std::nullopt;
            return;
        }
    }
    if (here != Place::Top)
        return;
    if (m_key == "is_delta" && (element == "true" || element == "false"))
        m_document.is_delta = element == "true";
    for (const auto& row : kTopTexts) {
        if (row.key == m_key)
            m_document.*row.member = m_text;
    }
}

void Reader::storeCoreRatio()
{
    if (m_key == "idle_ratio")
        m_idleRatio = ep::readNumber(m_text);
    else if (m_key == "down_ratio")
        m_downRatio = ep::readNumber(m_text).value_or(0.0);
}

void Reader::finishCore()
{
    if (!m_idleRatio)
        return;
    m_busySum += std::clamp(1.0 - *m_idleRatio - m_downRatio, 0.0, 1.0);
    ++m_busyCount;
}

} // namespace

Result<PowermetricsDocument> readPowermetricsDocument(std::string_view xml)
{
    Reader reader;
    auto status = reader.read(xml);
    if (status)
        return reader.take();
    const std::string repaired = repairPlistText(xml);
    if (repaired == xml)
        return status.error();
    Reader second;
    if (!second.read(repaired))
        return status.error();
    return second.take();
}

} // namespace ep::power
