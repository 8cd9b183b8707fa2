// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/ui_resources.h"

#include <QtGlobal>

// The macro only works outside of namespaces.
static void initIcons()
{
    Q_INIT_RESOURCE(icons);
}

static void initGuide()
{
    Q_INIT_RESOURCE(guide);
}

static void initTranslations()
{
#ifdef EP_TRANSLATIONS
    Q_INIT_RESOURCE(i18n);
#endif
}

namespace ep::ui {

void initResources()
{
    initIcons();
    initGuide();
    initTranslations();
}

} // namespace ep::ui
