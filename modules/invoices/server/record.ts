import { createReadStream } from 'node:fs'
import { refuse } from '#kit/contract/wire.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { greets, reads } from '#kit/server/handle.ts'
import { veil, veiled } from '#kit/server/privacy.ts'
import { rowOf } from '#kit/server/stored.ts'
import { conditions, keywordCondition, need, page, wall } from '#kit/server/table.ts'
import { exportHandlers } from '#kit/server/sheets.ts'
import {
  askInvoice,
  exportInvoices,
  invoiceColumns,
  invoiceFile,
  invoiceFilters,
  invoicePart,
  invoiceRecord,
  invoiceSums,
  listEntries,
  listInvoices,
  oneInvoice,
} from '../contract/record.ts'
import { platformOf } from './desk/accounts.ts'
import { dueOf } from './due.ts'
import { bring } from './send.ts'

type Ask = NonNullable<typeof listInvoices.input.T>
const plain = ({ recordId: _, ...q }: Ask) => q

const where = (owner: number, q: Ask): RawBuilder<any>[] =>
  q.recordId === undefined
    ? []
    : [
        sql`t.id in (
          select p.invoice_id
          from invoice_part p
          where p.owner_id = ${owner} and p.record_id = ${q.recordId}
        )`,
      ]

const joined = sql`join invoice_part d on d.owner_id = t.owner_id
    and d.invoice_id = t.id
    and d.delete_tag = 0
  join pay_record r on r.owner_id = d.owner_id and r.id = d.record_id`

const entry = {
  ...invoicePart,
  fields: {
    ...invoicePart.fields,
    invoiceType: invoiceRecord.fields.invoiceType,
    state: invoiceRecord.fields.state,
    issueTime: invoiceRecord.fields.issueTime,
  },
}

export const recordHandlers = [
  reads(listInvoices, async (q, { db, scope }) => {
    const found = await page(db, invoiceRecord, scope, plain(q), {
      filters: invoiceFilters,
      where: where(scope.ownerId, q),
      sums: invoiceSums,
    })
    return { ...found, rows: veiled(invoiceRecord.fields, found.rows, scope) }
  }),
  reads(oneInvoice, async ({ id }, { db, scope }) => {
    const r = await need(db, invoiceRecord, scope, id)
    const due = r.isRed ? undefined : await dueOf(db, scope.ownerId, r)
    const [parts, original, followers] = [
      await db.rows<Record<string, unknown>>(
        sql`
          select d.*, r.record_no, r.receipt_no
          from invoice_part d
          join pay_record r on r.owner_id = d.owner_id and r.id = d.record_id
          where d.owner_id = ${scope.ownerId} and d.invoice_id = ${id} and d.delete_tag = 0
          order by d.id
        `,
      ),
      r.originalId === undefined
        ? undefined
        : await db.one<{ no: string }>(
            sql`
              select coalesce(invoice_no, serial_no) as no
              from invoice_record
              where owner_id = ${scope.ownerId} and id = ${r.originalId}
            `,
          ),
      await db.rows<Record<string, unknown>>(
        sql`
          select id, serial_no, invoice_no, is_red, total_amount, state
          from invoice_record
          where owner_id = ${scope.ownerId} and original_id = ${id} and delete_tag = 0
          order by id
        `,
      ),
    ]
    return {
      ...veil(invoiceRecord.fields, r, scope),
      parts: parts.map(p => ({ ...rowOf(entry, p), dueAmount: due?.get(Number(p.id)) ?? 0 })),
      ...(original ? { original: original.no } : {}),
      followers: followers.map(f => rowOf(invoiceRecord, f)),
    } as never
  }),
  reads(listEntries, async ({ feeItem, ...q }, { db, scope }) => {
    const size = Math.min(q.size ?? 10, 2000)
    const all = sql.join(
      [
        wall(invoiceRecord, scope, q.projectCode),
        ...conditions(invoiceRecord, plain(q), invoiceFilters),
        ...keywordCondition(invoiceRecord, q.keyword),
        ...(q.recordId === undefined ? [] : [sql`d.record_id = ${q.recordId}`]),
        ...(feeItem ? [sql`d.fee_item_id = ${feeItem}`] : []),
      ],
      sql` and `,
    )
    const from = sql`from invoice_record t ${joined} where ${all}`
    const amount = sql`case when t.is_red then -d.amount else d.amount end`
    const [list, [sum]] = await db.all<[Record<string, unknown>, { total: number; amount: string }]>(
      sql`
        select d.*, ${amount} as amount, t.id as invoice_id, r.record_no, r.receipt_no, t.serial_no,
          t.invoice_no, t.invoice_type, t.is_red, t.buyer_name, t.issue_time, t.state,
          t.operator_name ${from}
        order by t.id desc, d.id
        limit ${size} offset ${((q.page ?? 1) - 1) * size}
      `,
      sql`select count(*)::int as total, coalesce(sum(${amount}), 0)::text as amount ${from}`,
    )
    return {
      total: sum!.total,
      sum: { amount: parseYuan(sum!.amount) },
      rows: list.map(r => rowOf(entry, r) as never),
    }
  }),
  // Its transactions are its own: the platform is heard between them.
  greets(askInvoice, async ({ id }, c) => {
    const scope = { ...c.caller!, projectCode: '', ip: c.ip, requestId: c.requestId }
    const r = await need(c.world.store.reader(scope.ownerId), invoiceRecord, scope, id)
    return veil(
      invoiceRecord.fields,
      r.state === 'doing' ? await bring(c.world, scope.ownerId, id) : r,
      scope,
    )
  }),
  greets(invoiceFile, async ({ id }, c) => {
    const scope = { ...c.caller!, projectCode: '', ip: c.ip, requestId: c.requestId }
    const owner = scope.ownerId
    const r = await need(c.world.store.reader(owner), invoiceRecord, scope, id)
    if (r.channel !== 'platform' || r.medium !== 'electronic') return refuse('手工登记的发票没有版式文件')
    if (!r.invoiceNo) return refuse('发票还没有开具，没有版式文件')
    const name = `发票_${r.invoiceNo}.pdf`
    const type = 'application/pdf'
    const known = r.pdf && (await c.world.files.find(owner, r.pdf))
    if (known) return { name, type, body: createReadStream(known.path), size: known.size }
    const bytes = await (await platformOf(c.world, owner, r.setId)).file(r.serialNo).catch(err => {
      c.world.log.warn({ err: (err as Error).message, invoice: r.serialNo }, 'no file')
      return refuse('开票平台没有回答，请稍后再下载')
    })
    if (!bytes) return refuse('开票平台还没有这张发票的文件，请稍后再下载')
    const key = await c.world.files.keep(owner, scope.operatorId, { name, type, bytes })
    await c.world.store.tx(owner, tx =>
      tx.run(sql`update invoice_record set pdf = ${key} where owner_id = ${owner} and id = ${id}`),
    )
    return { name, type, body: bytes }
  }),
]

export const invoiceExport = exportHandlers<Ask>({
  kind: 'invoices.invoice',
  name: '发票',
  calls: exportInvoices,
  entity: invoiceRecord,
  columns: invoiceColumns,
  query: (q, { scope }) => ({
    q: plain(q),
    find: { filters: invoiceFilters, where: where(scope.ownerId, q) },
  }),
})
