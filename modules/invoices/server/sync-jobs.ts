import type { Id } from '#kit/domain/id.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron, defineJob } from '#kit/server/jobs.ts'
import type { App } from '#kit/server/app.ts'
import { code } from '#kit/server/sql.ts'
import { invoiceState } from '../contract/choices.ts'
import { describeError, syncInvoice } from './platform-sync.ts'

const maxConcurrent = 8
const maxPerRun = 200

interface DueInvoice {
  readonly ownerId: Id
  readonly id: Id
}

async function forEachConcurrently<T>(
  items: readonly T[],
  signal: AbortSignal,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const waiting = [...items]
  await Promise.all(
    Array.from({ length: maxConcurrent }, async () => {
      for (let item = waiting.shift(); item !== undefined && !signal.aborted; item = waiting.shift()) {
        await work(item)
      }
    }),
  )
}

/** Invoices without a result yet: asked for by one process at a time, after ten minutes less often. */
export async function syncDueInvoices(app: App, signal: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const isDue = sql`state = ${code(invoiceState, 'doing')} and query_time <= ${now}`
  const due = await forEachDueCompany(
    app.database,
    sql`select owner_id from invoice_record where ${isDue} group by owner_id order by min(query_time)`,
    (tx, ownerId) =>
      tx.rows<DueInvoice>(sql`
        update invoice_record as x
        set query_time = case
          when coalesce(x.sent_time, x.update_time) > ${addMinutes(now, -10)} then ${addMinutes(now, 1)}::timestamptz
          else ${addMinutes(now, 10)}::timestamptz
          end
        from (
          select id
          from invoice_record
          where owner_id = ${ownerId} and ${isDue}
          order by query_time
          limit ${maxPerRun}
          for update skip locked
        ) d
        where x.owner_id = ${ownerId} and x.id = d.id
        returning x.owner_id, x.id
      `),
  )
  await forEachConcurrently(due.flat(), signal, ({ ownerId, id }) =>
    syncInvoice(app, ownerId, id).catch((error: unknown) =>
      app.log.warn({ err: describeError(error), invoice: id }, 'an invoice was not synchronized'),
    ),
  )
}

export const sendInvoicesJob = defineJob<{ readonly ids: readonly Id[] }>({
  kind: 'invoices.send',
  isUrgent: true,
  run: async ({ ids }, { app, scope, signal, reportProgress }) => {
    let doneCount = 0
    let failed = 0
    let pending = 0
    await forEachConcurrently(ids, signal, async id => {
      const { state } = await syncInvoice(app, scope.ownerId, id)
      if (state === 'failed') {
        failed++
      } else if (state === 'doing') {
        pending++
      }
      reportProgress(++doneCount, ids.length)
    })
    return {
      success: ids.length - failed,
      fail: failed,
      ...(pending ? { message: `${pending} 张已提交平台，结果出来后会更新状态` } : {}),
    }
  },
})

export const invoiceCrons = [
  defineCron({ name: 'invoices-ask', schedule: '* * * * *', run: syncDueInvoices }),
  defineCron({
    name: 'invoices-notices',
    schedule: '25 4 * * *',
    run: async app => {
      const isOld = sql`create_time < ${new Date(app.clock() - 2 * 86_400_000)}`
      await forEachDueCompany(
        app.database,
        sql`select distinct owner_id from invoice_notice where ${isOld}`,
        (tx, ownerId) =>
          tx.execute(sql`
            delete from invoice_notice
            where owner_id = ${ownerId}
              and ${isOld}
          `),
      )
    },
  }),
]
