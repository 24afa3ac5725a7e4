import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { asFen } from '#kit/domain/money.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { type GoldenApp, type TaskRow } from '#db/golden/golden-app.ts'
import { recompute, type Snapshot } from '#modules/fees/server/public.ts'
import { importBills } from '../contract/import.ts'
import { addPool, correctPool, previewPool, runPool } from '../contract/pool.ts'
import { undoRun } from '../contract/run.ts'
import { addPreFee, addTempFee, listPrepayable } from '../contract/temporary.ts'
import { provideClosedMonths } from './closed-months.ts'
import {
  bindRooms,
  seedFee,
  testScope,
  type SeededFee,
  type SeededRoom,
  type FeeOptions,
} from './generate.fixtures.ts'
import { openBilling } from './golden.fixtures.ts'
import { removePrepaidBills } from './prepaid.ts'

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
  chargedRooms: readonly SeededRoom[] = [],
  overrides: object = {},
): Promise<SeededFee & { relations: Id[]; name: string }> =>
  t.database.tx(ownerId, async tx => {
    const f = await seedFee(tx, scope(), project, w)
    const relations = await bindRooms(tx, scope(), project, f, chargedRooms, overrides)
    return {
      ...f,
      relations,
      name: defined(
        await tx.one<{ name: string }>(
          sql`select name from fee_item where owner_id = ${ownerId} and id = ${f.itemId}`,
        ),
      ).name,
    }
  })

interface BillRow {
  id: Id
  source: string
  begin: string
  end: string
  amount: string
  due: string
  state: number
  pre: boolean
  kind: number
  payer?: string
  replaces?: number
  snapshot?: Snapshot
}

const findBills = (f: SeededFee) =>
  t.database.reader(ownerId).rows<BillRow>(
    sql`
        select id, source_code as source, begin_date as begin, end_date as end, amount::text,
          due_date as due, state, is_pre as pre, bill_source as kind, payer_name as payer,
          replaces_bill_id as replaces, calc_snapshot as snapshot
        from bill
        where owner_id = ${ownerId} and fee_item_id = ${f.itemId} and delete_tag = 0 and state in (10, 20, 50)
        order by id
      `,
  )

const refusal = async (
  p: Promise<unknown>,
): Promise<Refused & { data?: { Field: string; Message: string }[] }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e
}

const billedTo = async (id: Id) =>
  defined(
    await t.database
      .reader(ownerId)
      .one<{ to?: string }>(sql`select billed_to as to from fee_relation where id = ${id}`),
  ).to

it('TMP-1 a temporary fee for several objects; a wrong item, object or amount is refused with a message', async () => {
  const f = await fee({ item: { feeType: 'temporary' } })
  const cyclic = await fee({})
  const source = (r: SeededRoom) => ({ sourceType: 'room' as const, sourceCode: r.code })
  const done = await t.call(
    addTempFee,
    {
      projectCode: project,
      feeItemId: f.itemId,
      amount: asFen(8050),
      sources: [source(defined(rooms[0])), source(defined(rooms[1]))],
      remark: '更换门禁卡',
    },
    me,
  )
  expect([
    done.count,
    done.amount,
    (await findBills(f)).map(b => [b.begin, b.end, b.amount, b.due, b.kind]),
  ]).toEqual([
    2,
    16100,
    Array.from({ length: 2 }, () => ['2026-11-21', '2026-11-21', '80.50', '2026-11-21', 20]),
  ])
  // GEN-2: temporary fees may repeat.
  await t.call(
    addTempFee,
    { projectCode: project, feeItemId: f.itemId, amount: asFen(100), sources: [source(defined(rooms[0]))] },
    me,
  )
  expect(await findBills(f)).toHaveLength(3)
  const wrongAt = async (overrides: object) =>
    defined(
      (
        await refusal(
          t.call(
            addTempFee,
            {
              projectCode: project,
              feeItemId: f.itemId,
              amount: asFen(100),
              sources: [source(defined(rooms[0]))],
              ...overrides,
            },
            me,
          ),
        )
      ).data,
    ).map(x => [x.Field, x.Message])
  expect(await wrongAt({ feeItemId: cyclic.itemId })).toEqual([
    ['FeeItemID', '只有临时类和押金类收费项目可以手工开单，请更换收费项目'],
  ])
  expect(await wrongAt({ beginDate: '2026-11-21', endDate: '2026-11-20' })).toEqual([
    ['EndDate', '账期止 2026-11-20 不能早于账期起 2026-11-21'],
  ])
  expect(
    defined(
      (
        await refusal(
          t.call(
            addTempFee,
            {
              projectCode: project,
              feeItemId: f.itemId,
              amount: asFen(100),
              sources: [
                source(defined(rooms[0])),
                { sourceType: 'room', sourceCode: 'NOPE' },
                source(defined(rooms[0])),
              ],
            },
            me,
          ),
        )
      ).data,
    ).map(x => [x.Field, x.Message]),
  ).toEqual([
    ['Sources[1].SourceCode', '收费对象不存在或已被删除，请重新选择'],
    ['Sources[2].SourceCode', `「${defined(rooms[0]).path}」选了两次`],
  ])
  expect(
    (
      await refusal(
        t.call(
          addTempFee,
          { projectCode: project, feeItemId: f.itemId, amount: 0, sources: [source(defined(rooms[0]))] },
          me,
        ),
      )
    ).message,
  ).toContain('金额')
})

it('TMP-2 the next periods at the price of today; unpaid they go again and charging is where it stood', async () => {
  const f = await fee(
    {
      prices: [
        { effectiveDate: '2020-01-01', endDate: '2026-12-31', price: '2.00' },
        { effectiveDate: '2027-01-01', price: '3.00' },
      ],
    },
    [defined(rooms[0])],
    { beginDate: '2026-11-01', billedTo: '2026-11-30' },
  )
  const [prepayable] = await t
    .call(
      listPrepayable,
      { projectCode: project, sourceType: 'room', sourceCode: defined(rooms[0]).code, count: 2 },
      me,
    )
    .then(all => all.filter(x => x.relationId === f.relations[0]))
  expect(defined(prepayable).periods.map(p => p.begin)).toEqual(['2026-12-01', '2027-01-01'])
  const done = await t.call(addPreFee, { relationIds: [String(f.relations[0])], count: 3 }, me)
  const bills = await findBills(f)
  expect([
    done.count,
    bills.map(b => [b.begin, b.pre, b.kind]),
    new Set(bills.map(b => b.amount)).size,
  ]).toEqual([
    3,
    [
      ['2026-12-01', true, 30],
      ['2027-01-01', true, 30],
      ['2027-02-01', true, 30],
    ],
    1,
  ])
  expect(await billedTo(defined(f.relations[0]))).toBe('2027-02-28')
  const heldBill = await t.database.reader(ownerId).one<{ order: Id }>(
    sql`
      select lock_order_id as order
      from bill
      where owner_id = ${ownerId}
        and id = ${defined(bills[0]).id}
    `,
  )
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`update bill set paid_principal = 0.01 where owner_id = ${ownerId} and id = ${defined(bills[0]).id}`,
    ),
  )
  expect(
    await t.database.tx(ownerId, tx =>
      removePrepaidBills(
        tx,
        scope(),
        bills.map(b => b.id),
        heldBill?.order,
      ),
    ),
  ).toBe(2)
  expect([(await findBills(f)).length, await billedTo(defined(f.relations[0]))]).toEqual([1, '2026-12-31'])
  expect(
    await t.database.tx(ownerId, tx =>
      removePrepaidBills(
        tx,
        scope(),
        bills.map(b => b.id),
        heldBill?.order,
      ),
    ),
  ).toBe(0)
  const metered = await fee({ item: { feeType: 'metered' }, formula: { formulaType: 'usage' } }, [
    defined(rooms[1]),
  ])
  expect(
    (await refusal(t.call(addPreFee, { relationIds: [String(metered.relations[0])], count: 1 }, me))).message,
  ).toContain('不能预缴')
})

const file = (csv: string): CallOptions => ({
  ...me,
  upload: { ...t.upload('账单.csv', new TextEncoder().encode(csv)), name: '账单.csv', type: 'text/csv' },
})

const checkImport = (csv: string) => t.call(importBills.post, { projectCode: project }, file(csv))

async function runImport(csv: string, mode = 'skip'): Promise<TaskRow> {
  const { importId } = await checkImport(csv)
  return t.waitForTask(
    defined(
      (await t.call(importBills.post, { projectCode: project, importId: defined(importId), mode }, me))
        .taskId,
    ),
  )
}

const head = '房号,收费项目,账期起,账期止,金额,应缴日,备注\n'

it('TMP-5, BILL-8 an import tells each fault at its line', async () => {
  const f = await fee({})
  const r = defined(rooms[2])
  const line = (room: string, begin: string, end: string, amount = '100.00') =>
    `${room},${f.name},${begin},${end},${amount},,\n`
  const insertBill = (begin: string, end: string, money: string) =>
    t.database.tx(ownerId, tx =>
      tx.execute(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, paid_principal, refund_state,
          due_date, state, bill_source
        )
        values (
          ${ownerId}, ${project}, ${`I${begin}`}, 10, ${r.code}, ${r.path}, ${f.itemId}, ${f.name}, 10,
          ${begin}, ${end}, ${begin.slice(0, 7)}, 100, ${money === 'paid' ? 50 : 0},
          ${money === 'refunded' ? 2 : 0}, '2026-10-01', ${money === 'pending' ? 10 : 20}, 40
        )
      `),
    )
  await insertBill('2026-01-01', '2026-01-31', 'unpaid')
  await insertBill('2026-02-01', '2026-02-28', 'paid')
  await insertBill('2026-03-01', '2026-03-31', 'refunded')
  await insertBill('2026-04-01', '2026-04-30', 'pending')
  await insertBill('2026-05-01', '2026-05-10', 'unpaid')
  const csv =
    head +
    line(r.path, '2026-01-15', '2026-02-01') +
    line(r.path, '2026-02-10', '2026-02-20') +
    line(r.path, '2026-03-01', '2026-03-31') +
    line(r.path, '2026-04-01', '2026-04-30') +
    line(r.path, '2026-05-11', '2026-05-31') +
    line('9-9-999', '2026-06-01', '2026-06-30') +
    line(r.path, '2026-06-30', '2026-06-01') +
    line(r.path, '2026-07-01', '2026-07-31', '一百') +
    line(r.path, '2026-08-01', '2026-08-31') +
    line(r.path, '2026-08-01', '2026-08-31') +
    line(r.path, '2026-08-20', '2026-09-20') +
    `${r.path},不存在的项目,2026-10-01,2026-10-31,1,,\n`
  const checked = await checkImport(csv)
  expect(defined(checked.errors).map(e => [e.line, e.column, e.message])).toEqual(
    [
      [9, '金额', '金额格式不正确'].map((x, i) => (i === 2 ? expect.stringContaining('金额') : x)),
      [13, '收费项目', '收费项目「不存在的项目」不存在'],
      [2, '账期起', '同账期已有未缴账单，请先作废再导入（2026-01-01 至 2026-01-31）'],
      [2, '账期起', '同账期账单已缴费，不能重复导入（2026-02-01 至 2026-02-28）'],
      [3, '账期起', '同账期账单已缴费，不能重复导入（2026-02-01 至 2026-02-28）'],
      [7, '房号/车位', '未找到「9-9-999」'],
      [8, '账期止', '账期止不能早于账期起'],
      [12, '账期起', '与第 10 行的账期重叠'],
    ].toSorted((a, b) => Number(a[0]) - Number(b[0])),
  )
  expect(defined(checked.repeated).map(e => [e.line, e.message])).toEqual([[11, '与第 10 行重复']])
  expect(defined(checked.existing).map(e => [e.line, e.message])).toEqual([
    [4, '同账期账单已退款，导入后将重新欠费（2026-03-01 至 2026-03-31）'],
    [5, '同账期有待审核账单，请先审核或作废其一（2026-04-01 至 2026-04-30）'],
  ])
  expect(defined(checked.warnings).map(e => [e.line, e.message])).toEqual([
    [6, '同月已有该项目的账单，请确认不是重复（2026-05-01 至 2026-05-10）'],
  ])
  expect(checked.good).toBe(2)
  const skip = await runImport(csv)
  const before = await findBills(f)
  expect([skip.success, skip.skipped, skip.fail]).toEqual([2, 3, 7])
  expect(before.filter(b => b.kind === 40 && !String(b.id).startsWith('I')).map(b => b.begin)).toContain(
    '2026-08-01',
  )
  // Decision on BILL-8 against GEN-2: the refunded and the pending one give way, and the new ones say which
  // they replace.
  const again = await runImport(
    head + line(r.path, '2026-03-01', '2026-03-31') + line(r.path, '2026-04-01', '2026-04-30'),
    'replace',
  )
  const after = await findBills(f)
  const march = defined(before.find(b => b.begin === '2026-03-01'))
  expect([again.success, defined(after.find(b => b.begin === '2026-03-01')).replaces, after.length]).toEqual([
    2,
    march.id,
    before.length,
  ])
})

it('GEN-2, CLO-4 two repairs of one day may both come; a month that was carried over says so', async () => {
  const f = await fee({ item: { feeType: 'temporary' } })
  const r = defined(rooms[3])
  const line = (amount: string) => `${r.path},${f.name},2025-01-10,2025-01-10,${amount},,\n`
  provideClosedMonths((_, __, of, months) =>
    Promise.resolve(of === project ? months.filter(m => m === '2025-01') : []),
  )
  expect(await runImport(head + line('80.00'))).toMatchObject({ success: 1 })
  const checked = await checkImport(head + line('120.00'))
  expect([checked.good, checked.errorCount, defined(checked.warnings).map(w => w.message)]).toEqual([
    1,
    0,
    [
      '2025-01 已结转，该账单记入以后月份的“往期调整”',
      '同账期已有该项目的账单，请确认不是重复（2025-01-10 至 2025-01-10）',
    ],
  ])
  expect(await runImport(head + line('120.00'))).toMatchObject({ success: 1 })
})

it('a line’s object is found by path, number or code; a number that many have asks for more', async () => {
  const f = await fee({})
  const r = defined(rooms[0])
  const number = defined(r.path.split('-').at(-1))
  const many = rooms.filter(x => x.path.endsWith(`-${number}`)).length
  const checked = await checkImport(
    `${head}${r.code},${f.name},2026-01-01,2026-01-31,1,,\n${r.path.replace('-', '栋-')},${f.name},2026-02-01,2026-02-28,1,,\n${number},${f.name},2026-03-01,2026-03-31,1,,\n`,
  )
  expect(
    (
      await checkImport(
        `${head}${r.path.replaceAll('-', '－')},${f.name},2026-01-01,2026-01-31,1,,\n${r.path.replaceAll('-', ' — ')},${f.name},2026-02-01,2026-02-28,1,,\n`,
      )
    ).good,
  ).toBe(2)
  expect([checked.good, defined(checked.errors).map(e => [e.line, e.message])]).toEqual([
    many > 1 ? 2 : 3,
    many > 1 ? [[4, `名称为「${number}」的对象有 ${many} 个`]] : [],
  ])
})

it('T-SHR-01, SHR-3 to SHR-5 a pool is shared to the fen, once; paid, only a correction remains', async () => {
  const f = await fee({ item: { feeType: 'shared' }, formula: { formulaType: 'share' } }, rooms.slice(0, 4))
  const areas = ['88.56', '120.33', '67.20', null]
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update room r
        set charge_area = w.area, build_area = w.area
        from unnest(${rooms.slice(0, 4).map(r => r.code)}::text[], ${areas}::numeric[]) as w(code, area)
        where r.owner_id = ${ownerId} and r.project_code = ${project} and r.code = w.code
      `,
    ),
  )
  const pool = await t.call(
    addPool,
    {
      projectCode: project,
      name: '电梯电费',
      standardId: f.standardId,
      month: '2026-10',
      weightType: 'area',
      totalAmount: asFen(30000),
      vacantIncluded: true,
      dayWeight: false,
    },
    me,
  )
  const p = await t.call(previewPool, { id: pool.id }, me)
  expect([p.rows.map(r => r.amount), p.excluded.map(l => l.reason), p.total]).toEqual([
    [9623, 13075, 7302],
    ['没有分摊权重，请补录'],
    30000,
  ])
  const done = await t.call(runPool, { id: pool.id }, me)
  const bills = await findBills(f)
  expect([
    done.count,
    done.amount,
    bills.map(b => b.amount),
    bills.every(b => recompute(defined(b.snapshot)) === Math.round(Number(b.amount) * 100)),
  ]).toEqual([3, 30000, ['96.23', '130.75', '73.02'], true])
  expect(await billedTo(defined(f.relations[0]))).toBe('2026-10-31')
  // T-SHR-05
  expect((await refusal(t.call(runPool, { id: pool.id }, me))).message).toBe(
    '公摊已生成：请先作废该批次账单，再重新分摊',
  )
  expect(
    (
      await refusal(
        t.call(
          addPool,
          {
            projectCode: project,
            name: '再来',
            standardId: f.standardId,
            month: '2026-10',
            weightType: 'area',
            totalAmount: asFen(1),
            vacantIncluded: true,
            dayWeight: false,
          },
          me,
        ),
      )
    ).message,
  ).toContain('当月已有公摊')
  const batch = await t.database
    .reader(ownerId)
    .one<{ id: Id }>(sql`select id from bill_run where owner_id = ${ownerId} and batch_no = ${done.batchNo}`)
  await t.call(undoRun, { id: defined(batch).id, reason: '少了一户' }, me)
  await t.call(runPool, { id: pool.id }, me)
  await t.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update bill
        set paid_principal = 1
        where owner_id = ${ownerId}
          and id = ${defined(bills[0]).id + 0}
          or (owner_id = ${ownerId} and ref_id = ${pool.id} and ref_type = 'pool' and state = 20)
      `,
    ),
  )
  expect((await refusal(t.call(runPool, { id: pool.id }, me))).message).toContain(
    '请为差额另建一个更正公摊池',
  )
  const fix = await t.call(correctPool, { id: pool.id, right: 33000, remark: '漏了一张发票' }, me)
  expect([fix.totalAmount, fix.correctsId]).toEqual([3000, pool.id])
  // A second press, or a colleague's: one correction at a time, and what it has billed counts.
  expect(
    (await refusal(t.call(correctPool, { id: pool.id, right: 33000, remark: '漏了一张发票' }, me))).message,
  ).toContain('已有一个待分摊的更正公摊')
  expect((await t.call(runPool, { id: fix.id }, me)).amount).toBe(3000)
  expect(
    (await refusal(t.call(correctPool, { id: pool.id, right: 33000, remark: '漏了一张发票' }, me))).message,
  ).toContain('不需要更正')
  expect(
    (await refusal(t.call(correctPool, { id: pool.id, right: 32000, remark: '多了' }, me))).message,
  ).toContain('已出账 330.00 元，多于正确的总额')
  // Asked of the correction it is still the whole month's.
  const secondCorrection = await t.call(correctPool, { id: fix.id, right: 33500, remark: '又一张发票' }, me)
  expect([secondCorrection.totalAmount, secondCorrection.correctsId]).toEqual([500, pool.id])
})

it('a pool has one total: an amount that differs from usage × price is refused', async () => {
  const f = await fee({ item: { feeType: 'shared' }, formula: { formulaType: 'share' } }, [defined(rooms[0])])
  const createPool = (overrides: object) =>
    t.call(
      addPool,
      {
        projectCode: project,
        name: '水泵',
        standardId: f.standardId,
        month: '2026-10',
        weightType: 'household',
        vacantIncluded: true,
        dayWeight: false,
        ...overrides,
      },
      me,
    )
  expect((await refusal(createPool({ totalUsage: '100', price: '0.6', totalAmount: 5000 }))).data).toEqual([
    { Field: 'TotalAmount', Message: '总量 × 单价是 60.00 元，与总额不一致，请改成一样的，或清空总额' },
  ])
  const pool = await createPool({ totalUsage: '100', price: '0.6' })
  expect((await t.call(runPool, { id: pool.id }, me)).amount).toBe(6000)
})

it('SHR-2 by usage: what the relation says, or what the room’s meters of that kind counted in the month; odd readings wait', async () => {
  const f = await fee(
    { item: { feeType: 'shared', category: 'water' }, formula: { formulaType: 'share' } },
    rooms.slice(4, 9),
  )
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`update fee_relation set quantity = 2.5 where id = ${defined(f.relations[0])}`)
    const meters = await tx.rows<{
      id: Id
    }>(sql`
      insert into meter (
        owner_id, project_code, meter_no, meter_kind, meter_use, source_type, source_code, source_name,
        sort_key, multiple, init_num, prepay_mode, state
      )
      select ${ownerId}::bigint, ${project}, 'SU' || w.n, case w.n when 5 then 30 else 10 end, 1, 10, w.code,
        'x', 'x', 1, 0, 1, 10
      from unnest(${[0, 1, 1, 3, 4].map(i => defined(rooms[4 + i]).code)}::text[]) with ordinality as w(code, n)
      order by w.n
      returning id
    `)
    await tx.execute(sql`
      insert into meter_reading (
        owner_id, project_code, meter_id, meter_no, meter_kind, month, last_num, cur_num, last_date,
        read_date, multiple, usage, source, state, anomalies
      )
      select ${ownerId}::bigint, ${project}, m.id, 'x', 10, '2026-10', 0, 9, '2026-09-20', '2026-10-20', 1,
        1.5 + m.n, 10, 10, case m.n when 4 then array['high'] end
      from unnest(${meters.map(m => m.id)}::bigint[]) with ordinality as m(id, n)
    `)
  })
  const pool = await t.call(
    addPool,
    {
      projectCode: project,
      name: '二次供水',
      standardId: f.standardId,
      month: '2026-10',
      weightType: 'usage',
      totalUsage: '10',
      price: '1',
      vacantIncluded: true,
      dayWeight: false,
    },
    me,
  )
  const p = await t.call(previewPool, { id: pool.id }, me)
  // 3.5 and 4.5 on two meters; the third room has none, the fourth an odd reading, the fifth a meter of
  // power.
  expect([
    p.rows.map(r => [r.sourceName, r.weight, r.amount]),
    p.excluded.map(l => [l.sourceName, l.reason]),
  ]).toEqual([
    [
      [defined(rooms[4]).path, '2.5', 238],
      [defined(rooms[5]).path, '8', 762],
    ],
    rooms.slice(6, 9).map(r => [r.path, '没有分摊权重，请补录']),
  ])
})
