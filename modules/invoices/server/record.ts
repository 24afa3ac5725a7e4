import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse } from '#kit/contract/wire.ts'
import { parseYuan } from '#kit/domain/money.ts'
import { sql, type RawBuilder } from '#kit/server/db.ts'
import { anonymous, reads } from '#kit/server/handler.ts'
import { toEntityRow } from '#kit/server/column-storage.ts'
import {
  filterConditions,
  keywordCondition,
  requireById,
  findPage,
  notStruckOutFilter,
  tenantFilter,
} from '#kit/server/table.ts'
import { exportHandlers } from '#kit/server/sheet-export.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  queryInvoice,
  exportInvoices,
  invoiceColumns,
  getInvoiceFile,
  invoiceFilters,
  followerRow,
  invoiceEntry,
  invoicePart,
  invoicePartRow,
  invoiceRecord,
  invoiceSums,
  listEntries,
  listInvoices,
  getInvoice,
} from '../contract/record.ts'
import { connectPlatform } from './tax-platform/accounts.ts'
import { findRedDue } from './red-due.ts'
import { syncInvoice } from './platform-sync.ts'

type Sql = RawBuilder<unknown>
type RecordFilter = NonNullable<typeof listInvoices.input.T>
const withoutRecordId = ({ recordId: _recordId, ...query }: RecordFilter) => query

const recordCondition = (ownerId: Id, { recordId }: RecordFilter): Sql[] =>
  recordId === undefined
    ? []
    : [
        sql`t.id in (
          select p.invoice_id
          from invoice_part p
          where p.owner_id = ${ownerId} and p.record_id = ${recordId}
        )`,
      ]

const partJoin = (ownerId: Id): Sql => sql`join invoice_part d on d.owner_id = ${ownerId}
    and d.invoice_id = t.id
    and ${notDeleted('d')}
  join pay_record r on r.owner_id = ${ownerId} and r.id = d.record_id`

// Rows of joins, read by the fields that their calls answer with.
const partEntity = { ...invoicePart, fields: invoicePartRow }
const entryEntity = { ...invoicePart, fields: invoiceEntry }
const notStruckOut = notStruckOutFilter(invoiceRecord.fields)
const followerEntity = { ...invoiceRecord, fields: followerRow }

export const recordHandlers = [
  reads(listInvoices, async (query, { db, scope }) => {
    const found = await findPage(db, invoiceRecord, scope, withoutRecordId(query), {
      filters: invoiceFilters,
      where: recordCondition(scope.ownerId, query),
      sums: invoiceSums,
    })
    return found
  }),
  reads(getInvoice, async ({ id }, { db, scope }) => {
    const record = await requireById(db, invoiceRecord, scope, id)
    const due = record.isRed ? undefined : await findRedDue(db, scope.ownerId, record)
    const [parts, original, followers] = [
      await db.rows<Record<string, unknown>>(
        sql`
          select d.*, r.record_no, r.receipt_no
          from invoice_part d
          join pay_record r on r.owner_id = ${scope.ownerId} and r.id = d.record_id
          where d.owner_id = ${scope.ownerId} and d.invoice_id = ${id} and ${notDeleted('d')}
          order by d.id
        `,
      ),
      record.originalId === undefined
        ? undefined
        : await db.one<{ no: string }>(
            sql`
              select coalesce(invoice_no, serial_no) as no
              from invoice_record
              where owner_id = ${scope.ownerId} and id = ${record.originalId}
            `,
          ),
      await db.rows<Record<string, unknown>>(
        sql`
          select id, serial_no, invoice_no, is_red, total_amount, state
          from invoice_record
          where owner_id = ${scope.ownerId} and original_id = ${id} and ${notDeleted()}
          order by id
        `,
      ),
    ]
    return {
      ...record,
      parts: parts.map(p => ({ ...toEntityRow(partEntity, p), dueAmount: due?.get(parseId(p.id)) ?? 0 })),
      ...(original ? { original: original.no } : {}),
      followers: followers.map(follower => toEntityRow(followerEntity, follower)),
    }
  }),
  reads(listEntries, async ({ feeItem, ...query }, { db, scope }) => {
    const size = Math.min(query.size ?? 10, 2000)
    const condition = sql.join(
      [
        tenantFilter(invoiceRecord, scope, query.projectCode),
        ...filterConditions(invoiceRecord, withoutRecordId(query), invoiceFilters),
        ...keywordCondition(invoiceRecord, scope.ownerId, query.keyword),
        ...(query.recordId === undefined ? [] : [sql`d.record_id = ${query.recordId}`]),
        ...(feeItem ? [sql`d.fee_item_id = ${feeItem}`] : []),
      ],
      sql` and `,
    )
    const from = sql`from invoice_record t ${partJoin(scope.ownerId)} where ${condition}`
    const amount = sql`case when t.is_red then -d.amount else d.amount end`
    const [list, [sum]] = await db.all<[Record<string, unknown>, { total: number; amount: string }]>(
      sql`
        select d.*, ${amount} as amount, t.id as invoice_id, r.record_no, r.receipt_no, t.serial_no,
          t.invoice_no, t.invoice_type, t.is_red, t.buyer_name, t.issue_time, t.state,
          t.operator_name ${from}
        order by t.id desc, d.id
        limit ${size} offset ${((query.page ?? 1) - 1) * size}
      `,
      sql`
        select count(*)::int as total, coalesce(sum(${amount})${notStruckOut}, 0)::text as amount ${from}
      `,
    )
    return {
      total: defined(sum).total,
      sum: { amount: parseYuan(defined(sum).amount) },
      rows: list.map(row => toEntityRow(entryEntity, row)),
    }
  }),
  // Not in one transaction: the platform is asked between two.
  anonymous(queryInvoice, async ({ id }, c) => {
    const scope = { ...defined(c.caller), projectCode: '', ip: c.ip, requestId: c.requestId, time: c.now }
    const r = await requireById(c.app.database.reader(scope.ownerId), invoiceRecord, scope, id)
    return r.state === 'doing' ? syncInvoice(c.app, scope.ownerId, id) : r
  }),
  anonymous(getInvoiceFile, async ({ id }, c) => {
    const scope = { ...defined(c.caller), projectCode: '', ip: c.ip, requestId: c.requestId, time: c.now }
    const ownerId = scope.ownerId
    const record = await requireById(c.app.database.reader(ownerId), invoiceRecord, scope, id)
    if (record.channel !== 'platform' || record.medium !== 'electronic')
      return refuse('手工登记的发票没有版式文件')
    if (!record.invoiceNo) return refuse('发票尚未开具，没有版式文件')
    const name = `发票_${record.invoiceNo}.pdf`
    const type = 'application/pdf'
    const storedFile = record.pdf && (await c.app.files.find(ownerId, record.pdf))
    if (storedFile) return { name, type, body: storedFile.read, size: storedFile.size }
    const bytes = await (
      await connectPlatform(c.app, ownerId, record.setId)
    )
      .file(record.serialNo)
      .catch((err: unknown) => {
        c.app.log.warn({ err: String(err), invoice: record.serialNo }, 'no file')
        return refuse('开票平台未响应，请稍后再下载')
      })
    if (!bytes) return refuse('开票平台暂无该发票文件，请稍后再下载')
    const key = await c.app.files.save(ownerId, scope.operatorId, { name, type, bytes })
    await c.app.database.tx(ownerId, tx =>
      tx.execute(sql`update invoice_record set pdf = ${key} where owner_id = ${ownerId} and id = ${id}`),
    )
    return { name, type, body: bytes }
  }),
]

export const invoiceExport = exportHandlers<RecordFilter>({
  kind: 'invoices.invoice',
  name: '发票',
  calls: exportInvoices,
  entity: invoiceRecord,
  columns: invoiceColumns,
  query: (q, { scope }) => ({
    q: withoutRecordId(q),
    find: { filters: invoiceFilters, where: recordCondition(scope.ownerId, q) },
  }),
})
