import { defined } from '#kit/domain/defined.ts'
import { openSync, writeSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CompanyScope } from './company-scope.ts'

/**
 * Names the folder to log to; set by the run of the server tests alone (tools/statement-lint.ts reads it).
 */
export const STATEMENT_LOG = 'ANJU_STATEMENT_LOG'

export interface LoggedStatement {
  readonly sql: string
  /** of the first time it was sent: for a replay on a cluster (tools/cluster-proof.ts) */
  readonly parameters: readonly unknown[]
  /** sent with all companies' rows open (`*`) */
  readonly allCompanies: boolean
  /** `modules/bills/server/split.ts:67`: the first line outside the database layer that sent it */
  readonly sentFrom: string
}

const root = fileURLToPath(new URL('../..', import.meta.url))
// table/ writes statements for its callers: who asked is what a reader needs.
const isDatabaseLayer = (file: string): boolean =>
  [
    'run-independently.ts',
    'db.ts',
    'read-statements.ts',
    'statement-log.ts',
    'statement.ts',
    'table.ts',
  ].some(name => file === `kit/server/${name}`) || file.startsWith('kit/server/table/')

/** The frames as they are: their text would be made of each, and most are passed over. */
function callSites(): readonly NodeJS.CallSite[] {
  const { stackTraceLimit, prepareStackTrace } = Error
  Error.stackTraceLimit = 60
  Error.prepareStackTrace = (_, sites) => sites
  try {
    const { stack }: { stack?: unknown } = new Error('where')
    return Array.isArray(stack) ? stack : []
  } finally {
    Object.assign(Error, { stackTraceLimit, prepareStackTrace })
  }
}

function callerLine(): string {
  for (const site of callSites()) {
    const found = /^(?:file:\/\/)?(\/[^():]+)$/.exec(site.getFileName() ?? '')
    if (!found || defined(found[1]).includes('/node_modules/')) continue
    const file = relative(root, defined(found[1]))
    if (!file.startsWith('..') && !isDatabaseLayer(file)) return `${file}:${site.getLineNumber()}`
  }
  return 'unknown:0'
}

type LogStatement = (sql: string, parameters: readonly unknown[], ownerId: CompanyScope) => void

function createLog(folder: string): LogStatement {
  const [seenOfCompany, seenOfAll] = [new Set<string>(), new Set<string>()]
  let file: number | undefined
  return (sql, parameters, ownerId) => {
    const allCompanies = ownerId === '*'
    const seen = allCompanies ? seenOfAll : seenOfCompany
    if (seen.has(sql)) return
    seen.add(sql)
    const entry: LoggedStatement = { sql, parameters, allCompanies, sentFrom: callerLine() }
    file ??= openSync(join(folder, `${process.pid}.jsonl`), 'a')
    writeSync(file, `${JSON.stringify(entry)}\n`)
  }
}

const folder = process.env[STATEMENT_LOG]

/** Each text once per process, with the line that sent it; undefined (and free) outside a test run. */
export const logStatement = folder ? createLog(folder) : undefined
