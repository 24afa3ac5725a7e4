import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handle.ts'
import type { Scope } from '#kit/server/scope.ts'
import { rowOf } from '#kit/server/stored.ts'
import { byIds } from '#kit/server/table.ts'
import { editionOf, editions, papersOf } from '#modules/accounts/server/public.ts'
import { payDetail, payRecord, type PayRecord } from '../contract/record.ts'
import { printedReceipts, receipts } from '../contract/receipt.ts'
import { paperKind } from '../domain/receipt.ts'
import { receiptLinesOf } from './about.ts'

const most = 200

/** Each record's template: by which it was first printed, else the present one of its project. */
async function papers(db: Db, scope: Scope, list: readonly PayRecord[]) {
  const kept = await editions(
    db,
    scope.ownerId,
    list.flatMap(r => r.printEditionId ?? []),
  )
  const now = await papersOf(
    db,
    scope,
    list.filter(r => !kept.has(r.printEditionId ?? 0)).map(r => [paperKind(r), r.projectCode] as const),
  )
  return (r: PayRecord) => kept.get(r.printEditionId ?? 0) ?? now(paperKind(r), r.projectCode)
}

export const receiptHandlers = [
  reads(receipts, async ({ ids }, { db, scope }) => {
    if (ids.length > most) return refuse(`一次最多打印 ${most} 张收据`)
    const list = await byIds(db, payRecord, scope, ids)
    const details = (
      await db.rows<Record<string, unknown>>(
        sql`
          select *
          from pay_detail
          where owner_id = ${scope.ownerId} and record_id = any(${list.map(r => r.id)}) and delete_tag = 0
          order by id
        `,
      )
    ).map(r => rowOf(payDetail, r))
    const by = Map.groupBy(details, d => d.recordId)
    const about = await receiptLinesOf(
      db,
      scope.ownerId,
      list.filter(r => !by.has(r.id)).map(r => r.id),
    )
    const paper = await papers(db, scope, list)
    return list.map(r => ({
      ...r,
      details: by.get(r.id) ?? [],
      about: about.get(r.id) ?? [],
      paper: paper(r),
    }))
  }),
  /** The first printing keeps its template for good: later ones look the same whatever was changed since. */
  writes(printedReceipts, async ({ ids }, { tx, scope }) => {
    if (ids.length > most) return refuse(`一次最多打印 ${most} 张收据`)
    const list = await byIds(tx, payRecord, scope, ids, true)
    const paper = await papers(tx, scope, list)
    const known = new Map<string, number>()
    const by: { id: number; edition: number }[] = []
    for (const r of list) {
      const p = paper(r)
      const key = `${paperKind(r)}/${r.projectCode}`
      const edition =
        r.printEditionId ?? known.get(key) ?? (await editionOf(tx, scope, paperKind(r), r.projectCode, p))
      if (r.printEditionId === undefined) {
        known.set(key, edition)
      }
      by.push({ id: r.id, edition })
    }
    await tx.run(
      sql`
        update pay_record p
        set print_count = print_count + 1, print_edition_id = u.edition
        from (
          select (x->>'id')::bigint as id, (x->>'edition')::int as edition
          from jsonb_array_elements(${JSON.stringify(by)}::jsonb) x
        ) u
        where p.owner_id = ${scope.ownerId} and p.id = u.id
      `,
    )
    await audit(
      tx,
      scope,
      list.map(r => ({
        action: 'export',
        entity: 'payRecord',
        entityId: r.id,
        projectCode: r.projectCode,
        after: { printed: r.printCount + 1 },
      })),
    )
    return { count: list.length, rows: list.map(r => ({ id: r.id, nth: r.printCount + 1, paper: paper(r) })) }
  }),
]
