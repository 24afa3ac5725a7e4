import { castForTest } from '#kit/domain/fixtures.ts'
import { defined } from '#kit/domain/defined.ts'
import pg from 'pg'
import type { Scope } from '#kit/server/scope.ts'
import { openTestApp } from '#kit/server/fixtures/test-app.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { createCallerLoader } from '#modules/accounts/server/public.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { server } from '#modules/residents/server/index.ts'
import { loadInstalledModules } from '#apps/server/modules.ts'
import { atMost, type BenchContext, type BenchRow } from './bench.ts'
import { nameOf, seedTown } from './resident-data.ts'
import { estateCode, roomsPerEstate } from './room-data.ts'
import { captureStatements, type CapturedStatement } from './job-harness.ts'

export const name = 'people'

const residentCount = 1_000_000

/**
 * A server that has run all morning is warm, so the first calls don't count; a p95 of fewer would be one
 * unlucky call.
 */
const warmupRounds = 30
const rounds = 100
type ResidentSearch = NonNullable<typeof listResidents.input.T>

const searches: readonly (readonly [string, ResidentSearch])[] = [
  ['姓名全名', { size: 20, keyword: nameOf(12_345) }],
  ['姓名一部分（两个字）', { size: 20, keyword: nameOf(12_346).slice(1) }],
  ['手机尾号', { size: 20, keyword: '4217' }],
  ['房间', { size: 20, keyword: '12-2-1502' }],
  ['拼音', { size: 20, keyword: 'wangweifang' }],
  ['首字母三个', { size: 20, keyword: 'wwf' }],
  ['首字母两个，一个项目', { size: 20, keyword: 'wf', projectCode: estateCode(25) }],
]

const percentile = (all: readonly number[], part: number): number =>
  defined(all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))])

/**
 * Residents sought among a million with a million and a half homes: the whole call (a page with homes, total,
 * blocks) against its own statements on the bare driver.
 */
export async function run({ database, log }: BenchContext): Promise<BenchRow[]> {
  const url = await database()
  const scope = await seedTown(url, residentCount / roomsPerEstate)
  log(`${residentCount} 位住户`)
  return measureSearches(url, scope, log)
}

export async function measureSearches(
  url: string,
  scope: Scope,
  log: BenchContext['log'],
): Promise<BenchRow[]> {
  const t = await openTestApp(url, await loadInstalledModules(), createCallerLoader)
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(`select set_config('app.owner_id', '${scope.ownerId}', false)`)
  const { token } = await t.call(login, { loginCode: 'bench', password: 'Anju2026' })
  const handler = defined(server.handlers.find(h => h.call === listResidents))
  /** The statements that the handler sends, caught on their way to the database. */
  const statements = async (query: ResidentSearch): Promise<readonly CapturedStatement[]> => {
    const { captured, db } = captureStatements(t.database.reader(scope.ownerId))
    const about = {
      db,
      scope,
      app: t.app,
      today: '2026-11-21',
      now: '2026-11-21 10:00:00',
      signal: new AbortController().signal,
    }
    await handler.run(query, castForTest(about))
    return captured
  }
  const rows: BenchRow[] = []
  try {
    for (const [label, query] of searches) {
      const captured = await statements(query)
      const ours: number[] = []
      const raw: number[] = []
      // Turn about, so that both meet the same minute.
      for (let i = -warmupRounds; i < rounds; i++) {
        const from = performance.now()
        const answer = await t.callRaw(listResidents, query, {
          token,
          ...(query.projectCode ? { projectCode: query.projectCode } : {}),
        })
        const half = performance.now()
        for (const [n, q] of captured.entries()) {
          await bare.query({ name: `${label} ${n}`, ...q, rowMode: 'array' })
        }
        if (i === 0) {
          log(`${label}：${JSON.stringify(answer).match(/"Total":(\d+)/)?.[1]} 位`)
        }
        if (i >= 0) {
          ours.push(half - from)
          raw.push(performance.now() - half)
        }
      }
      for (const part of [0.5, 0.95]) {
        rows.push(
          atMost(1.5, {
            label: `${label}，p${part * 100}`,
            ours: percentile(ours, part),
            raw: percentile(raw, part),
            unit: 'ms',
          }),
        )
      }
    }
    return rows
  } finally {
    await bare.end()
    await t.close()
  }
}
