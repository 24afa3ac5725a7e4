import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { parseYuan, sumFen } from '#kit/domain/money.ts'
import type { Month } from '#kit/domain/month.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { cellToText } from '#kit/server/workbook/worksheet.ts'
import { readWorkbook } from '#kit/server/workbook/workbook-reader.ts'
import { recompute, type Snapshot } from '#modules/fees/server/public.ts'
import { endRelations, resumeRelations, stopRelations } from '#modules/fees/contract/relation-calls.ts'
import { importRelations } from '#modules/fees/contract/transfer.ts'
import type { GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  generateBills,
  exportPreview,
  getLastBill,
  getRun,
  previewBills,
  undoRun,
  type RunRequest,
  listRuns,
} from '../contract/run.ts'
import { abolishBills, deleteBills } from '../contract/actions.ts'
import { mergeBill, splitBill } from '../contract/adjustments.ts'
import { findByIds } from '#kit/server/table.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { bill } from '../contract/bill.ts'
import { generateMeterBills } from '../contract/meter-fee.ts'
import { refusalOf as refuses } from '../domain/actions.ts'
import { openBilling } from './golden.fixtures.ts'
import { abolishableCondition } from './run-undo.ts'
import { toBill } from './stored-bill.ts'
import {
  bindRooms,
  seedFee,
  testScope,
  type SeededFee,
  type SeededRoom,
  type FeeOptions,
} from './generate.fixtures.ts'
import { startNightlyRuns } from './run-nightly.ts'

const project = 'GOLD0001'
let t: GoldenApp
let me: CallOptions
let ownerId: Id = 0
let rooms: SeededRoom[] = []

beforeAll(async () => {
  ;({ t, me, ownerId, rooms } = await openBilling(project))
})

afterAll(() => t?.close())

const scope = () => testScope(ownerId)

const fee = async (
  w: FeeOptions,
  chargedRooms: readonly SeededRoom[] = rooms,
  overrides: object = {},
): Promise<SeededFee & { relations: Id[] }> =>
  t.database.tx(ownerId, async tx => {
    const f = await seedFee(tx, scope(), project, w)
    return { ...f, relations: await bindRooms(tx, scope(), project, f, chargedRooms, overrides) }
  })

const toRequest = (f: SeededFee, month: Month, overrides: Partial<RunRequest> = {}): RunRequest => ({
  projectCode: project,
  month,
  standardIds: [String(f.standardId)],
  ...overrides,
})

const run = async (a: RunRequest): Promise<Id> => {
  const { run: r } = await t.call(generateBills, { ...a, isPreview: false }, me)
  await t.waitForTask(defined(defined(r).taskId))
  return defined(r).id
}

const findBills = (f: SeededFee) =>
  t.database.reader(ownerId).rows<{
    id: Id
    no: string
    source: string
    relation: number
    begin: string
    end: string
    amount: string
    due: string
    state: number
    payer?: string
    snapshot?: Snapshot
  }>(sql`
    select id, bill_no as no, source_code as source, relation_id as relation, begin_date as begin,
      end_date as end, amount::text, due_date as due, state, payer_name as payer, calc_snapshot as snapshot
    from bill
    where owner_id = ${ownerId} and standard_id = ${f.standardId} and delete_tag = 0 and state in (10, 20, 50)
    order by source_code, begin_date
  `)

const billedTo = async (f: SeededFee) =>
  (
    await t.database.reader(ownerId).rows<{ to?: string }>(
      sql`
          select distinct billed_to as to
          from fee_relation
          where owner_id = ${ownerId} and standard_id = ${f.standardId}
        `,
    )
  ).map(r => r.to)

it('GEN-5 a preview tells everything and writes nothing; GEN-2 the run makes exactly that', async () => {
  const f = await fee({})
  const p = await t.call(previewBills, toRequest(f, '2026-09'), me)
  expect([p.make.count, p.rows.length, p.relations, p.truncated]).toEqual([
    rooms.length,
    rooms.length,
    rooms.length,
    false,
  ])
  expect(await findBills(f)).toEqual([])
  expect(p.rows[0]).toMatchObject({
    group: 'make',
    sourceName: defined(rooms[0]).path,
    begin: '2026-09-01',
    end: '2026-09-30',
    dueDate: '2026-10-01',
  })
  expect(defined(p.rows[0]).sentence).toMatch(/㎡ × 2\.85 元\/㎡·月 × 1 月 = /)
  const id = await run(toRequest(f, '2026-09'))
  const bills = await findBills(f)
  const r = await t.call(getRun, { id }, me)
  expect(bills.map(b => [b.source, b.amount])).toEqual(
    p.rows
      .map(x => [x.sourceCode, (defined(x.amount) / 100).toFixed(2)])
      .toSorted((a, b) => (defined(a[0]) < defined(b[0]) ? -1 : 1)),
  )
  expect(r).toMatchObject({
    state: 'done',
    made: rooms.length,
    amount: p.make.amount,
    done: rooms.length,
    billCounts: { unpaid: rooms.length, unpaidAmount: p.make.amount, abolished: 0 },
  })
  expect(await billedTo(f)).toEqual(['2026-09-30'])
  expect(bills.every(b => recompute(defined(b.snapshot)) === Math.round(Number(b.amount) * 100))).toBe(true)
  expect(defined(bills[0]).no).toMatch(/^ZD20261121\d{6}$/)
  expect(bills.some(b => b.payer)).toBe(true)
  const [months] = await t.database.reader(ownerId).rows<{ n: number; sum: string }>(
    sql`
        select count(*)::int as n, sum(m.receivable)::text as sum
        from bill_month m
        join bill b on b.owner_id = m.owner_id and b.id = m.bill_id
        where b.standard_id = ${f.standardId}
      `,
  )
  expect([defined(months).n, defined(months).sum]).toEqual([rooms.length, (p.make.amount / 100).toFixed(2)])
})

it('GEN-5 the preview as a file: what would be made less what was taken out; what would not, and why', async () => {
  const f = await fee({}, rooms.slice(0, 4))
  const [first, second] = f.relations
  await t.database.tx(ownerId, tx => tx.execute(sql`update fee_relation set state = 20 where id = ${second}`))
  const sheet = async (overrides: object) => {
    const file = await t.call(exportPreview, { ...toRequest(f, '2026-09'), ...overrides }, me)
    const book = await readWorkbook(await readBody(file))
    return { name: file.name, heading: book.heading, cells: book.lines.map(l => l.cells.map(cellToText)) }
  }
  const made = await sheet({ excluded: [String(first)] })
  const p = await t.call(previewBills, toRequest(f, '2026-09'), me)
  expect([made.name, made.heading.slice(0, 2), made.cells.map(c => c[0])]).toEqual([
    '账单预览_将生成_2026-09_20261121.xlsx',
    ['收费对象', '缴费人'],
    [...rooms.slice(2, 4).map(r => r.path), '合计'],
  ])
  const amounts = p.rows
    .filter(r => r.group === 'make')
    .slice(1)
    .map(r => defined(r.amount) / 100)
  expect(made.cells.map(c => Number(c[made.heading.indexOf('金额')]))).toEqual([
    ...amounts,
    amounts.reduce((sum, amount) => sum + amount, 0),
  ])
  const suspendedSheet = await sheet({ group: 'skip', reason: 'suspended' })
  expect(suspendedSheet.cells.map(c => [c[0], c[suspendedSheet.heading.indexOf('原因')]])).toEqual([
    [defined(rooms[1]).path, '已停收'],
    ['合计', ''],
  ])
  expect(await refusalMessageOf(sheet({ group: 'skip', reason: 'areaMissing' }))).toContain(
    '暂无可导出的预览',
  )
})

it('GEN-2 the same month again makes nothing and says so; GEN-4 a later month catches up; BILL-10 where the next bill by hand begins', async () => {
  const f = await fee({}, rooms.slice(0, 4))
  await run(toRequest(f, '2026-09'))
  const again = await t.call(getRun, { id: await run(toRequest(f, '2026-09')) }, me)
  expect([again.made, again.skips?.map(s => [s.reason, s.count, s.samples[0]?.begin])]).toEqual([
    0,
    [['periodExists', 4, '2026-09-01']],
  ])
  await run(toRequest(f, '2026-11'))
  expect((await findBills(f)).map(b => b.begin.slice(0, 7))).toEqual(
    Array.from({ length: 4 }, () => ['2026-09', '2026-10', '2026-11']).flat(),
  )
  expect(await t.call(getLastBill, { relationId: defined(f.relations[0]) }, me)).toMatchObject({
    beginDate: '2026-11-01',
    nextBegin: '2026-12-01',
  })
})

it('two clerks generate one month at the same moment: one set of bills', async () => {
  const f = await fee({})
  const runs = await Promise.all([1, 2, 3].map(() => t.call(generateBills, toRequest(f, '2026-10'), me)))
  await Promise.all(runs.map(r => t.waitForTask(defined(defined(r.run).taskId))))
  const bills = await findBills(f)
  const all = await Promise.all(runs.map(r => t.call(getRun, { id: defined(r.run).id }, me)))
  expect(bills).toHaveLength(rooms.length * 2)
  expect(all.reduce((n, r) => n + r.made, 0)).toBe(rooms.length * 2)
  expect(new Set(bills.map(b => `${b.relation} ${b.begin}`)).size).toBe(rooms.length * 2)
})

it('GEN-6 what is not billed is counted with its reason and the way to it', async () => {
  const [emptied, off, free, hold, out, ...rest] = rooms.slice(0, 8)
  const f = await t.database.tx(ownerId, async tx => {
    const made = await seedFee(tx, scope(), project)
    const b = (r: SeededRoom, overrides: object = {}) => bindRooms(tx, scope(), project, made, [r], overrides)
    const ids = {
      emptied: await b({ ...defined(emptied), code: 'RX' }),
      off: await b(defined(off), { beginDate: undefined }),
      free: await b(defined(free), { free: [{ begin: '2026-09-01', end: '2026-09-30' }] }),
      hold: await b(defined(hold), { state: 'suspended' }),
      out: await b(defined(out)),
      rest: [...(await b(defined(rest[0]))), ...(await b(defined(rest[1])))],
    }
    return { ...made, ids }
  })
  const p = await t.call(previewBills, toRequest(f, '2026-09', { excluded: [String(f.ids.out[0])] }), me)
  expect([p.make.count, p.skip, p.excluded]).toEqual([2, 4, 1])
  expect(Object.fromEntries(p.reasons.map(r => [r.reason, r.count]))).toEqual({
    sourceDisabled: 1,
    startDateMissing: 1,
    freePeriod: 1,
    suspended: 1,
  })
  const r = await t.call(
    getRun,
    { id: await run(toRequest(f, '2026-09', { excluded: [String(f.ids.out[0])], excludeReason: '有争议' })) },
    me,
  )
  expect(r.message).toBe('生成 2 张，跳过 4 个，人工排除 1 个')
  expect(Object.fromEntries(defined(r.skips).map(s => [s.reason, s.count]))).toEqual({
    sourceDisabled: 1,
    startDateMissing: 1,
    freePeriod: 1,
    suspended: 1,
    excluded: 1,
  })
  expect(defined(defined(r.skips).find(s => s.reason === 'suspended')).samples).toEqual([
    expect.objectContaining({ relationId: f.ids.hold[0], sourceName: defined(hold).path }),
  ])
  expect(
    (
      await t.database.reader(ownerId).rows<{ id: Id; to?: string }>(
        sql`
            select id, billed_to as to
            from fee_relation
            where standard_id = ${f.standardId} and billed_to is not null
            order by id
          `,
      )
    ).map(x => x.id),
  ).toEqual([...f.ids.free, ...f.ids.rest])
})

it('PRO-7 a change of area cuts the bill, a change of payer makes two', async () => {
  const room = defined(rooms[9])
  const id = defined(
    await t.database.reader(ownerId).one<{ id: Id }>(
      sql`
        select id
        from room
        where owner_id = ${ownerId}
          and project_code = ${project}
          and code = ${room.code}
      `,
    ),
  ).id
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into room_change_log (
          owner_id, project_code, room_id, room_code, item, old_value, new_value, effective_date, applied
        )
        values (${ownerId}, ${project}, ${id}, ${room.code}, 'BuildArea', '98.65', '100', '2026-09-11', true)
      `,
    ),
  )
  const f = await fee({}, [room])
  await run(toRequest(f, '2026-09'))
  const [one] = await findBills(f)
  // 98.65 × 2.85 × 10/30 + 100 × 2.85 × 20/30 = 93.7175 + 190
  expect([
    defined(one).amount,
    defined(defined(one).snapshot).parts.map(p => [p.begin, p.values.建筑面积, p.factor]),
  ]).toEqual([
    '283.72',
    [
      ['2026-09-01', '98.65', '10/30'],
      ['2026-09-11', '100', '20/30'],
    ],
  ])
  const [a, b] = await t.database
    .reader(ownerId)
    .rows<{ id: Id; name: string }>(
      sql`select id, name from resident where owner_id = ${ownerId} and delete_tag = 0 order by id limit 2`,
    )
  await t.database.tx(ownerId, async tx => {
    await tx.execute(
      sql`
        update room
        set payer_id = ${defined(b).id}, payer_name = ${defined(b).name}
        where owner_id = ${ownerId} and id = ${id}
      `,
    )
    await tx.execute(
      sql`
        insert into room_change_log (
          owner_id, project_code, room_id, room_code, item, old_value, new_value, old_ref, new_ref,
          effective_date, applied
        )
        values (
          ${ownerId}, ${project}, ${id}, ${room.code}, 'Payer', ${defined(a).name}, ${defined(b).name}, ${defined(a).id}, ${defined(b).id},
          '2026-10-16', true
        )
      `,
    )
  })
  await run(toRequest(f, '2026-10'))
  expect((await findBills(f)).slice(1).map(x => [x.begin, x.end, x.payer, x.amount])).toEqual([
    ['2026-10-01', '2026-10-15', defined(a).name, '137.90'],
    ['2026-10-16', '2026-10-31', defined(b).name, '147.10'],
  ])
})

it('FEE-20 a room’s 收费系数 is the formula’s 系数 unless the standard sets another', async () => {
  const f = await fee(
    { formula: { formulaType: 'custom', expression: 'X * P' }, price: '100' },
    rooms.slice(0, 2),
    { beginDate: '2026-10-01' },
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update room
        set fee_ratio = case code when ${defined(rooms[0]).code} then 0.5 else 1 end
        where owner_id = ${ownerId} and code = any(${rooms.slice(0, 2).map(r => r.code)})
      `,
    ),
  )
  expect((await t.call(previewBills, toRequest(f, '2026-10'), me)).rows.map(r => r.amount)).toEqual([
    5000, 10000,
  ])
})

it('GEN-7 a batch is undone as a whole, or its unpaid bills alone; its months may be billed again', async () => {
  const f = await fee({}, rooms.slice(0, 5))
  const id = await run(toRequest(f, '2026-10'))
  expect(await t.call(undoRun, { id, reason: '单价错了' }, me)).toMatchObject({ abolished: 10, kept: 0 })
  expect([await findBills(f), await billedTo(f)]).toEqual([[], [undefined]])
  expect(await refusalMessageOf(t.call(undoRun, { id, reason: '再来' }, me))).toContain('没有可以撤销的账单')
  const again = await run(toRequest(f, '2026-10'))
  const [first, second] = await findBills(f)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update bill set paid_principal = 0.01 where owner_id = ${ownerId} and id = ${defined(first).id}`,
    ),
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set lock_order_id = 1, lock_until = '2027-01-01'
        where owner_id = ${ownerId} and id = ${defined(second).id}
      `,
    ),
  )
  expect(await refusalMessageOf(t.call(undoRun, { id: again, reason: '单价错了' }, me))).toBe(
    '该批次有 1 张账单已缴费，不能整批撤销；可勾选“仅撤销未缴”',
  )
  expect(await t.call(undoRun, { id: again, onlyUnpaid: true, reason: '单价错了' }, me)).toMatchObject({
    abolished: 8,
    kept: 2,
  })
  expect((await t.call(getRun, { id: again }, me)).billCounts).toMatchObject({
    paid: 1,
    locked: 1,
    abolished: 8,
  })
  // C27-9: what was withdrawn is in no sum, neither the whole batch nor the part of one.
  const runs = await t.call(listRuns, { projectCode: project, size: 2000 }, me)
  const remaining = runs.rows.filter(r => r.state !== 'undone')
  expect(remaining.find(r => r.id === again)).toMatchObject({
    made: 2,
    amount: sumFen((await findBills(f)).map(b => parseYuan(b.amount))),
  })
  expect(runs.sum).toEqual({
    made: remaining.reduce((n, r) => n + r.made, 0),
    amount: remaining.reduce((n, r) => n + r.amount, 0),
  })
})

it('GEN-3 charging has ended: what is abolished of its days is billed again, none beyond its end', async () => {
  const f = await fee({}, rooms.slice(0, 1))
  const id = await run(toRequest(f, '2026-10'))
  const spans = async () => (await findBills(f)).map(b => `${b.begin} ${b.end}`).toSorted()
  const both = ['2026-09-01 2026-09-30', '2026-10-01 2026-10-31']
  await t.call(endRelations, { ids: f.relations.map(String), endDate: '2026-10-31', reason: '退租' }, me)
  await t.call(undoRun, { id, reason: '单价错了' }, me)
  await run(toRequest(f, '2026-11'))
  expect([await spans(), await billedTo(f)]).toEqual([both, ['2026-10-31']])
  const [september] = await findBills(f)
  await t.call(abolishBills, { ids: [String(defined(september).id)], reason: '面积错了' }, me)
  await run(toRequest(f, '2026-09'))
  expect(await spans()).toEqual(both)
  // An old one is looked at no more than it must be: no gap is reported for a month after its end.
  expect((await t.call(previewBills, toRequest(f, '2026-11'), me)).relations).toBe(0)
})

it('CYC-4 what was billed before our books stays billed when the first of our bills goes', async () => {
  const f = await fee({}, rooms.slice(0, 1), { billedTo: '2026-09-30' })
  const id = await run(toRequest(f, '2026-10'))
  expect(await findBills(f)).toMatchObject([{ begin: '2026-10-01' }])
  await t.call(undoRun, { id, reason: '单价错了' }, me)
  expect(await billedTo(f)).toEqual(['2026-09-30'])
  await run(toRequest(f, '2026-10'))
  expect((await findBills(f)).map(b => b.begin)).toEqual(['2026-10-01'])
})

it('CYC-4 a 计费截至 brought by a second import holds as one brought by the first', async () => {
  const f = await fee({}, rooms.slice(0, 1))
  const name = defined(
    await t.database
      .reader(ownerId)
      .one<{ name: string }>(
        sql`select name from fee_standard where owner_id = ${ownerId} and id = ${f.standardId}`,
      ),
  ).name
  const csv = new TextEncoder().encode(
    `对象类型,收费对象,收费标准,起收日期,计费截至\n房屋,${defined(rooms[0]).path},${name},2026-09-01,2026-09-30\n`,
  )
  const named = {
    ...me,
    upload: { ...t.upload('收费关联.csv', csv), name: '收费关联.csv', type: 'text/csv' },
  }
  const { importId } = await t.call(importRelations.post, { projectCode: project }, named)
  expect(
    await t.waitForTask(
      defined(
        (
          await t.call(
            importRelations.post,
            { projectCode: project, importId: defined(importId), mode: 'update' },
            me,
          )
        ).taskId,
      ),
    ),
  ).toMatchObject({ success: 1 })
  await t.call(undoRun, { id: await run(toRequest(f, '2026-10')), reason: '单价错了' }, me)
  expect(await billedTo(f)).toEqual(['2026-09-30'])
})

it('CYC-8 charging resumed from a day: the suspended days stay free after the first bill is abolished, also where the object sets the start', async () => {
  const f = await fee({ standard: { startRule: 'delivery' } }, rooms.slice(0, 1), { beginDate: undefined })
  const ids = f.relations.map(String)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update room
        set deliver_date = '2026-03-15'
        where owner_id = ${ownerId}
          and code = ${defined(rooms[0]).code}
      `,
    ),
  )
  await t.call(stopRelations, { ids, reason: '空关' }, me)
  await t.call(resumeRelations, { ids, resumeMode: 'onwards', day: '2026-10-11' }, me)
  await t.call(undoRun, { id: await run(toRequest(f, '2026-10')), reason: '单价错了' }, me)
  await run(toRequest(f, '2026-10'))
  expect((await findBills(f)).map(b => [b.begin, b.end])).toEqual([['2026-10-11', '2026-10-31']])
})

it('CYC-9 an end amid what is billed: the unpaid month is split there, later ones go, a paid bill notes what to refund', async () => {
  const f = await fee({ price: '3.1' }, rooms.slice(0, 2))
  await run(toRequest(f, '2026-11'))
  const [kept] = f.relations
  const bills = await findBills(f)
  const october = bills.filter(b => b.begin === '2026-10-01')
  const paid = defined(october.find(b => b.relation === kept))
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update bill set paid_principal = amount, pay_state = 1 where id = ${paid.id}`),
  )
  expect(
    await t.call(endRelations, { ids: f.relations.map(String), endDate: '2026-10-10', reason: '退租' }, me),
  ).toMatchObject({ success: 2 })
  const now = await t.database
    .reader(ownerId)
    .rows<{ relation: number; begin: string; end: string; state: number; amount: string; remark?: string }>(
      sql`
        select relation_id as relation, begin_date as begin, end_date as end, state, amount::text, remark
        from bill
        where owner_id = ${ownerId} and relation_id = any(${f.relations}) and delete_tag = 0
        order by relation_id, begin_date, id
      `,
    )
  const of = (r: number) => now.filter(b => b.relation === r).map(b => [b.begin, b.end, b.state])
  const open = defined(f.relations[1])
  expect(of(open)).toEqual([
    ['2026-09-01', '2026-09-30', 20],
    ['2026-10-01', '2026-10-31', 40],
    ['2026-10-01', '2026-10-10', 20],
    ['2026-10-11', '2026-10-31', 30],
    ['2026-11-01', '2026-11-30', 30],
  ])
  expect(of(defined(kept))).toEqual([
    ['2026-09-01', '2026-09-30', 20],
    ['2026-10-01', '2026-10-31', 20],
    ['2026-11-01', '2026-11-30', 30],
  ])
  const back =
    Math.round(Number(paid.amount) * 100) - Math.round((Math.round(Number(paid.amount) * 100) * 10) / 31)
  expect(defined(now.find(b => b.relation === kept && b.begin === '2026-10-01')).remark).toBe(
    `止收至 2026-10-10：建议退款转预存 ${(back / 100).toFixed(2)} 元`,
  )
  expect(
    await t.database.reader(ownerId).one(sql`select billed_to as to from fee_relation where id = ${open}`),
  ).toEqual({ to: '2026-10-10' })
})

it('CYC-9 a bill in 待审核 is abolished when charging ends; its days before the end are billed again', async () => {
  const f = await fee({}, rooms.slice(0, 1), { beginDate: '2026-10-01' })
  await run(toRequest(f, '2026-11'))
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update bill set state = 10 where owner_id = ${ownerId} and fee_item_id = ${f.itemId}`),
  )
  await t.call(endRelations, { ids: f.relations.map(String), endDate: '2026-10-10', reason: '退租' }, me)
  expect(await findBills(f)).toEqual([])
  await run(toRequest(f, '2026-11'))
  expect((await findBills(f)).map(b => [b.begin, b.end])).toEqual([['2026-10-01', '2026-10-10']])
})

it('GEN-3 a bill abolished amid others is billed again with its month, once', async () => {
  const f = await fee({}, rooms.slice(0, 1))
  await run(toRequest(f, '2026-11'))
  const mid = defined((await findBills(f))[1])
  for (let i = 0; i < 2; i++) {
    await t.database.tx(ownerId, tx =>
      tx.execute(
        sql`
          update bill
          set state = 30
          where owner_id = ${ownerId} and relation_id = ${defined(f.relations[0])} and begin_date = '2026-10-01'
        `,
      ),
    )
    await run(toRequest(f, '2026-10'))
    expect((await findBills(f)).map(b => b.begin)).toEqual(['2026-09-01', '2026-10-01', '2026-11-01'])
  }
  expect(defined((await findBills(f))[1]).id).not.toBe(mid.id)
})

it('GEN-2, GEN-3 a bill deleted amid others is billed again with its month, also one that was abolished first', async () => {
  const f = await fee({}, rooms.slice(0, 2))
  const months = async () => (await findBills(f)).map(b => b.begin)
  await run(toRequest(f, '2026-11'))
  const all = await months()
  const [one, two] = (await findBills(f)).filter(b => b.begin === '2026-10-01').map(b => String(b.id))
  await t.call(abolishBills, { ids: [defined(one)], reason: '面积错了' }, me)
  await t.call(deleteBills, { ids: [defined(one), defined(two)], reason: '录入有误' }, me)
  expect(await months()).toEqual(all.filter(d => d !== '2026-10-01'))
  for (let i = 0; i < 2; i++) {
    await run(toRequest(f, '2026-10'))
  }
  expect((await months()).toSorted()).toEqual(all.toSorted())
  expect(await billedTo(f)).toEqual(['2026-11-30'])
})

it('GEN-3, BILL-12 a bill that was split, put together again and abolished is billed again as one', async () => {
  const f = await fee({ price: '3.1' }, rooms.slice(0, 1))
  await run(toRequest(f, '2026-11'))
  const october = defined((await findBills(f)).find(b => b.begin === '2026-10-01'))
  await t.call(splitBill, { id: october.id, on: '2026-10-11', reason: '过户' }, me)
  await t.call(mergeBill, { id: october.id, reason: '还原' }, me)
  await t.call(abolishBills, { ids: [String(october.id)], reason: '面积错了' }, me)
  await run(toRequest(f, '2026-10'))
  expect(
    (await findBills(f))
      .filter(b => b.begin >= '2026-10-01' && b.begin < '2026-11-01')
      .map(b => [b.begin, b.end]),
  ).toEqual([['2026-10-01', '2026-10-31']])
})

it('GEN-10 a due day that is no working day moves on, by the company’s calendar', async () => {
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into holiday (owner_id, holiday_date, holiday_name, day_type)
        select ${ownerId}::bigint, d::date, '国庆节', 10
        from generate_series('2026-10-01'::date, '2026-10-07', '1 day') d
        union all
        select ${ownerId}::bigint, '2026-10-10'::date, '国庆调休', 20
      `,
    ),
  )
  const due = async (days: number, dueSkipHoliday = true) => {
    const f = await fee({ standard: { dueDays: days, dueSkipHoliday } }, rooms.slice(0, 1))
    await run(toRequest(f, '2026-09'))
    return defined((await findBills(f))[0]).due
  }
  // Period begins 09-01: + 30 is 10-01, in the holidays, so 10-08; + 39 is Saturday 10-10, worked; + 40 is
  // Sunday 10-11, so Monday 10-12.
  expect([await due(30, false), await due(30), await due(39), await due(40)]).toEqual([
    '2026-10-01',
    '2026-10-08',
    '2026-10-10',
    '2026-10-12',
  ])
})

it('BASE-8 a public area is billed by its own area, to the payer of its relation', async () => {
  const code = defined(
    await t.database.tx(ownerId, tx =>
      tx.one<{ code: string }>(
        sql`
        insert into public_area (owner_id, project_code, code, name, area_type, area, rent_state)
        values (${ownerId}, ${project}, 'PA-T1', '一号楼外墙广告位', 10, 12.5, 10)
        returning code
      `,
      ),
    ),
  ).code
  const [p] = await t.database
    .reader(ownerId)
    .rows<{ id: Id; name: string }>(
      sql`select id, name from resident where owner_id = ${ownerId} and delete_tag = 0 order by id limit 1`,
    )
  const f = await fee(
    { item: { scene: 'area' }, price: '100' },
    [{ code, path: '一号楼外墙广告位', buildCode: defined(rooms[0]).buildCode }],
    { sourceType: 'publicArea', payerKind: 'resident', payerId: defined(p).id },
  )
  await run(toRequest(f, '2026-09'))
  expect((await findBills(f)).map(b => [b.source, b.amount, b.payer])).toEqual([
    [code, '1250.00', defined(p).name],
  ])
})

it('BILL-7 a refunded bill is an unpaid one like any other: abolished, its period is billed again', async () => {
  const f = await fee({}, rooms.slice(0, 1))
  await run(toRequest(f, '2026-09'))
  const [b] = await findBills(f)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set refund_state = 2, paid_principal = 0, pay_state = 0
        where owner_id = ${ownerId} and id = ${defined(b).id}
      `,
    ),
  )
  const row = defined(
    (await t.database.tx(ownerId, tx => findByIds(tx, bill, { ...scope() }, [defined(b).id])))[0],
  )
  expect(
    (['pay', 'discount', 'split', 'abolish', 'changePayer'] as const).map(a =>
      refuses(a, toBill(row), { now: '2026-11-21 09:00:00' }),
    ),
  ).toEqual(Array(5).fill(undefined))
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`update bill set state = 30 where owner_id = ${ownerId} and id = ${defined(b).id}`),
  )
  await run(toRequest(f, '2026-09'))
  expect((await findBills(f)).map(x => [x.begin, x.id === defined(b).id])).toEqual([['2026-09-01', false]])
})

it('GEN-8 bills wait to be audited where the estate says so', async () => {
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        insert into estate_setting (owner_id, project_code, key, value)
        values (${ownerId}, ${project}, 'bills.auditSwitch', '1')
      `,
    ),
  )
  const f = await fee({}, rooms.slice(0, 2))
  await run(toRequest(f, '2026-09'))
  expect((await findBills(f)).map(b => b.state)).toEqual([10, 10])
  await t.database.tx(ownerId, tx =>
    tx.execute(sql`delete from estate_setting where owner_id = ${ownerId} and key = 'bills.auditSwitch'`),
  )
})

it('GEN-1 the night bills what has fallen due, automatic items alone', async () => {
  await t.database.tx('*', tx => tx.execute(sql`update fee_relation set state = 30`))
  const auto = await fee({ standard: { advanceDays: 10 } }, rooms.slice(0, 2), { beginDate: '2026-10-01' })
  const manualFee = await fee({ item: { billMode: 'manual' } }, rooms.slice(0, 2))
  expect(await startNightlyRuns(t.app)).toBe(1)
  const task = await t.database.reader(ownerId).one<{ id: Id }>(
    sql`
      select task_id as id
      from bill_run
      where owner_id = ${ownerId}
        and kind = 20
      order by id desc
      limit 1
    `,
  )
  await t.waitForTask(defined(task).id)
  // 2026-11-21 + 10 days reaches 12-01.
  expect([(await findBills(auto)).map(b => b.begin.slice(0, 7)), await findBills(manualFee)]).toEqual([
    ['2026-10', '2026-11', '2026-12', '2026-10', '2026-11', '2026-12'],
    [],
  ])
  expect(await startNightlyRuns(t.app)).toBe(0)
})

it('guards: halves of one bill may be side by side, anything else may not', async () => {
  const f = await fee({}, rooms.slice(0, 1))
  await run(toRequest(f, '2026-09'))
  const [b] = await findBills(f)
  const insertBill = (no: string, root: number | null, begin = '2026-09-01') =>
    t.database
      .tx(ownerId, tx =>
        tx.execute(sql`
          insert into bill (
            owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
            fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state,
            bill_source, run_split_root, parent_id
          )
          values (
            ${ownerId}, ${project}, ${no}, 10, ${defined(b).source}, 'x', ${f.itemId}, 'x', 10, ${begin},
            '2026-09-30', '2026-09', 1, '2026-10-01', 20, 10, ${root}, ${root}
          )
        `),
      )
      .then(
        () => 'in',
        (e: { constraint?: string }) => e.constraint,
      )
  expect([
    await insertBill('A', null),
    await insertBill('B', null, '2026-09-30'),
    await insertBill('C', defined(b).id),
    await insertBill('D', defined(b).id),
  ]).toEqual(['bill_overlap', 'bill_overlap', 'in', 'in'])
})

it('a clerk limited to a building bills that building only', async () => {
  const f = await fee({})
  const limitedUser = await t.signedInAs(golden.first.buildingOnly)
  const p = await t.call(previewBills, toRequest(f, '2026-09'), limitedUser)
  expect(p.relations).toBe(rooms.filter(r => r.buildCode === 'B1').length)
  expect(
    await refusalMessageOf(
      t.call(previewBills, { ...toRequest(f, '2026-09'), projectCode: 'GOLD0002' }, limitedUser),
    ),
  ).toBe('无权访问该项目')
})

it('says what is wrong with what is asked', async () => {
  const f = await fee({}, [])
  expect(await refusalMessageOf(t.call(generateBills, toRequest(f, '2026-09'), me))).toContain('没有收费关联')
  expect(await refusalMessageOf(t.call(generateBills, toRequest(f, '2099-01'), me))).toContain(
    '最多提前 12 个月',
  )
  expect(
    await refusalMessageOf(
      t.call(previewBills, { projectCode: project, month: '2026-09', standardIds: ['999999'] }, me),
    ),
  ).toContain('请重新选择')
})

it('what undoing passes over is what abolishing refuses (C3.2)', async () => {
  const f = await fee({}, rooms.slice(0, 4))
  const now = '2026-11-21 09:00:00'
  await run(toRequest(f, '2026-10'))
  const ids = (await findBills(f)).map(b => b.id)
  const changes = [
    'state = 10',
    'paid_principal = 1',
    'late_fee_due = 1, late_fee_paid = 1',
    "lock_order_id = 1, lock_until = '2026-11-21 09:00:01'",
    "lock_order_id = 1, lock_until = '2026-11-21 08:59:59'",
    'invoice_state = 1, invoiced_amount = 1',
    'refund_state = 2',
  ]
  await t.database.tx(ownerId, async tx => {
    for (const [i, c] of changes.entries()) {
      await tx.execute({ sql: `update bill set ${c} where id = ${ids[i]}`, parameters: [] })
    }
  })
  const by = new Set(
    (
      await t.database.reader(ownerId).rows<{ id: Id }>(
        sql`
            select t.id
            from bill t
            where t.owner_id = ${ownerId} and t.id = any(${ids}) and ${abolishableCondition(now)}
          `,
      )
    ).map(r => r.id),
  )
  const rows = await findByIds(t.database.reader(ownerId), bill, scope(), ids)
  expect(rows.map(r => by.has(r.id))).toEqual(
    rows.map(r => refuses('abolish', toBill(r), { now }) === undefined),
  )
  expect(by.size).toBe(4)
})

it('MTR-9 a reading is billed once, by a run or by hand; after its bill is abolished it is unbilled again', async () => {
  const metered = {
    item: { feeType: 'metered' },
    formula: { formulaType: 'usage' },
    standard: { chargeMode: 'behind', usageUnit: '吨' },
    price: '3.45',
  } as const
  const f = await fee(metered, rooms.slice(10, 13))
  const base = (i: number) => 1180 + i
  const readings = await t.database.tx(ownerId, async tx => {
    const meters = await tx.rows<{
      id: Id
    }>(sql`
      insert into meter (
        owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
        sort_key, multiple, init_num, prepay_mode, state
      )
      select ${ownerId}::bigint, ${project}, 'GT' || r.id, 10, 1, 10, r.source_code, r.source_name, 'x', 1,
        100, 1, 10
      from fee_relation r
      where r.standard_id = ${f.standardId}
      order by r.id
      returning id
    `)
    for (const [i, m] of meters.entries()) {
      await tx.execute(
        sql`
          update fee_relation
          set meter_id = ${m.id}
          where owner_id = ${ownerId}
            and id = ${defined(f.relations[i])}
        `,
      )
    }
    return tx.rows<{
      id: Id
    }>(sql`
      insert into meter_reading (
        owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
        read_date, multiple, usage, source, state
      )
      select ${ownerId}::bigint, ${project}, m.id, 'x', 10, '2026-10', ${base(0)}, 1189 + m.n, '2026-09-20',
        '2026-10-20', 1, 9 + m.n, 10, 10
      from unnest(${meters.map(m => m.id)}::bigint[]) with ordinality as m(id, n)
      order by m.n
      returning id
    `)
  })
  const state = async () =>
    (
      await t.database
        .reader(ownerId)
        .rows<{ s: number }>(
          sql`select state as s from meter_reading where id = any(${readings.map(r => r.id)}) order by id`,
        )
    ).map(r => r.s)
  const p = await t.call(previewBills, toRequest(f, '2026-10'), me)
  expect(defined(p.rows[0]).sentence).toBe('10 吨 × 3.45 元/吨（本期 1190，上期 1180）= 34.50 元')
  const one = await t.call(
    generateMeterBills,
    { projectCode: project, readingIds: [String(defined(readings[0]).id)] },
    me,
  )
  expect([one.count, one.amount, await state()]).toEqual([1, 3450, [20, 10, 10]])
  const id = await run(toRequest(f, '2026-10'))
  expect([
    (await findBills(f)).map(b => b.amount).toSorted(),
    await state(),
    (
      await t.database
        .reader(ownerId)
        .rows<{ k: number }>(
          sql`select distinct bill_source as k from bill where standard_id = ${f.standardId}`,
        )
    ).map(x => x.k),
  ]).toEqual([['34.50', '37.95', '41.40'], [20, 20, 20], [50]])
  await t.call(undoRun, { id, reason: '抄错了' }, me)
  expect(await state()).toEqual([20, 10, 10])
  // A reading of a meter that was replaced since goes by its successor's relation (MTR-11).
  const old = defined(readings[1]).id
  await t.database.tx(ownerId, async tx => {
    const newRow = defined(
      await tx.one<{ id: Id }>(
        sql`
        insert into meter (
          owner_id, project_code, meter_no, meter_kind, meter_use, multiple, init_num, prepay_mode, state
        )
        values (${ownerId}, ${project}, 'GTN', 10, 2, 1, 0, 1, 10)
        returning id
      `,
      ),
    ).id
    await tx.execute(
      sql`
        insert into meter_replace (
          owner_id, project_code, meter_id, old_end_num, new_meter_no, new_meter_id, new_init_num,
          new_multiple, replace_date, old_usage, reason
        )
        select owner_id, project_code, meter_id, 1200, 'GTN', ${newRow}, 0, 1, '2026-11-01', 9, '到期'
        from meter_reading
        where owner_id = ${ownerId} and id = ${old}
      `,
    )
    await tx.execute(
      sql`
        update fee_relation
        set meter_id = ${newRow}
        where owner_id = ${ownerId}
          and id = ${defined(f.relations[1])}
      `,
    )
  })
  expect([
    (await t.call(generateMeterBills, { projectCode: project, readingIds: [String(old)] }, me)).amount,
    await state(),
  ]).toEqual([3795, [20, 20, 10]])
  expect(
    await refusalMessageOf(
      t.call(generateMeterBills, { projectCode: project, readingIds: [String(defined(readings[0]).id)] }, me),
    ),
  ).toContain('暂无等待出账的读数')
})
