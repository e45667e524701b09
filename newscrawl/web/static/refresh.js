// Fetches the page again every ten seconds, or as often as the page asks for, and puts the parts that changed in place of the shown ones.
// Without this script the pages are whole; they only stay as they were.
const PAUSE = 10;
const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("newscrawl", { createHTML: (text) => text })
  : { createHTML: (text) => text };
let tag = "";
let failures = 0;
let current = Date.now();

function isInUse(part) {
  return part.contains(document.activeElement) && document.activeElement !== document.body;
}

function exchange(page) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = page.getElementById(part.id);
    if (next && !isInUse(part) && !part.isEqualNode(next)) {
      part.replaceWith(document.importNode(next, true));
    }
  }
}

// Says since when the shown page is old, after two requests in a row without an answer.
function mark() {
  const shown = document.getElementById("no-connection");
  document.body.classList.toggle("old", failures > 1);
  if (failures < 2) {
    shown?.remove();
  } else if (shown === null) {
    const line = document.createElement("p");
    line.id = "no-connection";
    line.setAttribute("role", "alert");
    line.textContent = `No connection to newscrawl web. This page shows the state of ${new Date(current).toLocaleTimeString()}.`;
    document.querySelector("main").prepend(line);
  }
}

async function refresh() {
  if (document.hidden || document.querySelector("[data-live]") === null) return;
  const answer = await fetch(location.href, { headers: { "If-None-Match": tag, Accept: "text/html" } });
  if (answer.status >= 500) throw new Error(answer.statusText);
  failures = 0;
  current = Date.now();
  if (answer.status === 200) {
    tag = answer.headers.get("ETag") ?? "";
    exchange(new DOMParser().parseFromString(policy.createHTML(await answer.text()), "text/html"));
  } else if (answer.status === 401) {
    location.reload();
  }
}

function pause() {
  return 1_000 * Number(document.querySelector("[data-pause]")?.dataset.pause ?? PAUSE);
}

async function loop() {
  try {
    await refresh();
  } catch {
    failures += 1; // the next round asks again
  }
  mark();
  setTimeout(loop, pause());
}

setTimeout(loop, pause());
