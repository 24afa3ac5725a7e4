import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { displayYuan, type Fen, formatYuan, negateFen, sumFen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { notDeleted, code, codes } from '#kit/server/sql.ts'
import { invoiceRecord, type InvoicePart, type InvoiceRecord } from '../contract/record.ts'
import { redRefusal, resolveRedAmounts } from '../domain/invoice.ts'
import { toRedLines, sumLines } from '../domain/tax.ts'
import { findRedDue, hasRedDue } from './red-due.ts'
import { redInvoicePrefix } from './serial-number.ts'
import { lockInvoice, findParts, releaseParts, changeState } from './invoice-state.ts'
import { invoiceState } from '../contract/choices.ts'

export interface RedAmount {
  readonly partId: Id
  readonly amount: Fen
}

/** What a red invoice does not take over from its blue one. */
const ownKeys: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createTime',
  'updateTime',
  'invoiceNo',
  'invoiceCode',
  'issueTime',
  'pdf',
  'sentTime',
  'queryTime',
  'failReason',
])

const hasSameAmounts = (redParts: readonly InvoicePart[], amountsByPart: ReadonlyMap<Id, Fen>): boolean =>
  redParts.length === [...amountsByPart.values()].filter(Boolean).length &&
  redParts.every(part => amountsByPart.get(defined(part.originPartId)) === part.amount)

/** The red invoice of a blue one that was started and is not issued. */
async function findPendingRed(tx: Tx, scope: Scope, blueId: Id): Promise<InvoiceRecord | undefined> {
  const found = await tx.one<{ id: Id }>(
    sql`
      select id
      from invoice_record
      where owner_id = ${scope.ownerId}
        and original_id = ${blueId}
        and is_red
        and state in ${codes(invoiceState, 'pending', 'doing', 'failed')}
        and ${notDeleted()}
    `,
  )
  return found && requireById(tx, invoiceRecord, scope, found.id, { lock: true })
}

async function markRedDue(tx: Tx, scope: Scope, blue: InvoiceRecord, reason: string): Promise<void> {
  if (blue.state === 'issued') {
    await changeState(tx, scope, blue, 'redDue', { red_reason: reason }, reason)
    return
  }
  await tx.execute(
    sql`
      update invoice_record
      set red_reason = ${reason}, update_time = ${scope.time}::timestamptz
      where owner_id = ${scope.ownerId} and id = ${blue.id}
    `,
  )
}

/** The receipts of the payments behind some parts, for the invoice. */
async function findReceiptNos(tx: Tx, ownerId: Id, partIds: readonly Id[]): Promise<string> {
  const { receiptNos } = defined(
    await tx.one<{ receiptNos: string }>(
      sql`
        select string_agg(no, '、' order by id) as receipt_nos
        from (
          select distinct r.id, coalesce(r.receipt_no, r.record_no) as no
          from invoice_part p
          join pay_record r on r.owner_id = ${ownerId} and r.id = p.record_id
          where p.owner_id = ${ownerId} and p.id = any(${partIds}::bigint[])
        ) x
      `,
    ),
  )
  return receiptNos.slice(0, 4000)
}

async function insertRed(
  tx: Tx,
  scope: Scope,
  blue: InvoiceRecord,
  parts: readonly InvoicePart[],
  amountsByPart: ReadonlyMap<Id, Fen>,
  reason: string,
  today: Day,
): Promise<InvoiceRecord> {
  const lines = toRedLines(
    blue.lines,
    parts.map(part => ({ ...part, now: amountsByPart.get(part.id) ?? 0 })),
  )
  const partIds = parts.filter(part => amountsByPart.get(part.id)).map(part => part.id)
  const serialNo = await tx.numbers.next(scope.ownerId, redInvoicePrefix, today)
  return insert(tx, invoiceRecord, scope, {
    ...Object.fromEntries(Object.entries(blue).filter(([key]) => !ownKeys.has(key))),
    serialNo,
    isRed: true,
    lines,
    ...sumLines(lines),
    redAmount: 0,
    receiptNos: await findReceiptNos(tx, scope.ownerId, partIds),
    originalId: blue.id,
    redReason: reason,
    attempt: 1,
    operatorId: scope.operatorId,
    operatorName: scope.name,
    state: 'pending',
  })
}

async function insertRedParts(
  tx: Tx,
  scope: Scope,
  red: InvoiceRecord,
  amountsByPart: ReadonlyMap<Id, Fen>,
): Promise<void> {
  const rows = [...amountsByPart].flatMap(([id, amount]) =>
    amount ? [{ id, amount: formatYuan(amount) }] : [],
  )
  await tx.execute(sql`
    insert into invoice_part (
      owner_id, create_by, update_by, project_code, invoice_id, record_id, detail_id, bill_id, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, good_name, tax_rate, amount, origin_part_id
    )
    select p.owner_id, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, p.project_code,
      ${red.id}::bigint, p.record_id, p.detail_id, p.bill_id, p.source_name, p.fee_item_id, p.fee_item_name,
      p.begin_date, p.end_date, p.good_name, p.tax_rate, a.amount, p.id
    from json_to_recordset(${JSON.stringify(rows)}::json) as a(id bigint, amount numeric)
    join invoice_part p on p.owner_id = ${scope.ownerId} and p.id = a.id
    order by p.id
    returning 1
  `)
}

/**
 * 30 → 50 with the red invoice that takes back the requested amounts, or all that still stands (INV-5). The
 * payments and the blue invoice are locked: of two clerks the second is measured against what the first has
 * taken. A red one that failed is tried again if its amounts are the same, and cancelled otherwise. Returns
 * the red one.
 */
export async function createRedInvoice(
  tx: Tx,
  scope: Scope,
  id: Id,
  reason: string,
  today: Day,
  requested?: readonly RedAmount[],
): Promise<InvoiceRecord> {
  const blue = await lockInvoice(tx, scope, id)
  const refusal = redRefusal(blue)
  if (refusal) refuse(`${blue.invoiceNo ?? blue.serialNo}：${refusal}`)
  if (requested?.length === 0) throw invalidInput([{ Field: 'Parts', Message: '请勾选要红冲的明细' }])
  const parts = await findParts(tx, scope.ownerId, id)
  const { amountsByPart, faults } = resolveRedAmounts(parts, requested)
  if (faults.length)
    throw invalidInput(
      faults.map(({ index, message }) => ({ Field: `Parts[${index}].Amount`, Message: message })),
    )
  const pendingRed = await findPendingRed(tx, scope, id)
  if (pendingRed?.state === 'doing') refuse('正在红冲，请等平台的结果')
  if (pendingRed) {
    if (hasSameAmounts(await findParts(tx, scope.ownerId, pendingRed.id), amountsByPart)) return pendingRed
    const cancelReason = '改按其他金额红冲'
    await changeState(tx, scope, pendingRed, 'cancelled', { red_reason: cancelReason }, cancelReason)
  }
  await markRedDue(tx, scope, blue, reason)
  const red = await insertRed(tx, scope, blue, parts, amountsByPart, reason, today)
  await insertRedParts(tx, scope, red, amountsByPart)
  return red
}

/**
 * The red invoice is issued: its amounts may be invoiced again (INV-5). All taken back, the blue one is 已红冲;
 * otherwise the rest stands, as 待红冲 while more of it was refunded to the payer.
 */
export async function completeRedInvoice(tx: Tx, scope: Scope, red: InvoiceRecord): Promise<void> {
  const ownerId = scope.ownerId
  const blue = await requireById(tx, invoiceRecord, scope, defined(red.originalId), { lock: true })
  if (blue.state !== 'redDue') return
  await tx.execute(
    sql`
      update invoice_part b
      set red_amount = b.red_amount + p.amount, version = b.version + 1, update_time = ${scope.time}::timestamptz
      from invoice_part p
      where p.owner_id = ${ownerId}
        and p.invoice_id = ${red.id}
        and ${notDeleted('p')}
        and b.owner_id = ${ownerId}
        and b.id = p.origin_part_id
    `,
  )
  await tx.execute(
    sql`
      update invoice_record
      set red_amount = red_amount - ${formatYuan(red.totalAmount)}, version = version + 1,
        update_time = ${scope.time}::timestamptz
      where owner_id = ${ownerId} and id = ${blue.id}
    `,
  )
  await releaseParts(tx, scope, red.id)
  if (blue.redAmount - red.totalAmount >= blue.totalAmount) {
    await changeState(tx, scope, blue, 'red', {}, red.redReason)
  } else if (!(await hasRedDue(tx, ownerId, blue))) {
    await changeState(
      tx,
      scope,
      blue,
      'issued',
      {},
      `部分红冲 ${displayYuan(negateFen(red.totalAmount))} 元：${red.redReason ?? ''}`,
    )
  }
  await settleRelatedInvoices(tx, scope, blue)
}

/** Other 待红冲 invoices of the same payments of which nothing is due any more are 已开具 again. */
async function settleRelatedInvoices(tx: Tx, scope: Scope, blue: InvoiceRecord): Promise<void> {
  const ownerId = scope.ownerId
  const related = await tx.rows<{
    id: Id
  }>(sql`
    select i.id
    from invoice_record i
    where i.owner_id = ${ownerId}
      and i.project_code = ${blue.projectCode}
      and i.state = ${code(invoiceState, 'redDue')}
      and i.id <> ${blue.id}
      and ${notDeleted('i')}
      and i.record_ids <@ ${[...blue.recordIds]}::text[]
      and i.id in (
        select invoice_id
        from invoice_part
        where owner_id = ${ownerId} and record_id = any(${blue.recordIds.map(parseId)}::bigint[])
      )
      and not exists (
        select 1
        from invoice_record r
        where r.owner_id = ${ownerId}
          and r.original_id = i.id
          and r.is_red
          and r.state in ${codes(invoiceState, 'pending', 'doing', 'failed')}
          and ${notDeleted('r')}
      )
    order by i.id
  `)
  for (const { id } of related) {
    const other = await requireById(tx, invoiceRecord, scope, id, { lock: true })
    if (!(await hasRedDue(tx, ownerId, other))) {
      await changeState(tx, scope, other, 'issued', {}, '退款部分已由其他红字发票红冲')
    }
  }
}

/**
 * → 70; the amounts of a blue invoice may be invoiced again. Those of a red one may not: its blue invoice
 * stands again, unless its payment was refunded.
 */
export async function applyCancel(
  tx: Tx,
  scope: Scope,
  invoice: InvoiceRecord,
  reason: string,
): Promise<void> {
  if (!(await changeState(tx, scope, invoice, 'cancelled', { red_reason: reason }, reason)))
    refuse('发票已变动，请刷新后重试')
  if (!invoice.isRed) return releaseParts(tx, scope, invoice.id)
  const blue = await requireById(tx, invoiceRecord, scope, defined(invoice.originalId), { lock: true })
  if (sumFen([...(await findRedDue(tx, scope.ownerId, blue)).values()]) === 0) {
    await changeState(tx, scope, blue, 'issued', {}, '红字发票已作废')
  } else {
    await audit(tx, scope, [
      {
        action: 'state',
        entity: 'invoiceRecord',
        entityId: blue.id,
        projectCode: invoice.projectCode,
        after: { red: '红字发票已作废，可重新红冲' },
        reason,
      },
    ])
  }
}
