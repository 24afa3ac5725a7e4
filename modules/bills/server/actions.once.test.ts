import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConnectionCut, cutAt } from '#kit/server/fixtures/fault-injection.ts'
import { sql } from '#kit/server/db.ts'
import type { App } from '#kit/server/app.ts'
import { findViolations } from '#db/golden/invariants.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { openBilling } from './golden.fixtures.ts'
import { openStage } from './actions.fixtures.ts'
import { type Scene, type Stage, type ActionCase, takeThree } from './action-stage.fixtures.ts'

/**
 * Every action on bills, readings and relations, cut off at each of its statements, sent again, and sent
 * twice at once: it happens once or not at all, and a repeated request gets the first answer.
 */
let t: GoldenApp
let ownerId: Id = 0
let stage: Stage

beforeAll(async () => {
  const o = await openBilling('GOLD0001')
  ;({ t, ownerId } = o)
  stage = await openStage(t, o.me, ownerId, 'VERBS', 150)
})

afterAll(() => t?.close())

const mutableApp = (): { -readonly [K in keyof App]: App[K] } => t.app

/** The action with its connection cut at a statement, or never; the answer is undefined where it was cut. */
async function askWithCut(
  v: ActionCase,
  s: Scene,
  uuid: string,
  at: number,
): Promise<{ readonly answer: string | undefined; readonly moments: number }> {
  const database = cutAt(t.database, at)
  mutableApp().database = database
  try {
    return { answer: await stage.askRaw(v, s, uuid), moments: database.moments }
  } catch (e) {
    if (e instanceof ConnectionCut) return { answer: undefined, moments: database.moments }
    throw e
  } finally {
    mutableApp().database = t.database
  }
}

it('cut at every statement, nothing has happened; a retry succeeds once, and a repeated request gets the stored answer', async () => {
  const cases = Object.entries(stage.actions).filter(
    ([, v]) =>
      typeof v.run({
        relation: 0,
        bills: [],
        bill: 0,
        batch: 0,
        room: { code: '', path: '', buildCode: '' },
      }) !== 'function' && !process.env.ACTIONS?.split(',').every(n => stage.actions[n] !== v),
  )
  const scenes = await stage.scenes(
    cases.flatMap(([name, v]) =>
      [1, 2, 3].map(() => ({
        status: v.from,
        batch: name === 'undo',
        hasPrestore: name === 'deduct',
      })),
    ),
  )
  const refused: string[] = []
  for (const [i, [name, v]] of cases.entries()) {
    const [complete, cut, twice] = takeThree(scenes, i * 3)
    const { answer: first, moments } = await askWithCut(v, complete, `whole-${name}`, Infinity)
    if (!defined(first).includes('"Code":10000')) {
      refused.push(name)
      continue
    }
    expect([name, moments > 4]).toEqual([name, true])
    const right = await stage.snapshot(complete)
    const before = await stage.snapshot(cut)
    const uuid = `cut-${name}`
    for (let at = 1; at < moments; at++) {
      expect([name, at, (await askWithCut(v, cut, uuid, at)).answer]).toEqual([name, at, undefined])
    }
    expect([name, await stage.snapshot(cut)]).toEqual([name, before])
    // The last moment is after the commit, when only the answer is lost.
    expect([name, (await askWithCut(v, cut, uuid, moments)).answer, await stage.snapshot(cut)]).toEqual([
      name,
      undefined,
      right,
    ])
    const answer = await stage.askRaw(v, cut, uuid)
    expect([name, await stage.askRaw(v, cut, uuid), await stage.snapshot(cut)]).toEqual([name, answer, right])
    const answers = await Promise.all([1, 2].map(() => stage.askRaw(v, twice, `twin-${name}`)))
    expect([
      name,
      new Set([...answers, await stage.askRaw(v, twice, `twin-${name}`)]).size,
      await stage.snapshot(twice),
    ]).toEqual([name, 1, right])
  }
  // A billed reading is not put right: there is nothing to cut.
  expect(refused).toEqual(['putWrong'])
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
  expect(
    await t.database
      .reader(ownerId)
      .rows(sql`select call from idempotent_request where owner_id = ${ownerId} and answer is null`),
  ).toEqual([])
}, 120_000)
