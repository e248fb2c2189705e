// The page's files, kept by the browser: the page opens though the server is away, and says so itself. Filled in by the build.
const version = '__VERSION__';
const files = ['__FILES__'];
const name = `tabia-${version}`;

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(name)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((keys) => Promise.all(keys.filter((key) => key !== name).map((key) => caches.delete(key))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  // The page itself is the server's word as long as there is one; its parts have their content in their name.
  if (request.mode === 'navigate' && url.pathname === '/') {
    event.respondWith(fetch(request).catch(() => caches.match('/')));
  } else if (files.includes(url.pathname)) {
    event.respondWith(
      url.pathname.startsWith('/assets/')
        ? caches.match(request).then((kept) => kept ?? fetch(request))
        : fetch(request).catch(() => caches.match(request)),
    );
  }
});
