import type { Id } from '#kit/domain/id.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import { massReceiverState } from '../contract/choices.ts'
import { wechatMass, type WechatMass } from '../contract/mass.ts'
import { massFaultOf, type MassReport } from '../domain/job-report.ts'
import { finalState } from '../domain/mass-state.ts'

/** Reports and answers of an account are booked one after the other: one of the two finds the other. */
export const lockAccount = (tx: Tx, ownerId: Id, accountId: Id): Promise<unknown> =>
  tx.one(sql`
    select id
    from wechat_account
    where owner_id = ${ownerId} and id = ${accountId}
    for no key update
  `)

interface ReportedBatch {
  readonly massId: Id
  readonly batchNo: number
  readonly receiverCount: number
}

/** Marks the batch of a report; none where it is not known yet, or was reported before. */
const takeBatch = (
  tx: Tx,
  { ownerId, time }: Scope,
  accountId: Id,
  { messageId, status, arrivedCount }: MassReport,
): Promise<ReportedBatch | undefined> =>
  tx.one<ReportedBatch>(sql`
    update wechat_mass_batch
    set status = ${status}, arrived_count = least(${arrivedCount}, receiver_count),
      report_time = ${time}::timestamptz
    where owner_id = ${ownerId}
      and account_id = ${accountId}
      and message_id = ${messageId}
      and report_time is null
    returning mass_id, batch_no, receiver_count
  `)

/** A batch of which nobody got anything uses up no quota of its receivers. */
const freeReceivers = (tx: Tx, { ownerId }: Scope, { massId, batchNo }: ReportedBatch): Promise<number> =>
  tx.execute(sql`
    update wechat_mass_receiver
    set state = ${code(massReceiverState, 'failed')}
    where owner_id = ${ownerId} and mass_id = ${massId} and batch_no = ${batchNo}
  `)

const isOver = ({ state }: WechatMass): boolean => ['sent', 'partly', 'failed'].includes(state)

/** What a report makes of its batch and its mass message. False where its batch is not known yet. */
async function applyReport(tx: Tx, scope: Scope, accountId: Id, report: MassReport): Promise<boolean> {
  const batch = await takeBatch(tx, scope, accountId, report)
  if (!batch) return false
  const mass = await requireById(tx, wechatMass, scope, batch.massId, { lock: true })
  const missed = Math.max(0, batch.receiverCount - report.arrivedCount)
  if (missed === batch.receiverCount) {
    await freeReceivers(tx, scope, batch)
  }
  const counts = {
    sentCount: mass.sentCount - missed,
    failCount: mass.failCount + missed,
    reportedCount: mass.reportedCount + batch.receiverCount,
  }
  await update(tx, wechatMass, scope, mass.id, {
    ...counts,
    fault: massFaultOf(report, missed) ?? mass.fault,
    ...(isOver(mass) ? { state: finalState({ ...mass, ...counts }) } : {}),
  })
  return true
}

/** A report of the platform; one whose batch is not known yet is kept until it is. */
export async function saveMassReport(tx: Tx, scope: Scope, accountId: Id, report: MassReport): Promise<void> {
  await lockAccount(tx, scope.ownerId, accountId)
  if (await applyReport(tx, scope, accountId, report)) return
  const { messageId, status, arrivedCount } = report
  await tx.execute(sql`
    insert into wechat_job_report (owner_id, account_id, message_id, status, arrived_count, receive_time)
    values (
      ${scope.ownerId}, ${accountId}, ${messageId}, ${status}, ${arrivedCount}, ${scope.time}::timestamptz
    )
    on conflict (owner_id, account_id, message_id) do nothing
  `)
}

/** Notes under which number the platform took a batch, and books the report that came before. */
export async function saveMassBatch(
  tx: Tx,
  scope: Scope,
  accountId: Id,
  batch: ReportedBatch & { readonly messageId: string },
): Promise<void> {
  const { ownerId } = scope
  const { massId, batchNo, receiverCount, messageId } = batch
  await tx.execute(sql`
    insert into wechat_mass_batch (owner_id, mass_id, batch_no, account_id, message_id, receiver_count)
    values (${ownerId}, ${massId}, ${batchNo}, ${accountId}, ${messageId}, ${receiverCount})
    on conflict do nothing
  `)
  const early = await tx.one<Omit<MassReport, 'messageId'>>(sql`
    delete from wechat_job_report
    where owner_id = ${ownerId} and account_id = ${accountId} and message_id = ${messageId}
    returning status, arrived_count
  `)
  if (early) {
    await applyReport(tx, scope, accountId, { ...early, messageId })
  }
}
