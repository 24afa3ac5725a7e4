import type { Id } from '#kit/domain/id.ts'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { isSuccess } from '#kit/contract/wire.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { exportRooms } from '#modules/rooms/contract/import-export.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { formatNode, type NodeAddress } from './plan.ts'
import { pause, type ProofServer } from './proof-server.ts'
import { createProofBills, payInput, projectCode, waitForTask, type ProofCompany } from './proof-steps.ts'

/**
 * A shell command of the operator's, `{port}` and `{host}` filled in: how a worker is stopped and started.
 */
export const runNodeCommand = async (command: string, node: NodeAddress): Promise<void> => {
  const text = command.replaceAll('{port}', String(node.port)).replaceAll('{host}', node.host)
  await promisify(execFile)('/bin/sh', ['-c', text])
}

export interface OutageSummary {
  readonly node: string
  readonly downSeconds: number
  readonly payments: number
  /** answers that were no success, by message, with their number */
  readonly messages: Readonly<Record<string, number>>
  readonly lost: number
  readonly double: number
  readonly longestSeconds: number
  /** payments of the company on the other node during the move, and how many of them were refused */
  readonly otherPayments: number
  readonly otherRefused: number
}

interface Payment {
  readonly refusals: string[]
  readonly seconds: number
}

/**
 * Sends a payment under one key until it is answered, as a browser does whose user presses the button again.
 */
async function payUntilAnswered(
  servers: readonly ProofServer[],
  bill: number,
  { caller }: ProofCompany,
): Promise<Payment> {
  const uuid = randomUUID()
  const started = Date.now()
  const refusals: string[] = []
  for (let attempt = 0; Date.now() - started < 120_000; attempt++) {
    const server = servers[attempt % servers.length]
    const answer = await server?.send(payBills, payInput(bill), { ...caller, uuid }).catch(() => undefined)
    if (answer?.envelope && isSuccess(answer.envelope.Code))
      return { refusals, seconds: (Date.now() - started) / 1000 }
    refusals.push(`${answer?.status ?? '无应答'} ${answer?.envelope?.Message ?? ''}`.trim())
    await pause(500)
  }
  throw new Error(`账单 ${bill} 两分钟没有收成：${refusals.at(-1)}`)
}

async function payAll(
  servers: readonly ProofServer[],
  bills: readonly Id[],
  company: ProofCompany,
  onPaid?: (count: number) => void,
): Promise<Payment[]> {
  const waiting = [...bills]
  const payments: Payment[] = []
  await Promise.all(
    [0, 1, 2, 3].map(async () => {
      for (let bill = waiting.shift(); bill !== undefined; bill = waiting.shift()) {
        payments.push(await payUntilAnswered(servers, bill, company))
        onPaid?.(payments.length)
      }
    }),
  )
  return payments
}

/**
 * Payments at both companies' cashiers; in their middle the worker of the first dies and comes back. Each
 * bill is paid once, no money is lost or taken twice.
 */
export async function payThroughOutage(
  servers: readonly ProofServer[],
  database: Database,
  [first, second]: readonly [ProofCompany, ProofCompany],
  worker: NodeAddress,
  commands: { readonly stop: string; readonly start: string },
): Promise<OutageSummary> {
  const bills = await createProofBills(database, first.ownerId, 80)
  const otherBills = await createProofBills(database, second.ownerId, 80)
  const downSeconds = 6
  let outage: Promise<void> | undefined
  const takeDown = async (): Promise<void> => {
    await runNodeCommand(commands.stop, worker)
    await pause(downSeconds * 1000)
    await runNodeCommand(commands.start, worker)
  }
  const [payments, others] = await Promise.all([
    payAll(servers, bills, first, count => {
      if (count === 20) {
        outage = takeDown()
        // Waited for below, when the payments have ended; until then a failure is nobody's.
        outage.catch(() => {})
      }
    }),
    payAll(servers, otherBills, second),
  ])
  await outage
  const messages: Record<string, number> = {}
  for (const message of payments.flatMap(payment => payment.refusals)) {
    messages[message] = (messages[message] ?? 0) + 1
  }
  const paid = await countPaid(database, first.ownerId, bills)
  return {
    node: formatNode(worker),
    downSeconds,
    payments: payments.length,
    messages,
    lost: paid.lost,
    double: paid.double,
    longestSeconds: Math.max(...payments.map(payment => payment.seconds)),
    otherPayments: others.length,
    otherRefused: others.flatMap(payment => payment.refusals).length,
  }
}

/** By the bills, by the details and by the records: one hundred for each bill, in one record. */
async function countPaid(
  database: Database,
  ownerId: Id,
  bills: readonly Id[],
): Promise<{ lost: number; double: number }> {
  const rows = await database
    .reader(ownerId)
    .rows<{ id: Id; paid: string; records: number; principal: string }>(
      sql`
      select b.id, b.paid_principal::text as paid, count(r.id)::int as records,
        coalesce(sum(d.principal), 0)::text as principal
      from bill b
      left join pay_detail d on d.owner_id = ${ownerId} and d.bill_id = b.id
      left join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id
      where b.owner_id = ${ownerId} and b.id = any(${bills}::bigint[])
      group by b.id, b.paid_principal
    `,
    )
  return {
    lost: bills.length - rows.filter(row => row.records >= 1 && row.paid === '100.00').length,
    double: rows.filter(row => row.records > 1 || Number(row.principal) > 100).length,
  }
}

export interface TaskSummary {
  readonly tasks: number
  readonly done: number
  readonly seconds: number
}

/** Tasks of both companies on two processes, of which one is killed; all of them are done in the end. */
export async function runTasksThroughKill(
  kept: ProofServer,
  killed: ProofServer,
  database: Database,
  companies: readonly ProofCompany[],
): Promise<TaskSummary> {
  const started = Date.now()
  const tasks: { ownerId: Id; id: Id }[] = []
  for (let round = 0; round < 4; round++) {
    for (const { ownerId, caller } of companies) {
      tasks.push({ ownerId, id: await kept.call(exportRooms.start, { projectCode }, caller) })
    }
  }
  await killed.kill()
  const states: number[] = []
  for (const task of tasks) {
    states.push(await waitForTask(database, task.ownerId, task.id))
  }
  return {
    tasks: tasks.length,
    done: states.filter(state => state === 30).length,
    seconds: (Date.now() - started) / 1000,
  }
}
