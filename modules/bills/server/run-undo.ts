import { absent, refuse } from '#kit/contract/wire.ts'
import { sql, type Db, type RawBuilder, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handle.ts'
import { job } from '#kit/server/jobs.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import type { Scope } from '#kit/server/scope.ts'
import { audit } from '#kit/server/audit.ts'
import { byIds, wall } from '#kit/server/table.ts'
import { bill, billRun, type Bill, type BillRun } from '../contract/bill.ts'
import { undoRun } from '../contract/run.ts'
import { holdRelations } from './find.ts'
import { billsGo } from './gone.ts'
import { samePlace } from './same-place.ts'

/** Undone at once up to here; more of them are a task's. */
const atOnce = 2000
const chunk = 5000

type Sql = RawBuilder<any>

const live = (scope: Scope, run: BillRun): Sql =>
  sql`${wall(bill, scope, run.projectCode)} and t.batch_no = ${run.batchNo} and t.state in (10, 20)`

const paid = sql`(t.paid_principal > 0 or t.late_fee_paid > 0)`

/**
 * What abolishing refuses, as a condition (C3.2): nothing paid, not in payment, not invoiced.
 * `generate.test.ts` holds it to `refusal('abolish', …)`.
 */
export const abolishable = (now: string): Sql =>
  sql`not ${paid} and (t.lock_until is null or t.lock_until <= ${now}::timestamptz) and t.invoice_state = 0`

interface Judged {
  readonly live: number
  readonly paid: number
  readonly free: number
}

const judge = async (db: Db, scope: Scope, run: BillRun, now: string): Promise<Judged> =>
  (await db.one<Judged>(
    sql`
      select count(*)::int as live, count(*) filter (where ${paid})::int as paid,
        count(*) filter (where ${abolishable(now)})::int as free
      from bill t
      where ${live(scope, run)}
    `,
  ))!

/** GEN-7, in the words of `undoBatch`. */
function undoable(j: Judged, onlyUnpaid: boolean): void {
  if (!j.live) refuse('这一批没有可以撤销的账单，可能已经作废')
  if (j.paid && !onlyUnpaid) refuse(`这一批有 ${j.paid} 张账单已缴费，不能整批撤销；可勾选“仅撤销未缴”`)
  if (!j.free) refuse('这一批剩下的账单都已缴费、开票或正在支付中，不能撤销')
}

/** One transaction's worth: the bills, then whatever hangs on them. Answers how many. */
async function undoSome(
  tx: Tx,
  scope: Scope,
  run: BillRun,
  reason: string,
  now: string,
  limit: number,
): Promise<number> {
  await holdRelations(
    tx,
    scope.ownerId,
    sql`t.id in (
      select t.id from bill t where ${live(scope, run)} and ${abolishable(now)} order by t.id limit ${limit}
    )`,
  )
  const gone = await tx.rows<Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'>>(sql`
    update bill u
    set state = 30, ${samePlace('u')}, abolish_time = now(), abolish_by = ${scope.operatorId},
      abolish_reason = ${reason}, version = version + 1, update_time = now(),
      update_by = ${scope.operatorId}
    from (
      select t.id
      from bill t
      where ${live(scope, run)} and ${abolishable(now)}
      order by t.id
      limit ${limit}
      for update of t
    ) x
    where u.owner_id = ${scope.ownerId} and u.id = x.id
    returning u.id, u.bill_no, u.relation_id, u.ref_type, u.ref_id
  `)
  await billsGo(tx, scope, gone)
  await audit(
    tx,
    scope,
    gone.length
      ? [
          {
            action: 'state',
            entity: billRun.name,
            entityId: run.id,
            projectCode: run.projectCode,
            before: { batchNo: run.batchNo, state: '正常' },
            after: { state: '已作废', bills: gone.length, from: gone[0]!.id, to: gone.at(-1)!.id },
            reason,
          },
        ]
      : [],
  )
  return gone.length
}

/** The batch as a whole is undone when nothing of it lives. */
const close = async (tx: Tx, scope: Scope, run: BillRun, reason: string, now: string): Promise<number> => {
  const left = (await judge(tx, scope, run, now)).live
  await tx.run(
    sql`
      update bill_run
      set state = ${left ? sql`state` : 60},
        message = ${left ? `已撤销未缴的账单，保留 ${left} 张：${reason}` : `已撤销：${reason}`}, end_time = now(),
        version = version + 1, update_time = now(), update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId} and id = ${run.id}
    `,
  )
  return left
}

export const undoJob = job<{ run: number; onlyUnpaid: boolean; reason: string }>({
  kind: 'bills.undo',
  type: 40,
  run: async ({ run: id, onlyUnpaid, reason }, c) => {
    const { store, scope, world } = c
    const owner = scope.ownerId
    const now = (): string => fromInstant(world.clock())
    const [run] = await byIds(store.reader(owner), billRun, scope, [id])
    if (!run) throw absent()
    let done = c.checkpoint.read<number>() ?? 0
    const all = await judge(store.reader(owner), scope, run, now())
    if (!done) {
      undoable(all, onlyUnpaid)
    }
    for (let n = 1; n > 0;) {
      n = await store.tx(owner, async tx => {
        const some = await undoSome(tx, scope, run, reason, now(), chunk)
        await c.checkpoint.save(tx, done + some)
        return some
      })
      done += n
      c.progress(done, Math.max(all.free, done))
    }
    const kept = await store.tx(owner, tx => close(tx, scope, run, reason, now()))
    return { success: done, skipped: kept, message: `作废 ${done} 张${kept ? `，保留 ${kept} 张` : ''}` }
  },
})

export const undoHandlers = [
  writes(undoRun, async ({ id, onlyUnpaid = false, reason }, { tx, scope, now, world }) => {
    const [run] = await byIds(tx, billRun, scope, [id], true)
    if (!run) throw absent()
    if (run.state === 'waiting' || run.state === 'running')
      return refuse('这一批还在生成，请等它完成或先停止')
    const j = await judge(tx, scope, run, now)
    undoable(j, onlyUnpaid)
    if (j.free > atOnce)
      return {
        abolished: 0,
        kept: j.live - j.free,
        taskId: await world.jobs.start(
          tx,
          { ...scope, projectCode: run.projectCode },
          'bills.undo',
          `撤销批次 ${run.batchNo}`,
          { run: id, onlyUnpaid, reason },
        ),
      }
    // Once more after what it waited for: a bill that was split meanwhile left two halves.
    let abolished = 0
    for (let n = 1; n > 0; abolished += n) {
      n = await undoSome(tx, scope, run, reason, now, atOnce)
    }
    // Somebody else was first with all of them.
    if (!abolished) {
      undoable(await judge(tx, scope, run, now), onlyUnpaid)
    }
    return { abolished, kept: await close(tx, scope, run, reason, now) }
  }),
]
