// SPDX-License-Identifier: GPL-3.0-or-later
#include "exchange/gzip_stream.h"
#include "exchange/json_versions.h"
#include "exchange/run_builder.h"

#include "ep/core/utf8.h"
#include "ep/json/document.h"
#include "ep/store/run_json.h"

#include <istream>
#include <string>

namespace ep::store {

namespace {

// Passes each element of the long lists to the builder once it is complete, then drops it, so that
// memory grows with the run but not with its text.
class RunParser {
public:
    Result<Run> parse(std::istream& text)
    {
        auto rest = json::parse(text, [this](int depth, Json::parse_event_t event, Json& parsed) {
            return keep(depth, event, parsed);
        });
        if (!rest)
            return wrong(Message("is %1", rest.error().message));
        if (!m_problem.found())
            checkHead(*rest);
        if (m_problem.found())
            return wrong(Message("is not a run: %1", m_problem.text()));
        Run run = m_builder.finish((*rest)["run"], m_run);
        if (m_problem.found())
            return wrong(Message("is not a run: %1", m_problem.text()));
        return run;
    }

private:
    static Error wrong(const std::string& what)
    {
        return {ErrorCode::InvalidInput,
                {"The text %1; see docs/run-format.md for what is expected.",
                 replaceInvalidUtf8(what)}};
    }

    static constexpr int kListDepth = 3; // depth of the elements of run.tokens

    bool keep(int depth, Json::parse_event_t event, Json& parsed)
    {
        if (event == Json::parse_event_t::key && depth >= 1 && depth <= kListDepth) {
            m_keys[depth] = parsed.get<std::string>();
        } else if (event == Json::parse_event_t::value && depth == 1 && m_keys[1] == "version") {
            checkVersion(parsed);
        } else if (event == Json::parse_event_t::object_end && !m_problem.found()
                   && m_keys[1] == "run") {
            if (depth == kListDepth && m_keys[2] == "tokens")
                return take(parsed, m_tokens, &RunBuilder::addToken);
            if (depth == kListDepth && m_keys[2] == "unfinished_steps")
                return take(parsed, m_steps, &RunBuilder::addUnfinishedStep);
            if (depth == kListDepth + 1 && m_keys[2] == "power" && m_keys[3] == "samples")
                return take(parsed, m_samples, &RunBuilder::addSample);
        }
        return true;
    }

    bool take(const Json& element, std::size_t& count,
              void (RunBuilder::*add)(const Json&, const JsonPlace&))
    {
        const JsonPlace* list = add == &RunBuilder::addToken ? &m_tokensPlace
            : add == &RunBuilder::addSample                  ? &m_samplesPlace
                                                             : &m_stepsPlace;
        (m_builder.*add)(element, {list, {}, count++});
        return false;
    }

    void checkVersion(const Json& version)
    {
        if (version.is_number_integer() && version >= kOldestJson && version <= kNewestJson)
            return;
        m_problem.report({nullptr, "version"},
                         "must be " + std::to_string(kOldestJson) + " to "
                             + std::to_string(kNewestJson)
                             + ", the versions known to this program");
    }

    void checkHead(const Json& root)
    {
        if (!root.is_object()) {
            m_problem.report({nullptr, "the text"}, "must be an object");
            return;
        }
        const JsonPlace place{};
        JsonObject object(root, place, m_problem);
        std::string format;
        object.require("format", format);
        if (!m_problem.found() && format != "energy-profiler-run")
            m_problem.report({nullptr, "format"}, "must be \"energy-profiler-run\"");
        if (const Json* version = object.find("version"))
            checkVersion(*version);
        else
            m_problem.report({nullptr, "version"}, "is missing");
        if (!object.find("run"))
            m_problem.report(m_run, "is missing");
    }

    JsonProblem m_problem;
    RunBuilder m_builder{m_problem};
    std::string m_keys[kListDepth + 1]; // keys of the enclosing objects, by depth
    const JsonPlace m_run{nullptr, "run"};
    const JsonPlace m_power{&m_run, "power"};
    const JsonPlace m_tokensPlace{&m_run, "tokens"};
    const JsonPlace m_stepsPlace{&m_run, "unfinished_steps"};
    const JsonPlace m_samplesPlace{&m_power, "samples"};
    std::size_t m_tokens = 0;
    std::size_t m_steps = 0;
    std::size_t m_samples = 0;
};

} // namespace

Result<Run> runFromJson(std::istream& text)
{
    if (!isGzip(text))
        return RunParser().parse(text);
    GzipSource unpacked(text);
    std::istream inner(&unpacked);
    return RunParser().parse(inner);
}

} // namespace ep::store
