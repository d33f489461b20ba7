// Results and ends of games as people write them.

export const RESULTS = [["1-0", "1–0"], ["1/2-1/2", "½–½"], ["0-1", "0–1"], ["+/-", "+/−"], ["-/+", "−/+"], ["-/-", "−/−"]];

/** A result as people write it. */
export function resultText(result) {
  return RESULTS.find(([value]) => value === result)?.[1] ?? result ?? "";
}

/** How a game ended; empty when nobody knows. */
export function endText(termination) {
  return termination && termination !== "unknown" ? termination.replaceAll("-", " ") : "";
}

/** The result of a table with how it ended, as far as known. */
export function outcomeText(table) {
  return [resultText(table.result), endText(table.termination)].filter(Boolean).join(" · ");
}
