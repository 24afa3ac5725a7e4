import type { Shape } from './shape.ts'

/** What a role can grant: one menu entry, one of its four flags or a button of its own (PERM-2). */
export interface Permission {
  readonly key: string
  readonly module: string
  readonly menu: string
  readonly flag: string
  readonly label: string
}

/** Required where a call needs no permission: `everyone` (who is signed in) or `publicAccess`. */
export const everyone = Symbol('everyone')
export const publicAccess = Symbol('anybody')
export type Needs = Permission | typeof everyone | typeof publicAccess

export const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const
export type Method = (typeof methods)[number]

/**
 * One action of the product. The route, the client, the permission check, the button, the log line, the API
 * page and the tests come from it.
 */
export interface Call<I = unknown, O = unknown> {
  /**
   * Method and path, written whole, as the specification spells them; `/api/` is in front of it on the wire.
   */
  readonly route: `${Method} ${string}`
  /** Other names of the same call: paths, or method and path. */
  readonly aliases?: readonly string[]
  readonly title: string
  /** What the operation log calls a request, where its title does not fit all of them. */
  readonly logTitle?: (raw: Readonly<Record<string, unknown>>) => string
  /** What is sent names somebody who may ask to be forgotten: the operation log keeps the call alone. */
  readonly logsNoInput?: boolean
  readonly needs: Needs
  readonly input: Shape<I>
  readonly output: Shape<O>
  /** Open to users who must first change their password or bind a second factor (PERM-9). */
  readonly duringSetup?: boolean
  /**
   * Open to every API key, although it needs no permission: what other calls leave behind (tasks, files) or
   * speak of. Other calls for `everyone` that read are open to keys with a permission of their module; those
   * that write are for sessions alone.
   */
  readonly openToKeys?: boolean
  /** A POST that only reads: no transaction, no idempotency. */
  readonly readOnly?: boolean
  /** Takes a file beside its fields, up to this many bytes. */
  readonly upload?: number
  /** Also takes, by its number, a larger file that has arrived by the resumable upload. */
  readonly takesResumed?: boolean
  /** Entities whose lists are stale after it. */
  readonly affects?: readonly string[]
  /** At most so many a minute from one address (before sign-in) or one operator. */
  readonly perMinute?: number
  /** The second service root of the specification. */
  readonly root?: 2
  /** A "new-style" body (0§7): its fields stand beside the envelope's, not in `Data`. */
  readonly flat?: boolean
}

export const call = <I, O>(declared: Call<I, O>): Call<I, O> => declared
export const methodOf = (c: Call): Method => c.route.slice(0, c.route.indexOf(' ')) as Method
export const pathOf = (c: Pick<Call, 'route'>): string => c.route.slice(c.route.indexOf(' ') + 1)

/** A call that writes: it runs in one transaction and honours `uuid` (G-6). */
export const isWrite = (c: Call): boolean => methodOf(c) !== 'GET' && !c.readOnly

/** Every address a call answers to, `METHOD path` in lower case. */
export const routesOf = (target: Call): string[] =>
  [target.route, ...(target.aliases ?? [])]
    .map(n => (/^(GET|POST|PUT|DELETE) /.test(n) ? n : `${methodOf(target)} ${n}`))
    .map(n => {
      const [method, path] = n.split(' ') as [string, string]
      return `${method} ${path.toLowerCase().replace(/^\/+/, '')}`
    })

/**
 * The same address with the base (`finance/v1`) where it lacks one, without it where it has it: the
 * specification leaves open which of the two a client uses.
 */
export function withOtherBase(route: string, base: string): string {
  const [method, path] = route.split(' ') as [string, string]
  return path.startsWith(`${base}/`)
    ? `${method} ${path.slice(base.length + 1)}`
    : `${method} ${base}/${path}`
}
