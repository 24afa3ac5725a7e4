import { seedFeeItem } from '#db/golden/seed-fee-item.ts'
import type { Id } from '#kit/domain/id.ts'
import { createWriteStream, openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { isWrite, type Call } from '#kit/contract/call.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfInstant } from '#kit/domain/moment.ts'
import { asFen } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { resultCode } from '#kit/contract/wire.ts'
import { sql, type Database } from '#kit/server/db.ts'
import { writeWorkbook } from '#kit/server/workbook/workbook-writer.ts'
import { login } from '#modules/accounts/contract/sign-in.ts'
import { generateBills } from '#modules/bills/contract/run.ts'
import { listBills } from '#modules/bills/contract/list.ts'
import {
  addHandover,
  checkDayClose,
  closeDay,
  confirmHandover,
  previewHandover,
} from '#modules/payments/contract/day-close.ts'
import { payBills } from '#modules/payments/contract/payment.ts'
import { getRecord } from '#modules/payments/contract/record.ts'
import { requestRefund } from '#modules/payments/contract/refund.ts'
import { importRooms } from '#modules/rooms/contract/import-export.ts'
import { password } from '#db/golden/golden-data.ts'
import { entityOf, exampleInput, readKnownRows } from '../every-call/examples.ts'
import { pause, type ProofCaller, type ProofServer } from './proof-server.ts'

/** A company of the golden data with the one who works in it. */
export interface ProofCompany {
  readonly ownerId: Id
  readonly caller: ProofCaller
}

export const projectCode = 'GOLD0001'

export async function signIn(server: ProofServer, loginCode: string): Promise<ProofCaller> {
  const { token } = await server.call(login, { loginCode, password }, {})
  return { token, projectCode }
}

/** Waits for a task's end. Returns its state (30 is done). */
export async function waitForTask(database: Database, ownerId: Id, id: Id): Promise<number> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const task = await database
      .reader(ownerId)
      .one<{ state: number }>(sql`select state from task_center where owner_id = ${ownerId} and id = ${id}`)
    if (task && task.state >= 30) return task.state
    await pause(200)
  }
  throw new Error(`任务 ${id} 两分钟没有做完`)
}

/** Ten rooms from a workbook, as the import screen does it. Returns how many came in. */
export async function importTenRooms(
  server: ProofServer,
  database: Database,
  { ownerId, caller }: ProofCompany,
  folder: string,
): Promise<number> {
  const path = join(folder, `rooms-${ownerId}.xlsx`)
  const headings = ['楼栋', '单元', '楼层', '房号', '房屋类型', '建筑面积（㎡）', '房态']
  const rows = Array.from({ length: 10 }, (_, i) => ['1栋', '1', '3', `35${i}`, '住宅', 88.5, '空置'])
  await writeWorkbook(
    headings.map(heading => ({ heading })),
    [rows],
    createWriteStream(path),
  )
  const preview = await server.call(importRooms.post, { projectCode }, caller, await openAsBlob(path))
  const { taskId } = await server.call(
    importRooms.post,
    { projectCode, importId: defined(preview.importId), mode: 'skip' },
    caller,
  )
  await waitForTask(database, ownerId, defined(taskId))
  const task = await database.reader(ownerId).one<{ success: number; skipped: number; message?: string }>(
    sql`
      select success, skipped, message
      from task_center
      where owner_id = ${ownerId}
        and id = ${defined(taskId)}
    `,
  )
  if (task === undefined || task.success + task.skipped !== 10)
    throw new Error(`导入了 ${task?.success} 间：${task?.message ?? ''} ${JSON.stringify(preview.errors)}`)
  return task.success
}

/** This month's bills of the project. Returns how many there are then. */
export async function generateMonth(
  server: ProofServer,
  database: Database,
  { ownerId, caller }: ProofCompany,
): Promise<number> {
  const { run } = await server.call(
    generateBills,
    { projectCode, month: monthOf(dayOfInstant(Date.now())), isPreview: false },
    caller,
  )
  const id = defined(run).id
  for (let attempt = 0; attempt < 600; attempt++) {
    const row = await database.reader(ownerId).one<{ ended: boolean; state: number; message?: string }>(
      sql`
        select end_time is not null as ended, state, message
        from bill_run
        where owner_id = ${ownerId} and id = ${id}
      `,
    )
    if (row?.ended) break
    await pause(200)
  }
  const { total } = await server.call(listBills, { projectCode, size: 10 }, caller)
  if (!total) throw new Error('一张账单也没有生成')
  return total
}

/** Unpaid bills made for the proof alone: `count` of them, 100.00 each. */
export const createProofBills = (database: Database, ownerId: Id, count: number): Promise<Id[]> =>
  database.tx(ownerId, async tx => {
    const mark = Date.now().toString(36)
    const item = await seedFeeItem(tx, ownerId, `PROOF${mark}`, { name: `证明${mark}`, multi: true })
    const bills = await tx.rows<{ id: Id }>(sql`
      insert into bill (
        owner_id, project_code, bill_no, source_type, source_code, source_name, payer_name, fee_item_id,
        fee_item_name, fee_type, begin_date, end_date, belong_month, amount, due_date, state, bill_source
      )
      select ${ownerId}::bigint, ${projectCode}::text, r.no, 10, r.no, '1-1-101', '王五', ${item}::bigint,
        ${`证明${mark}`}::text, 10, '2026-09-01', '2026-09-30', '2026-09', 100, '2099-12-31', 20, 10
      from jsonb_to_recordset(
        ${JSON.stringify(Array.from({ length: count }, (_, i) => ({ no: `${mark}${i}` })))}::jsonb
      ) as r(no text)
      returning id
    `)
    return bills.map(bill => bill.id)
  })

export const payBill = (server: ProofServer, bill: number, caller: ProofCaller) =>
  server.call(payBills, payInput(bill), caller)

export const payInput = (bill: number) => ({
  projectCode,
  billIds: [String(bill)],
  expectAmount: asFen(10_000),
  methods: [{ method: 'cash' as const, amount: asFen(10_000) }],
})

/** Pays a bill and gives 40.00 of it back. Returns the state of the refund. */
export async function payAndRefund(server: ProofServer, bill: number, caller: ProofCaller): Promise<string> {
  const { recordId } = await payBill(server, bill, caller)
  const record = await server.call(getRecord, { id: recordId }, caller)
  const refund = await server.call(
    requestRefund,
    {
      recordId,
      lines: [{ detailId: defined(record.details[0]).id, principal: asFen(4000), late: 0 }],
      refundWay: 'cash',
      billAfter: 'owed',
      reason: '集群证明',
    },
    caller,
  )
  return refund.state
}

/** Hands the cash over, has it confirmed by another, and closes today. */
export async function closeToday(
  server: ProofServer,
  cashier: ProofCaller,
  supervisor: ProofCaller,
): Promise<string> {
  const day = dayOfInstant(Date.now())
  const handover = await server.call(previewHandover, { projectCode }, cashier)
  const sheet = await server.call(
    addHandover,
    {
      projectCode,
      endTime: handover.endTime,
      expectCash: handover.cashAmount,
      handAmount: handover.cashAmount,
    },
    cashier,
  )
  await server.call(confirmHandover, { id: sheet.id, pass: true }, supervisor)
  await server.call(checkDayClose, { projectCode, day }, cashier)
  await server.call(closeDay, { projectCode, day, isTodayConfirmed: true }, cashier)
  return day
}

export interface ReadSummary {
  readonly calls: number
  readonly answered: number
  readonly defects: readonly string[]
}

/**
 * Every call that only reads, lists and reports among them, once with the least and once with all of its
 * input.
 */
export async function readEverything(
  server: ProofServer,
  database: Database,
  calls: readonly Call[],
  { ownerId, caller }: ProofCompany,
): Promise<ReadSummary> {
  const rows = await readKnownRows(database, ownerId, projectCode)
  const reads = calls.filter(call => !isWrite(call) && !call.upload)
  const defects: string[] = []
  let answered = 0
  for (const call of reads) {
    for (const which of ['needed', 'all'] as const) {
      const input = exampleInput(call, { rows, project: projectCode, of: entityOf(call) }, which)
      const { status, envelope } = await server.send(call, input, caller)
      if (status >= 500 || envelope?.Code === resultCode.internalError) {
        defects.push(`${call.route}（${which}）：${status} ${envelope?.Message ?? ''}`)
      } else {
        answered++
      }
    }
  }
  return { calls: reads.length, answered, defects }
}
