import type { Id } from '#kit/domain/id.ts'
import { invalidInput, refuse } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { dayOfMoment, type Moment } from '#kit/domain/moment.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert } from '#kit/server/table.ts'
import { payRecord, type PayRecord } from '#modules/payments/contract/record.ts'
import {
  findInvoiceableParts,
  recordInvoicedParts,
  type InvoiceablePart,
} from '#modules/payments/server/public.ts'
import { invoiceRecord, type InvoiceRecord } from '../contract/record.ts'
import type { InvoiceSetting } from '../contract/setting.ts'
import type { Title } from '../contract/title.ts'
import { kindRefusal, limitRefusal, typeAndMediumOf, type InvoiceKind } from '../domain/invoice.ts'
import { sumLines, toInvoiceLines } from '../domain/tax.ts'
import {
  findPartContext,
  findPartRefusal,
  goodOf,
  noSettingText,
  partKeyOf,
  requireOnePayer,
  type GoodWithRate,
  type PartContext,
} from './invoiceable.ts'
import { invoicePrefix } from './serial-number.ts'
import { findSetting } from './setting.ts'
import { assertTitleValid, rememberTitle, restoreTitle, type InvoicePayer } from './title.ts'
import { assertTopUpsAvailable } from './top-up-check.ts'

export const sellerOf = (setting: InvoiceSetting): InvoiceRecord['seller'] => ({
  companyName: setting.companyName,
  taxNo: setting.taxNo,
  address: setting.address,
  bank: setting.bank,
  drawer: setting.drawer,
  payee: setting.payee,
  reviewer: setting.reviewer,
})

interface RequestedPart {
  readonly recordId: Id
  readonly detailId?: Id | undefined
  readonly amount: Fen
}

export interface InvoiceRequest {
  readonly parts: readonly RequestedPart[]
  readonly kind: InvoiceKind
  readonly title: Title
  readonly remark?: string | undefined
  readonly originalId?: Id | undefined
}

/** A part that goes on the invoice, with its amount and its good. */
interface ChosenPart extends GoodWithRate {
  readonly part: InvoiceablePart
  readonly amount: Fen
}

/** The requested parts as they stand; refuses each that cannot be invoiced, at its line (INV-1, INV-6). */
function choosePartsToInvoice(
  requested: readonly RequestedPart[],
  parts: readonly InvoiceablePart[],
  context: PartContext,
  setting: InvoiceSetting,
  now: Moment,
): readonly ChosenPart[] {
  const partsByKey = new Map(parts.map(part => [partKeyOf(part), part]))
  const chosenKeys = new Set<string>()
  return requested.map((request, index) => {
    const key = partKeyOf(request)
    const part = partsByKey.get(key)
    const reject = (message: string): never => {
      throw invalidInput([{ Field: `Parts[${index}].Amount`, Message: message }])
    }
    if (!part) return reject('该收款不能开票，请刷新后重新选择')
    if (chosenKeys.has(key)) return reject('同一笔明细只能选一次')
    chosenKeys.add(key)
    const refusal = findPartRefusal(part, request.amount, context, setting, dayOfMoment(now))
    if (refusal) {
      const isTaken = part.open <= 0 && part.invoiced > 0
      reject(`${part.sourceName} ${part.feeItemName}：${isTaken ? '已被开票，请刷新' : refusal}`)
    }
    return { part, amount: request.amount, ...defined(goodOf(part, context)) }
  })
}

/** INV-7: the invoice that this one replaces. */
async function findReplaced(
  tx: Tx,
  scope: Scope,
  originalId: Id | undefined,
  project: string,
): Promise<InvoiceRecord | undefined> {
  if (originalId === undefined) return undefined
  const [original] = await findByIds(tx, invoiceRecord, scope, [originalId])
  const isReplaceable =
    original &&
    !original.isRed &&
    original.projectCode === project &&
    (original.state === 'red' || original.state === 'cancelled' || original.redAmount > 0)
  if (!isReplaceable) throw invalidInput([{ Field: 'OriginalID', Message: '只能重开已红冲或已作废的发票' }])
  return original
}

interface InvoiceDraft {
  readonly request: InvoiceRequest
  readonly setting: InvoiceSetting
  readonly project: string
  readonly payer: InvoicePayer
  readonly chosen: readonly ChosenPart[]
  /** The records of the chosen parts. */
  readonly records: readonly PayRecord[]
  readonly replaced: InvoiceRecord | undefined
  readonly today: Day
}

async function insertInvoice(
  tx: Tx,
  scope: Scope,
  { request, setting, project, payer, chosen, records, replaced, today }: InvoiceDraft,
): Promise<InvoiceRecord> {
  const lines = toInvoiceLines(
    chosen.map(({ good, taxRate, amount, part }) => ({
      good,
      rate: taxRate,
      amount,
      begin: part.beginDate,
      end: part.endDate,
    })),
  )
  const sums = sumLines(lines)
  const limitFault = limitRefusal(sums.totalAmount, setting.limitAmount)
  if (limitFault) throw invalidInput([{ Field: 'Parts', Message: limitFault }])
  const sourceNames = [...new Set(chosen.map(({ part }) => part.sourceName))]
  const buildings = new Set(records.map(record => record.buildCode))
  const serialNo = await tx.numbers.next(scope.ownerId, invoicePrefix, today)
  return insert(tx, invoiceRecord, scope, {
    projectCode: project,
    serialNo,
    ...typeAndMediumOf(request.kind),
    isRed: false,
    title: request.title,
    buyerName: request.title.title,
    buyerTaxNo: request.title.titleType === 'company' ? request.title.taxNo : undefined,
    seller: sellerOf(setting),
    payerKind: payer.kind,
    payerId: payer.id,
    payerName: payer.name,
    sourceName: (sourceNames.length > 2
      ? `${sourceNames[0]} 等 ${sourceNames.length} 个`
      : sourceNames.join('、')
    ).slice(0, 100),
    buildCode: buildings.size === 1 ? [...buildings][0] : undefined,
    lines,
    ...sums,
    redAmount: 0,
    recordIds: records.map(record => String(record.id)),
    receiptNos: records
      .map(record => record.receiptNo ?? record.recordNo)
      .join('、')
      .slice(0, 4000),
    channel: setting.channel,
    setId: setting.id,
    originalId: replaced?.id,
    attempt: 1,
    remark: request.remark,
    operatorId: scope.operatorId,
    operatorName: scope.name,
    state: 'pending',
  })
}

async function insertParts(
  tx: Tx,
  scope: Scope,
  invoice: InvoiceRecord,
  chosen: readonly ChosenPart[],
): Promise<void> {
  const rows = chosen.map(({ part, amount, good, taxRate }) => ({
    record_id: part.recordId,
    detail_id: part.detailId,
    bill_id: part.billId,
    source_name: part.sourceName,
    fee_item_id: part.feeItemId,
    fee_item_name: part.feeItemName,
    begin_date: part.beginDate,
    end_date: part.endDate,
    good_name: good.goodName,
    tax_rate: taxRate,
    amount: formatYuan(amount),
  }))
  await tx.execute(sql`
    insert into invoice_part (
      owner_id, create_by, update_by, project_code, invoice_id, record_id, detail_id, bill_id, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, good_name, tax_rate, amount
    )
    select ${scope.ownerId}::bigint, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint,
      ${invoice.projectCode}::text, ${invoice.id}::bigint, r.*
    from json_to_recordset(${JSON.stringify(rows)}::json) as r(
      record_id bigint, detail_id integer, bill_id integer, source_name text, fee_item_id bigint,
      fee_item_name text, begin_date date, end_date date, good_name text, tax_rate numeric, amount numeric
    )
    returning 1
  `)
}

/**
 * INV-1: puts amounts of one payer's payments on one invoice (待开具). The payments are locked first: of two
 * clerks one wins, the other is refused. Its serial number is our own and stays: the platform gets no other
 * until it has refused.
 */
export async function createInvoice(
  tx: Tx,
  scope: Scope,
  request: InvoiceRequest,
  now: Moment,
): Promise<InvoiceRecord> {
  const recordIds = [...new Set(request.parts.map(part => part.recordId))]
  const unlocked = await findByIds(tx, payRecord, scope, recordIds)
  if (unlocked.length !== recordIds.length) refuse('有收款已被删除，请刷新后重试')
  const setting = (await findSetting(tx, scope.ownerId, unlocked[0]?.projectCode)) ?? refuse(noSettingText)
  const parts = await findInvoiceableParts(tx, scope.ownerId, recordIds, setting.prestoreMode, { lock: true })
  const records = await findByIds(tx, payRecord, scope, recordIds)
  const { payer, project } = requireOnePayer(records)
  const kindFault = kindRefusal(request.kind, setting)
  if (kindFault) throw invalidInput([{ Field: 'Kind', Message: kindFault }])
  const title = await restoreTitle(tx, scope, payer, request.title)
  assertTitleValid(title, request.kind)
  const context = await findPartContext(tx, scope, records, parts)
  const chosen = choosePartsToInvoice(request.parts, parts, context, setting, now)
  await assertTopUpsAvailable(tx, scope.ownerId, chosen)
  const invoice = await insertInvoice(tx, scope, {
    request: { ...request, title },
    setting,
    project,
    payer,
    chosen,
    records: records.filter(record => chosen.some(({ part }) => part.recordId === record.id)),
    replaced: await findReplaced(tx, scope, request.originalId, project),
    today: dayOfMoment(now),
  })
  await insertParts(tx, scope, invoice, chosen)
  await recordInvoicedParts(
    tx,
    scope,
    chosen.map(({ part, amount }) => ({
      recordId: part.recordId,
      detailId: part.detailId,
      billId: part.billId,
      amount,
    })),
  )
  await rememberTitle(tx, scope, payer, title, now)
  return invoice
}
