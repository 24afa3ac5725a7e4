import type { Id } from '#kit/domain/id.ts'
import { maxFen, parseYuan, type Fen } from '#kit/domain/money.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import { findByIds } from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import {
  ensureTemplateVersion,
  loadTemplateVersions,
  loadPrintTemplates,
} from '#modules/accounts/server/public.ts'
import { billState } from '#modules/bills/contract/choices.ts'
import { recordState } from '../contract/choices.ts'
import { payDetail, payRecord, type PayRecord } from '../contract/record.ts'
import { markReceiptsPrinted, getReceipts } from '../contract/receipt.ts'
import { receiptDocTypeOf } from '../domain/receipt.ts'
import { findReceiptLines } from './receipt-lines.ts'

const maxReceipts = 200

/** Each record's template: by which it was first printed, else the present one of its project. */
async function findTemplates(db: Db, scope: Scope, list: readonly PayRecord[]) {
  const originalTemplates = await loadTemplateVersions(
    db,
    scope.ownerId,
    list.flatMap(r => r.printEditionId ?? []),
  )
  const currentTemplateOf = await loadPrintTemplates(
    db,
    scope,
    list
      .filter(r => !originalTemplates.has(r.printEditionId ?? 0))
      .map(r => [receiptDocTypeOf(r), r.projectCode] as const),
  )
  return (r: PayRecord) =>
    originalTemplates.get(r.printEditionId ?? 0) ?? currentTemplateOf(receiptDocTypeOf(r), r.projectCode)
}

interface DetailUnpaid {
  readonly id: Id
  readonly unpaid: string
}

/**
 * What each payment left unpaid of its bills' principal, by detail: a reprint leaves out what was paid
 * afterwards. Needs the indexes of pay_detail on (owner_id, record_id) and (owner_id, bill_id).
 */
async function findUnpaid(db: Db, scope: Scope, records: readonly Id[]): Promise<ReadonlyMap<Id, Fen>> {
  const rows = await db.rows<DetailUnpaid>(
    sql`
      select d.id, (b.unpaid_principal + later.paid)::text as unpaid
      from pay_detail d
      join bill b on b.owner_id = ${scope.ownerId} and b.id = d.bill_id and ${notDeleted('b')}
        and b.state <> ${code(billState, 'abolished')}
      cross join lateral (
        select coalesce(sum(x.principal - x.refunded_principal), 0) as paid
        from pay_detail x
        join pay_record r on r.owner_id = ${scope.ownerId} and r.id = x.record_id and ${notDeleted('r')}
        where x.owner_id = ${scope.ownerId} and x.bill_id = d.bill_id and x.record_id > d.record_id
          and ${notDeleted('x')} and x.principal > 0 and r.state <> ${code(recordState, 'voided')}
      ) later
      where d.owner_id = ${scope.ownerId} and d.record_id = any(${[...records]}) and ${notDeleted('d')}
    `,
  )
  return new Map(rows.map(row => [row.id, maxFen(0, parseYuan(row.unpaid))]))
}

export const receiptHandlers = [
  reads(getReceipts, async ({ ids }, { db, scope }) => {
    if (ids.length > maxReceipts) return refuse(`一次最多打印 ${maxReceipts} 张收据`)
    const list = await findByIds(db, payRecord, scope, ids)
    const details = (
      await db.rows<Record<string, unknown>>(
        sql`
          select *
          from pay_detail
          where owner_id = ${scope.ownerId} and record_id = any(${list.map(r => r.id)}) and ${notDeleted()}
          order by id
        `,
      )
    ).map(r => toEntityRow(payDetail, r))
    const detailsByRecord = Map.groupBy(details, d => d.recordId)
    const linesByRecord = await findReceiptLines(
      db,
      scope.ownerId,
      list.filter(r => !detailsByRecord.has(r.id)).map(r => r.id),
    )
    const paper = await findTemplates(db, scope, list)
    const payments = list.filter(r => r.state !== 'voided' && receiptDocTypeOf(r) === 'receipt')
    const unpaid = await findUnpaid(
      db,
      scope,
      payments.map(r => r.id),
    )
    return list.map(record => ({
      ...record,
      details: (detailsByRecord.get(record.id) ?? []).map(d => ({ ...d, unpaid: unpaid.get(d.id) ?? 0 })),
      about: linesByRecord.get(record.id) ?? [],
      paper: paper(record),
    }))
  }),
  /**
   * The first printing keeps its template permanently: later ones look the same whatever was changed since.
   */
  writes(markReceiptsPrinted, async ({ ids }, { tx, scope }) => {
    if (ids.length > maxReceipts) return refuse(`一次最多打印 ${maxReceipts} 张收据`)
    const list = await findByIds(tx, payRecord, scope, ids, { lock: true })
    const paper = await findTemplates(tx, scope, list)
    const editionByTemplate = new Map<string, number>()
    const printed: { id: Id; edition: number }[] = []
    for (const record of list) {
      const paperOfRecord = paper(record)
      const key = `${receiptDocTypeOf(record)}/${record.projectCode}`
      const edition =
        record.printEditionId ??
        editionByTemplate.get(key) ??
        (await ensureTemplateVersion(tx, scope, receiptDocTypeOf(record), record.projectCode, paperOfRecord))
      if (record.printEditionId === undefined) {
        editionByTemplate.set(key, edition)
      }
      printed.push({ id: record.id, edition })
    }
    await tx.execute(
      sql`
        update pay_record p
        set print_count = print_count + 1, print_edition_id = u.edition
        from (
          select (x->>'id')::bigint as id, (x->>'edition')::int as edition
          from jsonb_array_elements(${JSON.stringify(printed)}::jsonb) x
        ) u
        where p.owner_id = ${scope.ownerId} and p.id = u.id
      `,
    )
    await audit(
      tx,
      scope,
      list.map(record => ({
        action: 'export',
        entity: 'payRecord',
        entityId: record.id,
        projectCode: record.projectCode,
        after: { printed: record.printCount + 1 },
      })),
    )
    return { count: list.length, rows: list.map(r => ({ id: r.id, nth: r.printCount + 1, paper: paper(r) })) }
  }),
]
