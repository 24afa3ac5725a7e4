import { afterAll, beforeAll, expect, it } from 'vitest'
import { Cut, cutting } from '#kit/server/ground/fault.ts'
import { sql } from '#kit/server/db.ts'
import type { World } from '#kit/server/world.ts'
import { faultsIn } from '../../../db/golden/books.ts'
import type { GoldenWorld } from '../../../db/golden/world.ts'
import { openBilling } from './golden.ground.ts'
import { openStage, type Scene, type Stage, type Status, type Verb } from './verbs.ground.ts'

/**
 * Every deed on bills, readings and relations, cut at each of its statements, asked for again, and asked for
 * twice at once: it happens once or not at all, and who asks again hears the first answer.
 */
let t: GoldenWorld
let owner = 0
let stage: Stage

beforeAll(async () => {
  const o = await openBilling('GOLD0001')
  ;({ t, owner } = o)
  stage = await openStage(t, o.me, owner, 'VERBS', 150)
})

afterAll(() => t?.close())

const world = (): { -readonly [K in keyof World]: World[K] } => t.world as never

/** The deed with its connection cut at a moment, or nowhere; the answer is nothing where it was cut. */
async function struck(
  v: Verb,
  s: Scene,
  uuid: string,
  at: number,
): Promise<{ readonly answer: string | undefined; readonly moments: number }> {
  const store = cutting(t.store, at)
  world().store = store
  try {
    return { answer: await stage.say(v, s, uuid), moments: store.said }
  } catch (e) {
    if (e instanceof Cut) return { answer: undefined, moments: store.said }
    throw e
  } finally {
    world().store = t.store
  }
}

it('cut at every statement, it has not happened; asked again it has, once; twins are told the same', async () => {
  const verbs = Object.entries(stage.verbs).filter(
    ([, v]) =>
      typeof v.deed({ bills: [], room: {} } as never) !== 'function' &&
      !process.env.VERBS?.split(',').every(n => stage.verbs[n] !== v),
  )
  const scenes = await stage.scenes(
    verbs.flatMap(([name, v]) =>
      [1, 2, 3].map(() => ({ status: v.from as Status, batch: name === 'undo', purse: name === 'deduct' })),
    ),
  )
  const refused: string[] = []
  for (const [i, [name, v]] of verbs.entries()) {
    const [whole, cut, twins] = scenes.slice(i * 3, i * 3 + 3) as [Scene, Scene, Scene]
    const { answer: first, moments } = await struck(v, whole, `whole-${name}`, Infinity)
    if (!first!.includes('"Code":10000')) {
      refused.push(name)
      continue
    }
    expect([name, moments > 4]).toEqual([name, true])
    const right = await stage.stands(whole)
    const before = await stage.stands(cut)
    const uuid = `cut-${name}`
    for (let at = 1; at < moments; at++) {
      expect([name, at, (await struck(v, cut, uuid, at)).answer]).toEqual([name, at, undefined])
    }
    expect([name, await stage.stands(cut)]).toEqual([name, before])
    // The last moment is after the commit, when only the answer is lost.
    expect([name, (await struck(v, cut, uuid, moments)).answer, await stage.stands(cut)]).toEqual([
      name,
      undefined,
      right,
    ])
    const answer = await stage.say(v, cut, uuid)
    expect([name, await stage.say(v, cut, uuid), await stage.stands(cut)]).toEqual([name, answer, right])
    const said = await Promise.all([1, 2].map(() => stage.say(v, twins, `twin-${name}`)))
    expect([
      name,
      new Set([...said, await stage.say(v, twins, `twin-${name}`)]).size,
      await stage.stands(twins),
    ]).toEqual([name, 1, right])
  }
  // A billed reading is not put right: there is nothing to cut.
  expect(refused).toEqual(['putWrong'])
  expect(await faultsIn(t.store.reader(owner), owner)).toEqual([])
  expect(
    await t.store
      .reader(owner)
      .rows(sql`select call from idempotent_request where owner_id = ${owner} and answer is null`),
  ).toEqual([])
}, 120_000)
