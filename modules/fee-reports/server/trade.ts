import { keysOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { code, codes } from '#kit/server/sql.ts'
import { filterConditions, tenantFilter } from '#kit/server/table.ts'
import { offsetMethods, payMethod, recordState, recordType } from '#modules/payments/contract/choices.ts'
import { payRecord } from '#modules/payments/contract/record.ts'
import { methodConditions, selectPaidParts } from '#modules/payments/server/public.ts'
import { trade } from '../contract/trade.ts'
import type { ReportQuery } from '../contract/report.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  choiceLabelSql,
  listFilter,
  projectDimension,
  sumOf,
  type ReportContext,
  type ReportSource,
  type Sql,
} from './report-source.ts'

/** What a record settled, with new money or with what had come in before. */
const settledAmount = 't.tendered_amount - t.change_amount'

const methodsOf = (query: ReportQuery) => {
  const chosen = listFilter(query, 'payMethod')
  return keysOf(payMethod).filter(key => chosen.includes(key))
}

/** A mixed payment counts under each of its methods with what that one brought (PAY-15). */
const isByMethod = (query: ReportQuery): boolean => query.by === 'method' || methodsOf(query).length > 0

const recordFilters = trade.filters.filter(key => key !== 'payMethod')

/** The records `t` of a query, each once for each method it was paid by. */
function selectRecordsByMethod(query: ReportQuery, { scope }: ReportContext): Sql {
  const condition = sql.join(
    [
      tenantFilter(payRecord, scope, query.projectCode),
      ...filterConditions(payRecord, query, recordFilters),
      ...methodConditions(scope.ownerId, methodsOf(query)),
    ],
    sql` and `,
  )
  const parts = selectPaidParts(scope.ownerId, sql`select t.id from pay_record t where ${condition}`)
  const isOffset = sql`p.method in ${codes(payMethod, ...offsetMethods)}`
  const sumWhere = (part: Sql): Sql => sql`coalesce(sum(p.side * p.amount) filter (where ${part}), 0)`
  const shares = sql`
    select p.record_id, p.method, sum(p.side * p.amount) as settled, ${sumWhere(sql`not ${isOffset}`)} as received,
      ${sumWhere(isOffset)} as offset_amount,
      ${sumWhere(sql`p.detail_id is not null and not p.is_late_fee`)} as bill_principal,
      ${sumWhere(sql`p.is_late_fee`)} as late_fee
    from (${parts}) p
    group by 1, 2
  `
  return sql`(
    select t.owner_id, t.id, t.delete_tag, t.project_code, t.build_code, t.record_type, t.state, t.pay_day,
      t.cashier_id, t.cashier_name, t.is_history, coalesce(s.method, t.pay_method) as pay_method,
      coalesce(s.received, 0) as received_amount, coalesce(s.settled, 0) as tendered_amount,
      0 as change_amount, coalesce(s.offset_amount, 0) as prestore_amount, 0 as coupon_amount,
      case
        when t.record_type = ${code(recordType, 'deposit')} then 0
        else coalesce(s.bill_principal, 0)
        end as principal_amount,
      coalesce(s.late_fee, 0) as late_fee_amount,
      case when coalesce(s.method, t.pay_method) = t.pay_method then t.round_off else 0 end as round_off
    from pay_record t
    left join (${shares}) s on s.record_id = t.id
    where ${condition}
  )`
}

export const tradeSource: ReportSource = {
  from: (query, context) =>
    isByMethod(query) ? sql`from ${selectRecordsByMethod(query, context)} t` : sql`from pay_record t`,
  where: () => [sql`t.state <> ${code(recordState, 'voided')}`],
  dimensions: {
    type: { key: sql`t.record_type`, name: choiceLabelSql(recordType, sql`t.record_type`) },
    method: { key: sql`t.pay_method`, name: choiceLabelSql(payMethod, sql`t.pay_method`) },
    day: createDayDimension(sql`t.pay_day::text`),
    month: createMonthDimension(sql`to_char(t.pay_day, 'YYYY-MM')`),
    cashier: { key: sql`t.cashier_id`, name: sql`max(t.cashier_name)` },
    build: buildingDimension,
    project: projectDimension,
  },
  figures: query => ({
    count: isByMethod(query) ? sql`count(distinct t.id)` : sql`count(*)`,
    received: sql`coalesce(sum(t.received_amount) filter (where t.received_amount > 0), 0)`,
    refunded: sql`coalesce(-sum(t.received_amount) filter (where t.received_amount < 0), 0)`,
    net: sumOf('t.received_amount'),
    principal: sumOf('t.principal_amount'),
    lateFee: sumOf('t.late_fee_amount'),
    rest: sumOf(`${settledAmount} - t.principal_amount - t.late_fee_amount`),
    offset: sumOf('t.prestore_amount + t.coupon_amount'),
    roundOff: sumOf('t.round_off'),
  }),
}
