import { defined } from '#kit/domain/defined.ts'
import { createHash } from 'node:crypto'
import pg from 'pg'
import { companyScopeSql, type CompanyScope } from './company-scope.ts'
import { watchStatement } from './observation/statement-watch.ts'
import type { CompiledStatement } from './statement.ts'

// Days stay text (a local Date would shift them); instants come as Shanghai wall text, the connection's zone;
// bigint ids are safe integers here.
const parseTextArray = pg.types.getTypeParser(1009 as number, 'text') as (text: string) => (string | null)[]

const typeParsers: Record<number, (text: string) => unknown> = {
  20: Number,
  1082: s => s,
  1184: s => s.slice(0, 19),
  1114: s => s.slice(0, 19),
  1016: s => parseTextArray(s).map(x => x && Number(x)),
  1182: parseTextArray,
  1185: s => parseTextArray(s).map(x => x && x.slice(0, 19)),
}

export const typesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && typeParsers[oid]) || pg.types.getTypeParser(oid, format),
}

/** The same text is one prepared statement per connection; texts beyond the bound run unprepared. */
const statementNames = new Map<string, string>()

/** Part of each name: after an increase every text is prepared again. */
let preparedRound = 0

function statementNameOf(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known || statementNames.size >= 3000) return known
  const name = createHash('sha1').update(`${preparedRound} ${text}`).digest('base64url').slice(0, 20)
  statementNames.set(text, name)
  return name
}

/** After `isOutdatedPlan`: no connection uses what it has prepared so far. */
export function renewStatementNames(): void {
  preparedRound++
  statementNames.clear()
}

const toCamelCase = (column: string): string =>
  column.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase())
const columnKeyCache = new Map<string, string>()

const columnKey = (column: string): string => {
  let cachedKey = columnKeyCache.get(column)
  if (cachedKey === undefined) {
    columnKeyCache.set(column, (cachedKey = toCamelCase(column)))
  }
  return cachedKey
}

export interface RawResult {
  readonly rows: unknown[][]
  readonly fields: { name: string }[]
  readonly rowCount: number | null
}

export const toObjects = <T>(result: RawResult): T[] => {
  const keys = result.fields.map(f => columnKey(f.name))
  return result.rows.map(row => {
    const object: Record<string, unknown> = {}
    for (let i = 0; i < keys.length; i++) {
      if (row[i] !== null) {
        object[defined(keys[i])] = row[i]
      }
    }
    return object as T
  })
}

const corkedStreams = new WeakSet<object>()

/**
 * Statements sent to a connection without waiting in between leave in one write: each write costs more than
 * what it carries.
 */
export const corkUntilNextTick = (client: pg.ClientBase): void => {
  const stream = (
    client as unknown as { connection?: { stream?: { cork?: () => void; uncork: () => void } } }
  ).connection?.stream
  if (!stream?.cork || corkedStreams.has(stream)) return
  corkedStreams.add(stream)
  stream.cork()
  process.nextTick(() => {
    corkedStreams.delete(stream)
    stream.uncork()
  })
}

export const sendStatement = (client: pg.ClientBase, query: CompiledStatement): Promise<RawResult> => {
  corkUntilNextTick(client)
  const name = statementNameOf(query.sql)
  return watchStatement(
    client,
    query.sql,
    client.query({
      text: query.sql,
      values: query.parameters as unknown[],
      rowMode: 'array',
      ...(name ? { name } : {}),
    }),
  )
}

/**
 * Opens a transaction that sees this company's rows. Two messages in one trip: a distributed engine hands the
 * whole text of a message with `set local` on to its nodes, and a `begin` in it would be one too many there.
 */
export const beginTransaction = (client: pg.ClientBase, ownerId: CompanyScope, mode = ''): Promise<unknown> =>
  Promise.all([client.query(`begin${mode}`), client.query(companyScopeSql(ownerId))])

export const ignoreRejection = (promise: Promise<unknown>): void => {
  promise.catch(() => {})
}
