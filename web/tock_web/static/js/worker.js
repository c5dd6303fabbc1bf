// Keeps the shell of the page: scripts and styles of one version, and a page for when the table is out of reach.

/** @type {any} */
const worker = globalThis;
const AWAY = "/away";
const SHELL = /^\/static\/([0-9a-f]{10})\//;
/** @param {string} version */
const nameOf = (version) => `tock-${version}`;

worker.addEventListener("install", (/** @type {any} */ event) => {
  worker.skipWaiting();
  event.waitUntil(keepAway());
});
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(worker.clients.claim()));
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { mode, method, url } = event.request;
  const version = SHELL.exec(new URL(url).pathname)?.[1];
  if (mode === "navigate" && method === "GET") event.respondWith(opened(event.request));
  else if (version) event.respondWith(kept(event.request, version));
});

/** A page is never kept, for it may show a hand. @param {Request} request */
async function opened(request) {
  try {
    return await fetch(request);
  } catch (lost) {
    const away = await caches.match(AWAY);
    if (!away) throw lost;
    return away;
  }
}

/** @type {(request: Request, version: string) => Promise<Response>} */
async function kept(request, version) {
  const cache = await caches.open(nameOf(version));
  const found = await cache.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  for (const name of await caches.keys()) {
    if (name !== nameOf(version) && SHELL.test(`/static/${name.slice(5)}/`)) await caches.delete(name);
  }
  return answer;
}

async function keepAway() {
  const page = await fetch(AWAY, { cache: "no-store" });
  if (!page.ok) return;
  const cache = await caches.open(nameOf("away"));
  const text = await page.clone().text();
  await cache.put(AWAY, page);
  for (const [url, version] of text.matchAll(/\/static\/([0-9a-f]{10})\/[^"]+/g))
    await kept(new Request(url), version);
}
