import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { parse } from 'libpg-query'
import { templateUrl } from '#kit/server/fixtures/test-database.ts'
import { STATEMENT_LOG, type LoggedStatement } from '#kit/server/statement-log.ts'
import { placementOf, type TableShape } from './distribution/plan.ts'
import { checkStatement, type Tables } from './statement-rules.ts'

const OPENED_BY = 'ANJU_STATEMENT_LOG_OPENED_BY'

export interface FoundOffence {
  /** `2 modules/bills/server/split.ts bill` */
  readonly key: string
  /** `modules/bills/server/split.ts:67` */
  readonly at: string
  readonly sql: string
}

/** Tests, their harness and benches never run on a cluster of a user's. */
export const isProduct = (file: string): boolean =>
  !/\.(test|fixtures)\.ts$|\.test\.|fixtures|^bench\/|^e2e\/|^unknown/.test(file) &&
  !/^db\/golden\/(invariants|golden-app|payment-harness)\.ts$/.test(file)

export function readLog(folder: string): LoggedStatement[] {
  return readdirSync(folder).flatMap(name =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line): LoggedStatement => JSON.parse(line)),
  )
}

export async function findOffences(log: readonly LoggedStatement[], tables: Tables): Promise<FoundOffence[]> {
  const found = new Map<string, FoundOffence>()
  const checked = new Set<string>()
  for (const { sql, sentFrom, allCompanies } of log) {
    const file = sentFrom.slice(0, sentFrom.lastIndexOf(':'))
    const once = `${file} ${allCompanies} ${sql}`
    if (!isProduct(file) || checked.has(once)) continue
    checked.add(once)
    for (const { rule, subject } of checkStatement(await parse(sql), tables, allCompanies)) {
      const key = `${rule} ${file} ${subject}`
      if (!found.has(key)) {
        found.set(key, { key, at: sentFrom, sql })
      }
    }
  }
  return [...found.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1))
}

/** The complaint of a run, or '' when there is none. */
export const describeOffences = (found: readonly FoundOffence[]): string =>
  found
    .map(each => `${each.at}: rule ${each.key}\n    ${each.sql.replace(/\s+/g, ' ').trim().slice(0, 200)}`)
    .join('\n')

export async function loadTables(url: string): Promise<Tables> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query<TableShape>(`
      select c.relname as name,
        exists (
          select
          from pg_attribute a
          where a.attrelid = c.oid and a.attname = 'owner_id' and not a.attisdropped
        ) as "hasOwner"
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')
    `)
    const namesOf = (isKept: (shape: TableShape) => boolean): ReadonlySet<string> =>
      new Set(rows.filter(isKept).map(table => table.name))
    return {
      company: namesOf(shape => placementOf(shape) === 'distributed'),
      local: namesOf(shape => (placementOf(shape) ?? 'local') === 'local'),
    }
  } finally {
    await client.end()
  }
}

/**
 * Vitest's global set-up after the database's: the statements that the server tests send are logged, and
 * when all tests are done checked against the rules of docs/scale.md. A folder given as ANJU_STATEMENT_LOG
 * is kept: tools/cluster-proof.ts replays it.
 */
export default function setup(): () => Promise<void> {
  // Each project sets up; the first of a run, which ends last, checks what all have sent.
  if (process.env[OPENED_BY] === String(process.pid)) return async () => {}
  process.env[OPENED_BY] = String(process.pid)
  const kept = process.env[STATEMENT_LOG]
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'anju-statements-'))
  process.env[STATEMENT_LOG] = folder
  return async () => {
    try {
      const complaint = describeOffences(await findOffences(readLog(folder), await loadTables(templateUrl())))
      if (complaint) throw new Error(`statements against the rules of docs/scale.md:\n${complaint}`)
    } finally {
      if (!kept) {
        rmSync(folder, { recursive: true, force: true })
      }
    }
  }
}
