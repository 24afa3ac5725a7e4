import { defined } from '#kit/domain/defined.ts'
import { type Field } from '#kit/contract/field.ts'
import { formatValue } from '#kit/contract/value.ts'
import { formatYuan } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { requireById } from '#kit/server/table.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { getBillHistory } from '../contract/bill-detail.ts'

const fields: Readonly<Record<string, Field | undefined>> = bill.fields

interface AuditRow {
  readonly time: Moment
  readonly operatorName: string
  readonly action: string
  readonly before?: Record<string, unknown>
  readonly after?: Record<string, unknown>
  readonly reason?: string
}

const valueText = (value: unknown, field: Field): string | undefined =>
  value === undefined || value === null ? undefined : formatValue(value, field)

/** One line per changed field; the pay state follows from the money and is left out. */
function toHistoryLines(billRow: Bill, { time, operatorName, action, before, after, reason }: AuditRow) {
  const common = { time, operatorName, ...(reason ? { reason } : {}) }
  if (action === 'insert') return [{ ...common, what: '生成', newValue: formatYuan(billRow.amount) }]
  return Object.keys(after ?? before ?? {}).flatMap(key => {
    const field = fields[key]
    if (!field || key === 'payState') return []
    const oldValue = valueText(before?.[key], field)
    const newValue = valueText(after?.[key], field)
    return [
      {
        ...common,
        what: field.label,
        ...(oldValue === undefined ? {} : { oldValue }),
        ...(newValue === undefined ? {} : { newValue }),
      },
    ]
  })
}

const createdLine = (billRow: Bill) => ({
  time: defined(billRow.createTime),
  operatorName: '系统',
  what: '生成',
  newValue: billRow.batchNo ? `批次 ${billRow.batchNo}` : formatYuan(billRow.amount),
})

export const billHistoryHandlers = [
  reads(getBillHistory, async ({ id }, { db, scope }) => {
    const billRow = await requireById(db, bill, scope, id)
    const entries = await db.rows<AuditRow>(
      sql`
        select create_time as time, operator_name, action, before, after, reason
        from audit_log
        where owner_id = ${scope.ownerId} and entity = 'bill' and entity_id = ${id}
        order by create_time desc, id desc
        limit 200
      `,
    )
    const hasCreation = entries.some(e => e.action === 'insert')
    return [
      ...entries.flatMap(e => toHistoryLines(billRow, e)),
      ...(hasCreation ? [] : [createdLine(billRow)]),
    ]
  }),
]
