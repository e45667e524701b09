// Fetches the page again every ten seconds, or as often as the page asks for, and puts the parts that changed in place of the shown ones.
// Without this script the pages are whole; they only stay as they were.
const PAUSE = 10;
const policy = window.trustedTypes
  ? window.trustedTypes.createPolicy("newscrawl", { createHTML: (text) => text })
  : { createHTML: (text) => text };
let tag = "";

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

async function refresh() {
  if (document.hidden || document.querySelector("[data-live]") === null) return;
  const answer = await fetch(location.href, { headers: { "If-None-Match": tag, Accept: "text/html" } });
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
    // The server is away. The next round asks again.
  }
  setTimeout(loop, pause());
}

setTimeout(loop, pause());
