// Sets the theme before anything is drawn: the address wins, then the reader's choice, then his system.
(function () {
  const root = document.documentElement;
  const asked = new URLSearchParams(location.search).get("theme");
  let chosen = null;
  try {
    chosen = localStorage.getItem("flagfall-theme");
  } catch {
    // Storage may be off; the system's choice is good enough.
  }
  const system = root.dataset.defaultTheme
    || (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
  const theme = [asked, chosen, system].find((name) => name === "light" || name === "dark");
  root.dataset.theme = theme;
})();
