// Caches the app, so that it starts at once, even without a connection. It never touches the API: the state of a
// server's table comes from the server or not at all.
//
// The build lists what is cached (kept.js). Files named by a hash of their content never change: they are cached once
// for all versions, and dropped when no open page could still ask for them. Only the few other files belong to one
// version. A new version waits until a page says that no game is open.

importScripts("kept.js"); // self.KEPT: the version, its files, and whether its tables are in the browser

const SCOPE = new URL("./", location.href).pathname;
const OWN = `genial:${SCOPE}:`;
const FILES = `${OWN}files`;
const VERSION = `${OWN}version ${KEPT.build}`;
/** The name of the cache before it had a scope. */
const OLD = "genial-shell-1";
const PAGE = "./";
/** The page of a server's app whose tables are in the browser. */
const HERE = "here/";
/** The list of what runs those tables: megabytes, which a server's app caches only on request. */
const ENGINE = "engine/engine.json";
const ANSWERS = "answers.json";
const HASHED = /^(assets|engine)\/.*-[\w-]{8,}\.\w+$/;
/** Milliseconds to wait for a server's page before showing the cached one. */
const PATIENCE = 4000;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function install() {
  const hadEngine = await hasEngine();
  await add(KEPT.page);
  // On the first visit, the page is loading the engine itself right now.
  if (hadEngine) await keep();
  else if (KEPT.here) await fill(KEPT.files.filter((name) => !name.startsWith("engine/")).map((name) => ({ name })));
}

async function activate() {
  const names = await caches.keys();
  const gone = names.filter((name) => name.startsWith(`${OWN}version `) && name !== VERSION);
  if (SCOPE === "/") gone.push(OLD);
  await Promise.all(gone.map((name) => caches.delete(name)));
  await tidy();
  await self.clients.claim();
}

self.addEventListener("message", (event) => {
  const { type } = event.data;
  const [port] = event.ports;
  const tell = (message) => port?.postMessage(message);
  if (type === "take-over") self.skipWaiting();
  if (type === "keep") {
    const kept = keep((loaded, total) => tell({ type: "progress", loaded, total }));
    event.waitUntil(kept.then(() => tell({ type: "kept" }), () => tell({ type: "failed" })));
  }
  if (type === "forget") event.waitUntil(forget().then(() => tell({ type: "forgotten" })));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.cache === "no-store") return; // the page asks what the server has right now
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(SCOPE)) return;
  const name = url.pathname.slice(SCOPE.length);
  if (name.startsWith("api/")) return;
  if (HASHED.test(name)) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/\.(?!html$)\w+$/.test(name)) {
    event.waitUntil(tidy(event.resultingClientId));
    event.respondWith(KEPT.here || name.startsWith(HERE) ? keptOr(PAGE, request) : served(request));
  } else if (KEPT.page.includes(name) || name === ENGINE || name === ANSWERS) event.respondWith(keptOr(name, request));
});

/** What this version has cached, or else what the network gives. */
async function keptOr(name, request) {
  const version = await caches.open(VERSION);
  return (await version.match(name)) ?? fetch(request);
}

/** The server's current page, which fits its tables, or the cached one if there is no connection. */
async function served(request) {
  const version = await caches.open(VERSION);
  const kept = await version.match(PAGE);
  try {
    return await fetch(request, kept ? { signal: AbortSignal.timeout(PATIENCE) } : {});
  } catch {
    return kept ?? Response.error();
  }
}

/** A file that never changes, from the cache if it is there. */
async function file(request) {
  const files = await caches.open(FILES);
  const kept = await files.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await files.put(request, answer.clone());
  return answer;
}

/** Cache those files of this version that aren't there yet. */
async function add(names) {
  const version = await caches.open(VERSION);
  const there = await Promise.all(names.map((name) => version.match(name)));
  const missing = names.filter((_, n) => !there[n]);
  await version.addAll(missing.map((name) => new Request(name, { cache: "no-cache" })));
}

/** Cache everything that tables in the browser need. `tell` is given the loaded and total bytes of the engine. */
async function keep(tell = () => undefined) {
  await add([...new Set([...KEPT.page, ENGINE, ANSWERS])]);
  const parts = await engineParts();
  await fill(KEPT.files.map((name) => ({ name })));
  await fill(parts, tell);
}

async function engineParts() {
  const version = await caches.open(VERSION);
  const list = await (await version.match(ENGINE))?.json();
  return Object.values(list ?? {})
    .filter((part) => part.path)
    .map(({ path, bytes }) => ({ name: `engine/${path}`, bytes }));
}

async function hasEngine() {
  const files = await caches.open(FILES);
  return (await files.keys()).some(({ url }) => url.includes(`${SCOPE}engine/`));
}

/** Fetch what isn't there yet, a few at a time. What the page itself has just loaded isn't sent again. */
async function fill(parts, tell = () => undefined) {
  const files = await caches.open(FILES);
  const total = parts.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  let loaded = 0;
  const waiting = [...parts];
  const one = async () => {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      if (!(await files.match(part.name))) {
        const answer = await fetch(new Request(part.name, { cache: "force-cache" }));
        if (!answer.ok) throw new Error(`${part.name}: ${answer.status}`);
        await files.put(part.name, answer);
      }
      loaded += part.bytes ?? 0;
      tell(loaded, total);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
}

/** Free the megabytes of the engine. */
async function forget() {
  const files = await caches.open(FILES);
  const version = await caches.open(VERSION);
  const found = (await files.keys()).filter(({ url }) => url.includes(`${SCOPE}engine/`));
  await Promise.all([...found.map((key) => files.delete(key)), ...(KEPT.here ? [] : [version.delete(ENGINE), version.delete(ANSWERS)])]);
}

/** Delete the files of other versions, unless a page other than the arriving one is open and may need them. */
async function tidy(arriving = "") {
  const open = await self.clients.matchAll({ includeUncontrolled: true });
  if (open.some(({ id }) => id !== arriving)) return;
  const needed = new Set([...KEPT.files, ...(await engineParts()).map(({ name }) => name)].map((name) => SCOPE + name));
  const files = await caches.open(FILES);
  const gone = (await files.keys()).filter(({ url }) => !needed.has(new URL(url).pathname));
  await Promise.all(gone.map((key) => files.delete(key)));
}
