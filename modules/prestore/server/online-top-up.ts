import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import type { ChoiceOf } from '#kit/contract/field.ts'
import { refuse, invalidInput } from '#kit/contract/wire.ts'
import type { Day } from '#kit/domain/day.ts'
import { asFen, type Fen } from '#kit/domain/money.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { code, notDeleted } from '#kit/server/sql.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { registerOrderSubject, settle, startOrder } from '#modules/payments/server/public.ts'
import { topUpOnline } from '../contract/account.ts'
import type { ownerKind } from '../contract/choices.ts'
import { menu } from '../module.ts'
import { postEntries, ensurePrepaidAccount, type PrepaidAccount } from './ledger.ts'
import { findAccountOwner, type AccountOwnerInfo } from './account-owner.ts'

/**
 * The account that money is put into, made when there is none yet; refuses an item that takes no prestore,
 * and an account that is frozen.
 */
export async function ensureTopUpAccount(
  tx: Tx,
  scope: Scope,
  project: string,
  kind: ChoiceOf<typeof ownerKind>,
  ownerCode: string,
  feeItemId: Id,
  owner: AccountOwnerInfo,
  today: Day,
): Promise<PrepaidAccount> {
  if (
    feeItemId &&
    !(await tx.one(
      sql`
        select 1 as x
        from fee_item
        where owner_id = ${scope.ownerId}
          and id = ${feeItemId}
          and ${notDeleted()}
          and state = ${code(enabledState, 'on')}
          and auto_deduct
      `,
    ))
  )
    throw invalidInput([{ Field: 'FeeItemID', Message: '该收费项目已停用或不允许预存抵扣，请选择其他项目' }])
  const account = await ensurePrepaidAccount(
    tx,
    scope,
    project,
    { kind, code: ownerCode },
    owner.name,
    feeItemId,
    owner.building,
    today,
  )
  if (account.frozen) refuse(`账户「${owner.name}」已冻结，请先解冻`)
  return account
}

const giftOf = ({ gift }: { readonly gift?: unknown }): Fen => (typeof gift === 'number' ? asFen(gift) : 0)

// Whatever has come is put into the account, frozen since or not, a second time or of another amount too: it
// is the payer's. The bonus is given once.
registerOrderSubject('prestore', {
  needs: menu.account.permissions.topUp,
  paid: async ({ tx, scope, now }, order, data, payment) => {
    const entryScope = { ...scope, name: order.cashierName ?? scope.name }
    const gift = payment.outcome === 'settle' ? giftOf(data) : 0
    const accountId = defined(order.refId)
    const account = await tx.one<{ buildCode?: string }>(sql`
      select build_code
      from prestore_account
      where owner_id = ${scope.ownerId} and id = ${accountId}
    `)
    const settled = await settle(tx, scope, {
      projectCode: order.projectCode,
      type: 'prestore',
      bills: [],
      allocations: [],
      tenders: [{ method: payment.method, amount: payment.amount }],
      change: 0,
      toPrestore: payment.amount,
      payer: { name: order.payerName },
      sourceName: order.orderObj,
      buildCode: account?.buildCode,
      order: payment.orderId,
      at: payment.at,
      cashier: { id: order.cashierId ?? 0, name: order.cashierName ?? '' },
      remark: order.remark,
      creditPrestore: (item, sum, recordId) =>
        postEntries(
          item,
          entryScope,
          [
            { accountId, type: 'topUp', amount: sum, recordId, remark: order.remark },
            ...(gift ? [{ accountId, type: 'gift' as const, amount: gift, gift: true, recordId }] : []),
          ],
          now,
        ),
    })
    return settled.recordId
  },
})

export const onlineTopUpHandlers = [
  writes(
    topUpOnline,
    async (
      { projectCode, ownerKind: kind, ownerCode, feeItemId = 0, amount, gift = 0, payerName, remark },
      c,
    ) => {
      const { tx, scope, today } = c
      const owner = await findAccountOwner(tx, scope, projectCode, kind, ownerCode)
      const account = await ensureTopUpAccount(
        tx,
        scope,
        projectCode,
        kind,
        ownerCode,
        feeItemId,
        owner,
        today,
      )
      return startOrder(c, {
        type: 'prestore',
        projectCode,
        amount,
        object: owner.name,
        body: '预存充值',
        payer: { name: payerName ?? owner.payer },
        ref: { type: 'asset', id: account.id },
        subjectData: { gift },
        remark,
      })
    },
  ),
]
