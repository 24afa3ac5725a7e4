import { errorCode, errorMessage } from '#kit/server/database-error.ts'
import pg from 'pg'
import { companyScopeSql } from '#kit/server/company-scope.ts'
import type { LoggedStatement } from '#kit/server/statement-log.ts'

export interface RefusedStatement {
  readonly sentFrom: string
  readonly code: string
  readonly error: string
  readonly sql: string
}

export interface ReplaySummary {
  readonly sent: number
  readonly refused: readonly RefusedStatement[]
}

/** Not supported, an internal error, or the connection is gone: the engine's own refusals. */
const isRefusal = (code: string | undefined): boolean => code === undefined || /^(0A|XX|57P)/.test(code)

function toParameter(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { type, data } = value as { type?: unknown; data?: unknown }
  return type === 'Buffer' && Array.isArray(data) ? Buffer.from(data) : JSON.stringify(value)
}

/**
 * Sends every statement once, each in a transaction that is rolled back, in the scope of `company`. The rows
 * that their parameters name are not there: what counts is whether the engine can plan and run them.
 */
export async function replayStatements(
  url: string,
  statements: readonly LoggedStatement[],
  company: number,
): Promise<ReplaySummary> {
  const refused: RefusedStatement[] = []
  const connect = async (): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: url, options: '-c statement_timeout=20000' })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  let client = await connect()
  let sent = 0
  for (const { sql, parameters, allCompanies, sentFrom } of statements) {
    sent++
    await client.query('begin')
    await client.query(companyScopeSql(allCompanies ? '*' : company))
    try {
      await client.query(sql, parameters.map(toParameter))
      await client.query('rollback')
    } catch (error) {
      const code = errorCode(error) || undefined
      const message = errorMessage(error)
      if (isRefusal(code)) {
        refused.push({
          sentFrom,
          code: code ?? 'gone',
          error: message,
          sql: sql.replaceAll(/\s+/g, ' ').trim(),
        })
      }
      try {
        await client.query('rollback')
      } catch {
        client = await reconnect(connect)
      }
    }
  }
  await client.end()
  return { sent, refused }
}

/** After a crash the engine needs some seconds to recover. */
async function reconnect(connect: () => Promise<pg.Client>): Promise<pg.Client> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connect()
    } catch (error) {
      if (attempt === 30) throw error
      await new Promise(resolve => {
        setTimeout(resolve, 1000)
      })
    }
  }
}
