import { asId, type Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { asFen } from '#kit/domain/money.ts'
import { type Month, lastDay } from '#kit/domain/month.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { abolishBills, recoverBills } from '../contract/actions.ts'
import { billGaps, listGaps, markGaps } from '../contract/gaps.ts'
import { previewBills, undoRun } from '../contract/run.ts'
import { bindRooms, generateNow, seedFee, testScope, type SeededFee } from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'
import { bookRefund } from './ledger.ts'
import { latestUndueDay, planRelations } from './run-plan.ts'
import { findNextRelations } from '#modules/fees/server/public.ts'
import { isAutoBilled, prepareRun } from './run-scope.ts'

const project = 'GOLD0001'
const today: Day = '2026-11-21'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: Awaited<ReturnType<typeof openBilling>>['rooms'] = []
let used = 0

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
})

afterAll(() => t?.close())

interface Charge {
  readonly fee: SeededFee
  readonly code: string
  readonly relation: number
}

/** A room charged 100.00 a month from January on. */
async function charge(overrides: object = {}): Promise<Charge> {
  const room = defined(rooms[used++])
  return t.database.tx(ownerId, async tx => {
    const fee = await seedFee(tx, testScope(ownerId), project, {
      formula: { formulaType: 'fixed' },
      price: '100',
    })
    const [relation] = await bindRooms(tx, testScope(ownerId), project, fee, [room], {
      beginDate: '2026-01-01',
      ...overrides,
    })
    return { fee, code: room.code, relation: defined(relation) }
  })
}

const request = (c: Charge) => ({ standardIds: [String(c.fee.standardId)], sourceCodes: [c.code] })
const bill = (c: Charge, month: Month, overrides: object = {}) =>
  generateNow(t.database, testScope(ownerId), project, month, today, { ...request(c), ...overrides })

const billsOf = async (c: Charge) =>
  t.database.reader(ownerId).rows<{ id: Id; begin: Day; end: Day; batchNo: string }>(sql`
    select id, begin_date as begin, end_date as end, batch_no
    from bill
    where owner_id = ${ownerId}
      and source_code = ${c.code}
      and fee_item_id = ${c.fee.itemId}
      and state in (10, 20, 50)
      and delete_tag = 0
    order by begin_date
  `)

const monthsOf = async (c: Charge): Promise<string[]> => (await billsOf(c)).map(b => b.begin.slice(0, 7))

const billOf = async (c: Charge, month: Month) =>
  defined((await billsOf(c)).find(b => b.begin === `${month}-01`))

const abolish = async (c: Charge, month: Month, periodAfter?: 'rebill' | 'waived') =>
  t.call(
    abolishBills,
    { ids: [String((await billOf(c, month)).id)], reason: '开错了', ...(periodAfter ? { periodAfter } : {}) },
    me,
  )

const gapRows = async (c: Charge, month: Month, overrides: object = {}) =>
  (await t.call(previewBills, { projectCode: project, month, ...request(c), ...overrides }, me)).rows.flatMap(
    row => (row.group === 'gap' ? [[row.begin, row.selectedByDefault, row.amount, row.periodAfter]] : []),
  )

const listed = async (c: Charge) =>
  (await t.call(listGaps, { projectCode: project }, me)).filter(gap => gap.relationId === c.relation)

const nightly = async (c: Charge, on: Day): Promise<string[]> => {
  const db = t.database.reader(ownerId)
  const timing = {
    today: on,
    due: (x: Parameters<typeof latestUndueDay>[0]) => latestUndueDay(x, on),
    only: isAutoBilled,
  }
  const prepared = await prepareRun(db, testScope(ownerId), project, request(c), timing)
  const billingRelations = await findNextRelations(db, ownerId, { ...prepared.walk, after: 0, limit: 10 })
  return (await planRelations(db, prepared.run, billingRelations)).bills.map(b => b.line.begin)
}

it('an abolished February is shown by every later run, unselected, and stays listed until billed (GEN-3, CYC-4)', async () => {
  const c = await charge()
  await bill(c, '2026-03')
  await abolish(c, '2026-02')
  await bill(c, '2026-04')
  expect(await monthsOf(c)).toEqual(['2026-01', '2026-03', '2026-04'])
  expect(await gapRows(c, '2026-05')).toEqual([['2026-02-01', false, 10000, undefined]])
  const [gap] = await listed(c)
  expect(gap).toMatchObject({ begin: '2026-02-01', end: '2026-02-28', amount: 10000 })
  expect(defined(gap).cause).toMatch(/作废：开错了$/)
  expect(await nightly(c, '2026-05-02')).toEqual(['2026-05-01'])
  await bill(c, '2026-05', { gaps: [defined(gap).key] })
  expect(await monthsOf(c)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'])
  expect(await listed(c)).toEqual([])
})

it('重新出账 ticks the gap and the night bills it; 不再收取 hides it permanently (GEN-3)', async () => {
  const c = await charge()
  await bill(c, '2026-04')
  await abolish(c, '2026-02', 'rebill')
  await abolish(c, '2026-03', 'waived')
  expect(await gapRows(c, '2026-05')).toEqual([['2026-02-01', true, 10000, 'rebill']])
  expect((await listed(c)).map(gap => gap.begin)).toEqual(['2026-02-01'])
  expect(await nightly(c, '2026-04-20')).toEqual(['2026-02-01'])
  expect(await gapRows(c, '2026-03')).toEqual([['2026-02-01', true, 10000, 'rebill']])
  await bill(c, '2026-05')
  expect(await monthsOf(c)).toEqual(['2026-01', '2026-02', '2026-04', '2026-05'])
})

it('不再收取 at the end is not billed by the next run either, and a recovered bill forgets it (GEN-3)', async () => {
  const c = await charge()
  await bill(c, '2026-03')
  const { id } = await billOf(c, '2026-03')
  await abolish(c, '2026-03', 'waived')
  await bill(c, '2026-04')
  expect(await monthsOf(c)).toEqual(['2026-01', '2026-02', '2026-04'])
  expect(await listed(c)).toEqual([])
  await t.call(recoverBills, { ids: [String(id)], reason: '仍要收' }, me)
  expect(await monthsOf(c)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04'])
  await abolish(c, '2026-03')
  expect((await listed(c)).map(gap => gap.begin)).toEqual(['2026-03-01'])
})

it('an undone batch with a paid month, and a refund with abolition, leave gaps with their word (GEN-3, GEN-7, REF-2)', async () => {
  const c = await charge()
  await bill(c, '2026-03')
  const [january, , march] = await billsOf(c)
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`
      update bill
      set paid_principal = amount, pay_state = 1
      where owner_id = ${ownerId} and id = any(${[defined(january).id, defined(march).id]})
    `),
  )
  const run = await t.database
    .reader(ownerId)
    .one<{ id: Id }>(
      sql`select id from bill_run where owner_id = ${ownerId} and batch_no = ${defined(march).batchNo}`,
    )
  await t.call(undoRun, { id: defined(run).id, onlyUnpaid: true, reason: '单价有误' }, me)
  expect(await gapRows(c, '2026-04')).toEqual([['2026-02-01', true, 10000, 'rebill']])
  await t.database.tx(ownerId, tx =>
    bookRefund(
      tx,
      testScope(ownerId),
      [{ billId: defined(january).id, principal: asFen(10000), late: 0 }],
      'abolished',
      {
        day: today,
        from: { type: 'refund', id: asId(1) },
        reason: '退房',
        periodAfter: 'waived',
      },
    ),
  )
  expect(await gapRows(c, '2026-04')).toEqual([['2026-02-01', true, 10000, 'rebill']])
})

it('days before the floor, free and suspended ones are no gaps (GEN-3, CYC-4, CYC-7, CYC-8)', async () => {
  const floored = await charge({ billedTo: '2026-03-31' })
  await bill(floored, '2026-05')
  await abolish(floored, '2026-04')
  expect((await listed(floored)).map(gap => gap.begin)).toEqual(['2026-04-01'])
  const free = await charge({ free: [{ begin: '2026-02-01', end: '2026-02-28' }] })
  await bill(free, '2026-04')
  expect(await listed(free)).toEqual([])
  const suspended = await charge()
  await bill(suspended, '2026-03')
  await abolish(suspended, '2026-02')
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update fee_relation set state = 20 where owner_id = ${ownerId} and id = ${suspended.relation}`,
    ),
  )
  expect([await listed(suspended), await gapRows(suspended, '2026-04')]).toEqual([[], []])
})

it('two clerks bill the same gap at once: one bill (GEN-2, GEN-3)', async () => {
  const c = await charge()
  await bill(c, '2026-03')
  await abolish(c, '2026-02')
  const keys = [defined((await listed(c))[0]).key]
  const outcomes = await Promise.all(
    [1, 2, 3].map(() => t.call(billGaps, { projectCode: project, keys }, me)),
  )
  expect(outcomes.reduce((n, o) => n + o.made, 0)).toBe(1)
  expect(outcomes.flatMap(o => o.rows.map(r => r.reason))).toEqual([
    '该账期刚刚被出账或标记，请刷新',
    '该账期刚刚被出账或标记，请刷新',
  ])
  expect(await monthsOf(c)).toEqual(['2026-01', '2026-02', '2026-03'])
})

it('a gap of an ended charge is found, marked and never charged (GEN-3)', async () => {
  const c = await charge({ endDate: '2026-03-31', state: 'ended' })
  await bill(c, '2026-03')
  await abolish(c, '2026-02')
  const [gap] = await listed(c)
  const input = {
    projectCode: project,
    keys: [defined(gap).key],
    periodAfter: 'waived' as const,
    reason: '已协商',
  }
  expect(await t.call(markGaps, input, me)).toMatchObject({ success: 1, skipped: 0 })
  expect([await listed(c), await gapRows(c, '2026-05')]).toEqual([[], []])
  expect(await t.call(markGaps, input, me)).toMatchObject({ success: 0, skipped: 1 })
})

/** A small generator of numbers, the same in every run. */
function randomFrom(seed: number): (n: number) => number {
  let state = seed
  return n => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * n)
  }
}

const months: readonly Month[] = ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']

it('whatever is billed, abolished and undone, a month is billed once, or a gap, or given up (GEN-2, GEN-3)', async () => {
  const random = randomFrom(20261121)
  for (let round = 0; round < 4; round++) {
    const c = await charge()
    const waived = new Set<string>()
    for (let step = 0; step < 14; step++) {
      const live = await billsOf(c)
      const action = random(4)
      if (action < 2 || !live.length) {
        await bill(c, defined(months[random(months.length)]))
      } else if (action === 2) {
        const victim = defined(live[random(live.length)])
        const word = ([undefined, 'rebill', 'waived'] as const)[random(3)]
        await abolish(c, defined(months.find(m => victim.begin.startsWith(m))), word)
        if (word === 'waived') {
          waived.add(victim.begin)
        } else {
          waived.delete(victim.begin)
        }
      } else {
        const gaps = await listed(c)
        if (gaps.length) {
          await t.call(billGaps, { projectCode: project, keys: [defined(gaps[0]).key] }, me)
        }
      }
      const after = await billsOf(c)
      const begins = after.map(b => b.begin)
      expect(new Set(begins).size).toBe(begins.length)
      const relation = await t.database
        .reader(ownerId)
        .one<{ billedTo?: Day }>(
          sql`select billed_to from fee_relation where owner_id = ${ownerId} and id = ${c.relation}`,
        )
      const gapBegins = new Set((await listed(c)).map(gap => gap.begin))
      for (const month of months.filter(m => lastDay(m) <= (relation?.billedTo ?? '0001-01-01'))) {
        const first: Day = `${month}-01`
        const states = [begins.includes(first), gapBegins.has(first), waived.has(first)]
        expect([round, step, month, states.filter(Boolean).length]).toEqual([round, step, month, 1])
      }
    }
  }
}, 240_000)
