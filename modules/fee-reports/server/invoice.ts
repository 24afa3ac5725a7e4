import { sql } from '#kit/server/db.ts'
import { codes } from '#kit/server/sql.ts'
import {
  invoiceChannel,
  invoiceMedium,
  invoiceState,
  invoiceType,
} from '#modules/invoices/contract/choices.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  sumOf,
  type ReportSource,
} from './report-source.ts'

const issueDay = sql`(t.issue_time at time zone 'Asia/Shanghai')::date`

/** Uses invoice_record_issued. */
export const invoiceSource: ReportSource = {
  from: () => sql`from invoice_record t`,
  where: query => [
    sql`t.state in ${codes(invoiceState, 'issued', 'redDue', 'red')}`,
    ...(query.dayFrom
      ? [sql`t.issue_time >= ${query.dayFrom}::date::timestamp at time zone 'Asia/Shanghai'`]
      : []),
    ...(query.dayTo
      ? [sql`t.issue_time < (${query.dayTo}::date + 1)::timestamp at time zone 'Asia/Shanghai'`]
      : []),
  ],
  dimensions: {
    type: { key: sql`t.invoice_type`, name: choiceLabelSql(invoiceType, sql`t.invoice_type`) },
    medium: { key: sql`t.medium`, name: choiceLabelSql(invoiceMedium, sql`t.medium`) },
    channel: { key: sql`t.channel`, name: choiceLabelSql(invoiceChannel, sql`t.channel`) },
    state: { key: sql`t.state`, name: choiceLabelSql(invoiceState, sql`t.state`) },
    month: createMonthDimension(sql`to_char(${issueDay}, 'YYYY-MM')`),
    day: createDayDimension(sql`${issueDay}::text`),
    buyer: { key: sql`t.buyer_name`, name: sql`max(t.buyer_name)` },
    build: buildingDimension,
    project: projectDimension,
  },
  figures: {
    count: sql`count(*)`,
    blue: sql`coalesce(sum(t.total_amount) filter (where not t.is_red), 0)`,
    red: sql`coalesce(-sum(t.total_amount) filter (where t.is_red), 0)`,
    total: sumOf('t.total_amount'),
    net: sumOf('t.net_amount'),
    tax: sumOf('t.tax_amount'),
  },
}
