import { defined } from '#kit/domain/defined.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import type { Scope } from '#kit/server/scope.ts'
import { demoLogins, demoPassword } from '#modules/accounts/domain/demo-account.ts'
import { hashPassword } from '#modules/accounts/server/public.ts'
import { merchantStock } from '#modules/merchant-coupons/contract/stock.ts'
import { merchantAccount } from '#modules/merchants/contract/account.ts'
import { merchant } from '#modules/merchants/contract/merchant.ts'
import { findAll, insert, update } from '#kit/server/table.ts'

/** The account of the first merchant that has coupons: its page for the phone can be tried. */
export async function seedMerchantAccount(tx: Tx, scope: Scope, projectCode: string): Promise<void> {
  const [stock] = await findAll(tx, merchantStock, scope, { projectCode, order: 'id' }, { limit: 1 })
  const { merchantId } = defined(stock)
  const loginName = demoLogins.merchant
  await update(tx, merchant, scope, merchantId, { loginAccount: loginName })
  const { id } = await insert(tx, merchantAccount, scope, {
    projectCode,
    merchantId,
    loginName,
    mustChange: false,
    state: 'on',
  })
  await tx.execute(sql`
    update merchant_account
    set run_password = ${await hashPassword(demoPassword)}
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
}
