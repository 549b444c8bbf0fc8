// Keeps the shell of the client, so that it starts at once and also without a connection. It never touches the API:
// what stands on a table comes from the server or not at all.

const SHELL = "genial-shell-1";
const PAGE = "/";
const FIRST = [PAGE, "/icon.svg", "/manifest.webmanifest"];
/** Files of old builds are dropped when more than this many are kept. */
const MOST = 120;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELL)
      .then((cache) => cache.addAll(FIRST))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.cache === "no-store") return; // somebody wants to know what is there now
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(page(request));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(asset(request));
  else if (FIRST.includes(url.pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

/** The page is the same for every address: the newest one, or the last one where there is no connection. */
async function page(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) {
      const cache = await caches.open(SHELL);
      await cache.put(PAGE, answer.clone());
    }
    return answer;
  } catch {
    return (await caches.match(PAGE)) ?? Response.error();
  }
}

/** These are named after what is in them, so they never change. */
async function asset(request) {
  const kept = await caches.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) {
    const cache = await caches.open(SHELL);
    await cache.put(request, answer.clone());
    const keys = (await cache.keys()).filter((key) => new URL(key.url).pathname.startsWith("/assets/"));
    await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST)).map((key) => cache.delete(key)));
  }
  return answer;
}
