import { defined } from '#kit/domain/defined.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { addMinutes, fromInstant } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { forEachDueCompany } from '#kit/server/directory.ts'
import { defineCron, defineJob } from '#kit/server/jobs.ts'
import { systemScope, type Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { invoiceRecord, type InvoiceRecord } from '../contract/record.ts'
import { applyCancel, completeRedInvoice } from './red-invoice.ts'
import { connectPlatform } from './tax-platform/accounts.ts'
import type { IssueRequest, PlatformResult } from './tax-platform/platform.ts'
import { hasRedDue } from './red-due.ts'
import { lockInvoice, stateCode, changeState } from './invoice-state.ts'
import { code } from '#kit/server/sql.ts'
import { invoiceState } from '../contract/choices.ts'

const maxConcurrent = 8
const maxPerRun = 200
const issueFailedNotice = defineNotificationKind({
  key: 'invoices.failed',
  label: '开票失败',
  group: 'todo',
  level: 'important',
})
const ownerScope = (owner: number, project = ''): Scope => ({ ...systemScope(owner), projectCode: project })
const noAnswerText = '平台没有回答，系统会继续询问'

const toIssueRequest = async (app: App, owner: number, r: InvoiceRecord): Promise<IssueRequest> => {
  const blue = r.isRed
    ? await requireById(app.database.reader(owner), invoiceRecord, ownerScope(owner), defined(r.originalId))
    : undefined
  const line = (l: InvoiceRecord['lines'][number]): number =>
    defined(blue).lines.findIndex(b => b.goodId === l.goodId && b.taxRate === l.taxRate) + 1
  return {
    ...r,
    ...(blue
      ? {
          red: {
            invoiceNo: blue.invoiceNo ?? '',
            reason: r.redReason ?? '',
            whole: r.totalAmount === -blue.totalAmount,
            lines: r.lines.map(line),
          },
        }
      : {}),
  }
}

/**
 * Brings one invoice under way further: asks for it if it may have been sent, sends it if the platform has
 * never heard of it. The sending is written down before it leaves, so whoever comes after a crash asks first.
 * One number, one invoice: an unknown end stays 20 and is asked for again.
 */
export async function syncInvoice(app: App, owner: number, id: number): Promise<InvoiceRecord> {
  const db = app.database.reader(owner)
  const r = await requireById(db, invoiceRecord, ownerScope(owner), id)
  if (r.state !== 'doing' || r.channel !== 'platform') return r
  try {
    const p = await connectPlatform(app, owner, r.setId)
    const known: PlatformResult = r.sentTime ? await p.query(r.serialNo) : { state: 'absent' }
    let said = known
    if (known.state === 'absent') {
      const mine = await app.database.tx(owner, tx =>
        tx.execute(
          sql`
            update invoice_record
            set sent_time = ${fromInstant(app.clock())}
            where owner_id = ${owner}
              and id = ${id}
              and state = ${stateCode('doing')}
              and serial_no = ${r.serialNo}
          `,
        ),
      )
      if (!mine) return await requireById(db, invoiceRecord, ownerScope(owner), id)
      said = await p.issue(await toIssueRequest(app, owner, r))
    }
    await applyPlatformResult(app, owner, r, said)
  } catch (err) {
    app.log.warn({ err: (err as Error).message, invoice: r.serialNo }, 'the invoice platform does not answer')
    await app.database.tx(owner, tx =>
      tx.execute(
        sql`
          update invoice_record
          set fail_reason = ${err instanceof Refused ? err.message.slice(0, 200) : noAnswerText},
            update_time = ${fromInstant(app.clock())}
          where owner_id = ${owner} and id = ${id} and state = ${stateCode('doing')}
        `,
      ),
    )
  }
  return requireById(db, invoiceRecord, ownerScope(owner), id)
}

/** What the platform says of a number: taken once, whoever brings the word and however often. */
export async function applyPlatformResult(
  app: App,
  owner: number,
  seen: Pick<InvoiceRecord, 'id' | 'serialNo'>,
  said: PlatformResult,
): Promise<void> {
  if (said.state === 'doing' || said.state === 'absent') return
  await app.database.tx(owner, async tx => {
    const r = await lockInvoice(tx, ownerScope(owner), seen.id)
    const scope = ownerScope(owner, r.projectCode)
    if (r.state !== 'doing' || r.serialNo !== seen.serialNo) return
    const due =
      (await tx.one(
        sql`select 1 as x from invoice_record where owner_id = ${owner} and id = ${r.id} and run_red_due`,
      )) !== undefined && (await hasRedDue(tx, owner, r))
    const tell = (title: string, text: string): Promise<unknown> =>
      notify(tx, app, owner, {
        kind: issueFailedNotice,
        to: r.operatorId ? [r.operatorId] : [],
        title,
        text,
        bizId: r.id,
        project: r.projectCode,
      })
    if (said.state === 'failed') {
      await changeState(
        tx,
        scope,
        r,
        'failed',
        { fail_reason: said.why.slice(0, 200), query_time: null },
        said.why,
      )
      // Its money went back meanwhile: there is nothing left to be issued.
      if (due) return applyCancel(tx, scope, { ...r, state: 'failed' }, '开具期间收款已退')
      await tell(
        `${r.isRed ? '红冲' : '开票'}失败：${r.buyerName}`,
        `${r.serialNo}，${formatYuan(r.totalAmount)} 元：${said.why}`,
      )
    } else if (said.total !== r.totalAmount) {
      // Never booked: somebody must look. Told once.
      const why = `平台开出的金额 ${formatYuan(said.total)} 元与申请的 ${formatYuan(r.totalAmount)} 元不符，请联系平台核对`
      if (r.failReason === why) return
      await tx.execute(
        sql`
          update invoice_record
          set fail_reason = ${why}, version = version + 1, update_time = ${fromInstant(app.clock())}
          where owner_id = ${owner} and id = ${r.id}
        `,
      )
      await tell(`开票金额不符：${r.buyerName}`, `${r.serialNo}：${why}`)
    } else {
      await changeState(tx, scope, r, 'issued', {
        invoice_no: said.invoiceNo,
        invoice_code: said.invoiceCode ?? null,
        issue_time: said.at,
        fail_reason: null,
        query_time: null,
      })
      if (r.isRed) {
        await completeRedInvoice(tx, scope, r)
      } else if (due) {
        await changeState(tx, scope, r, 'redDue', { red_reason: '开具期间收款已退' }, '开具期间收款已退')
      }
    }
    app.live.publishOnCommit(tx, owner, 'all', 'invoice', { id: r.id })
  })
}

interface DueInvoice {
  readonly ownerId: number
  readonly id: number
}

async function forEachConcurrently<T>(
  list: readonly T[],
  signal: AbortSignal,
  work: (d: T) => Promise<unknown>,
): Promise<void> {
  const rest = [...list]
  await Promise.all(
    Array.from({ length: maxConcurrent }, async () => {
      for (let d = rest.shift(); d !== undefined && !signal.aborted; d = rest.shift()) {
        await work(d)
      }
    }),
  )
}

/** Invoices whose result nobody has brought yet: asked for by one process at a time, less and less often. */
export async function syncDueInvoices(app: App, signal: AbortSignal): Promise<void> {
  const now = fromInstant(app.clock())
  const isDue = sql`state = ${code(invoiceState, 'doing')} and query_time <= ${now}`
  const due = await forEachDueCompany(
    app.database,
    sql`select owner_id from invoice_record where ${isDue} group by owner_id order by min(query_time)`,
    (tx, owner) =>
      tx.rows<DueInvoice>(sql`
        update invoice_record as x
        set query_time = case
          when coalesce(x.sent_time, x.update_time) > ${addMinutes(now, -10)} then ${addMinutes(now, 1)}::timestamptz
          else ${addMinutes(now, 10)}::timestamptz
          end
        from (
          select id
          from invoice_record
          where owner_id = ${owner} and ${isDue}
          order by query_time
          limit ${maxPerRun}
          for update skip locked
        ) d
        where x.owner_id = ${owner} and x.id = d.id
        returning x.owner_id, x.id
      `),
  )
  await forEachConcurrently(due.flat(), signal, ({ ownerId, id }) =>
    syncInvoice(app, ownerId, id).catch(err =>
      app.log.warn({ err: (err as Error).message, invoice: id }, 'an invoice was not brought on'),
    ),
  )
}

export const sendInvoicesJob = defineJob<{ readonly ids: readonly number[] }>({
  kind: 'invoices.send',
  isUrgent: true,
  run: async ({ ids }, c) => {
    let done = 0
    let bad = 0
    let open = 0
    await forEachConcurrently(ids, c.signal, async id => {
      const r = await syncInvoice(c.app, c.scope.ownerId, id)
      if (r.state === 'failed') {
        bad++
      } else if (r.state === 'doing') {
        open++
      }
      c.reportProgress(++done, ids.length)
    })
    return {
      success: ids.length - bad,
      fail: bad,
      ...(open ? { message: `${open} 张已提交平台，结果出来后会更新状态` } : {}),
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
        (tx, ownerId) => tx.execute(sql`delete from invoice_notice where owner_id = ${ownerId} and ${isOld}`),
      )
    },
  }),
]
