import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { payMethod, recordState, recordType } from '#modules/payments/contract/choices.ts'
import { build, calendar, named, project, type Source } from './report.ts'
import { sum } from './rooms.ts'

/** What a record moved: what was handed over less the change. The same as the sum of its ways of paying. */
const moved = 't.received_amount - t.change_amount'

export const tradeSource: Source = {
  from: () => sql`from pay_record t`,
  where: () => [sql`t.state <> ${sql.raw(String(codeOf(recordState, 'voided')))}`],
  by: {
    type: { key: sql`t.record_type`, name: named(recordType, sql`t.record_type`) },
    method: { key: sql`t.pay_method`, name: named(payMethod, sql`t.pay_method`) },
    day: calendar(sql`t.pay_day::text`),
    month: calendar(sql`to_char(t.pay_day, 'YYYY-MM')`),
    cashier: { key: sql`t.cashier_id`, name: sql`max(t.cashier_name)` },
    build,
    project,
  },
  figures: {
    count: sql`count(*)`,
    received: sql`coalesce(sum(${sql.raw(moved)}) filter (where t.received_amount > 0), 0)`,
    refunded: sql`coalesce(-sum(${sql.raw(moved)}) filter (where t.received_amount < 0), 0)`,
    net: sum(moved),
    principal: sum('t.principal_amount'),
    lateFee: sum('t.late_fee_amount'),
    rest: sum(`${moved} - t.principal_amount - t.late_fee_amount`),
    offset: sum('t.prestore_amount'),
    roundOff: sum('t.round_off'),
  },
}
