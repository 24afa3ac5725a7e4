import type { Id } from '#kit/domain/id.ts'
import { databaseCodeOf } from './database-code.ts'
import { refuse } from '#kit/contract/wire.ts'
import { latest, type Day } from '#kit/domain/day.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted, touch } from '#kit/server/sql.ts'
import { findPayerAt, type LocatedSource, type SourceType } from '#modules/fees/server/public.ts'
import type { Bill } from '../contract/bill.ts'
import { billState, invoiceState } from '../contract/choices.ts'
import type { BillLine } from '../contract/import.ts'
import { publishBillsChanged } from './bill-events.ts'
import { releaseLinks } from './bill-links.ts'
import { lockBills, selectionCondition } from './bill-lock.ts'
import { activeStates } from './bill-states.ts'
import type { ImportContext, ObstructingBills } from './import.ts'
import type { ImportItem } from './import-existing.ts'
import type { BillDraft } from './issue.ts'
import { issueBatch } from './issue-batch.ts'
import { findWaitingBills } from './waiting-bills.ts'

/** What a line of the sheet means: its object and its fee item. */
export interface ResolvedLine {
  readonly code: string
  readonly at: LocatedSource
  readonly type: SourceType
  readonly item: ImportItem
}

type ReadyBill = ReadyLine<BillLine, ObstructingBills>

const toDraft = (
  { row, existing }: ReadyBill,
  { code: sourceCode, at, type, item }: ResolvedLine,
  today: Day,
): Omit<BillDraft, 'billNo'> => ({
  sourceType: type,
  sourceCode,
  sourceName: at.name,
  buildCode: at.buildCode,
  payer: findPayerAt(at.source, row.beginDate),
  item: { id: item.id, name: item.name, feeType: item.feeType, allowMulti: item.allowMulti },
  begin: row.beginDate,
  end: row.endDate,
  amount: row.amount,
  dueDate: row.dueDate ?? latest(row.endDate, today),
  remark: row.remark,
  replaces: existing?.bills[0]?.id,
})

/** Abolishes the bills that imported ones replace; refuses where one of them may not be abolished. */
async function abolishReplaced(tx: Tx, scope: Scope, ids: readonly Id[]): Promise<void> {
  if (!ids.length) return
  const locked = await lockBills(tx, scope, selectionCondition(scope, { ids: ids.map(String) }))
  if ((await findWaitingBills(tx, scope, locked)).size)
    return refuse('要替换的账单有的已在审批中，请等待审批结果后重新导入')
  const abolished = await tx.rows<Pick<Bill, 'id' | 'billNo' | 'relationId' | 'refType' | 'refId'>>(sql`
    update bill
    set state = ${code(billState, 'abolished')}, abolish_time = ${scope.time}::timestamptz,
      abolish_by = ${scope.operatorId}, abolish_reason = '导入时替换', ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and id = any(${[...ids]})
      and ${notDeleted()}
      and state in ${activeStates}
      and paid_principal = 0
      and late_fee_paid = 0
      and invoice_state = ${code(invoiceState, 'none')}
      and (lock_until is null or lock_until <= ${scope.time}::timestamptz)
    returning id, bill_no, relation_id, ref_type, ref_id
  `)
  if (abolished.length !== ids.length) return refuse('要替换的账单有的正在支付中或已开票，请处理后重新导入')
  await releaseLinks(tx, scope, abolished)
  await publishBillsChanged(tx, scope, { action: 'abolish', bills: abolished })
}

/**
 * Writes the checked lines of a sheet as one batch; lines with an obstructing bill only in the mode
 * "replace".
 */
export async function writeLines(
  tx: Tx,
  { scope, today, mode, extraInput: { projectCode: project } }: ImportContext,
  ready: readonly ReadyBill[],
  resolve: (row: BillLine) => ResolvedLine,
): Promise<ReadonlyMap<number, LineResult>> {
  const results = new Map<number, LineResult>()
  const [skipped, accepted] = [
    ready.filter(line => line.existing && mode !== 'replace'),
    ready.filter(line => !line.existing || mode === 'replace'),
  ]
  for (const { line } of skipped) {
    results.set(line, { outcome: 'skipped', message: '跳过：同账期已有已退款或待审核的账单' })
  }
  await abolishReplaced(
    tx,
    scope,
    accepted.flatMap(line => line.existing?.bills ?? []).map(b => b.id),
  )
  if (!accepted.length) return results
  const drafts = accepted.map(line => toDraft(line, resolve(line.row), today))
  try {
    await issueBatch(tx, scope, { project, source: 'imported' }, 'imported', drafts, today, {
      message: `导入 ${drafts.length} 张`,
    })
  } catch (e) {
    if (['23P01', '23505'].includes(databaseCodeOf(e) ?? ''))
      return refuse('导入期间有人生成了同账期的账单，本次未写入；请重新上传，已有账单会提示')
    throw e
  }
  for (const { line, existing } of accepted) {
    results.set(line, { outcome: 'added', message: existing ? '已作废原账单并导入' : '已导入' })
  }
  return results
}
