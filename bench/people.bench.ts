import pg from 'pg'
import type { Scope } from '#kit/server/scope.ts'
import { openTestWorld } from '#kit/server/ground/world.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { callerOf } from '#modules/accounts/server/public.ts'
import { listResidents } from '#modules/residents/contract/resident.ts'
import { server } from '#modules/residents/server/index.ts'
import { installed } from '#apps/server/modules.ts'
import { atMost, type Context, type Row } from './bench.ts'
import { nameOf, town } from './people.ts'
import { estateCode, perEstate } from './rooms.ts'
import { catching, type Said } from './work.ts'

export const name = 'people'

const people = 1_000_000

/**
 * A server that has run all morning is warm, so the first calls don't count; a p95 of fewer would be one
 * unlucky call.
 */
const warming = 30
const rounds = 100
type Ask = NonNullable<typeof listResidents.input.T>

const asks: readonly (readonly [string, Ask])[] = [
  ['姓名全名', { size: 20, keyword: nameOf(12_345) }],
  ['姓名一部分（两个字）', { size: 20, keyword: nameOf(12_346).slice(1) }],
  ['手机尾号', { size: 20, keyword: '4217' }],
  ['房间', { size: 20, keyword: '12-2-1502' }],
  ['拼音', { size: 20, keyword: 'wangweifang' }],
  ['首字母三个', { size: 20, keyword: 'wwf' }],
  ['首字母两个，一个项目', { size: 20, keyword: 'wf', projectCode: estateCode(25) }],
]

const p = (all: readonly number[], part: number): number =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * part))]!

/**
 * Residents sought among a million with a million and a half homes: the whole call (a page with homes, total,
 * blocks) against its own statements on the bare driver.
 */
export async function run({ database, say }: Context): Promise<Row[]> {
  const url = await database()
  const who = await town(url, people / perEstate)
  say(`${people} 位住户`)
  return searching(url, who, say)
}

export async function searching(url: string, who: Scope, say: Context['say']): Promise<Row[]> {
  const t = await openTestWorld(url, await installed(), callerOf)
  const bare = new pg.Client({ connectionString: url })
  await bare.connect()
  await bare.query(`select set_config('app.owner_id', '${who.ownerId}', false)`)
  const { token } = await t.ask(login, { loginCode: 'bench', password: 'Anju2026' })
  const handler = server.handlers.find(h => h.call === listResidents)!
  /** The statements that the handler sends, caught on their way to the database. */
  const statements = async (ask: Ask): Promise<readonly Said[]> => {
    const { said, db } = catching(t.store.reader(who.ownerId))
    const about = {
      db,
      scope: who,
      world: t.world,
      today: '2026-11-21',
      now: '2026-11-21 10:00:00',
      signal: new AbortController().signal,
    }
    await (handler.run as (input: Ask, c: unknown) => Promise<unknown>)(ask, about)
    return said
  }
  const rows: Row[] = []
  try {
    for (const [what, ask] of asks) {
      const said = await statements(ask)
      const ours: number[] = []
      const raw: number[] = []
      // Turn about, so that both meet the same minute.
      for (let i = -warming; i < rounds; i++) {
        const from = performance.now()
        const answer = await t.say(listResidents, ask, {
          token,
          ...(ask.projectCode ? { projectCode: ask.projectCode } : {}),
        })
        const half = performance.now()
        for (const [n, q] of said.entries()) {
          await bare.query({ name: `${what} ${n}`, ...q, rowMode: 'array' })
        }
        if (i === 0) {
          say(`${what}：${JSON.stringify(answer).match(/"Total":(\d+)/)?.[1]} 位`)
        }
        if (i >= 0) {
          ours.push(half - from)
          raw.push(performance.now() - half)
        }
      }
      for (const part of [0.5, 0.95]) {
        rows.push(
          atMost(1.5, {
            what: `${what}，p${part * 100}`,
            ours: p(ours, part),
            raw: p(raw, part),
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
