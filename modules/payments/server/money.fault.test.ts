import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import {
  addDeposit,
  convertDeposit,
  deductDeposit,
  receiveDeposit,
  refundDeposit,
} from '#modules/deposits/contract/deposit.ts'
import { deductRooms, refundAccount, topUp } from '#modules/prestore/contract/account.ts'
import { savePrestoreSetting } from '#modules/prestore/contract/setting.ts'
import { findViolations } from '#db/golden/invariants.ts'
import { golden } from '#db/golden/golden-data.ts'
import { ownerScope, seedEstate } from '#db/golden/seed-estate.ts'
import { openKillableServer, sendInTurn, type KillableServer } from '#db/golden/killable-server.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { addHandover, closeDay, confirmHandover, previewHandover, reopenDay } from '../contract/day-close.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord, recoverRecord, voidRecord } from '../contract/record.ts'
import { requestRefund, auditRefund, cancelRefund } from '../contract/refund.ts'

type RefundInput = NonNullable<typeof requestRefund.input.T>

/**
 * Each database moment of an action fails in a project of its own, so that no lock makes one wait for
 * another; in the first project nothing fails. Three actions share one kill: starting a server is slow.
 */
const maxMoments = 20
const concurrency = 3

const projects = Array.from({ length: concurrency }, (_, k) =>
  Array.from({ length: maxMoments }, (__, i) => `F${k}${String(i).padStart(2, '0')}`),
)

let t: GoldenApp
let me: CallOptions
let other: CallOptions
let ownerId: Id = 0
let item: Id = 0
let rooms: string[] = []
let room = ''
let s: KillableServer
let n = -1
const usedProjects: string[] = []

beforeAll(async () => {
  t = await openGoldenApp()
  ownerId = t.ownerId
  await t.database.tx('*', tx =>
    tx.execute(sql`update manager set all_project = true where login_code = ${golden.first.estateOnly}`),
  )
  me = await t.signedInAs(golden.first.owner, '')
  other = await t.signedInAs(golden.first.estateOnly, '')
  await t.database.tx(ownerId, async tx => {
    for (const p of projects.flat()) {
      await seedEstate(
        tx,
        ownerScope(ownerId, t.managerId, '金一管理员'),
        {
          projectCode: p,
          name: p,
          buildings: [{ code: 'B1', name: '1栋', units: 1, floors: 3, perFloor: 2 }],
        },
        3,
      )
    }
  })
  item = await t.addFeeItem('FAULT', { name: '断线测试', feeType: 'temporary', multi: true, late: true })
  rooms = (
    await t.database.reader(ownerId).rows<{ code: string }>(
      sql`
          select code
          from room
          where owner_id = ${ownerId} and project_code = ${defined(defined(projects[0])[0])}
          order by code
        `,
    )
  ).map(r => r.code)
  await startProcess()
})

afterAll(async () => {
  await s?.kill()
  await t?.close()
  if (process.env.FAULT_TIMES) {
    console.log(usedProjects.join('\n'))
  }
})

/** Sessions are looked up, and noted as seen, by a process's first call of each: not part of an action. */
async function startProcess(): Promise<void> {
  s = await openKillableServer(t.database.url, t.dir)
  for (const as of [me, other]) {
    await s.send(previewHandover, { projectCode: defined(defined(projects[0])[0]) }, as)
  }
}

const createBill = async (projectCode: string, amount: Fen, due: Day = '2026-09-13'): Promise<string> =>
  defined(
    (
      await t.call(
        addTempFee,
        {
          projectCode,
          feeItemId: item,
          amount,
          sources: [{ sourceType: 'room', sourceCode: room }],
          beginDate: '2026-09-01',
          endDate: '2026-09-30',
          dueDate: due,
        },
        me,
      )
    ).ids[0],
  )

const cashTender = (amount: Fen) => [{ method: 'cash', amount }] as const
const ownerInputOf = (projectCode: string) => ({ projectCode, ownerKind: 'room', ownerCode: room }) as const

const topUpInput = (projectCode: string, amount: Fen, gift: Fen = 0) =>
  t.call(topUp, { ...ownerInputOf(projectCode), methods: cashTender(amount), ...(gift ? { gift } : {}) }, me)

const createPaidRecord = async (projectCode: string, amount = asFen(31035)) =>
  t.call(
    getRecord,
    {
      id: (
        await t.call(
          payBills,
          {
            projectCode,
            billIds: [await createBill(projectCode, asFen(30000))],
            expectAmount: amount,
            methods: cashTender(amount),
          },
          me,
        )
      ).recordId,
    },
    me,
  )

const findAccountId = async (p: string, feeItemId = 0): Promise<number> =>
  defined(
    await t.database.reader(ownerId).one<{ id: Id }>(
      sql`
        select id
        from prestore_account
        where owner_id = ${ownerId} and project_code = ${p} and fee_item_id = ${feeItemId}
      `,
    ),
  ).id

const refundInput = (
  r: Awaited<ReturnType<typeof createPaidRecord>>,
  overrides: Partial<RefundInput> = {},
): RefundInput => ({
  recordId: r.id,
  lines: [{ detailId: defined(r.details[0]).id, principal: asFen(10000), late: asFen(1035) }],
  refundWay: 'cash',
  billAfter: 'owed',
  reason: '多收了',
  ...overrides,
})

const createDeposit = async (projectCode: string) => {
  const d = await t.call(
    addDeposit,
    { projectCode, kind: 'fitting', roomCode: room, amount: asFen(200_000) },
    me,
  )
  return t.call(receiveDeposit, { id: d.id, methods: cashTender(asFen(200_000)) }, me)
}

const handoverInput = async (projectCode: string, as: CallOptions) => {
  const { cashAmount, endTime } = await t.call(previewHandover, { projectCode }, as)
  return { projectCode, endTime, expectCash: cashAmount, handAmount: cashAmount }
}

const tables = [
  'bill',
  'pay_record',
  'prestore_entry',
  'deposit',
  'deposit_entry',
  'fee_refund',
  'cashier_handover',
  'day_close',
  'audit_log',
] as const

let startIds = new Map<string, number>()

const noteStartIds = async (): Promise<void> => {
  startIds = new Map(
    (
      await Promise.all(
        tables.map(x =>
          t.database
            .reader(ownerId)
            .one<{ id: Id }>(sql`select coalesce(max(id), 0) as id from ${sql.table(x)}`),
        ),
      )
    ).map((r, i) => [defined(tables[i]), defined(r).id]),
  )
}

/**
 * What an action and its preparation left in the books of a project, without numbers and times that differ
 * from project to project.
 */
const readBooks = async (p: string): Promise<string> => {
  const ownRows = (x: (typeof tables)[number], alias: string) =>
    sql`${sql.raw(alias)}.owner_id = ${ownerId}
      and ${sql.raw(alias)}.project_code = ${p}
      and ${sql.raw(alias)}.id > ${defined(startIds.get(x))}`
  return JSON.stringify(
    await t.database.reader(ownerId).all(
      sql`
          select b.begin_date, b.amount, b.discount_amount, b.paid_principal, b.late_fee_due,
            b.late_fee_paid, b.late_fee_waived, b.state, b.pay_state, b.refund_state, b.lock_order_id
          from bill b
          where ${ownRows('bill', 'b')}
          order by b.id
        `,
      sql`
          select r.record_type, r.receipt_no is not null as receipt, r.state, r.principal_amount,
            r.late_fee_amount, r.tendered_amount, r.change_amount, r.to_prestore, r.refunded_amount,
            r.refunding_amount, r.handover_id is not null as handed, r.methods
          from pay_record r
          where ${ownRows('pay_record', 'r')}
          order by r.id
        `,
      sql`
          select e.entry_type, e.amount, e.gift
          from prestore_entry e
          where ${ownRows('prestore_entry', 'e')}
          order by e.id
        `,
      sql`
          select d.state, d.balance, d.deducted, d.refunded, d.converted
          from deposit d
          where ${ownRows('deposit', 'd')}
          order by d.id
        `,
      sql`
          select e.entry_type, e.amount
          from deposit_entry e
          where ${ownRows('deposit_entry', 'e')}
          order by e.id
        `,
      sql`select f.state, f.amount from fee_refund f where ${ownRows('fee_refund', 'f')} order by f.id`,
      sql`
          select h.state, h.diff
          from cashier_handover h
          where ${ownRows('cashier_handover', 'h')}
          order by h.id
        `,
      sql`select c.day, c.closed from day_close c where ${ownRows('day_close', 'c')} order by c.day`,
      sql`
          select a.entity, a.action, count(*) as n
          from audit_log a
          where ${ownRows('audit_log', 'a')}
          group by 1, 2
          order by 1, 2
        `,
    ),
  )
}

interface HttpResult {
  readonly status: number
  readonly text: string
}

type PrepareAction = (project: string) => Promise<readonly [Call, object, CallOptions] | 'night'>
let nightCount = 0

async function prepareAction(
  project: string,
  uuid: string,
  prepare: PrepareAction,
): Promise<(fault?: string) => Promise<HttpResult | undefined>> {
  const action = await prepare(project)
  if (action !== 'night') {
    const [call, input, as] = action
    return fault => s.send(call, input, { ...as, uuid }, fault)
  }
  return async fault => {
    const result = await s.runDeduction({ fault: fault ?? `plain night${++nightCount} 0`, ownerId, project })
    return result && 'rooms' in result
      ? { status: result.fault ? 503 : 200, text: result.fault ?? '"Code":10000' }
      : undefined
  }
}

/**
 * Runs the actions undisturbed in the first project; in every other project with the connection cut and the
 * process killed at one moment, then sends the same request again.
 */
async function expectAtomic(actions: Readonly<Record<string, PrepareAction>>): Promise<void> {
  const at = ++n
  const began = performance.now()
  room = defined(rooms[at])
  await noteStartIds()
  const names: string[] = []
  const sends: ((fault?: string) => Promise<HttpResult | undefined>)[] = []
  const moments: number[] = []
  for (const [k, [name, prepare]] of Object.entries(actions).entries()) {
    const first = await (
      await prepareAction(defined(defined(projects[k])[0]), `${at}-${k}-0`, prepare)
    )(`count ${at}-${k} 0`)
    const many = await s.countMoments(`${at}-${k}`)
    expect([name, defined(first).text]).toEqual([name, expect.stringContaining('"Code":10000')])
    expect([name, many > 2 && many < maxMoments]).toEqual([name, true])
    const ownRows = await Promise.all(
      Array.from({ length: many }, (_, i) =>
        prepareAction(defined(defined(projects[k])[i + 1]), `${at}-${k}-${i + 1}`, prepare),
      ),
    )
    for (const [i, a] of (
      await Promise.all(ownRows.map((runAction, m) => runAction(`cut ${at}-${k}c${m + 1} ${m + 1}`)))
    ).entries()) {
      expect([name, i + 1, defined(a).status, defined(a).text]).toEqual([
        name,
        i + 1,
        503,
        expect.stringContaining('数据库暂时不可用，请稍后重试'),
      ])
    }
    names.push(...ownRows.map((_, i) => `${at}-${k}h${i + 1} ${i + 1}`))
    sends.push(...ownRows)
    moments.push(many)
  }
  const sent = sends.map((send, i) => send(`hold ${names[i]}`))
  await s.waitUntilHeld(
    names.map(x => defined(x.split(' ')[0])),
    sent,
  )
  await s.kill()
  // Only the actions that were committed when their answer was lost have answered by now.
  expect((await Promise.all(sent)).filter(Boolean).length).toBeLessThanOrEqual(moments.length)
  await startProcess()
  const done = await sendInTurn(sends.map(send => () => send()))
  const again = await sendInTurn(sends.map(send => () => send()))
  for (const [i, a] of done.entries()) {
    expect([names[i], defined(a).status, defined(a).text]).toEqual([
      names[i],
      200,
      expect.stringContaining('"Code":10000'),
    ])
  }
  expect(again.map(a => defined(a).text)).toEqual(done.map(a => defined(a).text))
  for (const [k, name] of Object.keys(actions).entries()) {
    const [whole, ...rest] = await Promise.all(
      defined(projects[k])
        .slice(0, defined(moments[k]) + 1)
        .map(readBooks),
    )
    for (const [i, b] of rest.entries()) {
      expect({ name, moment: i + 1, books: b }).toEqual({ name, moment: i + 1, books: whole })
    }
  }
  expect(await findViolations(t.database.reader(ownerId), ownerId)).toEqual([])
  usedProjects.push(
    `${Object.keys(actions)
      .map((name, k) => `${name} ${moments[k]}`)
      .join(', ')} moments: ${Math.round(performance.now() - began)} ms`,
  )
}

// First: the night looks at every room that has money.
it(
  'the night’s deduction; a deposit received, and refunded',
  () =>
    expectAtomic({
      night: async p => {
        await t.call(
          savePrestoreSetting,
          {
            projectCode: p,
            autoDeduct: true,
            onlyDue: true,
            deductLate: true,
            wholeBillOnly: false,
            giftFirst: false,
          },
          me,
        )
        await topUpInput(p, asFen(20000))
        await createBill(p, asFen(30000))
        return 'night'
      },
      receive: async p => [
        receiveDeposit,
        {
          id: (
            await t.call(
              addDeposit,
              { projectCode: p, kind: 'fitting', roomCode: room, amount: asFen(200_000) },
              me,
            )
          ).id,
          methods: cashTender(asFen(200_000)),
        },
        me,
      ],
      giveBack: async p => {
        const d = await createDeposit(p)
        await t.call(
          deductDeposit,
          { id: d.id, amount: asFen(30_000), reason: '墙面损坏', evidence: ['k1'] },
          me,
        )
        return [refundDeposit, { id: d.id, amount: 100_000, method: 'cash', reason: '验收合格' }, me]
      },
    }),
  120_000,
)

it(
  'a payment by cash and prestore for two bills, what is too much kept; a top-up with its gift; prestore paid back',
  () =>
    expectAtomic({
      pay: async p => {
        await topUpInput(p, asFen(5000))
        const billIds = [await createBill(p, asFen(30000)), await createBill(p, asFen(10000), '2026-12-31')]
        return [
          payBills,
          {
            projectCode: p,
            billIds,
            expectAmount: 41035,
            methods: [{ method: 'prestore', amount: 5000 }, ...cashTender(asFen(40000))],
            excessToPrestore: true,
          },
          me,
        ]
      },
      topUp: async p => [
        topUp,
        {
          ...ownerInputOf(p),
          methods: [...cashTender(asFen(30000)), { method: 'transfer', amount: 500 }],
          gift: 1000,
        },
        me,
      ],
      refund: async p => {
        await topUpInput(p, asFen(8000))
        return [
          refundAccount,
          { id: await findAccountId(p), amount: 5000, method: 'cash', reason: '退房' },
          me,
        ]
      },
    }),
  120_000,
)

it(
  'a refund: asked for, approved and paid into prestore, taken back',
  () =>
    expectAtomic({
      ask: async p => [requestRefund, refundInput(await createPaidRecord(p)), me],
      approve: async p => [
        auditRefund,
        {
          id: (
            await t.call(requestRefund, refundInput(await createPaidRecord(p), { refundWay: 'prestore' }), me)
          ).id,
          pass: true,
        },
        other,
      ],
      cancel: async p => {
        const f = await t.call(requestRefund, refundInput(await createPaidRecord(p)), me)
        await t.call(auditRefund, { id: f.id, pass: true }, other)
        return [cancelRefund, { id: f.id, reason: '退错了' }, me]
      },
    }),
  120_000,
)

it(
  'a payment is voided and recovered; a manual deduction',
  () =>
    expectAtomic({
      void: async p => [voidRecord, { id: (await createPaidRecord(p)).id, reason: '收错了' }, me],
      recover: async p => {
        const r = await createPaidRecord(p)
        await t.call(voidRecord, { id: r.id, reason: '收错了' }, me)
        return [recoverRecord, { id: r.id }, me]
      },
      deduct: async p => {
        await topUpInput(p, asFen(20000), asFen(1000))
        await createBill(p, asFen(30000))
        return [deductRooms, { projectCode: p, roomCodes: [room] }, me]
      },
    }),
  120_000,
)

it(
  'a deposit turned into prestore; a sheet handed over, and confirmed',
  () =>
    expectAtomic({
      convert: async p => [
        convertDeposit,
        { id: (await createDeposit(p)).id, to: 'prestore', amount: 70_000, reason: '业主要求' },
        me,
      ],
      handOver: async p => {
        await createPaidRecord(p)
        return [addHandover, await handoverInput(p, me), me]
      },
      confirm: async p => {
        await createPaidRecord(p)
        return [
          confirmHandover,
          { id: (await t.call(addHandover, await handoverInput(p, me), me)).id, pass: true },
          other,
        ]
      },
    }),
  120_000,
)

it(
  'a day closed, and opened again',
  () =>
    expectAtomic({
      close: async p => [closeDay, { projectCode: p, day: '2026-11-20' }, me],
      reopen: async p => {
        await t.call(closeDay, { projectCode: p, day: '2026-11-19' }, me)
        return [reopenDay, { projectCode: p, day: '2026-11-19', reason: '补录收款' }, me]
      },
    }),
  120_000,
)
