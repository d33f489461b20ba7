//! One connection to a broker. The only file that knows the client library, so that it can be
//! changed in a day.
//!
//! A [`Link`] lives for one connection: after any error it is thrown away and a new one is made, so
//! no state of the library outlives the connection that it belongs to. What must survive is in the
//! journal's outbox.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use rumqttc::{
    AsyncClient, ConnectReturnCode, ConnectionError, Event, EventLoop, Incoming, LastWill,
    MqttOptions, PubAckReason, PublishNoticeError, PublishOptions, PublishResult, QoS,
    RetainForwardRule, StateError, SubscribeFilterInput, Transport,
};
use tokio::{
    sync::{Notify, mpsc},
    task::JoinHandle,
};

use super::{
    MqttError,
    settings::{Broker, MqttSettings},
    topics::Topics,
};
use crate::journal::Outgoing;

/// Keep-alive told to the broker.
const KEEP_ALIVE_S: u16 = 10;
/// A broker that takes the connection but does not answer it.
const CONNECT_TIMEOUT_S: u64 = 5;
/// Larger messages are not for us; the broker drops them.
const MAX_PACKET: u32 = 64 * 1024;
/// Requests of the library's queue: the window, the subscriptions, and room for live values.
const QUEUE: usize = 128;
/// Unacknowledged messages that the library has room for; the window is narrower. It walks all of
/// the room, which is 65,535 by default, at each flush.
const IN_FLIGHT: u16 = 128;
/// Messages from the broker that wait for us; more are dropped.
const INBOX: usize = 128;

/// What the connection says.
#[derive(Debug)]
pub(super) enum LinkEvent {
    /// The broker has accepted us.
    Up,
    /// A message on one of our subscriptions.
    Message(Message),
    /// The connection is gone, with the reason for people.
    Down(String),
}

/// A message from the broker.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) topic: String,
    pub(super) payload: Vec<u8>,
    /// It was published as retained.
    pub(super) retain: bool,
}

/// How a message with QoS 1 ended.
#[derive(Debug)]
pub(super) enum Acknowledged {
    /// The broker has it.
    Accepted,
    /// The broker will never take it.
    Refused(String),
    /// It may not have arrived; send it again on the next connection.
    Lost(String),
}

/// Resolves when the broker has answered.
pub(super) type Ack = Pin<Box<dyn Future<Output = Acknowledged> + Send>>;

/// The library's queue is full, or the connection is gone.
#[derive(Debug)]
pub(super) struct Busy;

/// One connection.
#[derive(Debug)]
pub(super) struct Link {
    client: AsyncClient,
    poller: JoinHandle<()>,
    pub(super) events: mpsc::Receiver<LinkEvent>,
    /// Somebody, usually the will of our last connection, says that we are offline.
    pub(super) called_offline: Arc<Notify>,
    opened: Instant,
    /// Milliseconds after `opened` at which the broker was last heard.
    heard: Arc<AtomicU64>,
}

impl Drop for Link {
    fn drop(&mut self) {
        self.poller.abort();
    }
}

/// What every connection is made with.
#[derive(Clone, Debug)]
pub(super) struct Connector {
    options: MqttOptions,
    status_topic: String,
    request_filter: String,
    probe_topic: String,
}

impl Connector {
    /// Prepares connections; reads the CA file. `embedded` is where the embedded broker is, and the
    /// secret by which it knows us.
    pub(super) fn new(
        settings: &MqttSettings,
        topics: &Topics,
        embedded: Option<(std::net::SocketAddr, String)>,
    ) -> Result<Self, MqttError> {
        let client_id = settings.client_id();
        let mut options = match (&settings.broker, embedded) {
            (Broker::External(external), _) => {
                let broker = (external.host.as_str(), external.port);
                let mut options = MqttOptions::new(client_id, broker);
                if let Some(user) = &external.user {
                    let password = external.password.clone().unwrap_or_default();
                    options.set_credentials(user, password);
                }
                if external.tls {
                    options.set_transport(transport(external.ca_file.as_deref())?);
                }
                options
            }
            (Broker::Embedded { listen, .. }, embedded) => {
                let (mut address, secret) = embedded.unwrap_or((*listen, String::new()));
                if address.ip().is_unspecified() {
                    address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
                }
                let mut options = MqttOptions::new(
                    client_id.clone(),
                    (address.ip().to_string(), address.port()),
                );
                options.set_credentials(client_id, secret);
                options
            }
        };
        let will = LastWill::new(topics.status(), "offline", QoS::AtLeastOnce, true, None);
        let mut network = options.network_options();
        network.set_connection_timeout(CONNECT_TIMEOUT_S);
        network.set_tcp_nodelay(true);
        options
            .set_keep_alive(KEEP_ALIVE_S)
            .set_clean_start(true)
            .set_last_will(will)
            .set_network_options(network)
            .set_connect_timeout(Duration::from_secs(CONNECT_TIMEOUT_S))
            .set_session_expiry_interval(Some(0))
            .set_max_packet_size(Some(MAX_PACKET))
            .set_outgoing_inflight_upper_limit(IN_FLIGHT);
        Ok(Self {
            options,
            status_topic: topics.status(),
            request_filter: topics.request_filter(),
            probe_topic: topics.probe(),
        })
    }

    /// Starts a connection; [`LinkEvent::Up`] or [`LinkEvent::Down`] says how it went.
    pub(super) fn open(&self) -> Link {
        let (client, eventloop) = AsyncClient::builder(self.options.clone())
            .capacity(QUEUE)
            .build();
        let (sender, events) = mpsc::channel(INBOX);
        let opened = Instant::now();
        let heard = Arc::new(AtomicU64::new(0));
        let called_offline = Arc::new(Notify::new());
        let poller = tokio::spawn(poll(
            eventloop,
            sender,
            self.status_topic.clone(),
            Arc::clone(&called_offline),
            opened,
            Arc::clone(&heard),
        ));
        Link {
            client,
            poller,
            events,
            called_offline,
            opened,
            heard,
        }
    }
}

/// With a CA file only that CA counts; without one the system's.
fn transport(ca_file: Option<&std::path::Path>) -> Result<Transport, MqttError> {
    match ca_file {
        Some(path) => {
            let pem = std::fs::read(path).map_err(|error| MqttError::CaFile {
                path: path.to_path_buf(),
                error,
            })?;
            Ok(Transport::tls(pem, None, None))
        }
        None => Transport::try_tls_with_default_config()
            .map_err(|error| MqttError::Tls(error.to_string())),
    }
}

impl Link {
    /// Publishes with QoS 1.
    pub(super) fn publish(&self, message: &Outgoing) -> Result<Ack, Busy> {
        let options = PublishOptions::new(QoS::AtLeastOnce).retain(message.retain);
        let notice = self
            .client
            .try_publish_tracked(message.topic.as_str(), message.payload.clone(), options)
            .map_err(|_| Busy)?;
        Ok(Box::pin(
            async move { acknowledged(notice.wait_async().await) },
        ))
    }

    /// Publishes with QoS 0.
    pub(super) fn tell(&self, topic: &str, payload: Vec<u8>, retain: bool) -> Result<(), Busy> {
        let options = PublishOptions::new(QoS::AtMostOnce).retain(retain);
        self.client
            .try_publish(topic, payload, options)
            .map_err(|_| Busy)
    }

    /// Subscribes to our own status and to requests.
    pub(super) fn subscribe(&self, connector: &Connector) -> Result<(), Busy> {
        // Retain as published: a request that was sent as retained must be seen to be one.
        let requests =
            SubscribeFilterInput::new(connector.request_filter.as_str(), QoS::AtLeastOnce)
                .retain_forward_rule(RetainForwardRule::Never)
                .preserve_retain(true);
        let status = SubscribeFilterInput::new(connector.status_topic.as_str(), QoS::AtLeastOnce)
            .no_local(true);
        self.client
            .try_subscribe_many([status, requests])
            .map_err(|_| Busy)
    }

    /// Asks for an answer without any effect. The library pings only when it has sent nothing for a
    /// while, so with live values going out a dead broker would go unnoticed.
    pub(super) fn probe(&self, connector: &Connector) {
        // A full queue means that there is enough to be answered already.
        let _ = self.client.try_unsubscribe(connector.probe_topic.as_str());
    }

    /// How long the broker has been silent.
    pub(super) fn silent(&self) -> Duration {
        let heard = Duration::from_millis(self.heard.load(Ordering::Relaxed));
        self.opened.elapsed().saturating_sub(heard)
    }

    /// Says goodbye, so that the broker does not publish the will.
    pub(super) async fn close(mut self, patience: Duration) {
        if self.client.try_disconnect_now().is_ok() {
            let _ = tokio::time::timeout(patience, &mut self.poller).await;
        }
    }
}

fn acknowledged(result: Result<PublishResult, PublishNoticeError>) -> Acknowledged {
    let reason = match result {
        Ok(PublishResult::Qos1(ack)) => ack.reason,
        Ok(_) => PubAckReason::Success,
        Err(PublishNoticeError::V5PubAck(reason)) => reason,
        Err(error) => return Acknowledged::Lost(error.to_string()),
    };
    match reason {
        PubAckReason::Success | PubAckReason::NoMatchingSubscribers => Acknowledged::Accepted,
        PubAckReason::NotAuthorized
        | PubAckReason::TopicNameInvalid
        | PubAckReason::PayloadFormatInvalid => Acknowledged::Refused(format!("{reason:?}")),
        PubAckReason::UnspecifiedError
        | PubAckReason::ImplementationSpecificError
        | PubAckReason::PacketIdentifierInUse
        | PubAckReason::QuotaExceeded => Acknowledged::Lost(format!("{reason:?}")),
    }
}

async fn poll(
    mut eventloop: EventLoop,
    events: mpsc::Sender<LinkEvent>,
    status_topic: String,
    called_offline: Arc<Notify>,
    opened: Instant,
    heard: Arc<AtomicU64>,
) {
    let down = loop {
        match eventloop.poll().await {
            Ok(Event::Incoming(incoming)) => {
                let ms = u64::try_from(opened.elapsed().as_millis()).unwrap_or(u64::MAX);
                heard.store(ms, Ordering::Relaxed);
                match incoming {
                    Incoming::ConnAck(_) => {
                        let told = events.send(LinkEvent::Up).await;
                        if told.is_err() {
                            return;
                        }
                    }
                    Incoming::Publish(publish) if publish.topic == status_topic.as_bytes() => {
                        let offline = publish.payload != b"online".as_slice();
                        if offline {
                            called_offline.notify_one();
                        }
                    }
                    Incoming::Publish(publish) => {
                        let message = LinkEvent::Message(Message {
                            topic: String::from_utf8_lossy(&publish.topic).into_owned(),
                            payload: publish.payload.to_vec(),
                            retain: publish.retain,
                        });
                        // Never wait here: a flood of requests must not hold up the acknowledgements.
                        if events.try_send(message).is_err() {
                            metrics::counter!("flagfall_mqtt_requests_dropped_total").increment(1);
                        }
                    }
                    Incoming::Disconnect(disconnect) => {
                        break format!("the broker closed: {:?}", disconnect.reason_code);
                    }
                    _ => {}
                }
            }
            Ok(Event::Outgoing(_) | Event::Auth(_)) => {}
            Err(error) => break words(&error),
        }
    };
    // Gone receivers need no word.
    let _ = events.send(LinkEvent::Down(down)).await;
}

/// What to tell people about a failed connection.
fn words(error: &ConnectionError) -> String {
    match error {
        ConnectionError::ConnectionRefused(
            code @ (ConnectReturnCode::BadUserNamePassword | ConnectReturnCode::NotAuthorized),
        ) => format!("broker refused user/password ({code:?}): check user and password"),
        ConnectionError::ConnectionRefused(code) => format!("broker refused us ({code:?})"),
        ConnectionError::Timeout(_) => "the broker does not answer".to_owned(),
        ConnectionError::MqttState(StateError::ServerDisconnect { reason_code, .. }) => {
            format!("the broker closed: {reason_code:?}")
        }
        ConnectionError::Tls(error) => format!("TLS: {error}"),
        ConnectionError::Io(error) => format!("no connection: {error}"),
        other => other.to_string(),
    }
}
