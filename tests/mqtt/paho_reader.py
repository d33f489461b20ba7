"""Prints what a broker sends, in the form of `mosquitto_sub -F '%r %q %t %p'`.

Arguments: the broker's port; a topic and a payload for a will of its own.
"""

import sys

from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion


def connected(client, _userdata, _flags, reason, _properties):
    if reason.is_failure:
        sys.exit(f"refused: {reason}")
    client.subscribe([("flagfall/#", 1), ("test/#", 1)])


def subscribed(_client, _userdata, _mid, reasons, _properties):
    if any(reason.is_failure for reason in reasons):
        sys.exit(f"not subscribed: {reasons}")


def heard(_client, _userdata, message):
    print(int(message.retain), message.qos, message.topic, message.payload.decode(), flush=True)


reader = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
reader.on_connect = connected
reader.on_subscribe = subscribed
reader.on_message = heard
port, *will = sys.argv[1:]
if will:
    reader.will_set(*will, qos=1)
reader.connect("127.0.0.1", int(port), keepalive=10)
reader.loop_forever()
