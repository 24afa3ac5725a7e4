import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { addMinutes, type Moment } from '#kit/domain/moment.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Tx } from '#kit/server/db.ts'
import { uniqueMessages, writes } from '#kit/server/handler.ts'
import { restoreMasked } from '#kit/server/privacy.ts'
import type { Scope } from '#kit/server/scope.ts'
import { requireById, update } from '#kit/server/table.ts'
import type { App } from '#kit/server/app.ts'
import {
  addInvoice,
  cancelInvoice,
  editInvoice,
  issueInvoices,
  addAndIssueInvoice,
  redInvoice,
  redInvoices,
} from '../contract/invoicing.ts'
import { invoiceRecord, type InvoiceRecord } from '../contract/record.ts'
import { titleFields } from '../contract/title.ts'
import { cancelRefusal, issueRefusal, kindRefusal, typeAndMediumOf, serialFor } from '../domain/invoice.ts'
import { applyCancel, completeRedInvoice, createRedInvoice } from './red-invoice.ts'
import { createInvoice, sellerOf } from './create-invoice.ts'
import { getSetting } from './setting.ts'
import { lockInvoice, changeState } from './invoice-state.ts'
import { pickTitle, rememberTitle, assertTitleValid } from './title.ts'

uniqueMessages({
  invoice_record_no: '该发票号已登记过，请核对',
  invoice_record_red: '该发票正在红冲，请刷新',
  invoice_good_deposit: '已有开票商品用于押金转收入，请先取消原有的',
})

export interface ManualNumber {
  readonly invoiceNo?: string | undefined
  readonly invoiceCode?: string | undefined
  readonly issueTime?: Moment | undefined
}

const reloadInvoice = (tx: Tx, scope: Scope, id: Id): Promise<InvoiceRecord> =>
  requireById(tx, invoiceRecord, scope, id)

/** 10 or 40 → 20. To the platform goes a job after the commit; after a definite no it gets another number. */
async function markSubmitted(tx: Tx, scope: Scope, record: InvoiceRecord, now: Moment): Promise<void> {
  const refusal = issueRefusal(record)
  const attempt = record.state === 'failed' ? record.attempt + 1 : record.attempt
  if (refusal) refuse(`${record.invoiceNo ?? record.serialNo}：${refusal}`)
  // The seller's present fields: what was refused for a wrong address is not sent with it again. A red
  // invoice keeps the seller of its blue one.
  const seller = record.isRed ? record.seller : sellerOf(await getSetting(tx, scope.ownerId, record.setId))
  // Asked again in a minute, should the job be lost.
  if (
    !(await changeState(tx, scope, record, 'doing', {
      seller: JSON.stringify(seller),
      serial_no: serialFor(record.serialNo, attempt),
      attempt,
      sent_time: null,
      fail_reason: null,
      query_time: record.channel === 'platform' ? addMinutes(now, 1) : null,
    }))
  )
    refuse('发票已变动，请刷新后重试')
}

const startSendJob = (
  tx: Tx,
  app: App,
  scope: Scope,
  list: readonly Pick<InvoiceRecord, 'id' | 'buyerName' | 'isRed'>[],
): Promise<Id> =>
  app.jobs.start(
    tx,
    scope,
    'invoices.send',
    list.length > 1
      ? `开具发票 ${list.length} 张`
      : `${defined(list[0]).isRed ? '红冲' : '开具'}发票：${defined(list[0]).buyerName}`,
    { ids: list.map(r => r.id) },
  )

/** 20 → 30 by hand: the number of the invoice that was written elsewhere. */
async function registerManually(
  tx: Tx,
  scope: Scope,
  record: InvoiceRecord,
  numbers: ManualNumber,
  now: Moment,
): Promise<void> {
  if (!numbers.invoiceNo) throw invalidInput([{ Field: 'InvoiceNo', Message: '手工登记请填写发票号' }])
  if (numbers.issueTime && numbers.issueTime > now)
    throw invalidInput([{ Field: 'IssueTime', Message: '开票时间不能晚于现在' }])
  await changeState(tx, scope, record, 'issued', {
    invoice_no: numbers.invoiceNo,
    invoice_code: numbers.invoiceCode ?? null,
    issue_time: numbers.issueTime ?? now,
    fail_reason: null,
  })
  if (record.isRed) {
    await completeRedInvoice(tx, scope, record)
  }
}

async function submitOrRegister(
  tx: Tx,
  app: App,
  scope: Scope,
  record: InvoiceRecord,
  numbers: ManualNumber,
  now: Moment,
): Promise<void> {
  await markSubmitted(tx, scope, record, now)
  if (record.channel === 'manual') {
    await registerManually(tx, scope, record, numbers, now)
  } else {
    await startSendJob(tx, app, scope, [record])
  }
}

export const actionHandlers = [
  writes(addInvoice, async ({ parts, kind, remark, originalId, ...title }, { tx, scope, now }) =>
    reloadInvoice(
      tx,
      scope,
      (await createInvoice(tx, scope, { parts, kind, title, remark, originalId }, now)).id,
    ),
  ),
  writes(
    addAndIssueInvoice,
    async (
      { parts, kind, remark, originalId, invoiceNo, invoiceCode, issueTime, ...title },
      { tx, scope, now, app },
    ) => {
      const invoice = await createInvoice(tx, scope, { parts, kind, title, remark, originalId }, now)
      await submitOrRegister(tx, app, scope, invoice, { invoiceNo, invoiceCode, issueTime }, now)
      return reloadInvoice(tx, scope, invoice.id)
    },
  ),
  writes(editInvoice, async ({ id, version, kind, remark, ...input }, { tx, scope, now }) => {
    const record = await requireById(tx, invoiceRecord, scope, id, { lock: true })
    if (record.isRed || (record.state !== 'pending' && record.state !== 'failed'))
      refuse(record.isRed ? '红字发票不能修改' : '只有待开具和开具失败的发票可以修改')
    const title = restoreMasked(titleFields, input, record.title, scope)
    const setting = await getSetting(tx, scope.ownerId, record.setId)
    const refusal = kindRefusal(kind, { ...setting, channel: record.channel })
    if (refusal) throw invalidInput([{ Field: 'Kind', Message: refusal }])
    assertTitleValid(title, kind)
    await rememberTitle(
      tx,
      scope,
      { kind: record.payerId ? record.payerKind : undefined, id: record.payerId, name: record.payerName },
      title,
      now,
    )
    return update(
      tx,
      invoiceRecord,
      scope,
      id,
      {
        ...typeAndMediumOf(kind),
        title: pickTitle(title),
        buyerName: title.title,
        buyerTaxNo: title.titleType === 'company' ? title.taxNo : undefined,
        remark,
      },
      { version },
    )
  }),
  writes(issueInvoices, async ({ ids, ...numbers }, { tx, scope, now, app }) => {
    const list: InvoiceRecord[] = []
    for (const id of [...new Set(ids.map(parseId))].toSorted((a, b) => a - b)) {
      list.push(await lockInvoice(tx, scope, id))
    }
    if (!list.length) return refuse('请选择要开具的发票')
    const manual = list.filter(r => r.channel === 'manual')
    if (manual.length && list.length > 1) return refuse('手工登记的发票要逐张填写发票号，请分开办理')
    if (manual[0]) {
      await submitOrRegister(tx, app, scope, manual[0], numbers, now)
      return { count: 1 }
    }
    for (const r of list) {
      await markSubmitted(tx, scope, r, now)
    }
    return { count: list.length, taskId: await startSendJob(tx, app, scope, list) }
  }),
  writes(redInvoice, async ({ id, reason, parts, ...numbers }, { tx, scope, now, today, app }) => {
    const red = await createRedInvoice(tx, scope, id, reason, today, parts)
    await submitOrRegister(tx, app, scope, red, numbers, now)
    return reloadInvoice(tx, scope, id)
  }),
  writes(redInvoices, async ({ ids, reason }, { tx, scope, now, today, app }) => {
    const reds: InvoiceRecord[] = []
    for (const id of [...new Set(ids.map(parseId))].toSorted((a, b) => a - b)) {
      const red = await createRedInvoice(tx, scope, id, reason, today)
      if (red.channel === 'manual') return refuse('手工登记的发票要填写红字发票号，请逐张红冲')
      await markSubmitted(tx, scope, red, now)
      reds.push(red)
    }
    return reds.length
      ? { count: reds.length, taskId: await startSendJob(tx, app, scope, reds) }
      : refuse('请选择要红冲的发票')
  }),
  writes(cancelInvoice, async ({ id, reason }, { tx, scope, today }) => {
    const row = await lockInvoice(tx, scope, id)
    const refusal = cancelRefusal(row, today)
    if (refusal) refuse(refusal)
    await applyCancel(tx, scope, row, reason)
    return reloadInvoice(tx, scope, id)
  }),
]
