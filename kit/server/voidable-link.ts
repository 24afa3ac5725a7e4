import { randomBytes } from 'node:crypto'
import type { UnknownSecret } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import type { App } from './app.ts'
import { sql, type Db, type Tx } from './db.ts'
import { readSignedLink, signLink, type SignedLink } from './signed-link.ts'

type LinkApp = Pick<App, 'database'>

interface VoidableLinkOptions {
  /** Names the installation's secret, as in `signLink`. */
  readonly purpose: string
  /** Tells the links of one purpose apart. */
  readonly letter: string
  /** Path of the page that the link opens. */
  readonly page: string
  /** Has `owner_id`, `project_code`, `stamp`, `is_void`; unique by `owner_id` and `idColumn`. */
  readonly table: string
  readonly idColumn: string
  /** What the holder of a forged, void or replaced link reads. */
  readonly invalid: () => UnknownSecret
}

interface LinkState {
  readonly stamp: string
  readonly isVoid: boolean
}

/** The address of a record's page for people without an account; `url` is missing while it is void. */
export interface VoidableLinkState {
  readonly url?: string
  readonly isVoid: boolean
}

export interface VoidableLink {
  /** Ends the links of before; with `isVoid` none works until it is renewed. */
  readonly renew: (
    tx: Tx,
    ownerId: Id,
    record: { readonly id: Id; readonly projectCode: string },
    isVoid: boolean,
  ) => Promise<number>
  readonly current: (app: LinkApp, ownerId: Id, id: Id) => Promise<VoidableLinkState>
  /** Throws `invalid()` unless the token belongs to the current link. */
  readonly read: (app: LinkApp, token: string) => Promise<SignedLink>
  readonly invalid: () => UnknownSecret
}

/**
 * A signed link to one record that staff can void or replace: the signature covers a stamp that is stored
 * beside the record, the first link has none.
 */
export function createVoidableLink(options: VoidableLinkOptions): VoidableLink {
  const { purpose, letter, page, invalid } = options
  const table = sql.table(options.table)
  const idColumn = sql.id(options.idColumn)
  const find = (db: Db, ownerId: Id, id: Id): Promise<LinkState | undefined> =>
    db.one(sql`select stamp, is_void from ${table} where owner_id = ${ownerId} and ${idColumn} = ${id}`)
  const stateOf = (app: LinkApp, ownerId: Id, id: Id): Promise<LinkState | undefined> =>
    find(app.database.reader(ownerId), ownerId, id)
  const stampedLetter = (state: LinkState | undefined): string => `${letter}${state?.stamp ?? ''}`
  return {
    invalid,
    renew: (tx, ownerId, { id, projectCode }, isVoid) =>
      tx.execute(sql`
        insert into ${table} (owner_id, ${idColumn}, project_code, stamp, is_void)
        values (${ownerId}, ${id}, ${projectCode}, ${randomBytes(9).toString('base64url')}, ${isVoid})
        on conflict (owner_id, ${idColumn}) do update set stamp = excluded.stamp, is_void = excluded.is_void
      `),
    current: async (app, ownerId, id) => {
      const state = await stateOf(app, ownerId, id)
      if (state?.isVoid === true) return { isVoid: true }
      const token = await signLink(app, purpose, { letter: stampedLetter(state), ownerId, id })
      return { url: `${page}?t=${token}`, isVoid: false }
    },
    read: async (app, token) => {
      const link = await readSignedLink(app, purpose, token)
      if (!link?.letter.startsWith(letter)) throw invalid()
      const state = await stateOf(app, link.ownerId, link.id)
      if (state?.isVoid === true || link.letter !== stampedLetter(state)) throw invalid()
      return link
    },
  }
}
