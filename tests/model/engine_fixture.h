// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine_library_impl.h"
#include "safetensors.h"
#include "support/temp_folder.h"
#include "support/tiny_model.h"

#include "ep/model/engine_library.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace ep::model {

// A tiny model in its own folder, and the engine linked into the test.
class EngineFixture : public testing::Test {
protected:
    std::filesystem::path folder() const { return m_folder.path(); }

    void write(const test::TinyModel& model = {}) { test::writeTinyModel(folder(), model); }

    Result<std::unique_ptr<Engine>> tryLoad(LoadRequest request = {}, CancelToken cancel = {},
                                            const ProgressFn& progress = {})
    {
        if (request.folder.empty())
            request.folder = folder();
        if (request.device == "auto")
            request.device = "cpu";
        return m_library->load(request, progress, cancel);
    }

    std::unique_ptr<Engine> load(const LoadRequest& request = {})
    {
        auto engine = tryLoad(request);
        if (!engine) {
            ADD_FAILURE() << engine.error().message;
            return nullptr;
        }
        return std::move(*engine);
    }

    // Overwrites one F32 value of the checkpoint.
    void patch(const std::string& tensor, std::size_t index, float value)
    {
        const auto path = folder() / "model.safetensors";
        std::ptrdiff_t offset = 0;
        {
            const auto file = SafetensorsFile::open(path);
            ASSERT_TRUE(file) << file.error().message;
            offset = file->tensors().at(tensor).bytes.data() - file->mapping()->bytes().data();
        }
        std::fstream stream(path, std::ios::in | std::ios::out | std::ios::binary);
        stream.seekp(offset + static_cast<std::ptrdiff_t>(index * sizeof value));
        stream.write(reinterpret_cast<const char*>(&value), sizeof value);
        ASSERT_TRUE(stream.good());
    }

    // Replaces text in one of the model's files; in the checkpoint the new text must have the same
    // length.
    void replaceIn(const std::string& file, const std::string& from, const std::string& to)
    {
        std::ifstream in(folder() / file, std::ios::binary);
        std::string text{std::istreambuf_iterator<char>(in), {}};
        const auto place = text.find(from);
        ASSERT_NE(place, std::string::npos) << from;
        text.replace(place, from.size(), to);
        std::ofstream out(folder() / file, std::ios::binary);
        out << text;
    }

public:
    // The tokens of a whole generation with one sequence; stops at the first error, which fails
    // the test.
    static std::vector<SequenceStep> generate(Engine& engine, const GenerationRequest& request,
                                              Observer* observer = nullptr)
    {
        const auto batch = generateBatch(engine, request, observer);
        return batch.empty() ? std::vector<SequenceStep>() : batch.front();
    }

    // Generates like generate(), for each sequence of a batch.
    static std::vector<std::vector<SequenceStep>>
    generateBatch(Engine& engine, const GenerationRequest& request, Observer* observer = nullptr)
    {
        std::vector<std::vector<SequenceStep>> steps(request.prompts.size());
        auto generation = engine.begin(request, observer, {});
        if (!generation) {
            ADD_FAILURE() << generation.error().message;
            return steps;
        }
        Result<StepResult> step = (*generation)->prefill();
        while (step) {
            for (const SequenceStep& one : step->sequences)
                steps[static_cast<std::size_t>(one.sequence)].push_back(one);
            if (step->finished)
                break;
            step = (*generation)->decode();
        }
        if (!step)
            ADD_FAILURE() << step.error().message;
        EXPECT_TRUE((*generation)->finish());
        return steps;
    }

    // Likewise, but only the tokens.
    static std::vector<std::vector<text::TokenId>>
    generateTokens(Engine& engine, const GenerationRequest& request, Observer* observer = nullptr)
    {
        std::vector<std::vector<text::TokenId>> ids;
        for (const auto& steps : generateBatch(engine, request, observer))
            ids.push_back(tokens(steps));
        return ids;
    }

    static std::vector<text::TokenId> tokens(const std::vector<SequenceStep>& steps)
    {
        std::vector<text::TokenId> ids;
        for (const SequenceStep& step : steps)
            ids.push_back(step.token);
        return ids;
    }

private:
    test::TempFolder m_folder;
    std::unique_ptr<EngineLibrary> m_library = makeEngineLibrary();
};

} // namespace ep::model
