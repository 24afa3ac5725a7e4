import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import {
  invoiceChannel,
  invoiceMedium,
  invoiceState,
  invoiceType,
} from '#modules/invoices/contract/choices.ts'
import { build, calendar, named, project, type Source } from './report.ts'
import { sum } from './rooms.ts'

const out = sql.raw((['issued', 'redDue', 'red'] as const).map(s => codeOf(invoiceState, s)).join(', '))
const issued = sql`(t.issue_time at time zone 'Asia/Shanghai')::date`

/** Uses invoice_record_issued. */
export const invoiceSource: Source = {
  from: () => sql`from invoice_record t`,
  where: q => [
    sql`t.state in (${out})`,
    ...(q.dayFrom ? [sql`t.issue_time >= ${q.dayFrom}::date::timestamp at time zone 'Asia/Shanghai'`] : []),
    ...(q.dayTo ? [sql`t.issue_time < (${q.dayTo}::date + 1)::timestamp at time zone 'Asia/Shanghai'`] : []),
  ],
  by: {
    type: { key: sql`t.invoice_type`, name: named(invoiceType, sql`t.invoice_type`) },
    medium: { key: sql`t.medium`, name: named(invoiceMedium, sql`t.medium`) },
    channel: { key: sql`t.channel`, name: named(invoiceChannel, sql`t.channel`) },
    state: { key: sql`t.state`, name: named(invoiceState, sql`t.state`) },
    month: calendar(sql`to_char(${issued}, 'YYYY-MM')`),
    day: calendar(sql`${issued}::text`),
    buyer: { key: sql`t.buyer_name`, name: sql`max(t.buyer_name)` },
    build,
    project,
  },
  figures: {
    count: sql`count(*)`,
    blue: sql`coalesce(sum(t.total_amount) filter (where not t.is_red), 0)`,
    red: sql`coalesce(-sum(t.total_amount) filter (where t.is_red), 0)`,
    total: sum('t.total_amount'),
    net: sum('t.net_amount'),
    tax: sum('t.tax_amount'),
  },
}
