import { defined } from '#kit/domain/defined.ts'
import { vi } from 'vitest'
import { session } from './session.ts'

class Storage {
  #entries = new Map<string, string>()
  get length(): number {
    return this.#entries.size
  }
  getItem(k: string): string | null {
    return this.#entries.get(k) ?? null
  }
  setItem(k: string, v: string): void {
    this.#entries.set(k, String(v))
  }
  removeItem(k: string): void {
    this.#entries.delete(k)
  }
  clear(): void {
    this.#entries.clear()
  }
}

/** The globals of a page that the request layer uses, new ones, and nobody signed in. */
export function fakePage(url = '/work'): { readonly local: Storage; readonly perWindow: Storage } {
  const local = new Storage()
  const perWindow = new Storage()
  session.setState({ signed: undefined, project: undefined, rights: undefined })
  const [pathname, search = ''] = url.split('?')
  vi.stubGlobal('localStorage', local)
  vi.stubGlobal('sessionStorage', perWindow)
  vi.stubGlobal('location', {
    pathname,
    search: search && `?${search}`,
    hash: '',
    replace: vi.fn(),
    assign: vi.fn(),
  })
  return { local, perWindow }
}

export interface RecordedRequest {
  readonly url: URL
  readonly method: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly init: RequestInit
}

/** A server that gives the test's answers and records its requests. */
export function fakeServer(
  answer: (requests: RecordedRequest) => Response | Promise<Response>,
): RecordedRequest[] {
  const requests: RecordedRequest[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const h: RecordedRequest = {
      url: new URL(url, 'http://localhost'),
      method: defined(init.method),
      headers: Object.fromEntries(new Headers(init.headers)),
      body: typeof init.body === 'string' ? init.body : undefined,
      init,
    }
    requests.push(h)
    return answer(h)
  })
  return requests
}

export const envelope = (Data: unknown, rest: object = {}): Response =>
  Response.json({ Code: 10000, Message: '', Data, ...rest })
