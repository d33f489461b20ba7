// Run in a page by the browser tests: gives a list of what is wrong with how it looks.
const found = [];
const wide = document.documentElement.clientWidth;
const name = (element) => `${element.tagName.toLowerCase()}${element.id ? `#${element.id}` : ""}.${element.className?.baseVal ?? element.className}`;
const modal = document.querySelector("dialog[open]");
const visible = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && (!modal || modal.contains(element));
};

if (document.documentElement.scrollWidth > wide) found.push(`the page is ${document.documentElement.scrollWidth} px wide, the window ${wide}`);
for (const element of document.body.querySelectorAll("*")) {
  if (!visible(element) || element.closest("[aria-hidden=true], .diagram, .defs")) continue;
  const box = element.getBoundingClientRect();
  if (box.right > wide + 8 || box.left < -8) found.push(`${name(element)} sticks out: ${box.left} to ${box.right}`);
}

// A screen in the hall is never scrolled: what is below its edge is not there.
for (const element of document.querySelectorAll("#screen p, #screen h1, #page-head p, #page-head h1, #page-body p, #page-body li, #strip p, #emergency p, #emergency h1")) {
  if (!visible(element)) continue;
  const box = element.getBoundingClientRect();
  if (box.bottom > innerHeight + 8 || box.top < -8) found.push(`${name(element)} lies outside: ${box.top} to ${box.bottom}`);
}

// Contrast of every text with what it stands on (WCAG 2, 7:1).
const parse = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
const luminance = ([r, g, b]) => {
  const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const ground = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const color = parse(getComputedStyle(at).backgroundColor);
    if (color.length === 3 || color[3] === 1) return color;
    if (color[3] > 0) found.push(`${name(at)} has a ground one can see through`);
  }
  return [255, 255, 255];
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !visible(element) || element.closest("script, style, #lost, #label")) continue;
  const [a, b] = [luminance(parse(getComputedStyle(element).color)), luminance(ground(element))].sort((x, y) => y - x);
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < 7) found.push(`${name(element)} "${walker.currentNode.textContent.trim().slice(0, 30)}" has a contrast of ${ratio.toFixed(2)}`);
  if (parseFloat(getComputedStyle(element).fontSize) < 13) found.push(`${name(element)} is smaller than 13 px`);
}

// What is touched is large enough for a thumb.
for (const element of document.body.querySelectorAll("button, input, a, summary")) {
  if (!visible(element) || element.closest("p")) continue;
  const box = element.getBoundingClientRect();
  if (box.height < 43.5 || box.width < 43.5) found.push(`${name(element)} "${element.textContent.trim()}" is only ${box.width} x ${box.height} px`);
}

for (const { name: address } of performance.getEntriesByType("resource")) {
  if (!address.startsWith(location.origin)) found.push(`asks elsewhere: ${address}`);
}
return [...new Set(found)].slice(0, 20);
