// Keeps the app, so that it starts at once and also without a connection. It never touches the API: what stands on a
// server's table comes from the server or not at all.
//
// What is kept is written down by the build (kept.js). Files that are named after what is in them never change: they are
// kept once, for every version, and dropped when no page is open that could still ask for them. Only the few others
// belong to one version. A new version waits until a page says that no game is open.

importScripts("kept.js"); // self.KEPT: the version, its files, and whether its tables are in the browser

const SCOPE = new URL("./", location.href).pathname;
const OWN = `genial:${SCOPE}:`;
const FILES = `${OWN}files`;
const VERSION = `${OWN}version ${KEPT.build}`;
/** What it was called before it had a scope. */
const OLD = "genial-shell-1";
const PAGE = "./";
/** The page of a server's app whose tables are in the browser. */
const HERE = "here/";
/** What runs those tables: megabytes, so a server's app keeps them only for who asked for it. */
const ENGINE = "engine/engine.json";
const ANSWERS = "answers.json";
const HASHED = /^(assets|engine)\/.*-[\w-]{8,}\.\w+$/;
/** So long we wait for a server's page before the kept one is shown. */
const PATIENCE = 4000;

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));

async function install() {
  const hadEngine = await hasEngine();
  await add(KEPT.page);
  // At the first visit the page is loading the engine itself just now.
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
  if (request.cache === "no-store") return; // somebody wants to know what is there now
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(SCOPE)) return;
  const name = url.pathname.slice(SCOPE.length);
  if (name.startsWith("api/")) return;
  if (HASHED.test(name)) event.respondWith(file(request));
  else if (request.mode === "navigate" && !/\.(?!html$)\w+$/.test(name)) {
    event.waitUntil(tidy(event.resultingClientId));
    event.respondWith(KEPT.here || name.startsWith(HERE) ? keptOr(PAGE, request) : served(request));
  } else if (KEPT.page.includes(name) || name === ENGINE || name === ANSWERS) event.respondWith(keptOr(name, request));
});

/** What this version kept, or what there is. */
async function keptOr(name, request) {
  const version = await caches.open(VERSION);
  return (await version.match(name)) ?? fetch(request);
}

/** The newest page of a server, which fits to its tables; the kept one where there is no connection. */
async function served(request) {
  const version = await caches.open(VERSION);
  const kept = await version.match(PAGE);
  try {
    return await fetch(request, kept ? { signal: AbortSignal.timeout(PATIENCE) } : {});
  } catch {
    return kept ?? Response.error();
  }
}

/** A file that never changes. */
async function file(request) {
  const files = await caches.open(FILES);
  const kept = await files.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) await files.put(request, answer.clone());
  return answer;
}

/** Add what this version does not have yet. */
async function add(names) {
  const version = await caches.open(VERSION);
  const there = await Promise.all(names.map((name) => version.match(name)));
  const missing = names.filter((_, n) => !there[n]);
  await version.addAll(missing.map((name) => new Request(name, { cache: "no-cache" })));
}

/** Everything that tables in the browser need. `tell` hears how many bytes of the engine are here, of how many. */
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

/** Fetch what is not there yet, a few at a time. What the page itself has just loaded need not travel again. */
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

/** Give the engine's megabytes back. */
async function forget() {
  const files = await caches.open(FILES);
  const version = await caches.open(VERSION);
  const found = (await files.keys()).filter(({ url }) => url.includes(`${SCOPE}engine/`));
  await Promise.all([...found.map((key) => files.delete(key)), ...(KEPT.here ? [] : [version.delete(ENGINE), version.delete(ANSWERS)])]);
}

/** While no page is open but the one that arrives, files of other versions are nobody's. */
async function tidy(arriving = "") {
  const open = await self.clients.matchAll({ includeUncontrolled: true });
  if (open.some(({ id }) => id !== arriving)) return;
  const needed = new Set([...KEPT.files, ...(await engineParts()).map(({ name }) => name)].map((name) => SCOPE + name));
  const files = await caches.open(FILES);
  const gone = (await files.keys()).filter(({ url }) => !needed.has(new URL(url).pathname));
  await Promise.all(gone.map((key) => files.delete(key)));
}
