import { refuse } from '#kit/contract/wire.ts'
import { dayOfMoment, fromInstant } from '#kit/domain/moment.ts'
import { writes, type Handler, type Writing } from '#kit/server/handle.ts'
import { job } from '#kit/server/jobs.ts'
import type { Tx } from '#kit/server/db.ts'
import type { Call } from '#kit/contract/call.ts'
import { abolishSearch, deleteSearch, recoverSearch, type BySearch } from '../contract/actions.ts'
import { searchRefusal } from '../domain/actions.ts'
import { abolish, deleting, recover, type Deed } from './actions.ts'
import { type Answer } from './act.ts'
import { billCondition, locked, narrows } from './find.ts'
import type { Bill } from '../contract/bill.ts'
import { alsoRefused, byReason, refusedFile } from './refusals.ts'

type Asked = BySearch & { readonly resetDue?: boolean | undefined }
type Kind = 'abolish' | 'recover' | 'delete'

const deeds: Readonly<
  Record<
    Kind,
    {
      readonly verb: string
      readonly run: (tx: Tx, d: Deed, rows: readonly Bill[], q: Asked) => Promise<Answer>
    }
  >
> = {
  abolish: { verb: '作废', run: (tx, d, rows) => abolish(tx, d, rows) },
  recover: { verb: '恢复', run: (tx, d, rows, q) => recover(tx, d, rows, q.resetDue ?? false) },
  delete: { verb: '删除', run: (tx, d, rows) => deleting(tx, d, rows) },
}

/** A background job beyond so many bills (G-11). */
export const atOnce = 2000

/**
 * Locks what the filter finds, asks whether it is still what was seen (BILL-1), and does it. All or nothing,
 * whatever its size.
 */
async function doIt(
  kind: Kind,
  tx: Tx,
  d: Deed,
  { count, sum, reason: _, resetDue, ...filter }: Asked,
): Promise<Answer> {
  const rows = await locked(tx, d.scope, billCondition(d.scope, filter, d.today, d.now), { relations: true })
  const no = searchRefusal(
    !narrows(filter),
    { count, sum },
    { count: rows.length, sum: rows.reduce((n, r) => n + r.receivable, 0) },
  )
  return no
    ? refuse(no)
    : deeds[kind].run(tx, d, rows, { ...filter, count, sum, resetDue, reason: d.reason! })
}

const handler = (c: Call, kind: Kind): Handler =>
  writes(
    c as Call<Asked, Answer & { taskId?: number }>,
    async (q, { tx, scope, today, now, world }: Writing) => {
      if (!narrows(withoutSeen(q))) return refuse('请先设置筛选条件，不能对全部账单操作')
      if (q.count > atOnce)
        return {
          success: 0,
          fail: 0,
          skipped: 0,
          rows: [],
          taskId: await world.jobs.start(
            tx,
            scope,
            `bills.${kind}`,
            `按筛选${deeds[kind].verb}账单 ${q.count} 张`,
            q,
          ),
        }
      return doIt(kind, tx, { scope, today, now, reason: q.reason }, q)
    },
  )

const withoutSeen = ({ count: _, sum: __, reason: ___, resetDue: ____, ...filter }: Asked) => filter

export const searchHandlers = [
  handler(abolishSearch, 'abolish'),
  handler(recoverSearch, 'recover'),
  handler(deleteSearch, 'delete'),
]

/** One transaction: nobody ever sees half of it, and what was counted is what is done. */
export const searchJobs = (Object.keys(deeds) as Kind[]).map(kind =>
  job<Asked>({
    kind: `bills.${kind}`,
    type: 40,
    run: async (q, c) => {
      const { store, scope, world } = c
      const now = fromInstant(world.clock())
      const d: Deed = { scope, now, today: dayOfMoment(now), reason: q.reason, most: q.count }
      c.progress(0, q.count, `正在${deeds[kind].verb}`)
      const a = await store.tx(scope.ownerId, tx => doIt(kind, tx, d, q))
      const refused = alsoRefused({}, a.rows)
      return {
        success: a.success,
        skipped: a.skipped,
        message: `${deeds[kind].verb}成功 ${a.success} 张${a.skipped ? `，跳过 ${a.skipped} 张，原因见结果文件` : ''}`,
        summary: byReason(refused),
        ...(a.skipped
          ? { file: await refusedFile(c, refused, `没有${deeds[kind].verb}的账单`, String(c.task)) }
          : {}),
      }
    },
  }),
)
