import { beforeEach, expect, it, vi } from 'vitest'
import { keepMessage, offlineCachePrefix } from './offline-names.ts'
import { serveOffline, type OfflineFiles, type OfflineWorker } from './serve-offline.ts'

const origin = 'https://anju.example'
const urlOf = (path: string): string => new URL(path, origin).href

/** What the network answers, by path; nothing where there is none. */
let network: Map<string, string> | undefined
let isHanging = false
let fetched: string[] = []
let stored: Map<string, Map<string, Response>>

const fetchNow: typeof fetch = async input => {
  const { pathname } = new URL(input instanceof Request ? input.url : urlOf(String(input)))
  fetched.push(pathname)
  if (isHanging) return new Promise(() => {})
  if (!network) throw new TypeError('Failed to fetch')
  const body = network.get(pathname) ?? network.get('/')
  return new Response(body, { status: body === 'starting' ? 503 : 200 })
}

function cacheOf(files: Map<string, Response>): Cache {
  const cache = {
    match: async (url: string) => files.get(urlOf(url))?.clone(),
    put: async (url: string, answer: Response) => void files.set(urlOf(url), answer),
    addAll: async (urls: string[]) => {
      const answers = await Promise.all(urls.map(url => fetchNow(url)))
      answers.forEach((answer, i) => files.set(urlOf(urls[i] ?? ''), answer))
    },
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the worker uses of it
  return cache as unknown as Cache
}

const caches = {
  keys: async () => [...stored.keys()],
  open: async (name: string) => {
    const files = stored.get(name) ?? new Map<string, Response>()
    stored.set(name, files)
    return cacheOf(files)
  },
  delete: async (name: string) => stored.delete(name),
}

const filesOf = (release: string): OfflineFiles => ({
  release,
  entry: `assets/start-${release}.js`,
  files: [`/assets/start-${release}.js`, `/assets/walk-${release}.js`],
  otherPages: ['/home/bills'],
})

/** The network as it is with this release. */
const deploy = (release: string): void => {
  network = new Map([
    ['/', `<script src="/assets/start-${release}.js">`],
    ...filesOf(release).files.map(file => [file, `code of ${file}`] as const),
    ['/api/Task/GetMine', 'tasks'],
  ])
}

/** A worker of a release, with its events by hand. */
function startWorker(release: string) {
  const listeners = new Map<string, (event: object) => void>()
  const worker = {
    location: { origin },
    caches,
    fetch: fetchNow,
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the worker uses of its scope
  serveOffline(worker as unknown as OfflineWorker, filesOf(release))
  const raise = async (type: string, event: object = {}): Promise<Response | undefined> => {
    let task: Promise<unknown> = Promise.resolve()
    let answer: Promise<Response> | undefined
    const whole = {
      ...event,
      waitUntil: (lasting: Promise<unknown>) => (task = lasting),
      respondWith: (response: Promise<Response>) => (answer = response),
    }
    listeners.get(type)?.(whole)
    await task
    return answer
  }
  const ask = (path: string, mode = 'no-cors', method = 'GET') =>
    raise('fetch', { request: { url: urlOf(path), mode, method } })
  return {
    keep: () => raise('message', { data: keepMessage }),
    install: () => raise('install'),
    activate: () => raise('activate'),
    open: async (path: string) => (await (await ask(path, 'navigate'))?.text()) ?? 'not answered',
    load: async (path: string) => (await (await ask(path))?.text()) ?? 'not answered',
    post: (path: string) => ask(path, 'cors', 'POST'),
  }
}

const cacheNames = (): string[] => [...stored.keys()].map(name => name.replace(offlineCachePrefix, ''))

beforeEach(() => {
  stored = new Map()
  fetched = []
  isHanging = false
  deploy('one')
})

it('nothing is kept until a signed-in person has opened the page', async () => {
  const worker = startWorker('one')
  await worker.install()
  expect(cacheNames()).toEqual([])
  network = undefined
  await expect(worker.open('/watchlist/walk')).rejects.toThrow('Failed to fetch')
})

it('what was kept opens without a network, with every address of the page', async () => {
  const worker = startWorker('one')
  await worker.keep()
  network = undefined
  expect(await worker.open('/watchlist/walk?code=abc')).toContain('start-one')
  expect(await worker.load('/assets/walk-one.js')).toBe('code of /assets/walk-one.js')
})

it('calls, pictures and other hosts never pass through it', async () => {
  const worker = startWorker('one')
  await worker.keep()
  fetched = []
  for (const path of [
    '/api/Task/GetMine',
    '/api/file/picture.jpg',
    'https://elsewhere.example/assets/x.js',
  ]) {
    expect(await worker.load(path)).toBe('not answered')
  }
  expect(await worker.post('/assets/walk-one.js')).toBeUndefined()
  expect(fetched).toEqual([])
  expect([...(stored.get(`${offlineCachePrefix}one`)?.keys() ?? [])].toSorted()).toEqual(
    ['/', ...filesOf('one').files].map(urlOf).toSorted(),
  )
})

it('with a network the page is that of the release that runs; a server that starts or hangs gives the kept one', async () => {
  vi.useFakeTimers()
  const worker = startWorker('one')
  await worker.keep()
  deploy('two')
  expect(await worker.open('/watchlist/walk')).toContain('start-two')
  network = new Map([['/', 'starting']])
  expect(await worker.open('/watchlist/walk')).toContain('start-one')
  isHanging = true
  const opened = worker.open('/watchlist/walk')
  await vi.advanceTimersByTimeAsync(4000)
  expect(await opened).toContain('start-one')
  vi.useRealTimers()
})

it('a new release replaces the old one as a whole, and not at all where it did not arrive', async () => {
  await startWorker('one').keep()
  const next = startWorker('two')
  network = undefined
  await expect(next.install()).rejects.toThrow()
  network = undefined
  expect(await startWorker('one').open('/watchlist/walk')).toContain('start-one')
  deploy('two')
  await next.install()
  await next.activate()
  expect(cacheNames()).toEqual(['two'])
  network = undefined
  // Also at the pages whose worker is still that of the old release.
  expect(await startWorker('one').open('/task_standard/own')).toContain('start-two')
})

it('a page of another release is not kept beside the files of this one', async () => {
  const worker = startWorker('one')
  deploy('two')
  await worker.keep()
  network = undefined
  await expect(worker.open('/watchlist/walk')).rejects.toThrow('Failed to fetch')
})

it('an address with another page is left to the network, also where the common page is kept', async () => {
  const worker = startWorker('one')
  await worker.keep()
  network = undefined
  expect(await worker.open('/Home/Bills/?t=1')).toBe('not answered')
  expect(await worker.open('/home/bills/more')).toContain('start-one')
})
