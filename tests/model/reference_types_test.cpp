// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/stated_types.h"

#include "ep/model/describe.h"
#include "ep/model/dtype_plan.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

namespace ep::model {
namespace {

// A folder becomes what llama.cpp's converter and llama-quantize make of it, tensor by tensor.
TEST(ReferenceTypesTest, FoldersBecomeTheFilesOfLlamaQuantize)
{
    int compared = 0;
    for (const test::StatedModel& stated :
         test::statedModels(std::string(EP_TEST_DATA_DIR) + "/formats/files.txt")) {
        const auto model = describeModel(std::filesystem::path(EP_REFERENCE_DIR) / stated.name);
        ASSERT_TRUE(model) << model.error().message;
        for (const auto& [format, parts] : stated.formats) {
            const auto plan = parseDTypePlan(format);
            const TensorTypes types = typesIn(model->tensors, *plan);
            for (std::size_t i = 0; i < types.size(); ++i) {
                const ListedTensor& tensor = model->tensors.tensors[i];
                std::string own = tensor.own;
                std::string expected = stated.typeOf(format, own);
                // Where llama.cpp divides gates and ups, they have the type of the ups.
                if (const auto both = own.find("gate_up_exps");
                    both != std::string::npos && expected == "f32")
                    expected = stated.typeOf(format, own.replace(both, 12, "up_exps"));
                const auto type = types[i] ? types[i] : tensor.stored;
                if (expected == "f32") {
                    EXPECT_FALSE(types[i]) << stated.name << ", " << format << ", " << tensor.name;
                } else {
                    EXPECT_EQ(name(type.value_or(DType::F32)), expected)
                        << stated.name << ", " << format << ", " << tensor.name << ", " << own;
                    ++compared;
                }
            }
        }
    }
    EXPECT_GT(compared, 5000);
}

} // namespace
} // namespace ep::model
