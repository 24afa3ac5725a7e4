import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { insert } from '#kit/server/table.ts'
import {
  changePrice,
  correctVersion,
  deleteVersion,
  listVersions,
  type StandardVersion,
} from '#modules/fees/contract/standard.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { abolishBills, recoverBills } from '../contract/actions.ts'
import { billRun, type BillRun } from '../contract/bill.ts'
import { repriceable } from '../contract/reprice.ts'
import { addPreFee } from '../contract/temporary.ts'
import { bind, generateNow, layFee, places, scopeOf, type Fee, type Place } from './generate.ground.ts'
import { goldenOwner } from './golden.ground.ts'
import { numberBook } from './number.ts'
import { prepareRun } from './run-scope.ts'
import { workOff, type Work } from './run-work.ts'

const project = 'GOLD0001'
const today = '2026-11-21'
const month = '2026-09'
let t: GoldenWorld
let me: As
let owner = 0
let rooms: Place[] = []

beforeAll(async () => {
  t = await openGolden()
  me = await t.as(golden.first.owner)
  owner = await goldenOwner(t.store)
  rooms = (await places(t.store.reader(owner), owner, project)).slice(0, 4)
})

afterAll(() => t?.close())
const who = () => scopeOf(owner)

const fee = (some = rooms, more: object = {}): Promise<Fee & { relations: number[] }> =>
  t.store.tx(owner, async tx => {
    const f = await layFee(tx, who(), project, { formula: { formulaType: 'fixed' }, price: '2850' })
    return { ...f, relations: await bind(tx, who(), project, f, some, more) }
  })

const run = (f: Fee) =>
  generateNow(t.store, who(), project, month, today, { standardIds: [String(f.standardId)] })

const versions = (f: Fee) => t.ask(listVersions, { standardId: f.standardId }, me)
const first = async (f: Fee): Promise<StandardVersion> => (await versions(f)).at(-1)!

const right = (v: StandardVersion, price = '285', more: object = {}) =>
  t.ask(correctVersion, { id: v.id, version: v.version, price, reason: '小数点录错', ...more } as never, me)

const refusal = async (p: Promise<unknown>): Promise<Refused> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as Refused
}

const bills = (f: Fee) =>
  t.store.reader(owner).rows<{ id: number; amount: string }>(
    sql`
        select id, amount::text
        from bill
        where owner_id = ${owner} and standard_id = ${f.standardId} and delete_tag = 0 and state = 20
        order by id
      `,
  )

const amounts = async (f: Fee): Promise<string[]> => (await bills(f)).map(b => b.amount)

it('FEE-6 a first price that no bill used is put right for its own day; what it was and is stays written', async () => {
  const f = await fee()
  const v = await first(f)
  expect([v.effectiveDate, v.price, v.used]).toEqual(['2020-01-01', '2850', false])
  expect((await refusal(right(v, undefined, { price: undefined }))).data).toEqual([
    { Field: 'Price', Message: '单价不能为空' },
  ])
  const now = await right(v)
  expect([
    now.effectiveDate,
    now.price,
    (await versions(f)).map(x => [x.effectiveDate, x.price, x.used]),
  ]).toEqual(['2020-01-01', '285', [['2020-01-01', '285', false]]])
  expect(
    await t.store.reader(owner).rows(
      sql`
          select before, after, reason
          from audit_log
          where owner_id = ${owner} and entity = 'feeStandardVersion' and entity_id = ${now.id}
        `,
    ),
  ).toEqual([{ before: { price: '2850' }, after: { price: '285' }, reason: '小数点录错' }])
  // Whoever looked before is told to look again.
  expect((await refusal(right(v, '300'))).message).toContain('不存在')
  await run(f)
  expect(await amounts(f)).toEqual(Array(4).fill('285.00'))
  expect((await first(f)).used).toBe(true)
})

it('FEE-6 of several versions the unused one is put right between its days; the one that bills use is refused in words that say what to do', async () => {
  const f = await fee()
  await run(f)
  await t.ask(
    changePrice,
    { standardId: f.standardId, effectiveDate: '2027-01-01', price: '3000', reason: '调价' } as never,
    me,
  )
  const [later, old] = await versions(f)
  expect([later!.used, old!.used]).toEqual([false, true])
  await right(later!, '300')
  expect((await versions(f)).map(x => [x.effectiveDate, x.endDate, x.price, x.reason])).toEqual([
    ['2027-01-01', undefined, '300', '调价'],
    ['2020-01-01', '2026-12-31', '2850', undefined],
  ])
  expect((await refusal(right(old!))).message).toBe(
    '2020-01-01 起的价格已有 4 张未缴账单在用，不能直接更正。请先作废这些账单，更正后重新出账；或从后面的一天起调价，再按新价格重新生成',
  )
  const [one] = await bills(f)
  await t.store.tx(owner, tx =>
    tx.run(sql`update bill set paid_principal = 1 where owner_id = ${owner} and id = ${one!.id}`),
  )
  expect((await refusal(right(old!))).message).toBe(
    '2020-01-01 起的价格已有 4 张账单在用，其中 1 张收过钱，不能更正。请从后面的一天起调价，未缴的账单可在调价后按新价格重新生成',
  )
  expect((await versions(f)).at(-1)!.price).toBe('2850')
})

it('FEE-6 abolished bills do not hold a price; brought back they are offered to be made anew by the right one', async () => {
  const f = await fee()
  await run(f)
  const made = await bills(f)
  const ids = made.map(b => String(b.id))
  await t.ask(abolishBills, { ids, reason: '单价录错' }, me)
  await right(await first(f))
  await t.ask(recoverBills, { ids: ids.slice(0, 1), reason: '误作废' }, me)
  expect(
    (await t.ask(repriceable, { standardId: f.standardId }, me)).rows.map(r => [r.id, r.amount, r.next]),
  ).toEqual([[made[0]!.id, 285_000, 28_500]])
  await run(f)
  expect((await amounts(f)).toSorted()).toEqual(['285.00', '285.00', '285.00', '2850.00'])
})

/** A run that has read its prices, and what its chunks do besides. */
async function begun(f: Fee, more: Partial<Work> = {}) {
  const asked = { standardIds: [String(f.standardId)] }
  const ready = () => prepareRun(t.store.reader(owner), who(), project, asked, { month, today })
  const p = await ready()
  const row = await t.store.tx(
    owner,
    tx =>
      insert(tx, billRun, who(), {
        projectCode: project,
        batchNo: `RACE${f.standardId}`,
        kind: 'wizard',
        month,
        scope: asked,
        total: 4,
        done: 0,
        afterId: 0,
        made: 0,
        behind: 0,
        amount: 0,
        state: 'running',
      }) as Promise<BillRun>,
  )
  return () =>
    workOff(
      {
        store: t.store,
        scope: who(),
        state: 'normal',
        source: 'auto',
        numbers: numberBook(t.store, owner, today),
        save: async () => {},
        told: () => {},
        atOnce: 2,
        anew: ready,
        ...more,
      },
      p,
      row,
    )
}

it('FEE-6 a run that read the wrong price makes nothing by it once it is put right', async () => {
  const f = await fee()
  const go = await begun(f)
  await right(await first(f))
  expect((await go()).made).toBe(4)
  expect(await amounts(f)).toEqual(Array(4).fill('285.00'))
})

it('FEE-6 bills that are being written by a price can not be seen yet: whoever puts it right waits, and is refused', async () => {
  const f = await fee()
  const v = await first(f)
  let righted: Promise<Refused> | undefined
  const go = await begun(f, {
    save: async () => {
      if (righted) return
      righted = refusal(right(v))
      await new Promise(r => setTimeout(r, 300))
    },
  })
  expect((await go()).made).toBe(4)
  expect((await righted!).message).toContain('张未缴账单在用')
  expect([await amounts(f), (await versions(f)).map(x => x.price)]).toEqual([
    Array(4).fill('2850.00'),
    ['2850'],
  ])
})

it('FEE-6 a price put right while bills are made: all of them by the one that stands', async () => {
  for (let i = 0; i < 6; i++) {
    const f = await fee()
    const v = await first(f)
    const go = await begun(f, { atOnce: 1 })
    const [, said] = await Promise.all([
      go(),
      new Promise(r => setTimeout(r, i * 8))
        .then(() => right(v))
        .then(
          () => 'right',
          e => {
            if (!(e instanceof Refused)) throw e
            return 'refused'
          },
        ),
    ])
    expect([await amounts(f), (await first(f)).price]).toEqual(
      said === 'right' ? [Array(4).fill('285.00'), '285'] : [Array(4).fill('2850.00'), '2850'],
    )
  }
})

it('FEE-6, TMP-2 a change taken back meanwhile is not paid ahead by; two clerks put a price right once', async () => {
  const f = await fee(rooms.slice(0, 1), { billedTo: '2026-12-31' })
  const v = await first(f)
  await t.ask(
    changePrice,
    { standardId: f.standardId, effectiveDate: '2027-01-01', price: '99', reason: '调价' } as never,
    me,
  )
  const [coming] = await versions(f)
  await Promise.allSettled([
    t.ask(addPreFee, { relationIds: [String(f.relations[0])], count: 1 } as never, me),
    t.ask(deleteVersion, { id: coming!.id, reason: '暂不调价' }, me),
  ])
  const used = await t.store.reader(owner).rows(
    sql`
        select 1
        from bill b, jsonb_array_elements(b.calc_snapshot -> 'parts') p
        where b.owner_id = ${owner}
          and b.standard_id = ${f.standardId}
          and b.delete_tag = 0
          and not exists (
            select 1
            from fee_standard_version v
            where v.owner_id = b.owner_id and v.id = (p ->> 'version')::bigint and v.delete_tag = 0
          )
      `,
  )
  expect(used).toEqual([])
  const g = await fee(rooms.slice(0, 1))
  const w = await first(g)
  const both = await Promise.allSettled(['1', '2'].map(p => right(w, p)))
  expect([both.map(b => b.status).toSorted(), (await versions(g)).length, v.id]).toEqual([
    ['fulfilled', 'rejected'],
    1,
    v.id,
  ])
})
