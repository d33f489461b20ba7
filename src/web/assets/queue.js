// What needs an arbiter, as one list: what nobody has taken first; whose it is; many of one kind together.

import { questionOf } from "./reading.js";

/** More of one kind than this stand as lines below one heading. */
const MANY = 4;
const ORDER = { call: 0, warning: 2, notice: 3 };

/** Alerts and proposals as one list; an alert that a proposal settles stands in the proposal's card. */
export function needsOf(hall) {
  const proposals = new Map(hall.proposals.map((proposal) => [proposal.id, proposal]));
  const linked = new Map();
  const items = [];
  for (const alert of hall.alerts) {
    if (alert.proposal !== null && proposals.has(alert.proposal)) {
      linked.set(alert.proposal, [...(linked.get(alert.proposal) ?? []), alert]);
    } else {
      const taken = alert.acknowledged_by !== null;
      const order = ORDER[alert.severity] + (taken && alert.severity === "call" ? 1.5 : 0);
      const question = alert.kind === "which-move" ? questionOf(hall, alert.table) : null;
      items.push({ id: `a${alert.id}`, kind: alert.kind, table: alert.table, alert, question, owner: alert.acknowledged_by, to: alert.to, severity: alert.severity, order, at: alert.raised_at });
    }
  }
  for (const proposal of hall.proposals) {
    const alerts = linked.get(proposal.id) ?? [];
    const call = alerts.find((alert) => alert.severity === "call") ?? alerts[0] ?? null;
    const owner = call?.acknowledged_by ?? null;
    const urgent = call?.severity === "call" && owner === null;
    items.push({ id: `p${proposal.id}`, kind: call?.kind ?? proposal.kind, table: proposal.table, proposal, alerts, call, owner, to: call?.to ?? null, severity: call?.severity ?? null, order: urgent ? 0 : 1, at: proposal.raised_at });
  }
  return items.sort((a, b) => a.order - b.order || (a.at < b.at ? -1 : 1));
}

/** Whether somebody is to see to it: it is his, or nobody has it and it is called out to him. */
export function isFor(item, by, hall) {
  if (item.owner !== null) return item.owner === by;
  const { members } = hall.staff ?? { members: [] };
  if (item.to !== null) return item.to.length === 0 || item.to.includes(by);
  // A result that the kings show calls nobody: it is for whoever has the table.
  const there = members.filter((member) => member.on_duty);
  const zone = there.filter((member) => (member.tables ?? []).some(({ from, to }) => from <= item.table && item.table <= to));
  const asked = zone.length ? zone : there.filter((member) => member.duty === "chief" || member.duty === "deputy");
  return asked.length === 0 || asked.some((member) => member.name === by);
}

/** The list with many of one kind put together, at the place of the first of them. */
export function grouped(items) {
  const counts = new Map();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const lines = [];
  const told = new Set();
  for (const item of items) {
    if (counts.get(item.kind) <= MANY) {
      lines.push(item);
    } else if (!told.has(item.kind)) {
      told.add(item.kind);
      const members = items.filter((other) => other.kind === item.kind);
      lines.push({ id: `g-${item.kind}`, kind: item.kind, members, order: item.order });
      for (const member of members) lines.push({ ...member, group: item.kind });
    }
  }
  return lines;
}
