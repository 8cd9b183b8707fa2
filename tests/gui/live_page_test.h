// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gui/window_test.h"

#include "ep/ui/charts/token_stream_view.h"

#include <QPushButton>

namespace ep::test {

// A window for tests of the Live page.
class LiveTest : public WindowTest {
protected:
    ui::TokenStreamView& tokens() { return find<ui::TokenStreamView>("liveTokenStream"); }
    QPushButton& button() { return find<QPushButton>("startStopButton"); }
    std::string message() { return messageOf("liveMessage").toStdString(); }
};

} // namespace ep::test
