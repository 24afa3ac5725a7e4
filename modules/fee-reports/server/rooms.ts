import { codeOf } from '#kit/contract/field.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handle.ts'
import { billState, payState } from '#modules/bills/contract/choices.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { sourceBills, sourceBillsSum } from '../contract/rooms.ts'
import { percent } from '../domain/rate.ts'
import { answer, build, calendar, named, project, type About, type Asked, type Dimension, type Source, type Sql } from './report.ts'

const code = (n: string | number): Sql => sql.raw(String(n)), open = sql`t.pay_state = ${code(codeOf(payState, 'unpaid'))}`
/** Bills in force, as the list of bills shows them unasked (BILL-14). */
export const inForce = (q: Asked): readonly Sql[] => [sql`t.state = ${code(codeOf(billState, 'normal'))}`, ...(q.sourceCode ? [sql`t.source_code = ${q.sourceCode}`] : [])]
export const sum = (n: string): Sql => sql`coalesce(sum(${sql.raw(n)}), 0)`
export const collected = (f: Readonly<Record<string, number>>): { rate?: string } => { const rate = percent(f.paid!, f.receivable!); return rate === undefined ? {} : { rate } }
/** An object is known by its project, its kind and its code. */
export const source: Dimension = { key: sql`t.project_code || '/' || t.source_type || '/' || t.source_code`, name: sql`max(t.source_name)` }
export const item: Dimension = { key: sql`t.fee_item_id`, name: sql`max(t.fee_item_name)` }
export const kind: Dimension = { key: sql`t.source_type`, name: named(sourceType, sql`t.source_type`) }
export const billFigures = (_: Asked, { today }: About): Readonly<Record<string, Sql>> => ({
  count: sql`count(*)`, amount: sum('t.amount'), discount: sum('t.discount_amount'), receivable: sum('t.receivable'), paid: sum('t.paid_principal'), lateFee: sum('t.late_fee_unpaid'), unpaid: sum('t.unpaid'),
  overdue: sql`coalesce(sum(t.unpaid) filter (where ${open} and t.due_date < ${today}::date), 0)`,
})
export const roomSource: Source = { from: () => sql`from bill t`, where: inForce, by: { source, build, item, month: calendar(sql`t.belong_month`), kind, project }, figures: billFigures, derive: collected }

/** Principal by the months it is for. `m` repeats the project, so that one project is found by the months' own index. */
export const spreadSource: Source = {
  from: () => sql`from bill t join bill_month m on m.owner_id = t.owner_id and m.bill_id = t.id`,
  where: q => [...inForce(q), ...(q.projectCode ? [sql`m.project_code = ${q.projectCode}`] : []), ...(q.monthFrom ? [sql`m.month >= ${q.monthFrom}`] : []), ...(q.monthTo ? [sql`m.month <= ${q.monthTo}`] : [])],
  by: { source, build, item, month: calendar(sql`m.month`), project },
  figures: { discount: sum('m.discount'), receivable: sum('m.receivable'), paid: sum('m.paid'), unpaid: sum('m.receivable - m.paid') }, derive: collected,
}
export const roomHandlers = [reads(sourceBillsSum, async (q, { db, scope, today }) => { const said = await answer(db, sourceBills, spreadSource, q as Asked, { scope, today }, { size: 1, from: 0 }); return { count: said.total, ...said.sum } as never })]
