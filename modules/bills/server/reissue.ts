import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import { formatYuan } from '#kit/domain/money.ts'
import { monthOf } from '#kit/domain/month.ts'
import { codeOf } from '#kit/contract/field.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type WriteContext } from '#kit/server/handler.ts'
import { requireById, findAll } from '#kit/server/table.ts'
import { sourceType } from '#modules/fees/contract/choices.ts'
import { type Scope } from '#kit/server/scope.ts'
import { type Period } from '#kit/domain/period.ts'
import { type Day } from '#kit/domain/day.ts'
import { publishRecordsWritten } from '#kit/server/record-events.ts'
import { reissueBill } from '../contract/adjustments.ts'
import { bill, type Bill } from '../contract/bill.ts'
import { billState } from '../contract/choices.ts'
import { reissueRefusal } from '../domain/redundant.ts'
import { billPrefix } from './bill-number.ts'
import { applyAbolish } from './actions.ts'
import { publishBillsChanged } from './bill-events.ts'
import { findOrderRefusals } from './order-refusals.ts'
import { replacementBillNo } from './recovery-facts.ts'
import { presentBills } from './bill-query.ts'
import { restoreLinks } from './bill-links.ts'
import { toEffectiveBill } from './redundant.ts'
import { rewriteBillMonths } from './stored-bill.ts'
import { effectiveStates } from './bill-states.ts'
import { lockRelations, lockCurrentBill } from './bill-lock.ts'

const copiedColumns = sql.raw(
  `
    project_code, source_type, source_code, source_name, build_code, payer_kind, payer_id, payer_name,
    payer_mobile, fee_item_id, fee_item_name, standard_id, relation_id, fee_type, bill_source, is_pre,
    batch_no, ref_type, ref_id, run_free
  `,
)

type ReissueInput = NonNullable<typeof reissueBill.input.T>

/**
 * What a reissue needs from the old bill: whether it can overlap others, and the bill that has replaced it.
 */
const findReplacement = async (tx: Tx, ownerId: Id, id: Id) =>
  defined(
    await tx.one<{ free: boolean; replaced?: string }>(
      sql`
      select t.run_free as free, ${replacementBillNo(ownerId, sql`t`)} as replaced
      from bill t
      where t.owner_id = ${ownerId} and t.id = ${id}
    `,
    ),
  )

/** Effective bills of the same object and item. */
const findCompeting = (tx: Tx, scope: Scope, old: Bill): Promise<Bill[]> =>
  findAll(
    tx,
    bill,
    scope,
    { order: 'id' },
    {
      where: [
        sql`t.source_type = ${codeOf(sourceType, old.sourceType)}
          and t.source_code = ${old.sourceCode}
          and t.fee_item_id = ${old.feeItemId}
          and t.state in ${effectiveStates}`,
      ],
    },
  )

/** Copies the old bill with the new values under a new number. Returns the id of the copy. */
async function insertCopy(
  tx: Tx,
  scope: Scope,
  old: Bill,
  { amount, dueDate, remark }: ReissueInput,
  { begin, end }: Period,
  today: Day,
): Promise<Id> {
  const billNo = await tx.numbers.next(scope.ownerId, billPrefix, today)
  const { id } = defined(
    await tx.one<{ id: Id }>(sql`
    insert into bill (
      owner_id, state, create_by, update_by, bill_no, begin_date, end_date, belong_month, due_date,
      amount, replaces_bill_id, remark, ${copiedColumns}
    )
    select o.owner_id, ${codeOf(billState, old.state === 'pending' ? 'pending' : 'normal')}::smallint,
      ${scope.operatorId}, ${scope.operatorId}, ${billNo}, ${begin}::date, ${end}::date,
      ${monthOf(begin)}, ${dueDate ?? old.dueDate}::date, ${formatYuan(amount ?? old.amount)}::numeric,
      o.id, ${remark ?? old.remark ?? null}, ${copiedColumns}
    from bill o
    where o.owner_id = ${scope.ownerId} and o.id = ${old.id}
    returning id
  `),
  )
  publishRecordsWritten(tx, scope.ownerId, {
    entity: bill.name,
    action: 'insert',
    ids: [id],
    projectCode: old.projectCode,
  })
  return id
}

/** The copy takes the place of the old bill, which is not effective any more. */
async function replaceBy(old: Bill, input: ReissueInput, period: Period, c: WriteContext): Promise<Bill> {
  const { tx, scope, today } = c
  const { id, reason } = input
  const { free, replaced } = await findReplacement(tx, scope.ownerId, id)
  const competing = free ? [] : await findCompeting(tx, scope, old)
  const refusal = reissueRefusal(period, competing.map(toEffectiveBill), id)
  if (refusal) return refuse(refusal)
  if (replaced) return refuse(`已由账单 ${replaced} 替换，不能再次重开；如需修改请重开该账单`)
  const newId = await insertCopy(tx, scope, old, input, period, today)
  const row = await requireById(tx, bill, scope, newId)
  await rewriteBillMonths(tx, scope.ownerId, [row])
  await restoreLinks(tx, scope, [row])
  await audit(tx, scope, [
    {
      action: 'insert',
      entity: bill.name,
      entityId: newId,
      projectCode: row.projectCode,
      after: {
        billNo: row.billNo,
        replacesBillId: id,
        amount: row.amount,
        beginDate: period.begin,
        endDate: period.end,
      },
      reason,
    },
  ])
  return row
}

/**
 * Abolishes an imported or temporary bill and writes a corrected copy that replaces it (BILL-9), also for the
 * order that the bill charges.
 */
async function reissue(input: ReissueInput, c: WriteContext): Promise<Bill> {
  const { tx, scope, today, now } = c
  const { id, version, beginDate, endDate, reason } = input
  await lockRelations(tx, scope.ownerId, sql`t.owner_id = ${scope.ownerId} and t.id = ${id}`)
  const old = await lockCurrentBill(tx, scope, id, version)
  if (old.billSource !== 'imported' && old.billSource !== 'temporary')
    return refuse('系统生成的账单不能直接重开，请作废后用出账向导重新生成')
  const period = { begin: beginDate ?? old.beginDate, end: endDate ?? old.endDate }
  if (period.end < period.begin) throw invalidInput([{ Field: 'EndDate', Message: '账期止不能早于账期起' }])
  const ended = (await findOrderRefusals(tx, scope, [old])).get(id)
  if (ended !== undefined) return refuse(ended)
  const made: Bill[] = []
  const replace = async (): Promise<void> => void made.push(await replaceBy(old, input, period, c))
  if (old.state === 'abolished') {
    await replace()
    await publishBillsChanged(tx, scope, { action: 'reissue', bills: [old] })
  } else {
    const context = { scope, today, now, reason, periodAfter: 'rebill' } as const
    const result = await applyAbolish(tx, context, [old], [], replace)
    if (result.skipped) return refuse(defined(result.rows[0]).reason)
  }
  return defined(presentBills(made, today, now)[0])
}

export const reissueHandlers = [writes(reissueBill, reissue)]
