import { sql } from '#kit/server/db.ts'
import { code } from '#kit/server/sql.ts'
import { payMethod, recordState, recordType } from '#modules/payments/contract/choices.ts'
import {
  buildingDimension,
  createDayDimension,
  createMonthDimension,
  choiceLabelSql,
  projectDimension,
  sumOf,
  type ReportSource,
} from './report-source.ts'

/** What a record settled, with new money or with what had come in before. */
const settledAmount = 't.tendered_amount - t.change_amount'

export const tradeSource: ReportSource = {
  from: () => sql`from pay_record t`,
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
  figures: {
    count: sql`count(*)`,
    received: sql`coalesce(sum(t.received_amount) filter (where t.received_amount > 0), 0)`,
    refunded: sql`coalesce(-sum(t.received_amount) filter (where t.received_amount < 0), 0)`,
    net: sumOf('t.received_amount'),
    principal: sumOf('t.principal_amount'),
    lateFee: sumOf('t.late_fee_amount'),
    rest: sumOf(`${settledAmount} - t.principal_amount - t.late_fee_amount`),
    offset: sumOf('t.prestore_amount + t.coupon_amount'),
    roundOff: sumOf('t.round_off'),
  },
}
