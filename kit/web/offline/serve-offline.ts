import { keepMessage, offlineCachePrefix } from './offline-names.ts'

/** What a release consists of, as far as its pages for phones need it. */
export interface OfflineFiles {
  readonly release: string
  /** The page names this file: one that does not is of another release. */
  readonly entry: string
  readonly files: readonly string[]
  /** Addresses that have another page, which is not kept (small letters). */
  readonly otherPages: readonly string[]
}

interface LastingEvent {
  waitUntil(task: Promise<unknown>): void
}

interface RequestEvent {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

interface MessageEvent extends LastingEvent {
  readonly data: unknown
}

/** What this needs of the scope of a service worker, whose types the pages' types exclude. */
export interface OfflineWorker {
  readonly location: { readonly origin: string }
  readonly caches: CacheStorage
  readonly fetch: typeof fetch
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
}

/** On a network that hardly answers the kept page is shown before the person gives up. */
const pageTimeoutMs = 4000

const after = (ms: number): Promise<undefined> =>
  new Promise(resolve => {
    setTimeout(() => resolve(undefined), ms)
  })

/** The kept files of whatever release, the newest first. */
function openCopies({ caches }: OfflineWorker, { release, entry, files }: OfflineFiles) {
  const ownName = offlineCachePrefix + release
  const listNames = async (): Promise<string[]> =>
    (await caches.keys()).filter(name => name.startsWith(offlineCachePrefix)).toReversed()
  const find = async (url: string): Promise<Response | undefined> => {
    for (const name of await listNames()) {
      const found = await (await caches.open(name)).match(url, { ignoreVary: true })
      if (found) return found
    }
    return undefined
  }
  /** The page comes last: where it is, all is. */
  const fill = async (fetchPage: () => Promise<Response>): Promise<void> => {
    const cache = await caches.open(ownName)
    if (await cache.match('/')) return
    await cache.addAll([...files])
    const page = await fetchPage()
    if (!page.ok || !(await page.clone().text()).includes(entry)) throw new Error('another release')
    await cache.put('/', page)
  }
  const deleteOthers = async (): Promise<void> => {
    for (const name of await listNames()) {
      if (name !== ownName) {
        await caches.delete(name)
      }
    }
  }
  return { listNames, find, fill, deleteOthers }
}

/**
 * The service worker: it keeps the files of the phone pages and answers with them where there is no
 * network. It stores nothing that is not a file of the release; calls and pictures never pass through it.
 */
export function serveOffline(worker: OfflineWorker, files: OfflineFiles): void {
  const copies = openCopies(worker, files)
  const fill = (): Promise<void> => copies.fill(() => worker.fetch('/', { cache: 'no-cache' }))
  const findPage = async (request: Request): Promise<Response> => {
    const kept = await copies.find('/')
    if (!kept) return worker.fetch(request)
    // Of the release that runs, so that no page asks for files that are no longer there.
    const answer = await Promise.race([worker.fetch(request).catch(() => undefined), after(pageTimeoutMs)])
    return answer && answer.status < 500 ? answer : kept
  }
  worker.addEventListener('install', event => {
    const replace = async (): Promise<void> => {
      // Nobody keeps the pages where nothing is there: the person has left.
      if ((await copies.listNames()).length) {
        await fill()
      }
      await worker.skipWaiting()
    }
    event.waitUntil(replace())
  })
  worker.addEventListener('activate', event => event.waitUntil(copies.deleteOthers()))
  worker.addEventListener('message', event => {
    if (event.data === keepMessage) {
      // Without it the page opens as before; it is asked for again when the page is opened next.
      event.waitUntil(fill().catch(() => {}))
    }
  })
  worker.addEventListener('fetch', event => {
    const { request } = event
    const { origin, pathname, href } = new URL(request.url)
    if (request.method !== 'GET' || origin !== worker.location.origin) return
    if (request.mode === 'navigate') {
      if (files.otherPages.includes(pathname.toLowerCase().replace(/\/+$/, ''))) return
      event.respondWith(findPage(request))
    } else if (pathname.startsWith('/assets/')) {
      event.respondWith(copies.find(href).then(found => found ?? worker.fetch(request)))
    }
  })
}
