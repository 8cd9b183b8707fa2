// SPDX-License-Identifier: GPL-3.0-or-later
// A weight file that is truncated during a run in the window: the run ends with a sentence, the
// window continues, and the next run reads the file again.
#include "gui/window_test.h"
#include "support/folders.h"

#include "ep/ui/charts/token_stream_view.h"

#include <QSpinBox>

#include <filesystem>
#include <string>

namespace ep::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class ChangedModelTest : public WindowTest {
protected:
    ChangedModelTest()
    {
        // The text is English: random bytes would need fonts for any script.
        fs::create_directories(models());
        fs::copy(test::sourcePath("resources/models/demo-llama-5m"), models() / "large");
    }
    ui::WindowServices services() override
    {
        ui::WindowServices real = WindowTest::services();
        real.backend = session::realBackend();
        real.bundledModels = {models()};
        return real;
    }
    fs::path models() const { return fs::path(folder().toStdString()) / "own"; }
};

TEST_F(ChangedModelTest, ARunEndsWithASentenceAndTheNextOneWorks)
{
    const fs::path weights = models() / "large" / "model.safetensors";
    const fs::path kept = models() / "kept";
    fs::copy_file(weights, kept);
    openWindow();
    ASSERT_TRUE(waitForModel());
    typePrompt(QStringLiteral("Once upon"));
    chooseInCombo("powerCombo", QStringLiteral("none"));
    find<QSpinBox>("maxTokens").setValue(480);
    const auto& tokens = find<ui::TokenStreamView>("liveTokenStream");
    // On a busy machine a run may end before its first token is seen here: then it is repeated.
    constexpr const char* kChanged = "model.safetensors changed while it was read";
    std::string message;
    for (int attempt = 0; attempt < 10 && message.find(kChanged) == std::string::npos; ++attempt) {
        fs::copy_file(kept, weights, fs::copy_options::overwrite_existing);
        click("startStopButton");
        ASSERT_TRUE(waitFor([&] { return tokens.count() > 0 || idle(); }));
        fs::resize_file(weights, 4096);
        ASSERT_TRUE(waitFor([&] { return idle(); }));
        message = messageOf("liveMessage").toStdString();
    }
    EXPECT_THAT(message, HasSubstr(kChanged));

    fs::copy_file(kept, weights, fs::copy_options::overwrite_existing);
    find<QSpinBox>("maxTokens").setValue(3);
    click("startStopButton");
    ASSERT_TRUE(waitFor([&] { return tokens.count() == 3 && idle(); }));
    EXPECT_THAT(messageOf("liveMessage").toStdString(),
                testing::Not(HasSubstr("changed while it was read")));
}

} // namespace
} // namespace ep::test
