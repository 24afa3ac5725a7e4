import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { asFen } from '#kit/domain/money.ts'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { openKillableServer, sendInTurn, type KillableServer } from '#db/golden/killable-server.ts'
import { ownerScope, seedEstate } from '#db/golden/seed-estate.ts'
import { getInstanceOfRecord, listOwnInstances } from '#modules/approvals/contract/instance.ts'
import { approveRequest } from '#modules/approvals/contract/instance-actions.ts'
import { processes } from '#modules/approvals/contract/process.ts'
import { addTempFee } from '#modules/bills/contract/temporary.ts'
import { addDeposit, refundDeposit } from '#modules/deposits/contract/deposit.ts'
import { payBills } from '../contract/payment.ts'
import { getRecord } from '../contract/record.ts'
import { listRefunds, requestRefund } from '../contract/refund.ts'

const kinds = ['bills', 'deposit'] as const
type Kind = (typeof kinds)[number]

/** Each moment is broken in a project of its own, so that no lock makes one wait for another. */
const maxMoments = 90
/** More at once would need more connections than a server has. */
const maxHeld = 45
const amount = asFen(30_000)

const projectOf = (kind: Kind, moment: number): string =>
  `A${kinds.indexOf(kind)}${String(moment).padStart(3, '0')}`
const projects = kinds.flatMap(kind => Array.from({ length: maxMoments }, (_, i) => projectOf(kind, i)))

let t: GoldenApp
let me: CallOptions
let first: CallOptions
let last: CallOptions
let item: Id
let rooms: ReadonlyMap<string, string>
let server: KillableServer

async function addApprover(): Promise<{ readonly id: Id; readonly as: CallOptions }> {
  const { loginCode } = await t.addClerk([])
  const found = await t.database
    .reader(t.ownerId)
    .one<{ id: Id }>(sql`select id from manager where login_code = ${loginCode}`)
  return { id: defined(found).id, as: await t.signedInAs(loginCode, '') }
}

async function seedProjects(): Promise<void> {
  await t.database.tx(t.ownerId, async tx => {
    for (const projectCode of projects) {
      const buildings = [{ code: 'B1', name: '1栋', units: 1, floors: 1, perFloor: 1 }]
      const scope = ownerScope(t.ownerId, t.managerId, '金一管理员')
      await seedEstate(tx, scope, { projectCode, name: projectCode, buildings }, 3)
    }
  })
  const found = await t.database.reader(t.ownerId).rows<{ project: string; code: string }>(sql`
    select project_code as project, min(code) as code
    from room
    where owner_id = ${t.ownerId} and project_code = any(${projects}::text[])
    group by 1
  `)
  rooms = new Map(found.map(row => [row.project, row.code]))
}

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner, '')
  item = await t.addFeeItem('KILLAPR', { name: '审批断线', feeType: 'temporary', multi: true })
  const approvers = [await addApprover(), await addApprover()]
  first = defined(approvers[0]).as
  last = defined(approvers[1]).as
  const nodes = approvers.map(({ id }, i) => ({
    key: `n${i}`,
    name: `审批${i}`,
    rule: 'people' as const,
    managerIds: [String(id)],
    mode: 'all' as const,
    refuseTo: 'end' as const,
  }))
  const flow = { emptyPolicy: 'administrator', skipsRepeated: true, state: 'on', nodes } as const
  await t.call(processes.save, { bizType: 'refund', processName: '退款审批', ...flow }, me)
  await seedProjects()
  await startServer()
}, 240_000)

afterAll(async () => {
  await server?.kill()
  await t?.close()
})

/** The first call of a process looks the session up and notes it: no part of an approval. */
async function startServer(): Promise<void> {
  server = await openKillableServer(t.database.url, t.dir)
  await server.send(listOwnInstances, { view: 'waiting', size: 1 }, last)
}

async function askBills(projectCode: string): Promise<void> {
  const sources = [{ sourceType: 'room' as const, sourceCode: defined(rooms.get(projectCode)) }]
  const days = { beginDate: '2026-09-01', endDate: '2026-09-30', dueDate: '2026-12-13' } as const
  const { ids } = await t.call(addTempFee, { projectCode, feeItemId: item, amount, sources, ...days }, me)
  const methods = [{ method: 'cash' as const, amount }]
  const { recordId } = await t.call(
    payBills,
    { projectCode, billIds: [defined(ids[0])], expectAmount: amount, methods },
    me,
  )
  const record = await t.call(getRecord, { id: recordId }, me)
  const lines = [{ detailId: defined(record.details[0]).id, principal: amount, late: asFen(0) }]
  const way = { refundWay: 'cash', billAfter: 'owed', reason: '多收退回' } as const
  await t.call(requestRefund, { recordId, lines, ...way }, me)
}

async function askDeposit(projectCode: string): Promise<void> {
  const roomCode = defined(rooms.get(projectCode))
  const methods = [{ method: 'cash' as const, amount }]
  const { id } = await t.call(addDeposit, { projectCode, kind: 'fitting', roomCode, amount, methods }, me)
  await t.call(refundDeposit, { id, amount, method: 'cash', reason: '装修结束' }, me)
}

const ask: Readonly<Record<Kind, (projectCode: string) => Promise<void>>> = {
  bills: askBills,
  deposit: askDeposit,
}

/** A refund that waits for its last approval; the number of the request. */
async function prepare(projectCode: string, kind: Kind): Promise<Id> {
  await ask[kind](projectCode)
  const { rows } = await t.call(listRefunds, {}, { ...me, projectCode })
  const refund = defined(rows.find(row => row.projectCode === projectCode))
  const { id } = await t.call(getInstanceOfRecord, { bizType: 'refund', bizId: refund.id }, me)
  await t.call(approveRequest, { id }, first)
  return id
}

/** All that an approval leaves, without what differs from project to project. */
const readState = async (project: string): Promise<string> => {
  const of = (alias: string) =>
    sql`${sql.raw(alias)}.owner_id = ${t.ownerId} and ${sql.raw(alias)}.project_code = ${project}`
  return JSON.stringify(
    await t.database.reader(t.ownerId).all(
      sql`select f.state, f.amount, f.audit_note from fee_refund f where ${of('f')}`,
      sql`select d.state, d.balance, d.refunding, d.refunded from deposit d where ${of('d')}`,
      sql`
        select r.tendered_amount, r.refunded_amount, r.refunding_amount, r.state, r.cashier_name
        from pay_record r
        where ${of('r')}
        order by r.id
      `,
      sql`select b.pay_state, b.paid_principal from bill b where ${of('b')}`,
      sql`
        select i.state, k.node_key, k.state as task_state
        from process_instance i
        join process_task k on k.owner_id = ${t.ownerId} and k.instance_id = i.id
        where ${of('i')}
        order by k.id
      `,
    ),
  )
}

async function countMoments(kind: Kind): Promise<number> {
  const id = await prepare(projectOf(kind, 0), kind)
  const answer = await server.send(approveRequest, { id }, { ...last, uuid: `${kind}-0` }, `count ${kind} 0`)
  expect([kind, answer?.text]).toEqual([kind, expect.stringContaining('"Code":10000')])
  return server.countMoments(kind)
}

/** Kills the server with all of these moments held, and sends the same approvals again. */
async function killAt(kind: Kind, moments: readonly number[]): Promise<void> {
  const ids: Id[] = []
  for (const moment of moments) {
    ids.push(await prepare(projectOf(kind, moment), kind))
  }
  const names = moments.map(moment => `${kind}${moment}`)
  const send = (i: number, fault?: string) =>
    server.send(
      approveRequest,
      { id: defined(ids[i]) },
      { ...last, uuid: `${kind}-${defined(moments[i])}` },
      fault,
    )
  const paused = moments.map((moment, i) => send(i, `hold ${names[i]} ${moment}`))
  await server.waitUntilHeld(names, paused)
  await server.kill()
  const answered = (await Promise.all(paused)).filter(Boolean)
  expect(answered.length).toBeLessThanOrEqual(1)
  await startServer()
  const answers = await sendInTurn(moments.map((_, i) => () => send(i)))
  for (const [i, answer] of answers.entries()) {
    expect([names[i], answer?.text]).toEqual([names[i], expect.stringContaining('"Code":10000')])
  }
}

it.each(kinds)(
  'the server killed at any moment of the last approval of a refund of %s pays it once or not at all (APR-5)',
  async kind => {
    const count = await countMoments(kind)
    expect(count > 5 && count < maxMoments).toBe(true)
    const moments = Array.from({ length: count }, (_, i) => i + 1)
    for (let i = 0; i < count; i += maxHeld) {
      await killAt(kind, moments.slice(i, i + maxHeld))
    }
    const whole = await readState(projectOf(kind, 0))
    for (const moment of moments) {
      expect([moment, await readState(projectOf(kind, moment))]).toEqual([moment, whole])
    }
  },
  300_000,
)
