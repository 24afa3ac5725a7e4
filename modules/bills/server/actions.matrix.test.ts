import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toRefused } from '#kit/server/handler.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalText } from '#kit/server/fixtures/refusal.ts'
import { analyzeTables } from '#db/golden/analyze.ts'
import { findViolations } from '#db/golden/invariants.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { openBilling } from './golden.fixtures.ts'
import { refreshLateFees } from './late-fee-refresh.ts'
import { openStage } from './actions.fixtures.ts'
import { type Scene, type Stage, type ActionCase, takeThree } from './action-stage.fixtures.ts'

/**
 * Two concurrent actions on one bill, relation or meter: the result equals that of running them one after the
 * other in either order; nobody is notified of more than that, and no two of them deadlock in a ring.
 */
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let stage: Stage
const project = 'VERBS'

beforeAll(async () => {
  ;({ t, me, ownerId } = await openBilling('GOLD0001'))
  stage = await openStage(t, me, ownerId, project, process.env.MATRIX ? 2600 : 400)
})

afterAll(() => t?.close())
const db = () => t.database.reader(ownerId)

const clashes = async (): Promise<number> =>
  Number(
    defined(
      await t.database
        .reader('*')
        .one<{ n: string }>(
          sql`select deadlocks::text as n from pg_stat_database where datname = current_database()`,
        ),
    ).n,
  )

/** An answer that may count what was done, and tell what was not. */
interface CountedAnswer {
  readonly success?: number
  readonly count?: number
  readonly rows?: readonly { readonly reason?: string }[]
}

const isCounted = (answer: unknown): answer is CountedAnswer => typeof answer === 'object' && answer !== null

/** The message that a caller got, without numbers that differ from room to room. */
async function collectMessage(v: ActionCase, s: Scene): Promise<string> {
  const bare = (text: string): string =>
    text
      .replace(/[A-Z]{2}\d{9,}(-\d+)*/g, 'NO')
      .replace(/\d+-\d+-\d+/g, 'ROOM')
      .replace(/N?\d{4,}/g, 'N')
  try {
    const answer = await stage.run(v, s)
    if (!isCounted(answer)) return 'done'
    if (answer.count === 0) return 'no: 没有可以出账的'
    return answer.success === undefined
      ? 'done'
      : answer.success
        ? `done ${answer.success}`
        : bare(`no: ${answer.rows?.[0]?.reason}`)
  } catch (e) {
    const r = toRefused(e)
    if (!r) throw e
    return bare(`no: ${refusalText(r)}`)
  }
}

/** Done or not, and what stands: which message refuses a caller depends on the order of arrival. */
const asText = ([a, b, books]: readonly (string | undefined)[]): string =>
  JSON.stringify([defined(a).startsWith('no'), defined(b).startsWith('no'), books])

const metered = (v: ActionCase): boolean => v.from === 'metered' || v.from === 'waiting'

/**
 * Pairs that take the same rows from two sides, or made something that neither saw. A twelfth of all others
 * is tried each time; `MATRIX=all` tries every pair, `MATRIX=split,end` those with one of these.
 */
const rings = new Set([
  'generate recover',
  'split merge',
  'split undo',
  'split end',
  'split reprice',
  'split pay',
  'merge abolish',
  'abolish recover',
  'abolish reprice',
  'abolish undo',
  'abolish pay',
  'abolish order',
  'abolish end',
  'abolishAll undo',
  'abolishAll end',
  'abolishAll deduct',
  'erase reprice',
  'recover undo',
  'reprice end',
  'reprice pay',
  'undo end',
  'pay deduct',
  'pay order',
  'refund refundAbolished',
  'refundAbolished end',
  'void refundAbolished',
  'generate refundAbolished',
  'bill bill',
  'bill meterRun',
  'bill putRight',
  'bill unread',
  'bill replace',
  'meterRun putRight',
  'meterRun replace',
  'gone halved',
  'gone replaced',
  'halved rerun',
])

it('any two concurrent actions equal the same two in some order', async () => {
  const before = await clashes()
  const names = Object.keys(stage.actions)
  const requested = process.env.MATRIX
  const allPairs = names.flatMap((a, i) =>
    names.slice(i).flatMap(b => {
      const [v, w] = [defined(stage.actions[a]), defined(stage.actions[b])]
      return metered(v) !== metered(w)
        ? []
        : v.from === w.from
          ? [[a, b, v.from] as const]
          : [[a, b, v.from] as const, [a, b, w.from] as const]
    }),
  )
  const pairs = allPairs.filter(
    ([a, b], i) =>
      requested === 'all' ||
      (requested
        ? requested.split(',').some(x => x === a || x === b)
        : rings.has(`${a} ${b}`) || i % 12 === 0),
  )
  const faults: string[] = []
  const scenesPerPair = 3
  const scenes = await stage.scenes(
    pairs.flatMap(([a, b, status]) =>
      Array.from({ length: scenesPerPair }, () => ({
        status,
        batch: [a, b].includes('undo'),
        hasPrestore: [a, b].includes('deduct'),
      })),
    ),
  )
  // The nightly job touches everybody's bills: computed beforehand, it changes none of them while the actions
  // run.
  await refreshLateFees(t.database, ownerId, '2026-11-21')
  // As autovacuum does in operation: without statistics every statement on a batch or a room reads all bills.
  await t.database.tx(ownerId, tx => analyzeTables(tx, 'bill', 'bill_month', 'fee_relation', 'meter_reading'))
  await Promise.all(
    [0, 1, 2].map(async lane => {
      for (let k = lane; k < pairs.length; k += 3) {
        const [a, b, from] = defined(pairs[k])
        const [v, w] = [defined(stage.actions[a]), defined(stage.actions[b])]
        const [x, y, z] = takeThree(scenes, k * scenesPerPair)
        const first = [await collectMessage(v, x), await collectMessage(w, x), await stage.snapshot(x)]
        const second = (([q, p]) => [p, q])([await collectMessage(w, y), await collectMessage(v, y)]).concat(
          await stage.snapshot(y),
        )
        const at = [
          ...(await Promise.all([collectMessage(v, z), collectMessage(w, z)])),
          await stage.snapshot(z),
        ]
        if (asText(at) !== asText(first) && asText(at) !== asText(second)) {
          faults.push(
            [
              `${a} × ${b} from ${from}`,
              `  at once: ${at.join(' | ')}`,
              `  ${a} first: ${first.join(' | ')}`,
              `  ${b} first: ${second.join(' | ')}`,
            ].join('\n'),
          )
        }
        if (at.some(message => /系统错误|同时操作的人较多/.test(message))) {
          faults.push(`${a} × ${b} from ${from}: ${at.join(' | ')}`)
        }
      }
    }),
  )
  expect(faults).toEqual([])
  expect(await findViolations(db(), ownerId)).toEqual([])
  await new Promise(done => setTimeout(done, 1200))
  expect((await clashes()) - before).toBe(0)
}, 600_000)
