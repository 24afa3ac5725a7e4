import { parseId, type Id } from '#kit/domain/id.ts'
import { codeOf } from '#kit/contract/field.ts'
import type { Day } from '#kit/domain/day.ts'
import { defined } from '#kit/domain/defined.ts'
import { formatYuan, type Fen } from '#kit/domain/money.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { notDeleted, touch, code } from '#kit/server/sql.ts'
import { findByIds } from '#kit/server/table.ts'
import { payerSide } from '#modules/fees/contract/choices.ts'
import { toPayer } from '#modules/fees/server/public.ts'
import type { Bill } from '../contract/bill.ts'
import { followUpKind, followUpState } from '../contract/choices.ts'
import { billFollowUp, type BillFollowUp } from '../contract/follow-up.ts'
import type { FollowUpKind } from '../domain/follow-up.ts'
import { activeStates } from './bill-states.ts'
import { findPayerContacts } from './issue.ts'

export interface NewFollowUp {
  readonly bill: Pick<Bill, 'id' | 'projectCode' | 'buildCode'>
  readonly kind: FollowUpKind
  readonly effectiveDate: Day
  readonly payer?: { readonly kind: 'resident' | 'company'; readonly id: Id } | undefined
  readonly amount: Fen
  readonly discount: Fen
}

/** Adds bills to those that wait for a decision; one of the same kind that is open gets the latest facts. */
export async function insertFollowUps(
  tx: Tx,
  scope: Scope,
  followUps: readonly NewFollowUp[],
): Promise<void> {
  if (!followUps.length) return
  const payers = followUps.flatMap(followUp =>
    followUp.payer ? (toPayer(followUp.payer.kind, followUp.payer.id) ?? []) : [],
  )
  const contacts = await findPayerContacts(tx, scope.ownerId, payers)
  const rows = followUps.map(followUp => ({
    project_code: followUp.bill.projectCode,
    build_code: followUp.bill.buildCode,
    bill_id: followUp.bill.id,
    kind: codeOf(followUpKind, followUp.kind),
    effective_date: followUp.effectiveDate,
    payer_kind: followUp.payer && codeOf(payerSide, followUp.payer.kind),
    payer_id: followUp.payer?.id,
    payer_name:
      followUp.payer && contacts.get(defined(toPayer(followUp.payer.kind, followUp.payer.id)))?.name,
    amount: formatYuan(followUp.amount),
    discount: formatYuan(followUp.discount),
  }))
  await tx.execute(sql`
    insert into bill_follow_up (
      owner_id, project_code, build_code, bill_id, kind, effective_date, payer_kind, payer_id, payer_name,
      amount, discount, create_by, update_by
    )
    select ${scope.ownerId}::bigint, r.project_code, r.build_code, r.bill_id, r.kind, r.effective_date,
      r.payer_kind, r.payer_id, r.payer_name, r.amount, r.discount, ${scope.operatorId}::bigint,
      ${scope.operatorId}::bigint
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(
      project_code text, build_code text, bill_id bigint, kind smallint, effective_date date,
      payer_kind smallint, payer_id bigint, payer_name text, amount numeric, discount numeric
    )
    on conflict (owner_id, bill_id, kind) where state = ${code(followUpState, 'open')} and ${notDeleted()} do update
    set effective_date = excluded.effective_date, payer_kind = excluded.payer_kind,
      payer_id = excluded.payer_id, payer_name = excluded.payer_name, amount = excluded.amount,
      discount = excluded.discount, update_by = excluded.update_by
    returning 1
  `)
}

/**
 * The follow-ups `t` that the list shows: handled ones, and open ones whose bill is still in force and, where
 * its payer is in question, not yet the new payer's.
 */
export const isListed = (ownerId: Id) => sql<boolean>`(
  t.state <> ${code(followUpState, 'open')}
  or exists (
    select
    from bill b
    where b.owner_id = ${ownerId}
      and b.id = t.bill_id
      and ${notDeleted('b')}
      and b.state in ${activeStates}
      and (
        t.kind <> ${code(followUpKind, 'payer')}
        or (b.payer_kind, b.payer_id) is distinct from (t.payer_kind, t.payer_id)
      )
  )
)`

/** Follow-ups that somebody decides on, locked; the second of two finds them handled (G-8). */
export async function lockFollowUps(
  tx: Db,
  scope: Scope,
  ids: readonly string[],
): Promise<{ open: BillFollowUp[]; refused: { id: Id; code?: string; reason: string }[] }> {
  const found = await findByIds(tx, billFollowUp, scope, ids, { lock: true })
  const missing = ids.map(parseId).filter(id => !found.some(row => row.id === id))
  return {
    open: found.filter(row => row.state === 'open'),
    refused: [
      ...missing.map(id => ({ id, reason: '记录不存在或不在你的数据范围内，请刷新后重试' })),
      ...found
        .filter(row => row.state !== 'open')
        .map(row => ({
          id: row.id,
          ...(row.billNo ? { code: row.billNo } : {}),
          reason: `${row.handlerName ?? ''} 已处理：${row.result ?? ''}，请刷新后重试`.trim(),
        })),
    ],
  }
}

/** Closes follow-ups that the caller has locked, with what was done. */
export async function closeFollowUps(
  tx: Tx,
  scope: Scope,
  rows: readonly BillFollowUp[],
  state: 'done' | 'ignored',
  result: string,
): Promise<void> {
  if (!rows.length) return
  await tx.execute(sql`
    update bill_follow_up
    set state = ${code(followUpState, state)}, result = ${result.slice(0, 200)},
      handle_time = ${scope.time}::timestamptz, handler_name = ${scope.name}, ${touch(scope)}
    where owner_id = ${scope.ownerId} and id = any(${rows.map(row => row.id)})
  `)
  await audit(
    tx,
    scope,
    rows.map(row => ({
      action: 'state',
      entity: billFollowUp.name,
      entityId: row.id,
      projectCode: row.projectCode,
      before: { state: row.state },
      after: { state, result },
      reason: result,
    })),
  )
}

/** What was to be returned under a document, and is not after all, waits for a decision again (CYC-9). */
export async function reopenEnding(
  tx: Tx,
  scope: Scope,
  {
    billIds,
    documentNo,
    amount,
    reason,
  }: {
    readonly billIds: readonly Id[]
    readonly documentNo: string
    readonly amount: Fen
    readonly reason: string
  },
): Promise<void> {
  const [closed] = await tx.rows<{ id: Id; billId: Id; projectCode: string }>(sql`
    select id, bill_id, project_code
    from bill_follow_up
    where owner_id = ${scope.ownerId}
      and bill_id = any(${[...billIds]}::bigint[])
      and kind = ${code(followUpKind, 'ending')}
      and ${documentNo} = any(string_to_array(split_part(split_part(result, '：', 1), ' ', 2), '、'))
      and ${notDeleted()}
    for update
  `)
  if (!closed) return
  // Its discount was granted when it was settled. Another part, or a later end, may be open already.
  const added = await tx.execute(sql`
    update bill_follow_up
    set amount = amount + ${formatYuan(amount)}::numeric, ${touch(scope)}
    where owner_id = ${scope.ownerId}
      and bill_id = ${closed.billId}
      and kind = ${code(followUpKind, 'ending')}
      and state = ${code(followUpState, 'open')}
      and ${notDeleted()}
  `)
  if (!added) {
    await tx.execute(sql`
      update bill_follow_up
      set state = ${code(followUpState, 'open')}, amount = ${formatYuan(amount)}::numeric, discount = 0,
        handle_time = null, handler_name = null, ${touch(scope)}
      where owner_id = ${scope.ownerId} and id = ${closed.id}
    `)
  }
  await audit(tx, scope, [
    {
      action: 'state',
      entity: billFollowUp.name,
      entityId: closed.id,
      projectCode: closed.projectCode,
      after: { state: 'open' },
      reason,
    },
  ])
}
