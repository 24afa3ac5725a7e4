import { parseId, type Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { displayYuan, type Fen, negateFen } from '#kit/domain/money.ts'
import type { Moment } from '#kit/domain/moment.ts'
import { Refused, notFound, resultCode, refuse, invalidInput } from '#kit/contract/wire.ts'
import { sql, type Db, type Tx } from '#kit/server/db.ts'
import { reads, writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findByIds, insert, requireById, findPage, update } from '#kit/server/table.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { prestoreAccount, type PrestoreAccount } from '../contract/account.ts'
import {
  auditTransfer,
  cancelTransfer,
  listTransfers,
  prestoreTransfer,
  transferAccount,
  transferFilters,
} from '../contract/transfer.ts'
import { availableOf } from '../domain/balance.ts'
import { auditRefusal, transferStates, type TransferState } from '../domain/transfer.ts'
import { assertAccountOpen } from './account-refund.ts'
import { withItemNames } from './account-queries.ts'
import { transferPrefix } from './document-prefixes.ts'
import { postEntries } from './ledger.ts'
import { payerKind } from '#modules/rooms/contract/labels.ts'

/** ACC-11: one payer for both accounts; that of a room is the room's payer. */
async function isSamePayer(
  db: Db,
  scope: Scope,
  from: PrestoreAccount,
  to: PrestoreAccount,
): Promise<boolean> {
  if (from.ownerKind === to.ownerKind && from.ownerCode === to.ownerCode) return true
  const payerOf = async (account: PrestoreAccount): Promise<string | undefined> =>
    account.ownerKind === 'resident' || account.ownerKind === 'company'
      ? `${account.ownerKind}/${account.ownerCode}`
      : (
          await db.one<{ payer?: string }>(
            sql`
              select case
                when payer_kind = ${code(payerKind, 'company')} then 'company/' || company_id
                else 'resident/' || payer_id
                end as payer
              from room
              where owner_id = ${scope.ownerId}
                and project_code = ${account.projectCode}
                and code = ${account.ownerCode}
                and ${notDeleted()}
            `,
          )
        )?.payer
  const [payerOfA, payerOfB] = [await payerOf(from), await payerOf(to)]
  return payerOfA !== undefined && payerOfA === payerOfB
}

/** Both accounts, locked in id order; refuses when the amount may not move between them. */
async function lockAccountPair(
  tx: Tx,
  scope: Scope,
  id: Id,
  toId: Id,
  amount: Fen,
): Promise<readonly [from: PrestoreAccount, to: PrestoreAccount]> {
  const list = await findByIds(tx, prestoreAccount, scope, [id, toId], { lock: true })
  const from = list.find(a => a.id === id)
  const to = list.find(a => a.id === toId)
  if (!from || !to) throw notFound()
  list.forEach(assertAccountOpen)
  if (from.projectCode !== to.projectCode)
    throw invalidInput([{ Field: 'ToID', Message: '两个账户不在同一项目，不能转账' }])
  if (amount > availableOf(from))
    throw invalidInput([
      { Field: 'Amount', Message: `最多可转 ${displayYuan(availableOf(from))} 元，赠送余额不能转` },
    ])
  return [from, to]
}

const transferMoney = (
  tx: Tx,
  scope: Scope,
  from: PrestoreAccount,
  to: PrestoreAccount,
  amount: Fen,
  reason: string,
  at: Moment,
): Promise<void> =>
  postEntries(
    tx,
    scope,
    [
      {
        accountId: from.id,
        type: 'moveOut',
        amount: negateFen(amount),
        remark: `${reason}（转至 ${to.ownerName}）`,
      },
      { accountId: to.id, type: 'moveIn', amount, remark: `${reason}（来自 ${from.ownerName}）` },
    ],
    at,
  )

const accountLabel = (a: PrestoreAccount): string => `${a.ownerName}（${a.feeItemName ?? '通用'}）`

const assertTransition = (from: TransferState, to: TransferState): void => {
  const refusal = transferStates.checkTransition(from, to)
  if (refusal) refuse(refusal)
}

export const transferHandlers = [
  reads(listTransfers, (q, { db, scope }) =>
    findPage(db, prestoreTransfer, scope, q, { filters: transferFilters, sums: ['amount'] }),
  ),
  writes(transferAccount, async ({ id, toId, amount, reason }, { tx, scope, now, today }) => {
    if (id === toId) throw invalidInput([{ Field: 'ToID', Message: '转入账户不能是转出账户自己' }])
    const [from, to] = await lockAccountPair(tx, scope, id, toId, amount)
    const isSame = await isSamePayer(tx, scope, from, to)
    if (isSame) {
      await transferMoney(tx, scope, from, to, amount, reason, now)
    }
    const source = await requireById(tx, prestoreAccount, scope, id)
    const named = await withItemNames(tx, scope, [source, to])
    const [fromAccount, toAccount] = [defined(named[0]), defined(named[1])]
    if (isSame) return fromAccount
    const number = await tx.numbers.next(scope.ownerId, transferPrefix, today)
    await insert(tx, prestoreTransfer, scope, {
      projectCode: from.projectCode,
      transferNo: number,
      fromId: id,
      fromName: accountLabel(fromAccount),
      toId,
      toName: accountLabel(toAccount),
      amount,
      reason,
      applyBy: scope.operatorId,
      applyName: scope.name,
      state: 'pending',
    })
    return { ...fromAccount, requestNo: number }
  }),
  writes(auditTransfer, async ({ id, pass, note }, { tx, scope, now }) => {
    const transfer = await requireById(tx, prestoreTransfer, scope, id, { lock: true })
    const refusal = auditRefusal(transfer.applyBy, scope.operatorId)
    assertTransition(transfer.state, pass ? 'done' : 'rejected')
    if (refusal) throw new Refused(resultCode.invalidInput, refusal)
    if (!pass && !note?.trim()) throw invalidInput([{ Field: 'Note', Message: '请填写驳回的原因' }])
    if (pass) {
      const [from, to] = await lockAccountPair(
        tx,
        scope,
        parseId(transfer.fromId),
        parseId(transfer.toId),
        transfer.amount,
      )
      await transferMoney(
        tx,
        scope,
        from,
        to,
        transfer.amount,
        `${transfer.reason} ${transfer.transferNo}`,
        now,
      )
    }
    return update(tx, prestoreTransfer, scope, id, {
      state: pass ? 'done' : 'rejected',
      auditBy: scope.operatorId,
      auditName: scope.name,
      auditTime: now,
      auditNote: note,
    })
  }),
  writes(cancelTransfer, async ({ id, reason }, { tx, scope }) => {
    const r = await requireById(tx, prestoreTransfer, scope, id, { lock: true })
    assertTransition(r.state, 'cancelled')
    return update(tx, prestoreTransfer, scope, id, { state: 'cancelled' }, { reason })
  }),
]
