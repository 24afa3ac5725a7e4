import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { asFen, formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { updateEstateSetting } from '#modules/estates/contract/estate.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import {
  addHandover,
  checkDayClose,
  closeDay,
  confirmHandover,
  previewHandover,
  reopenDay,
} from '../contract/day-close.ts'
import { closedDayRefusal } from '../domain/day-close.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord, voidRecord } from '../contract/record.ts'
import { requestRefund, cancelRefund } from '../contract/refund.ts'

type PayMethod = NonNullable<typeof payBills.input.T>['methods'][number]['method']

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId = 0
let item = 0
let n = 0
const project = { projectCode: 'GOLD0001' }
const today = { ...project, day: '2026-11-21' } as const

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  other = await t.signedInAs(golden.first.estateOnly)
  ownerId = t.ownerId
  item = await t.addFeeItem('CLOTEST', { name: '日结测试', multi: true })
})

afterAll(() => t?.close())

const createBill = (amount: Fen): Promise<number> =>
  t.database.tx(
    ownerId,
    async tx =>
      defined(
        await tx.one<{
          id: Id
        }>(sql`
        insert into bill (
          owner_id, project_code, bill_no, source_type, source_code, source_name, fee_item_id,
          fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source,
          run_split_root
        )
        values (
          ${ownerId}, 'GOLD0001', ${`C${++n}`}, 10, ${`C${n}`}, '1-1-101', ${item}, '日结测试', 10, '2026-09-01',
          '2026-09-30', '2026-09', ${formatYuan(amount)}, '2026-12-31', 20, 10, null
        )
        returning id
      `),
      ).id,
  )

const payNewBill = async (amount: Fen, method: PayMethod = 'cash') =>
  t.call(
    payBills,
    {
      ...project,
      billIds: [String(await createBill(amount))],
      expectAmount: amount,
      methods: [{ method, amount }],
    },
    me,
  )

const addSheet = async (overrides: object = {}) => {
  const p = await t.call(previewHandover, project, me)
  return t.call(
    addHandover,
    { ...project, endTime: p.endTime, expectCash: p.cashAmount, handAmount: p.cashAmount, ...overrides },
    me,
  )
}

it('PAY-23, CLO-3: the cashier hands over, confirmed by another, and the day closed; then nothing moves on it', async () => {
  const first = await payNewBill(asFen(10000))
  await payNewBill(asFen(20000))
  await payNewBill(asFen(5000), 'transfer')
  expect(await t.call(previewHandover, project, me)).toMatchObject({
    totalReceived: 35000,
    totalRefund: 0,
    cashAmount: 30000,
    count: 3,
  })
  expect(await refusalTextOf(t.call(closeDay, { ...today, isTodayConfirmed: true }, me))).toBe(
    '不能日结：金一管理员 收款未交账 3 笔',
  )
  expect(
    await refusalTextOf(
      t.call(
        addHandover,
        { ...project, endTime: '2026-11-21 09:30:00', expectCash: asFen(30000), handAmount: 0 },
        me,
      ),
    ),
  ).toBe('交账截止时间不能晚于现在')
  const h = await addSheet({ handAmount: 29900 })
  expect(h).toMatchObject({ cashAmount: 30000, handAmount: 29900, diff: -100, state: 'pending' })
  expect(await refusalTextOf(addSheet())).toBe('暂无待交账的收款')
  expect(await refusalTextOf(t.call(confirmHandover, { id: h.id, pass: true }, me))).toBe(
    '不能确认自己的交账单，请由其他人确认',
  )
  await t.call(confirmHandover, { id: h.id, pass: false, reason: '少一元' }, other)
  const again = await addSheet()
  expect(await refusalTextOf(t.call(closeDay, { ...today, isTodayConfirmed: true }, me))).toBe(
    '不能日结：金一管理员 交账单待确认 3 笔',
  )
  // The screen leads to confirming it, not to another hand-over.
  expect((await t.call(checkDayClose, today, me)).blockers).toMatchObject([{ isHandedOver: true }])
  await t.call(confirmHandover, { id: again.id, pass: true }, other)
  expect(await refusalTextOf(t.call(voidRecord, { id: first.recordId, reason: '录错了' }, me))).toBe(
    '该收款已交账确认，不能作废；请办理退款',
  )
  expect(await t.call(checkDayClose, today, me)).toMatchObject({
    closed: false,
    count: 3,
    received: 35000,
    blockers: [],
  })
  await t.call(closeDay, { ...today, isTodayConfirmed: true }, me)
  await t.call(updateEstateSetting, { ...project, key: 'TakingsAfterClose', value: '0' }, me)
  expect(await refusalTextOf(payNewBill(asFen(100)))).toBe(closedDayRefusal('2026-11-21'))
  expect(await refusalTextOf(t.call(closeDay, { ...today, isTodayConfirmed: true }, me))).toBe(
    '2026-11-21 已日结',
  )
  await t.call(reopenDay, { ...today, reason: '补收一笔' }, me)
  await payNewBill(asFen(100))
})

it('PAY-23: a sheet whose payment was voided while it waited is not confirmed; what is on a confirmed one stays', async () => {
  await t.call(updateEstateSetting, { ...project, key: 'RefundAuditFrom', value: '99999999' }, me)
  const wrong = await payNewBill(asFen(700))
  const right = await t.call(getRecord, { id: (await payNewBill(asFen(900))).recordId }, me)
  const h = await addSheet()
  await t.call(voidRecord, { id: wrong.recordId, reason: '录错了' }, me)
  expect(await refusalTextOf(t.call(confirmHandover, { id: h.id, pass: true }, other))).toMatch(
    /^提交后收款有变动（作废、退款撤销或计入）：交账单净额 \d+\.00 元，现为 \d+\.00 元；请驳回，由收费员重新交账$/,
  )
  await t.call(confirmHandover, { id: h.id, pass: false, reason: '有作废' }, other)
  const f = await t.call(
    requestRefund,
    {
      recordId: right.id,
      lines: [{ detailId: defined(right.details[0]).id, principal: asFen(900), late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '多收了',
    },
    me,
  )
  const again = await addSheet()
  expect(h.totalReceived - h.totalRefund - (again.totalReceived - again.totalRefund)).toBe(700 + 900)
  await t.call(confirmHandover, { id: again.id, pass: true }, other)
  expect(await refusalTextOf(t.call(cancelRefund, { id: f.id, reason: '退错了' }, me))).toBe(
    '该退款已交账确认，不能撤销；请重新收款',
  )
  await payNewBill(asFen(100))
})

it('CLO-3 earlier open days come first, today is asked for twice, and what comes later counts for tomorrow', async () => {
  await t.call(updateEstateSetting, { ...project, key: 'TakingsAfterClose', value: '1' }, me)
  const h = await addSheet()
  await t.call(confirmHandover, { id: h.id, pass: true }, other)
  // The day before was closed once and opened again, and has money.
  await t.database.tx(ownerId, async tx => {
    await tx.execute(sql`
      insert into day_close (owner_id, project_code, day, closed)
      values (${ownerId}, 'GOLD0001', '2026-11-19', true), (${ownerId}, 'GOLD0001', '2026-11-20', false)
    `)
    await tx.execute(sql`
      insert into pay_record (
        owner_id, project_code, record_no, receipt_no, record_type, source_name, tendered_amount,
        pay_method, methods, pay_time, pay_day, is_history, state
      )
      select owner_id, project_code, 'CLOEARLY', 'CLOEARLY', record_type, source_name, 0, pay_method,
        methods, '2026-11-20 10:00:00', '2026-11-20', false, 10
      from pay_record
      where owner_id = ${ownerId} and project_code = 'GOLD0001'
      limit 1
    `)
  })
  expect(await t.call(checkDayClose, project, me)).toMatchObject({ day: '2026-11-20', openDays: [] })
  expect(await t.call(checkDayClose, today, me)).toMatchObject({
    day: '2026-11-21',
    openDays: [{ day: '2026-11-20' }],
    goesToNextDay: true,
  })
  expect(await refusalTextOf(t.call(closeDay, { ...today, isTodayConfirmed: true }, me))).toBe(
    '请先日结以前的日期：2026-11-20',
  )
  await t.call(closeDay, { ...project, day: '2026-11-20' }, me)
  expect(await refusalTextOf(t.call(closeDay, today, me))).toContain('计入次日 2026-11-22')
  await t.call(closeDay, { ...today, isTodayConfirmed: true }, me)
  const paid = await payNewBill(asFen(100))
  expect(await t.call(getRecord, { id: paid.recordId }, me)).toMatchObject({ payDay: '2026-11-22' })
  // Tomorrow takes the money only as long as it is open itself.
  const setTomorrowClosed = (closed: boolean) =>
    t.database.tx(ownerId, tx =>
      tx.execute(sql`
        insert into day_close (owner_id, project_code, day, closed)
        values (${ownerId}, 'GOLD0001', '2026-11-22', ${closed})
        on conflict (owner_id, project_code, day) where delete_tag = 0 do update set closed = excluded.closed
      `),
    )
  await setTomorrowClosed(true)
  expect(await refusalTextOf(payNewBill(asFen(100)))).toBe(closedDayRefusal('2026-11-22'))
  await setTomorrowClosed(false)
  await t.call(reopenDay, { ...today, reason: '还要收款' }, me)
  await payNewBill(asFen(100))
  await t.call(updateEstateSetting, { ...project, key: 'TakingsAfterClose', value: '0' }, me)
})

it('close against payment: money is either in the closed day or refused, never lost in between', async () => {
  const h = await addSheet()
  await t.call(confirmHandover, { id: h.id, pass: true }, other)
  const [closing, ...paid] = await Promise.allSettled([
    t.call(closeDay, { ...today, isTodayConfirmed: true }, me),
    ...Array.from({ length: 12 }, () => payNewBill(asFen(100))),
  ])
  const rows = defined(
    await t.database.reader(ownerId).one<{ n: number }>(
      sql`
        select count(*)::int as n
        from pay_record
        where handover_id is null and pay_day = '2026-11-21' and state <> 40
      `,
    ),
  ).n
  expect(rows).toBe(paid.filter(p => p.status === 'fulfilled').length)
  // A day that was closed holds no record without a confirmed sheet.
  if (closing.status === 'fulfilled') {
    expect(rows).toBe(0)
  }
})
