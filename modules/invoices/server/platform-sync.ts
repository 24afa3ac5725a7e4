import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan, type Fen } from '#kit/domain/money.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { Refused } from '#kit/contract/wire.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { clockScope, type Scope } from '#kit/server/scope.ts'
import { requireById } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import { defineNotificationKind, notify } from '#modules/system/server/public.ts'
import { invoiceRecord, type InvoiceRecord } from '../contract/record.ts'
import { applyCancel, completeRedInvoice } from './red-invoice.ts'
import { connectPlatform } from './tax-platform/accounts.ts'
import type { IssueRequest, PlatformResult } from './tax-platform/platform.ts'
import { hasRedDue } from './red-due.ts'
import { lockInvoice, changeState } from './invoice-state.ts'
import { code } from '#kit/server/sql.ts'
import { invoiceState } from '../contract/choices.ts'

const issueFailedNotice = defineNotificationKind({
  key: 'invoices.failed',
  label: '开票失败',
  group: 'todo',
  level: 'important',
  entity: 'invoiceRecord',
})
const ownerScope = (app: App, ownerId: Id, projectCode = ''): Scope => ({
  ...clockScope(app, ownerId),
  projectCode,
})

export const describeError = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
const noAnswerText = '平台未响应，系统会继续询问'

const toIssueRequest = async (app: App, ownerId: Id, invoice: InvoiceRecord): Promise<IssueRequest> => {
  if (!invoice.isRed) return invoice
  const blue = await requireById(
    app.database.reader(ownerId),
    invoiceRecord,
    ownerScope(app, ownerId),
    defined(invoice.originalId),
  )
  const blueLineOf = (line: InvoiceRecord['lines'][number]): number =>
    blue.lines.findIndex(other => other.goodId === line.goodId && other.taxRate === line.taxRate) + 1
  return {
    ...invoice,
    red: {
      invoiceNo: blue.invoiceNo ?? '',
      reason: invoice.redReason ?? '',
      whole: invoice.totalAmount === -blue.totalAmount,
      lines: invoice.lines.map(blueLineOf),
    },
  }
}

/** Stores that it is about to be sent; false where another process was first. */
const markSent = async (app: App, ownerId: Id, invoice: InvoiceRecord): Promise<boolean> =>
  (await app.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update invoice_record
        set sent_time = ${fromInstant(app.clock())}
        where owner_id = ${ownerId}
          and id = ${invoice.id}
          and state = ${code(invoiceState, 'doing')}
          and serial_no = ${invoice.serialNo}
      `,
    ),
  )) > 0

const saveSyncFailure = (app: App, ownerId: Id, id: Id, error: unknown): Promise<unknown> =>
  app.database.tx(ownerId, tx =>
    tx.execute(
      sql`
        update invoice_record
        set fail_reason = ${error instanceof Refused ? error.message.slice(0, 200) : noAnswerText},
          update_time = ${fromInstant(app.clock())}
        where owner_id = ${ownerId} and id = ${id} and state = ${code(invoiceState, 'doing')}
      `,
    ),
  )

/**
 * Moves one invoice that is under way forward: asks for it if it may have been sent, sends it if the platform
 * does not know it. That it is sent is stored before it leaves, so the next process after a crash asks first.
 * One number, one invoice: without a clear answer it stays 20 and is asked for again.
 */
export async function syncInvoice(app: App, ownerId: Id, id: Id): Promise<InvoiceRecord> {
  const reload = (): Promise<InvoiceRecord> =>
    requireById(app.database.reader(ownerId), invoiceRecord, ownerScope(app, ownerId), id)
  const invoice = await reload()
  if (invoice.state !== 'doing' || invoice.channel !== 'platform') return invoice
  try {
    const platform = await connectPlatform(app, ownerId, invoice.setId)
    let result: PlatformResult = invoice.sentTime
      ? await platform.query(invoice.serialNo)
      : { state: 'absent' }
    if (result.state === 'absent') {
      if (!(await markSent(app, ownerId, invoice))) return await reload()
      result = await platform.issue(await toIssueRequest(app, ownerId, invoice))
    }
    await applyPlatformResult(app, ownerId, invoice, result)
  } catch (error) {
    app.log.warn(
      { err: describeError(error), invoice: invoice.serialNo },
      'the invoice platform does not answer',
    )
    await saveSyncFailure(app, ownerId, id, error)
  }
  return reload()
}

/** An invoice in a transaction that applies the platform's result to it. */
interface SyncContext {
  readonly tx: Tx
  readonly app: App
  readonly scope: Scope
  readonly invoice: InvoiceRecord
  /** Its payment has been refunded since (REF-7). */
  readonly isRefunded: boolean
}

const notifyOperator = (
  { tx, app, scope, invoice }: SyncContext,
  title: string,
  text: string,
): Promise<unknown> =>
  notify(tx, app, scope.ownerId, {
    kind: issueFailedNotice,
    to: invoice.operatorId ? [invoice.operatorId] : [],
    title,
    text,
    bizId: invoice.id,
    project: invoice.projectCode,
  })

const refundedText = '开具期间收款已退'

async function applyFailed(context: SyncContext, reason: string): Promise<void> {
  const { tx, scope, invoice, isRefunded } = context
  const values = { fail_reason: reason.slice(0, 200), query_time: null }
  await changeState(tx, scope, invoice, 'failed', values, reason)
  // Nothing is left to be issued.
  if (isRefunded) return applyCancel(tx, scope, { ...invoice, state: 'failed' }, refundedText)
  await notifyOperator(
    context,
    `${invoice.isRed ? '红冲' : '开票'}失败：${invoice.buyerName}`,
    `${invoice.serialNo}，${displayYuan(invoice.totalAmount)} 元：${reason}`,
  )
}

/** Reports an invoice that was not booked and has to be checked by a person; once only. */
async function applyWrongTotal(context: SyncContext, total: Fen): Promise<void> {
  const { tx, scope, invoice } = context
  const reason = `平台开出的金额 ${displayYuan(total)} 元与申请的 ${displayYuan(invoice.totalAmount)} 元不符，请联系平台核对`
  if (invoice.failReason === reason) return
  await tx.execute(
    sql`
      update invoice_record
      set fail_reason = ${reason}, version = version + 1, update_time = ${scope.time}::timestamptz
      where owner_id = ${scope.ownerId} and id = ${invoice.id}
    `,
  )
  await notifyOperator(context, `开票金额不符：${invoice.buyerName}`, `${invoice.serialNo}：${reason}`)
}

async function applyIssued(
  { tx, scope, invoice, isRefunded }: SyncContext,
  result: Extract<PlatformResult, { readonly state: 'issued' }>,
): Promise<void> {
  await changeState(tx, scope, invoice, 'issued', {
    invoice_no: result.invoiceNo,
    invoice_code: result.invoiceCode ?? null,
    issue_time: result.issueTime,
    fail_reason: null,
    query_time: null,
  })
  if (invoice.isRed) {
    await completeRedInvoice(tx, scope, invoice)
  } else if (isRefunded) {
    await changeState(tx, scope, invoice, 'redDue', { red_reason: refundedText }, refundedText)
  }
}

const isRefundedMeanwhile = async (tx: Tx, ownerId: Id, invoice: InvoiceRecord): Promise<boolean> =>
  (await tx.one(
    sql`
      select 1 as found
      from invoice_record
      where owner_id = ${ownerId} and id = ${invoice.id} and run_red_due
    `,
  )) !== undefined && hasRedDue(tx, ownerId, invoice)

/**
 * The platform's result for a serial number: applied once, whatever process gets it and however often it
 * arrives.
 */
export async function applyPlatformResult(
  app: App,
  ownerId: Id,
  { id, serialNo }: Pick<InvoiceRecord, 'id' | 'serialNo'>,
  result: PlatformResult,
): Promise<void> {
  if (result.state === 'doing' || result.state === 'absent') return
  await app.database.tx(ownerId, async tx => {
    const invoice = await lockInvoice(tx, ownerScope(app, ownerId), id)
    if (invoice.state !== 'doing' || invoice.serialNo !== serialNo) return
    const scope = ownerScope(app, ownerId, invoice.projectCode)
    const isRefunded = await isRefundedMeanwhile(tx, ownerId, invoice)
    const context = { tx, app, scope, invoice, isRefunded }
    if (result.state === 'failed') {
      await applyFailed(context, result.reason)
    } else if (result.total === invoice.totalAmount) {
      await applyIssued(context, result)
    } else {
      await applyWrongTotal(context, result.total)
    }
    app.live.publishOnCommit(tx, ownerId, 'all', 'invoice', { id: invoice.id })
  })
}
