import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { insert } from '#kit/server/table.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { type StandardVersion } from '#modules/fees/contract/standard.ts'
import {
  changePrice,
  correctVersion,
  deleteVersion,
  listVersions,
} from '#modules/fees/contract/standard-calls.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { abolishBills, recoverBills } from '../contract/actions.ts'
import { billRun } from '../contract/bill.ts'
import { listRepriceable } from '../contract/reprice.ts'
import { addPreFee } from '../contract/temporary.ts'
import {
  bindRooms,
  generateNow,
  seedFee,
  findSeededRooms,
  testScope,
  type SeededFee,
  type SeededRoom,
} from './generate.fixtures.ts'
import { prepareRun } from './run-scope.ts'
import { executeRun } from './run-engine.ts'
import { type RunOptions } from './run-chunk.ts'

const project = 'GOLD0001'
const today = '2026-11-21'
const month = '2026-09'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  ownerId = t.ownerId
  rooms = (await findSeededRooms(t.database.reader(ownerId), ownerId, project)).slice(0, 4)
})

afterAll(() => t?.close())
const scope = () => testScope(ownerId)

const fee = (chargedRooms = rooms, overrides: object = {}): Promise<SeededFee & { relations: number[] }> =>
  t.database.tx(ownerId, async tx => {
    const f = await seedFee(tx, scope(), project, { formula: { formulaType: 'fixed' }, price: '2850' })
    return { ...f, relations: await bindRooms(tx, scope(), project, f, chargedRooms, overrides) }
  })

const run = (f: SeededFee) =>
  generateNow(t.database, scope(), project, month, today, { standardIds: [String(f.standardId)] })

const versions = (f: SeededFee) => t.call(listVersions, { standardId: f.standardId }, me)
const first = async (f: SeededFee): Promise<StandardVersion> => defined((await versions(f)).at(-1))

const correctPrice = (v: StandardVersion, price = '285', overrides: object = {}) =>
  t.call(
    correctVersion,
    { id: v.id, version: defined(v.version), price, reason: '小数点录错', ...overrides },
    me,
  )

const bills = (f: SeededFee) =>
  t.database.reader(ownerId).rows<{ id: Id; amount: string }>(
    sql`
        select id, amount::text
        from bill
        where owner_id = ${ownerId} and standard_id = ${f.standardId} and delete_tag = 0 and state = 20
        order by id
      `,
  )

const amounts = async (f: SeededFee): Promise<string[]> => (await bills(f)).map(b => b.amount)

it('FEE-6 a first price that no bill used is put right for its own day; what it was and is stays written', async () => {
  const f = await fee()
  const v = await first(f)
  expect([v.effectiveDate, v.price, v.used]).toEqual(['2020-01-01', '2850', false])
  expect((await refusalOf(correctPrice(v, undefined, { price: undefined }))).data).toEqual([
    { Field: 'Price', Message: '单价不能为空' },
  ])
  const now = await correctPrice(v)
  expect([
    now.effectiveDate,
    now.price,
    (await versions(f)).map(x => [x.effectiveDate, x.price, x.used]),
  ]).toEqual(['2020-01-01', '285', [['2020-01-01', '285', false]]])
  expect(
    await t.database.reader(ownerId).rows(
      sql`
          select before, after, reason
          from audit_log
          where owner_id = ${ownerId} and entity = 'feeStandardVersion' and entity_id = ${now.id}
        `,
    ),
  ).toEqual([{ before: { price: '2850' }, after: { price: '285' }, reason: '小数点录错' }])
  // A person who saw the older state is asked to reload.
  expect((await refusalOf(correctPrice(v, '300'))).message).toContain('不存在')
  await run(f)
  expect(await amounts(f)).toEqual(Array(4).fill('285.00'))
  expect((await first(f)).used).toBe(true)
})

it('FEE-6 of several versions the unused one is put right between its days; the one that bills use is refused with a message that say what to do', async () => {
  const f = await fee()
  await run(f)
  await t.call(
    changePrice,
    { standardId: f.standardId, effectiveDate: '2027-01-01', price: '3000', reason: '调价' },
    me,
  )
  const [later, old] = await versions(f)
  expect([defined(later).used, defined(old).used]).toEqual([false, true])
  await correctPrice(defined(later), '300')
  expect((await versions(f)).map(x => [x.effectiveDate, x.endDate, x.price, x.reason])).toEqual([
    ['2027-01-01', undefined, '300', '调价'],
    ['2020-01-01', '2026-12-31', '2850', undefined],
  ])
  expect((await refusalOf(correctPrice(defined(old)))).message).toBe(
    '2020-01-01 起的价格已有 4 张未缴账单在用，不能直接更正。请先作废这些账单，更正后重新出账；或自其后的日期起调价，再按新价格重新生成',
  )
  const [one] = await bills(f)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set paid_principal = 1
      where owner_id = ${ownerId}
        and id = ${defined(one).id}
    `),
  )
  expect((await refusalOf(correctPrice(defined(old)))).message).toBe(
    '2020-01-01 起的价格已有 4 张账单在用，其中 1 张已收款，不能更正。请自其后的日期起调价，未缴的账单可在调价后按新价格重新生成',
  )
  expect(defined((await versions(f)).at(-1)).price).toBe('2850')
})

it('FEE-6 abolished bills do not block a correction; once recovered they are listed to be reissued at the corrected price', async () => {
  const f = await fee()
  await run(f)
  const made = await bills(f)
  const ids = made.map(b => String(b.id))
  await t.call(abolishBills, { ids, reason: '单价录错' }, me)
  await correctPrice(await first(f))
  await t.call(recoverBills, { ids: ids.slice(0, 1), reason: '误作废' }, me)
  expect(
    (await t.call(listRepriceable, { standardId: f.standardId }, me)).rows.map(r => [r.id, r.amount, r.next]),
  ).toEqual([[defined(made[0]).id, 285_000, 28_500]])
  await run(f)
  expect((await amounts(f)).toSorted()).toEqual(['285.00', '285.00', '285.00', '2850.00'])
})

/** A run that has read its prices, and what its chunks do besides. */
async function beginRun(f: SeededFee, overrides: Partial<RunOptions> = {}) {
  const request = { standardIds: [String(f.standardId)] }
  const ready = () => prepareRun(t.database.reader(ownerId), scope(), project, request, { month, today })
  const p = await ready()
  const row = await t.database.tx(ownerId, tx =>
    insert(tx, billRun, scope(), {
      projectCode: project,
      batchNo: `RACE${f.standardId}`,
      kind: 'wizard',
      month,
      scope: request,
      total: 4,
      done: 0,
      afterId: 0,
      made: 0,
      behind: 0,
      amount: 0,
      state: 'running',
    }),
  )
  return () =>
    executeRun(
      {
        database: t.database,
        scope: scope(),
        state: 'normal',
        source: 'auto',
        today,
        save: async () => {},
        onProgress: () => {},
        chunkSize: 2,
        reloadRun: ready,
        ...overrides,
      },
      p,
      row,
    )
}

it('FEE-6 a run that read the wrong price makes nothing by it once it is put right', async () => {
  const f = await fee()
  const go = await beginRun(f)
  await correctPrice(await first(f))
  expect((await go()).made).toBe(4)
  expect(await amounts(f)).toEqual(Array(4).fill('285.00'))
})

it('FEE-6 a correction waits for bills that are being written with that price, and is then refused', async () => {
  const f = await fee()
  const v = await first(f)
  let righted: Promise<Refused> | undefined
  const go = await beginRun(f, {
    save: async () => {
      if (righted) return
      righted = refusalOf(correctPrice(v))
      await new Promise(r => setTimeout(r, 300))
    },
  })
  expect((await go()).made).toBe(4)
  expect((await defined(righted)).message).toContain('张未缴账单在用')
  expect([await amounts(f), (await versions(f)).map(x => x.price)]).toEqual([
    Array(4).fill('2850.00'),
    ['2850'],
  ])
})

it('FEE-6 a price put right while bills are made: all of them by the one that stands', async () => {
  for (let i = 0; i < 6; i++) {
    const f = await fee()
    const v = await first(f)
    const go = await beginRun(f, { chunkSize: 1 })
    const [, outcome] = await Promise.all([
      go(),
      new Promise(r => setTimeout(r, i * 8))
        .then(() => correctPrice(v))
        .then(
          () => 'right',
          e => {
            if (!(e instanceof Refused)) throw e
            return 'refused'
          },
        ),
    ])
    expect([await amounts(f), (await first(f)).price]).toEqual(
      outcome === 'right' ? [Array(4).fill('285.00'), '285'] : [Array(4).fill('2850.00'), '2850'],
    )
  }
})

it('FEE-6, TMP-2 a price change withdrawn concurrently is not used for prepayment; two clerks correct a price once', async () => {
  const f = await fee(rooms.slice(0, 1), { billedTo: '2026-12-31' })
  const v = await first(f)
  await t.call(
    changePrice,
    { standardId: f.standardId, effectiveDate: '2027-01-01', price: '99', reason: '调价' },
    me,
  )
  const [coming] = await versions(f)
  await Promise.allSettled([
    t.call(addPreFee, { relationIds: [String(f.relations[0])], count: 1 }, me),
    t.call(deleteVersion, { id: defined(coming).id, reason: '暂不调价' }, me),
  ])
  const used = await t.database.reader(ownerId).rows(
    sql`
        select 1
        from bill b, jsonb_array_elements(b.calc_snapshot -> 'parts') p
        where b.owner_id = ${ownerId}
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
  const outcomes = await Promise.allSettled(['1', '2'].map(p => correctPrice(w, p)))
  expect([outcomes.map(b => b.status).toSorted(), (await versions(g)).length, v.id]).toEqual([
    ['fulfilled', 'rejected'],
    1,
    v.id,
  ])
})
