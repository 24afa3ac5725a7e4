import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceBills, sourceBillsSum } from '../contract/rooms.ts'
import { percent } from '../domain/rate.ts'
import { by } from './owed.ts'
import { answer, calendar, type About, type Asked, type Source, type Sql } from './report.ts'

const code = (n: string | number): Sql => sql.raw(String(n))
const open = sql`t.pay_state = ${code(codeOf(payState, 'unpaid'))}`

/** Bills in force, as the list of bills shows them unasked (BILL-14). */
export const inForce = (q: Asked): readonly Sql[] => [
  sql`t.state = ${code(codeOf(billState, 'normal'))}`,
  ...(q.sourceCode ? [sql`t.source_code = ${q.sourceCode}`] : []),
]

export const sum = (n: string): Sql => sql`coalesce(sum(${sql.raw(n)}), 0)`

export const collected = (f: Readonly<Record<string, number>>): { rate?: string } => {
  const rate = percent(f.paid!, f.receivable!)
  return rate === undefined ? {} : { rate }
}

export const billFigures = (_: Asked, { today }: About): Readonly<Record<string, Sql>> => ({
  count: sql`count(*)`,
  amount: sum('t.amount'),
  discount: sum('t.discount_amount'),
  receivable: sum('t.receivable'),
  paid: sum('t.paid_principal'),
  lateFee: sum('t.late_fee_unpaid'),
  unpaid: sum('t.unpaid'),
  overdue: sql`coalesce(sum(t.unpaid) filter (where ${open} and t.due_date < ${today}::date), 0)`,
})

export const roomSource: Source = {
  from: () => sql`from bill t`,
  where: inForce,
  by: { ...by, kind: by.sourceType },
  figures: billFigures,
  derive: collected,
}

/**
 * Principal by the months it is for. `m` repeats the project, so that one project is found by the months' own
 * index.
 */
export const spreadSource: Source = {
  from: () => sql`from bill t join bill_month m on m.owner_id = t.owner_id and m.bill_id = t.id`,
  where: q => [
    ...inForce(q),
    ...(q.projectCode ? [sql`m.project_code = ${q.projectCode}`] : []),
    ...(q.monthFrom ? [sql`m.month >= ${q.monthFrom}`] : []),
    ...(q.monthTo ? [sql`m.month <= ${q.monthTo}`] : []),
  ],
  by: { ...by, month: calendar(sql`m.month`) },
  figures: {
    discount: sum('m.discount'),
    receivable: sum('m.receivable'),
    paid: sum('m.paid'),
    unpaid: sum('m.receivable - m.paid'),
  },
  derive: collected,
}

export const roomHandlers = [
  reads(sourceBillsSum, async (q, { db, scope, today }) => {
    const said = await answer(
      db,
      sourceBills,
      spreadSource,
      q as Asked,
      { scope, today },
      { size: 1, from: 0 },
    )
    return { count: said.total, ...said.sum } as never
  }),
]
