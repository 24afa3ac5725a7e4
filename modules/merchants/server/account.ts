import { invalidField, invalidInput, type FieldFault } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { writes, type ServerModule, type WriteContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'
import { findAll, findByIds, remove, requireById, update } from '#kit/server/table.ts'
import { findPasswordChangeFault, hashPassword } from '#modules/accounts/server/public.ts'
import {
  merchantAccount,
  merchantAccounts,
  resetMerchantPassword,
  setMerchantAccountState,
  type MerchantAccount,
} from '../contract/account.ts'
import { merchant, merchantStaff, type Merchant, type MerchantStaff } from '../contract/merchant.ts'
import { endSessions } from './session.ts'

type AccountDraft = Pick<MerchantAccount, 'merchantId' | 'staffId' | 'loginName'>

const findAccounts = (
  tx: Tx,
  scope: Scope,
  where: ReturnType<typeof sql>,
): Promise<readonly MerchantAccount[]> => findAll(tx, merchantAccount, scope, {}, { where: [where] })

async function accountFaults(draft: AccountDraft, { tx, scope }: WriteContext): Promise<FieldFault[]> {
  const [shop] = await findByIds(tx, merchant, scope, [draft.merchantId], { lock: true })
  if (!shop || shop.state === 'ended')
    return [{ Field: 'MerchantID', Message: '商户不存在或已注销，请重新选择' }]
  if (draft.staffId === undefined) return []
  const [user] = await findByIds(tx, merchantStaff, scope, [draft.staffId])
  return user?.merchantId === shop.id && user.state === 'on'
    ? []
    : [{ Field: 'StaffID', Message: '该员工已停用或不属于本商户，请重新选择' }]
}

async function savePassword(
  { tx, scope }: WriteContext,
  { id, loginName }: MerchantAccount,
  password: string,
): Promise<void> {
  const fault = findPasswordChangeFault(password, { loginCode: loginName })
  if (fault) throw invalidField('Password', fault)
  await tx.execute(sql`
    update merchant_account
    set run_password = ${await hashPassword(password)}, must_change = true
    where owner_id = ${scope.ownerId} and id = ${id}
  `)
  await endSessions(tx, scope.ownerId, [id])
}

/** The merchant's own account and the field of the merchant say the same. */
async function nameMerchant({ tx, scope }: WriteContext, account: MerchantAccount): Promise<void> {
  if (account.staffId !== undefined) return
  const shop = await requireById(tx, merchant, scope, account.merchantId)
  if (shop.loginAccount === account.loginName) return
  await update(tx, merchant, scope, shop.id, { loginAccount: account.loginName })
}

/** A merchant that has ended signs in no more, nor do those who worked there. */
export async function endMerchantSessions(
  { tx, scope }: WriteContext,
  { id, state }: Merchant,
): Promise<void> {
  if (state !== 'ended') return
  const found = await findAccounts(tx, scope, sql`t.merchant_id = ${id}`)
  await endSessions(
    tx,
    scope.ownerId,
    found.map(account => account.id),
  )
}

/** The merchant keeps its account under another name; without a name the account is closed first. */
export async function renameMerchantAccount(
  { tx, scope }: WriteContext,
  after: Merchant,
  before: Merchant,
): Promise<void> {
  if (after.loginAccount === before.loginAccount) return
  const [own] = await findAccounts(tx, scope, sql`t.merchant_id = ${after.id} and t.staff_id is null`)
  if (!own) return
  if (after.loginAccount === undefined) {
    throw invalidInput([
      { Field: 'LoginAccount', Message: '该账号正在使用，不能清空；请先在「登录账号」中删除账号' },
    ])
  }
  await update(tx, merchantAccount, scope, own.id, { loginName: after.loginAccount })
}

/** The mobile number by which an employee signs in follows the number of the employee. */
export async function renameStaffAccount(
  { tx, scope }: WriteContext,
  after: MerchantStaff,
  before: MerchantStaff,
): Promise<void> {
  if (after.mobile === before.mobile || after.mobile === undefined) return
  const [own] = await findAccounts(tx, scope, sql`t.staff_id = ${after.id}`)
  if (!own || own.loginName !== before.mobile) return
  await update(tx, merchantAccount, scope, own.id, { loginName: after.mobile })
}

/** Whom the accounts belong to is no longer there. */
async function removeAccounts({ tx, scope }: WriteContext, where: ReturnType<typeof sql>): Promise<void> {
  const found = await findAccounts(tx, scope, where)
  const ids = found.map(({ id }) => id)
  if (!ids.length) return
  await remove(tx, merchantAccount, scope, ids.map(String), '使用人已删除')
  await endSessions(tx, scope.ownerId, ids)
}

export const removeMerchantAccounts = (c: WriteContext, ids: readonly Id[]): Promise<void> =>
  removeAccounts(c, sql`t.merchant_id = any(${[...ids]}::bigint[])`)

export const removeStaffAccounts = (c: WriteContext, ids: readonly Id[]): Promise<void> =>
  removeAccounts(c, sql`t.staff_id = any(${[...ids]}::bigint[])`)

/** Who is switched off signs in again once switched on. */
export async function endStaffSessions({ tx, scope }: WriteContext, staffId: Id): Promise<void> {
  const found = await findAccounts(tx, scope, sql`t.staff_id = ${staffId}`)
  await endSessions(
    tx,
    scope.ownerId,
    found.map(({ id }) => id),
  )
}

const plain = crudHandlers(merchantAccounts, {
  unique: {
    merchant_account_name: '该登录账号已被使用，请更换',
    merchant_account_user: '该使用人已有登录账号，请在列表中重置密码或启用',
  },
  references: {
    merchantId: { unchecked: 'accountFaults locks the merchant and asks for its state' },
    staffId: { unchecked: 'accountFaults asks for its merchant' },
  },
  check: accountFaults,
  beforeInsert: async ({ merchantId }, { tx, scope }) => ({
    projectCode: (await requireById(tx, merchant, scope, merchantId)).projectCode,
    mustChange: true,
    state: 'on',
  }),
  afterInsert: async (account, c, { password }) => {
    await savePassword(c, account, password)
    await nameMerchant(c, account)
  },
  afterDelete: (accounts, { tx, scope }) =>
    endSessions(
      tx,
      scope.ownerId,
      accounts.map(({ id }) => id),
    ),
})

export const accountServer: ServerModule = {
  ...plain,
  handlers: [
    ...plain.handlers,
    writes(setMerchantAccountState, async ({ id, state, reason }, { tx, scope }) => {
      const after = await update(tx, merchantAccount, scope, id, { state }, { reason })
      if (state === 'off') {
        await endSessions(tx, scope.ownerId, [id])
      }
      return after
    }),
    writes(resetMerchantPassword, async ({ id, password }, c) => {
      const account = await requireById(c.tx, merchantAccount, c.scope, id, { lock: true })
      await savePassword(c, account, password)
      await audit(c.tx, c.scope, [
        {
          action: 'update',
          entity: merchantAccount.name,
          entityId: id,
          projectCode: account.projectCode,
          reason: '重置密码',
        },
      ])
    }),
  ],
}
