import type { Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { sumFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Db } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import { payerSide, sourceType } from '#modules/fees/contract/choices.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billState, payState } from '../contract/choices.ts'
import { unpaid } from '../domain/bill.ts'
import type { OtherDebts } from '../domain/reminder.ts'
import { computeLateFees } from './late-fee.ts'
import { toBill } from './stored-bill.ts'

/** Whose debts count together: a registered payer's in a project, otherwise those of one object. */
const debtorKey = (b: Bill): string =>
  b.payerId === undefined
    ? [b.projectCode, b.sourceType, b.sourceCode].join('\n')
    : [b.projectCode, b.payerKind, b.payerId].join('\n')

/**
 * All bills that are due, unpaid and undisputed of the debtors of bills. Needs bill_payer and bill_source.
 */
const findDueBills = (db: Db, scope: Scope, bills: readonly Bill[], today: Day): Promise<readonly Bill[]> => {
  const registered = bills.filter(b => b.payerId !== undefined && b.payerKind !== undefined)
  const unregistered = bills.filter(b => b.payerId === undefined)
  return findAll(
    db,
    bill,
    scope,
    {},
    {
      where: [
        sql`t.state = ${code(billState, 'normal')}
          and t.pay_state = ${code(payState, 'unpaid')}
          and t.due_date <= ${today}
          and not t.disputed
          and (
            (t.project_code, t.payer_kind, t.payer_id) in (
              select d.project, d.kind, d.id
              from unnest(
                ${registered.map(b => b.projectCode)}::text[],
                ${registered.map(b => b.payerKind && codeOf(payerSide, b.payerKind))}::smallint[],
                ${registered.map(b => b.payerId)}::bigint[]
              ) as d(project, kind, id)
            )
            or (
              t.payer_id is null
              and (t.project_code, t.source_type, t.source_code) in (
                select d.project, d.type, d.code
                from unnest(
                  ${unregistered.map(b => b.projectCode)}::text[],
                  ${unregistered.map(b => codeOf(sourceType, b.sourceType))}::smallint[],
                  ${unregistered.map(b => b.sourceCode)}::text[]
                ) as d(project, type, code)
              )
            )
          )`,
      ],
    },
  )
}

/**
 * For each list of bills of one debtor: what this debtor owes on the day besides them. A letter or message
 * that names a part of the debts says so.
 */
export async function findOtherDebts(
  db: Db,
  scope: Scope,
  lists: readonly (readonly Bill[])[],
  today: Day,
): Promise<readonly (OtherDebts | undefined)[]> {
  const due = await findDueBills(db, scope, lists.flat(), today)
  const late: ReadonlyMap<Id, Fen> = await computeLateFees(db, scope.ownerId, due, today)
  const dueByDebtor = Map.groupBy(due, debtorKey)
  return lists.map(list => {
    const named = new Set(list.map(b => b.id))
    const others = [...new Set(list.map(debtorKey))]
      .flatMap(key => dueByDebtor.get(key) ?? [])
      .filter(b => !named.has(b.id))
    if (!others.length) return undefined
    const total = sumFen(others.map(b => unpaid({ ...toBill(b), lateDue: late.get(b.id) ?? b.lateFeeDue })))
    return { count: others.length, total }
  })
}
