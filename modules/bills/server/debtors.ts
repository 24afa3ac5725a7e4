import { keyOf } from '#kit/contract/field.ts'
import { addDays, type Day } from '#kit/domain/day.ts'
import type { Id } from '#kit/domain/id.ts'
import { parseYuan } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { sql, type Db, type RawBuilder } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { rowsExportHandlers } from '#kit/server/rows-export.ts'
import type { Scope } from '#kit/server/scope.ts'
import { readOrder } from '#kit/server/table.ts'
import { sqlFile } from '#kit/server/sql-file.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { bill } from '../contract/bill.ts'
import {
  debtorColumns,
  debtorFields,
  exportDebtors,
  listDebtors,
  type Debtor,
  type DebtorFilter,
} from '../contract/debtor.ts'
import { ageBuckets, shortenNames, type AgeBucket } from '../domain/debtor.ts'
import { billCondition } from './bill-query.ts'

interface DebtorRow {
  projectCode: string
  payerKind?: number
  payerId?: Id
  payerName?: string
  payerMobile?: string
  sourceNames: string[]
  sources: number
  firstType: number
  firstCode: string
  billCount: number
  unpaid: string
  notDue: string
  days30: string
  days60: string
  days90: string
  over90: string
  dueDate: Day
  lastUrgeTime?: Moment
  urgeCount: number
  promiseDate?: Day
  disputed: boolean
  billIds: Id[]
  total: number
  totalBillCount: string
  totalUnpaid: string
  totalNotDue: string
  totalDays30: string
  totalDays60: string
  totalDays90: string
  totalOver90: string
}

interface Window {
  readonly limit: number
  readonly offset: number
  readonly order: string | undefined
}

/** Orders of the list by the key that a column is sorted by; `-` is descending. */
const orders: Readonly<Record<string, string>> = {
  unpaid: 'unpaid',
  billCount: 'bill_count',
  over90: 'over90',
  dueDate: 'due_date',
  lastUrgeTime: 'last_urge_time',
  promiseDate: 'promise_date',
  payerName: 'payer_name',
}

function orderSql(order: string | undefined): RawBuilder<unknown> {
  const [{ key, isDescending } = { key: 'unpaid', isDescending: true }] = readOrder(
    debtorFields,
    Object.keys(orders),
    order,
  )
  return sql`${sql.id(orders[key] ?? 'unpaid')} ${sql.raw(isDescending ? 'desc' : 'asc')} nulls last`
}

/** What is unpaid of bills whose due day is in a bucket; a bucket without a day is open at that end. */
const bucketSum = (today: Day, { from, to }: AgeBucket) => {
  const bounds = [
    ...(from === undefined ? [] : [sql`t.due_date <= ${addDays(today, -from)}`]),
    ...(to === undefined ? [] : [sql`t.due_date >= ${addDays(today, -to)}`]),
  ]
  return sql`coalesce(sum(t.unpaid) filter (where ${sql.join(bounds, sql` and `)}), 0)`
}

/** Payers without a name are distinguished by what the bills are for. */
const unnamedSource = sql`case when t.payer_id is null then t.source_type || '/' || t.source_code else '' end`

const whole = sql`true`

/** A condition on what is between two bounds, either of which may be missing. */
const between = (value: RawBuilder<unknown>, from: unknown, to: unknown, type: 'int' | 'date') =>
  sql.join(
    [
      whole,
      ...(from === undefined ? [] : [sql`${value} >= ${from}::${sql.raw(type)}`]),
      ...(to === undefined ? [] : [sql`${value} <= ${to}::${sql.raw(type)}`]),
    ],
    sql` and `,
  )

/**
 * A filter as two: which bills are counted, and which payers are shown. Reminders, promises and disputes are
 * looked for in all that a payer owes, not in the bill; so is the age of the oldest debt.
 */
function splitFilter({
  urgeCountFrom,
  urgeCountTo,
  promiseDateFrom,
  promiseDateTo,
  promised,
  disputed,
  overdueDaysFrom,
  overdueDaysTo,
  ...bills
}: DebtorFilter) {
  const hasPromise = promiseDateFrom !== undefined || promiseDateTo !== undefined
  const isPromised = sql`bool_or(${between(sql`t.promise_date`, promiseDateFrom, promiseDateTo, 'date')})`
  return {
    bills,
    ofPayer: sql.join(
      [
        between(sql`max(t.urge_count)`, urgeCountFrom, urgeCountTo, 'int'),
        ...(hasPromise ? [isPromised] : []),
        ...(promised === undefined ? [] : [sql`bool_or(t.promise_date is not null) = ${promised}`]),
        ...(disputed === undefined ? [] : [sql`bool_or(t.disputed) = ${disputed}`]),
      ],
      sql` and `,
    ),
    ofAge: (today: Day) => {
      if (overdueDaysFrom === undefined && overdueDaysTo === undefined) return whole
      const oldest = overdueDaysTo === undefined ? undefined : addDays(today, -overdueDaysTo)
      const newest = addDays(today, -(overdueDaysFrom ?? 1))
      return sql`bool_or(${between(sql`t.due_date`, oldest, newest, 'date')})`
    },
  }
}

const debtorRows = sqlFile(import.meta.dirname, 'debtors.sql', [
  'unnamed',
  'owedBill',
  'payerCondition',
  'foundBill',
  'ageCondition',
  'notDue',
  'days30',
  'days60',
  'days90',
  'over90',
  'order',
  'limit',
  'offset',
])

function selectDebtors(
  db: Db,
  scope: Scope,
  filter: DebtorFilter,
  { today, now }: { readonly today: Day; readonly now: Moment },
  { limit, offset, order }: Window,
): Promise<DebtorRow[]> {
  const { bills, ofPayer, ofAge } = splitFilter(filter)
  const owed = { order: 'dueDate', state: ['normal'], payState: ['unpaid'], feesOnly: true } as const
  const { projectCode } = filter
  return db.rows(
    debtorRows<DebtorRow>({
      unnamed: unnamedSource,
      owedBill: billCondition(scope, { ...owed, ...(projectCode ? { projectCode } : {}) }, today, now),
      payerCondition: ofPayer,
      foundBill: billCondition(scope, { ...bills, ...owed }, today, now),
      ageCondition: ofAge(today),
      notDue: bucketSum(today, ageBuckets.notDue),
      days30: bucketSum(today, ageBuckets.days30),
      days60: bucketSum(today, ageBuckets.days60),
      days90: bucketSum(today, ageBuckets.days90),
      over90: bucketSum(today, ageBuckets.over90),
      order: orderSql(order),
      limit,
      offset,
    }),
  )
}

function toDebtor(row: DebtorRow): Debtor {
  const kind = row.payerKind === undefined ? undefined : keyOf(payerSide, row.payerKind)
  return {
    key: [row.projectCode, row.payerKind ?? '', row.payerId ?? `${row.firstType}/${row.firstCode}`].join('/'),
    projectCode: row.projectCode,
    ...(kind ? { payerKind: kind } : {}),
    ...(row.payerId ? { payerId: row.payerId } : {}),
    ...(row.payerName ? { payerName: row.payerName } : {}),
    ...(row.payerMobile ? { payerMobile: row.payerMobile } : {}),
    sourceNames: shortenNames(row.sourceNames, row.sources),
    firstType: row.firstType,
    firstCode: row.firstCode,
    billCount: row.billCount,
    unpaid: parseYuan(row.unpaid),
    notDue: parseYuan(row.notDue),
    days30: parseYuan(row.days30),
    days60: parseYuan(row.days60),
    days90: parseYuan(row.days90),
    over90: parseYuan(row.over90),
    dueDate: row.dueDate,
    ...(row.lastUrgeTime ? { lastUrgeTime: row.lastUrgeTime } : {}),
    urgeCount: row.urgeCount,
    ...(row.promiseDate ? { promiseDate: row.promiseDate } : {}),
    disputed: row.disputed,
    billIds: row.billIds.map(String),
  }
}

const toSums = (row: DebtorRow | undefined) => ({
  billCount: Number(row?.totalBillCount ?? 0),
  unpaid: parseYuan(row?.totalUnpaid ?? '0'),
  notDue: parseYuan(row?.totalNotDue ?? '0'),
  days30: parseYuan(row?.totalDays30 ?? '0'),
  days60: parseYuan(row?.totalDays60 ?? '0'),
  days90: parseYuan(row?.totalDays90 ?? '0'),
  over90: parseYuan(row?.totalOver90 ?? '0'),
})

/** Below it a page has none of its own; more than a screen shows is asked for by exports alone. */
const defaultPageSize = 20

export const debtorHandlers = [
  reads(listDebtors, async (filter, { db, scope, today, now }) => {
    const { size = defaultPageSize, page = 1, order } = filter
    const window = { limit: size, offset: (page - 1) * size, order }
    const rows = await selectDebtors(db, scope, filter, { today, now }, window)
    // The totals are on the rows: a page behind the last has none.
    const [first] =
      rows.length || page === 1
        ? rows
        : await selectDebtors(db, scope, filter, { today, now }, { limit: 1, offset: 0, order })
    return {
      total: first?.total ?? 0,
      rows: rows.map(toDebtor),
      sum: toSums(first),
    }
  }),
]

/** The text on the screen. */
const noPayer = '无缴费人'

export const debtorExport = rowsExportHandlers<DebtorFilter, Debtor>({
  kind: 'bills.debtor',
  name: '欠费客户',
  calls: exportDebtors,
  columns: debtorColumns,
  entity: bill.name,
  keyOf: row => row.key,
  load: async (filter, { db, scope, today, now }, limit) => {
    const window = { limit, offset: 0, order: filter.order }
    const rows = await selectDebtors(db, scope, filter, { today, now }, window)
    return { total: rows[0]?.total ?? 0, rows: rows.map(row => ({ payerName: noPayer, ...toDebtor(row) })) }
  },
})
