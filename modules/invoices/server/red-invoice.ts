import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { formatYuan, sumFen, type Fen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { insert, requireById } from '#kit/server/table.ts'
import { live, code, codes } from '#kit/server/sql.ts'
import { invoiceRecord, type InvoicePart, type InvoiceRecord } from '../contract/record.ts'
import { redRefusal, resolveRedAmounts } from '../domain/invoice.ts'
import { toRedLines, sumLines } from '../domain/tax.ts'
import { findRedDue, hasRedDue } from './red-due.ts'
import { lockInvoice, findParts, releaseParts, changeState } from './invoice-state.ts'
import { invoiceState } from '../contract/choices.ts'

export interface RedAmount {
  readonly partId: number
  readonly amount: Fen
}

const ownKeys = [
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
]

const hasSameAmounts = (parts: readonly InvoicePart[], now: ReadonlyMap<number, Fen>): boolean =>
  parts.length === [...now.values()].filter(Boolean).length &&
  parts.every(p => now.get(defined(p.originPartId)) === p.amount)

/**
 * 30 → 50 with the red invoice that takes back what the wishes say, or all that still stands (INV-5). The
 * payments and the blue invoice are locked: of two clerks the second is measured against what the first has
 * taken. A red one that had failed is tried again if it says the same, and given up otherwise. Answers the
 * red one.
 */
export async function createRedInvoice(
  tx: Tx,
  scope: Scope,
  id: number,
  reason: string,
  wished?: readonly RedAmount[],
): Promise<InvoiceRecord> {
  const owner = scope.ownerId
  const blue = await lockInvoice(tx, scope, id)
  const no = redRefusal(blue)
  if (no) refuse(`${blue.invoiceNo ?? blue.serialNo}：${no}`)
  if (wished?.length === 0) throw invalidInput([{ Field: 'Parts', Message: '请勾选要红冲的明细' }])
  const parts = await findParts(tx, owner, id)
  const { now, faults } = resolveRedAmounts(parts, wished)
  if (faults.length)
    throw invalidInput(faults.map(f => ({ Field: `Parts[${f.at}].Amount`, Message: f.message })))
  const known = await tx.one<{ id: number }>(
    sql`
      select id
      from invoice_record
      where owner_id = ${owner}
        and original_id = ${id}
        and is_red
        and state in ${codes(invoiceState, 'pending', 'doing', 'failed')}
        and ${live()}
    `,
  )
  if (known) {
    const red = await requireById(tx, invoiceRecord, scope, known.id, true)
    if (red.state === 'doing') refuse('正在红冲，请等平台的结果')
    if (hasSameAmounts(await findParts(tx, owner, red.id), now)) return red
    await changeState(tx, scope, red, 'cancelled', { red_reason: '改按别的金额红冲' }, '改按别的金额红冲')
  }
  if (blue.state === 'issued') {
    await changeState(tx, scope, blue, 'redDue', { red_reason: reason }, reason)
  } else {
    await tx.execute(
      sql`
        update invoice_record
        set red_reason = ${reason}, update_time = ${scope.time}::timestamptz
        where owner_id = ${owner} and id = ${id}
      `,
    )
  }
  const lines = toRedLines(
    blue.lines,
    parts.map(p => ({ ...p, now: now.get(p.id) ?? 0 })),
  )
  const kept = Object.fromEntries(Object.entries(blue).filter(([k]) => !ownKeys.includes(k)))
  const asked = parts
    .filter(p => now.get(p.id))
    .map(p => ({ id: p.id, amount: formatYuan(defined(now.get(p.id))) }))
  const receipts = defined(
    await tx.one<{ all: string }>(
      sql`
      select string_agg(no, '、' order by id) as all
      from (
        select distinct r.id, coalesce(r.receipt_no, r.record_no) as no
        from invoice_part p
        join pay_record r on r.owner_id = ${owner} and r.id = p.record_id
        where p.owner_id = ${owner} and p.id = any(${asked.map(a => a.id)}::bigint[])
      ) x
    `,
    ),
  ).all
  const red = await insert(tx, invoiceRecord, scope, {
    ...kept,
    serialNo: defined(await tx.one<{ code: string }>(sql`select next_code('FPH') as code`)).code,
    isRed: true,
    lines,
    ...sumLines(lines),
    redAmount: 0,
    receiptNos: receipts.slice(0, 4000),
    originalId: id,
    redReason: reason,
    attempt: 1,
    operatorId: scope.operatorId,
    operatorName: scope.name,
    state: 'pending',
  })
  await tx.execute(sql`
    insert into invoice_part (
      owner_id, create_by, update_by, project_code, invoice_id, record_id, detail_id, bill_id, source_name,
      fee_item_id, fee_item_name, begin_date, end_date, good_name, tax_rate, amount, origin_part_id
    )
    select p.owner_id, ${scope.operatorId}::bigint, ${scope.operatorId}::bigint, p.project_code,
      ${red.id}::bigint, p.record_id, p.detail_id, p.bill_id, p.source_name, p.fee_item_id, p.fee_item_name,
      p.begin_date, p.end_date, p.good_name, p.tax_rate, a.amount, p.id
    from json_to_recordset(${JSON.stringify(asked)}::json) as a(id bigint, amount numeric)
    join invoice_part p on p.owner_id = ${owner} and p.id = a.id
    order by p.id
    returning 1
  `)
  return red
}

/**
 * The red invoice is there: what it says may be invoiced again (INV-5). All taken back, the blue one is 已红冲;
 * otherwise the rest stands, as 待红冲 while more of it went back to the payer.
 */
export async function completeRedInvoice(tx: Tx, scope: Scope, red: InvoiceRecord): Promise<void> {
  const owner = scope.ownerId
  const blue = await requireById(tx, invoiceRecord, scope, defined(red.originalId), true)
  if (blue.state !== 'redDue') return
  await tx.execute(
    sql`
      update invoice_part b
      set red_amount = b.red_amount + p.amount, version = b.version + 1, update_time = ${scope.time}::timestamptz
      from invoice_part p
      where p.owner_id = ${owner}
        and p.invoice_id = ${red.id}
        and ${live('p')}
        and b.owner_id = ${owner}
        and b.id = p.origin_part_id
    `,
  )
  await tx.execute(
    sql`
      update invoice_record
      set red_amount = red_amount - ${formatYuan(red.totalAmount)}, version = version + 1,
        update_time = ${scope.time}::timestamptz
      where owner_id = ${owner} and id = ${blue.id}
    `,
  )
  await releaseParts(tx, scope, red.id)
  if (blue.redAmount - red.totalAmount >= blue.totalAmount) {
    await changeState(tx, scope, blue, 'red', {}, red.redReason)
  } else if (!(await hasRedDue(tx, owner, blue))) {
    await changeState(
      tx,
      scope,
      blue,
      'issued',
      {},
      `部分红冲 ${formatYuan(-red.totalAmount)} 元：${red.redReason ?? ''}`,
    )
  }
  await settleRelatedInvoices(tx, scope, blue)
}

/** Others of the same money that waited to be taken back, of which nothing is due any more. */
async function settleRelatedInvoices(tx: Tx, scope: Scope, blue: InvoiceRecord): Promise<void> {
  const owner = scope.ownerId
  const beside = await tx.rows<{
    id: number
  }>(sql`
    select i.id
    from invoice_record i
    where i.owner_id = ${owner}
      and i.project_code = ${blue.projectCode}
      and i.state = ${code(invoiceState, 'redDue')}
      and i.id <> ${blue.id}
      and ${live('i')}
      and i.record_ids <@ ${[...blue.recordIds]}::text[]
      and i.id in (
        select invoice_id
        from invoice_part
        where owner_id = ${owner} and record_id = any(${blue.recordIds.map(Number)}::bigint[])
      )
      and not exists (
        select 1
        from invoice_record r
        where r.owner_id = ${owner}
          and r.original_id = i.id
          and r.is_red
          and r.state in ${codes(invoiceState, 'pending', 'doing', 'failed')}
          and ${live('r')}
      )
    order by i.id
  `)
  for (const { id } of beside) {
    const other = await requireById(tx, invoiceRecord, scope, id, true)
    if (!(await hasRedDue(tx, owner, other))) {
      await changeState(tx, scope, other, 'issued', {}, '退款部分已由别的红字发票红冲')
    }
  }
}

/**
 * → 70; what it had taken is free again, what a red one would have given back is not: the blue one stands
 * again, unless its money went back.
 */
export async function applyCancel(tx: Tx, scope: Scope, r: InvoiceRecord, reason: string): Promise<void> {
  if (!(await changeState(tx, scope, r, 'cancelled', { red_reason: reason }, reason)))
    refuse('发票已变动，请刷新后重试')
  if (!r.isRed) return releaseParts(tx, scope, r.id)
  const blue = await requireById(tx, invoiceRecord, scope, defined(r.originalId), true)
  if (sumFen([...(await findRedDue(tx, scope.ownerId, blue)).values()]) === 0) {
    await changeState(tx, scope, blue, 'issued', {}, '红字发票已作废')
  } else {
    await audit(tx, scope, [
      {
        action: 'state',
        entity: 'invoiceRecord',
        entityId: blue.id,
        projectCode: r.projectCode,
        after: { red: '红字发票已作废，可重新红冲' },
        reason,
      },
    ])
  }
}
