import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { analyzeTables } from '#db/golden/analyze.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openKillableServer, sendInTurn, type KillableServer } from '#db/golden/killable-server.ts'
import { ownerScope, seedEstate } from '#db/golden/seed-estate.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { listCharges, refundCharge } from '../contract/charge.ts'
import { countOrders } from '../contract/order-list.ts'
import { acceptOrder, closeOrder, dispatchOrder, finishOrder } from '../contract/order-actions.ts'
import { setFunctionSettings } from '../contract/settings.ts'
import { openOrderFixture, type OrderFixture } from './order.fixtures.ts'

const actionNames = ['finish', 'pay', 'close', 'closePaid', 'refund'] as const
type ActionName = (typeof actionNames)[number]

/**
 * Each moment of an action is broken in a project of its own, so that no lock makes one wait for another. An
 * action with more of them than this does what it should not.
 */
const maxMoments: Readonly<Record<ActionName, number>> = {
  finish: 60,
  pay: 60,
  close: 60,
  closePaid: 140,
  refund: 120,
}
/** More at once would need more connections than a server has. */
const maxHeld = 50

let w: OrderFixture
let me: CallOptions
let typeId: Id
const rooms = new Map<string, string>()
let server: KillableServer

const projectOf = (action: ActionName, moment: number): string =>
  `K${actionNames.indexOf(action)}${String(moment).padStart(3, '0')}`

beforeAll(async () => {
  w = await openOrderFixture({ handlerCount: 0 })
  const { t } = w
  me = await t.signedInAs(golden.first.owner, '')
  await t.call(setFunctionSettings, { settings: [{ key: 'closeApproval', enabled: false }] }, me)
  const feeItemId = await t.addFeeItem('GDK', { name: '维修费', feeType: 'temporary', multi: true })
  typeId = (await w.addType({ isCharge: true, feeItemId })).id
  await startServer()
}, 120_000)

afterAll(async () => {
  await server?.kill()
  await w?.close()
})

/** Projects of one room each, in which nothing has happened. */
async function addProjects(codes: readonly string[]): Promise<void> {
  const { t } = w
  await t.database.tx(t.ownerId, async tx => {
    for (const projectCode of codes) {
      await seedEstate(
        tx,
        ownerScope(t.ownerId, t.managerId, '金一管理员'),
        {
          projectCode,
          name: projectCode,
          buildings: [{ code: 'B1', name: '1栋', units: 1, floors: 1, perFloor: 1 }],
        },
        3,
      )
    }
    // A refund is through at once: all of it is within the action.
    await tx.execute(sql`
      insert into estate_setting (owner_id, project_code, key, value)
      select ${t.ownerId}::bigint, p.code, 'RefundAuditFrom', '99999999'
      from unnest(${codes}::text[]) as p(code)
      returning 1
    `)
  })
  const found = await t.database.reader(t.ownerId).rows<{ project: string; code: string }>(sql`
    select project_code as project, min(code) as code
    from room
    where owner_id = ${t.ownerId} and project_code = any(${codes}::text[])
    group by 1
  `)
  for (const { project, code } of found) {
    rooms.set(project, code)
  }
}

/** The first call of a process looks sessions up and notes them: no part of an action. */
async function startServer(): Promise<void> {
  server = await openKillableServer(w.t.database.url, w.t.dir)
  await server.send(countOrders, {}, me)
}

async function createWork(projectCode: string): Promise<Id> {
  const { t } = w
  const order = await w.register({
    projectCode,
    typeId,
    roomCode: defined(rooms.get(projectCode)),
    address: undefined,
  })
  await t.call(dispatchOrder, { id: order.id, handlerId: t.managerId }, me)
  await t.call(acceptOrder, { id: order.id }, me)
  return order.id
}

const amount = asFen(4000)
const finishInput = (id: Id) =>
  ({
    id,
    resultText: '已更换角阀',
    lines: [{ lineKind: 'labour', name: '上门维修', quantity: '1', price: amount }],
  }) as const

async function createDue(projectCode: string): Promise<Id> {
  const id = await createWork(projectCode)
  await w.t.call(finishOrder, finishInput(id), me)
  return id
}

const payment = async (project: string, id: Id, paid: Fen) => {
  const [owed] = (await w.t.call(listCharges, { orderId: [String(id)] }, me)).rows
  return {
    projectCode: project,
    billIds: [String(defined(owed).billId)],
    expectAmount: amount,
    methods: [{ method: 'cash', amount: paid }],
  } as const
}

async function createPaid(projectCode: string, paid: Fen): Promise<Id> {
  const id = await createDue(projectCode)
  await w.t.call(payBills, await payment(projectCode, id, paid), me)
  return id
}

type Prepared = readonly [Call, object]

const prepare: Readonly<Record<ActionName, (projectCode: string) => Promise<Prepared>>> = {
  finish: async project => [finishOrder, finishInput(await createWork(project))],
  pay: async project => [payBills, await payment(project, await createDue(project), amount)],
  close: async project => [closeOrder, { id: await createDue(project), reason: '业主不再维修' }],
  closePaid: async project => [
    closeOrder,
    { id: await createPaid(project, asFen(1500)), reason: '业主不再维修' },
  ],
  refund: async project => [
    refundCharge,
    { orderId: await createPaid(project, amount), reason: '服务未完成' },
  ],
}

/** All that an action leaves, without what differs from project to project. */
const readState = async (project: string): Promise<string> => {
  const of = (alias: string) =>
    sql`${sql.raw(alias)}.owner_id = ${w.t.ownerId} and ${sql.raw(alias)}.project_code = ${project}`
  return JSON.stringify(
    await w.t.database.reader(w.t.ownerId).all(
      sql`select o.state, o.pay_state, o.total_cost from work_order o where ${of('o')}`,
      sql`
          select r.action, r.from_state, r.to_state, r.content
          from work_order_record r
          where ${of('r')}
          order by r.id
        `,
      sql`
          select c.state, c.amount, c.paid_amount, c.bill_id is not null as has_bill
          from work_order_charge c
          where ${of('c')}
        `,
      sql`select l.name, l.amount from work_order_charge_line l where ${of('l')} order by l.id`,
      sql`
          select b.state, b.pay_state, b.amount, b.discount_amount, b.paid_principal
          from bill b
          where ${of('b')}
          order by b.id
        `,
      sql`
          select r.state, r.tendered_amount, r.refunded_amount, r.refunding_amount
          from pay_record r
          where ${of('r')}
          order by r.id
        `,
      sql`select f.state, f.amount, f.bill_after from fee_refund f where ${of('f')} order by f.id`,
    ),
  )
}

async function countMoments(action: ActionName): Promise<number> {
  await addProjects([projectOf(action, 0)])
  const [call, input] = await prepare[action](projectOf(action, 0))
  const answer = await server.send(call, input, { ...me, uuid: `${action}-0` }, `count ${action} 0`)
  expect([action, answer?.text]).toEqual([action, expect.stringContaining('"Code":10000')])
  return server.countMoments(action)
}

/** Kills the server with all of these moments held, and sends the same requests again. */
async function killAt(action: ActionName, moments: readonly number[]): Promise<void> {
  const names: string[] = []
  const sends: ((fault?: string) => ReturnType<KillableServer['send']>)[] = []
  for (const moment of moments) {
    const [call, input] = await prepare[action](projectOf(action, moment))
    names.push(`${action}${moment}`)
    sends.push(fault => server.send(call, input, { ...me, uuid: `${action}-${moment}` }, fault))
  }
  // As autovacuum does in operation: without statistics each statement on a charge reads all bills.
  await w.t.database.tx(w.t.ownerId, tx => analyzeTables(tx, 'bill', 'work_order', 'work_order_charge'))
  const paused = sends.map((send, i) => send(`hold ${names[i]} ${moments[i]}`))
  await server.waitUntilHeld(names, paused)
  await server.kill()
  // Only what was committed when its answer was lost may have answered.
  const answered = (await Promise.all(paused)).flatMap(answer => (answer ? [answer.text] : []))
  expect(answered.length, answered.join()).toBeLessThanOrEqual(1)
  await startServer()
  const answers = await sendInTurn(sends.map(send => () => send()))
  for (const [i, answer] of answers.entries()) {
    expect([names[i], answer?.text]).toEqual([names[i], expect.stringContaining('"Code":10000')])
  }
}

// One action after the other, for want of connections.
it.each(actionNames)(
  '%s: the server killed at any moment of it leaves the whole or nothing',
  async action => {
    const count = await countMoments(action)
    expect(count > 5 && count < maxMoments[action]).toBe(true)
    const moments = Array.from({ length: count }, (_, i) => i + 1)
    await addProjects(moments.map(moment => projectOf(action, moment)))
    for (let i = 0; i < count; i += maxHeld) {
      await killAt(action, moments.slice(i, i + maxHeld))
    }
    const whole = await readState(projectOf(action, 0))
    for (const moment of moments) {
      expect([moment, await readState(projectOf(action, moment))]).toEqual([moment, whole])
    }
  },
  240_000,
)
