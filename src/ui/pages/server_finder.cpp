// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/server_finder.h"

#include "text.h"

namespace ep::ui {

namespace {

using namespace Qt::Literals::StringLiterals;

} // namespace

std::vector<ModelChoice> choicesOf(const std::vector<attach::FoundServer>& servers)
{
    std::vector<ModelChoice> choices;
    for (const attach::FoundServer& server : servers) {
        for (const std::string& model : server.models) {
            ModelChoice choice;
            const std::string origin = server.endpoint.origin();
            choice.folder = origin + '#' + model; // a key that no other choice has
            choice.server = session::ServerTarget{
                .address = origin, .model = model, .dialect = {}, .token = {}};
            choice.name =
                ServerFinder::tr("%1 — %2").arg(toQString(model), toQString(server.engine));
            choice.facts = ServerFinder::tr("%1 at %2; phases and tokens, no layers")
                               .arg(toQString(server.engine), toQString(origin));
            choices.push_back(std::move(choice));
        }
    }
    return choices;
}

ServerFinder::ServerFinder(QObject* parent)
    : QObject(parent)
    , m_search([](const CancelToken& cancel) { return attach::findServers(cancel); })
{
    setObjectName(u"serverFinder"_s);
}

void ServerFinder::look()
{
    m_job.start([search = m_search, cancel = m_cancel] { return search(cancel); },
                [this](const std::vector<attach::FoundServer>& servers) {
                    const std::vector<ModelChoice> choices = choicesOf(servers);
                    Q_EMIT found(choices,
                                 choices.empty()
                                     ? tr("No running server was found on this machine.")
                                     : QString());
                });
}

} // namespace ep::ui
