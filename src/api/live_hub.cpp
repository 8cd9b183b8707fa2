// SPDX-License-Identifier: GPL-3.0-or-later
#include "live_hub.h"

#include "handshake.h"
#include "run_view.h"

#include "ep/core/component_kinds.h"
#include "ep/core/trace_lookup.h"

#include <algorithm>
#include <deque>
#include <exception>
#include <utility>
#include <variant>

namespace ep::api {

namespace {

constexpr std::size_t kLongestMessage = 16 * 1024; // clients are not expected to send anything
constexpr std::int64_t kFlushFrom = 64 * 1024;
constexpr int kCloseMs = 2000;

constexpr int kMissedBeats = 2;
constexpr std::int64_t kInFlight = 256 * 1024; // bytes; more are produced below this
constexpr int kLookMs = 1000;
constexpr int kPatientLooks = 5; // number of checks for a client that accepts no bytes

Json message(const char* type, const LiveRun& run)
{
    return {{"type", type}, {"run_id", run.id}};
}

void addStats(Json& json, const std::optional<ActivationStats>& stats)
{
    json["activation_mean"] = stats ? Json(stats->mean_abs) : Json();
    json["activation_std"] = stats ? Json(stats->std) : Json();
    json["activation_max"] = stats ? Json(stats->max_abs) : Json();
    json["activation_sparsity"] = stats ? Json(stats->sparsity) : Json();
}

// Contains only the figures that the operation has; figures per head are averaged.
Json extrasJson(const SharedExtras& extras)
{
    Json json = Json::object();
    if (!extras)
        return json;
    for (const OperationFigureFacts& figure : kOperationFigures) {
        if (const auto value = figure.of(*extras))
            json[figure.word] = *value;
    }
    return json;
}

} // namespace

WebSocket::WebSocket(std::unique_ptr<HttpSocket> socket, QObject* parent)
    : QObject(parent)
    , m_socket(std::move(socket))
{
    connect(m_socket.get(), &HttpSocket::readable, this, [this] { safely(&WebSocket::read); });
    connect(m_socket.get(), &HttpSocket::gone, this, &WebSocket::closed);
    connect(m_socket.get(), &HttpSocket::written, this, [this] { safely(&WebSocket::wrote); });
    // Handles data that arrived with the handshake.
    QTimer::singleShot(0, this, [this] { safely(&WebSocket::read); });
}

// Without memory for a message, this client is disconnected, and the others stay.
void WebSocket::safely(void (WebSocket::*step)())
{
    try {
        (this->*step)();
    } catch (const std::exception&) {
        abort();
    }
}

void WebSocket::wrote()
{
    if (m_closing && m_socket->bytesToWrite() == 0)
        m_socket->endWriting();
    sendPong();
    Q_EMIT written();
}

WebSocket::~WebSocket()
{
    m_socket->disconnect(this);
}

void WebSocket::sendText(OutBuffer::Text text)
{
    if (m_closing)
        return;
    m_socket->write(frameHead(Opcode::Text, text->size()));
    m_socket->write(std::move(text));
    if (m_socket->bytesToWrite() > kFlushFrom)
        m_socket->flush();
}

void WebSocket::ping()
{
    if (!m_closing)
        m_socket->write(frameOf(Opcode::Ping, {}));
}

void WebSocket::close(CloseCode code)
{
    if (std::exchange(m_closing, true))
        return;
    m_socket->write(closeFrame(code));
    QTimer::singleShot(kCloseMs, this, &WebSocket::abort);
}

void WebSocket::abort()
{
    m_socket->close();
}

void WebSocket::read()
{
    while (!m_closing) {
        const auto frame = parseFrame(m_socket->received(), kLongestMessage);
        if (!frame)
            break;
        m_socket->take(frame->size);
        handle(*frame);
    }
    if (m_closing)
        m_socket->take(m_socket->received().size());
    if (m_socket->ended())
        abort();
}

void WebSocket::sendPong()
{
    if (!m_pinged || m_closing || m_socket->bytesToWrite() > kFlushFrom)
        return;
    m_socket->write(frameOf(Opcode::Pong, *std::exchange(m_pinged, std::nullopt)));
}

void WebSocket::handle(const WebFrame& frame)
{
    if (frame.refusal)
        return close(*frame.refusal);
    switch (frame.opcode) {
    case Opcode::Ping:
        m_pinged = frame.payload;
        return sendPong();
    case Opcode::Pong:
        Q_EMIT pong();
        return;
    case Opcode::Close:
        return close(CloseCode::Normal);
    case Opcode::Text:
    case Opcode::Binary:
    case Opcode::Continuation:
        break;
    }
    if ((frame.opcode == Opcode::Continuation) != m_fragmented)
        return close(CloseCode::ProtocolError);
    m_message += frame.payload.size();
    if (m_message > kLongestMessage)
        return close(CloseCode::TooLarge);
    m_fragmented = !frame.last;
    if (frame.last)
        m_message = 0;
}

struct LiveHub::Client {
    struct Part {
        MessageSeries series;
        int next = 0;
    };

    std::unique_ptr<WebSocket> socket;
    std::deque<std::variant<OutBuffer::Text, Part>> outbox; // begins with a series, or is empty
    std::int64_t outboxBytes = 0; // size of the texts in the outbox
    bool slow = false;
    bool tookSomething = false; // since the last check
    int looks = 0; // consecutive checks without progress
    std::int64_t missed = 0; // messages missed since the client became slow
    int unanswered = 0; // pings without a pong

    std::int64_t waiting() const { return socket->bytesToWrite() + outboxBytes; }
};

LiveHub::LiveHub(const Limits& limits, QObject* parent)
    : QObject(parent)
    , m_limits(limits)
{
    connect(&m_heartbeat, &QTimer::timeout, this, &LiveHub::beat);
    connect(&m_look, &QTimer::timeout, this, &LiveHub::look);
    m_heartbeat.start(m_limits.heartbeat);
}

LiveHub::~LiveHub()
{
    for (const auto& client : m_clients)
        client->socket->disconnect(this);
}

bool LiveHub::full() const
{
    return static_cast<int>(m_clients.size()) >= m_limits.live_clients;
}

void LiveHub::takeOver(std::unique_ptr<HttpSocket> socket, const HttpRequest& handshake)
{
    socket->write(handshakeAnswer(handshake));
    auto client = std::make_unique<Client>();
    client->socket = std::make_unique<WebSocket>(std::move(socket));
    WebSocket* web = client->socket.get();
    Client* known = client.get();
    connect(web, &WebSocket::closed, this, [this, web] { drop(web); });
    connect(web, &WebSocket::pong, this, [known] { known->unanswered = 0; });
    connect(web, &WebSocket::written, this, [this, known] {
        known->tookSomething = true;
        const bool before = busy();
        pumpAll();
        if (before && !busy())
            Q_EMIT rested();
    });
    m_clients.push_back(std::move(client));
}

void LiveHub::drop(const WebSocket* socket)
{
    const bool before = busy();
    const auto found = std::find_if(m_clients.begin(), m_clients.end(), [&](const auto& client) {
        return client->socket.get() == socket;
    });
    if (found == m_clients.end())
        return;
    (*found)->socket->disconnect(this);
    (*found)->socket.release()->deleteLater(); // the socket is still on the call stack
    m_clients.erase(found);
    if (before && !busy())
        Q_EMIT rested();
}

void LiveHub::beat()
{
    std::vector<WebSocket*> gone;
    for (const auto& client : m_clients) {
        if (client->unanswered >= kMissedBeats)
            gone.push_back(client->socket.get());
        ++client->unanswered;
    }
    for (WebSocket* socket : gone)
        socket->abort(); // abort() emits the end
    for (const auto& client : m_clients)
        client->socket->ping();
}

std::int64_t LiveHub::waiting() const
{
    std::int64_t sum = 0;
    for (const auto& client : m_clients)
        sum += client->waiting();
    return sum;
}

bool LiveHub::busy() const
{
    return std::any_of(m_clients.begin(), m_clients.end(),
                       [](const auto& client) { return !client->outbox.empty(); });
}

void LiveHub::look()
{
    const bool before = busy();
    for (const auto& client : m_clients) {
        client->looks = client->tookSomething ? 0 : client->looks + 1;
        client->tookSomething = false;
        if (client->looks < kPatientLooks)
            continue;
        for (auto& item : client->outbox) {
            if (auto* part = std::get_if<Client::Part>(&item)) {
                client->missed += part->series.count - part->next;
                m_leftOut += part->series.count - part->next;
                part->next = part->series.count;
            }
        }
        client->slow = true;
        pump(*client);
    }
    if (!busy())
        m_look.stop();
    if (before && !busy())
        Q_EMIT rested();
}

// The first message that gets through states the number of missed ones.
void LiveHub::put(Client& client, OutBuffer::Text text)
{
    ++m_sent;
    if (client.missed == 0)
        return client.socket->sendText(std::move(text));
    std::string told = text->substr(0, text->size() - 1)
        + ",\"messages_left_out\":" + std::to_string(client.missed) + '}';
    client.missed = 0;
    client.socket->sendText(std::make_shared<const std::string>(std::move(told)));
}

// Sends the queued messages and series, as far as the client accepts them.
void LiveHub::pump(Client& client)
{
    while (!client.outbox.empty()) {
        if (auto* text = std::get_if<OutBuffer::Text>(&client.outbox.front())) {
            client.outboxBytes -= static_cast<std::int64_t>((*text)->size());
            put(client, std::move(*text));
            client.outbox.pop_front();
            continue;
        }
        auto& part = std::get<Client::Part>(client.outbox.front());
        if (part.next == part.series.count) {
            client.outbox.pop_front();
        } else if (client.socket->bytesToWrite() == 0
                   || (client.socket->bytesToWrite() < kInFlight
                       && waiting() < m_limits.all_live_bytes / 2)) {
            put(client, std::make_shared<const std::string>(part.series.make(part.next++)));
        } else {
            return;
        }
    }
}

// One client may be waiting for room that another one makes.
void LiveHub::pumpAll()
{
    for (const auto& client : m_clients)
        pump(*client);
}

void LiveHub::dropLongest()
{
    const auto longest = std::ranges::max_element(
        m_clients, {}, [](const auto& client) { return client->waiting(); });
    (*longest)->socket->abort(); // abort() emits the end, which drops the client
}

void LiveHub::send(std::string text, Weight weight)
{
    const auto shared = std::make_shared<const std::string>(std::move(text));
    std::vector<WebSocket*> dead;
    for (const auto& client : m_clients) {
        const std::int64_t waiting = client->waiting();
        if (waiting > m_limits.dead_bytes) {
            dead.push_back(client->socket.get());
            continue;
        }
        if (waiting > m_limits.slow_bytes)
            client->slow = true;
        else if (waiting < m_limits.recovered_bytes)
            client->slow = false;
        if (client->slow && weight == Weight::Detail) {
            ++client->missed;
            ++m_leftOut;
        } else if (client->outbox.empty()) {
            put(*client, shared);
        } else {
            client->outbox.emplace_back(shared);
            client->outboxBytes += static_cast<std::int64_t>(shared->size());
        }
    }
    for (WebSocket* socket : dead)
        socket->abort();
    while (waiting() > m_limits.all_live_bytes)
        dropLongest();
}

void LiveHub::sendSeries(const MessageSeries& series)
{
    for (const auto& client : m_clients) {
        if (client->slow) {
            client->missed += series.count;
            m_leftOut += series.count;
            continue;
        }
        client->outbox.emplace_back(Client::Part{series});
        client->looks = 0;
    }
    pumpAll();
    if (busy())
        m_look.start(kLookMs);
}

Json powerMessage(const LiveRun& run, const PowerSample& sample)
{
    Json json = message("power_sample", run);
    json["timestamp_ms"] = toMilliseconds(sample.window.end_ns - run.zero_ns);
    json["duration_ms"] = toMilliseconds(sample.window.duration_ns());
    for (const Rail rail : kRails)
        json[std::string(name(rail)) + "_power_mw"] = sample.power_mw[rail];
    json["total_power_mw"] = sample.total_mw;
    json["phase"] = std::string(name(sample.phase));
    json["modelled"] = sample.modelled;
    return json;
}

Json sectionMessage(const LiveRun& run, const session::SectionEvent& event, bool end)
{
    Json json = message(end ? "section_end" : "section_start", run);
    json["phase"] = std::string(name(event.phase));
    json["section_name"] = std::string(name(event.section));
    json["token"] = event.token == kNoToken ? Json() : Json(event.token);
    json["timestamp_ms"] =
        toMilliseconds((end ? event.time.end_ns : event.time.begin_ns) - run.zero_ns);
    if (end)
        json["duration_ms"] = toMilliseconds(event.time.duration_ns());
    return json;
}

Json tokenMessage(const LiveRun& run, const session::TokenComplete& token)
{
    const TokenSpan& span = token.token;
    Json json = message("token_complete", run);
    json["token"] = span.index;
    json["position"] = span.position;
    json["token_id"] = span.id;
    json["text"] = span.text;
    json["phase"] = std::string(name(span.phase));
    json["sequences"] = span.sequences;
    json["timestamp_ms"] = toMilliseconds(span.time.end_ns - run.zero_ns);
    json["duration_ms"] = toMilliseconds(span.time.duration_ns());
    json["energy_mj"] = span.energy.total_mj;
    json["energy_provenance"] = std::string(name(span.energy.provenance));
    json["power_snapshot_mw"] = span.power_snapshot_mw;
    return json;
}

Json layerMessage(const LiveRun& run, const session::TokenComplete& token)
{
    Json json = message("layer_metrics", run);
    json["token"] = token.token.index;
    json["layers"] = Json::array();
    auto part = token.components.begin(); // sorted by layer, like the layers
    for (const Span& layer : token.layers) {
        Nanoseconds attention = 0;
        Nanoseconds mlp = 0;
        for (; part != token.components.end() && part->layer <= layer.layer; ++part) {
            if (part->layer != layer.layer)
                continue;
            const LayerBlock block = blockOf(part->component);
            if (block != LayerBlock::Neither)
                (block == LayerBlock::Attention ? attention : mlp) += part->time.duration_ns();
        }
        Json one{{"layer_index", layer.layer},
                 {"total_time_ms", toMilliseconds(layer.time.duration_ns())},
                 {"attention_time_ms", toMilliseconds(attention)},
                 {"mlp_time_ms", toMilliseconds(mlp)},
                 {"energy_mj", layer.energy_mj}};
        addStats(one, layer.stats);
        json["layers"].push_back(std::move(one));
    }
    return json;
}

Json componentMessage(const LiveRun& run, const session::TokenComplete& token)
{
    Json json = message("component_metrics", run);
    json["token"] = token.token.index;
    json["components"] = Json::array();
    for (const Span& span : token.components) {
        Json one{{"layer_index", span.layer},
                 {"component_name", std::string(name(span.component))},
                 {"time_ms", toMilliseconds(span.time.duration_ns())},
                 {"energy_mj", span.energy_mj}};
        addStats(one, span.stats);
        json["components"].push_back(std::move(one));
    }
    return json;
}

Json operationMessage(const LiveRun& run, const RunTrace& trace, std::int32_t token)
{
    Json json = message("operation_metrics", run);
    json["token"] = token;
    json["operations"] = Json::array();
    for (const Span& span : operationsOf(trace, token)) {
        Json one{{"layer_index", span.layer},
                 {"component_name", std::string(name(span.component))},
                 {"operation_name", std::string(name(span.operation))},
                 {"time_ms", toMilliseconds(span.time.duration_ns())},
                 {"energy_mj", span.energy_mj},
                 {"flops_estimate", span.work ? Json(span.work->flops) : Json()}};
        addStats(one, span.stats);
        one["extra_metrics"] = extrasJson(span.extras);
        json["operations"].push_back(std::move(one));
    }
    return json;
}

Json completeMessage(const session::RunFinished& finished)
{
    const Run& run = *finished.run;
    Json json{{"type", "inference_complete"},
              {"run_id", run.info.id},
              {"status", std::string(name(run.info.status))},
              {"saved", finished.saved}};
    json["summary"] = runSummary(run);
    return json;
}

} // namespace ep::api
