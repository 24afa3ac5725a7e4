import { invalidInput, refuse, Refused, resultCode } from '#kit/contract/wire.ts'
import { rules } from '#kit/contract/rules.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { anonymous, type AnonymousContext } from '#kit/server/handler.ts'
import { clockScope } from '#kit/server/scope.ts'
import { notDeleted } from '#kit/server/sql.ts'
import {
  consumeSmsCode,
  findPasswordChangeFault,
  hashPassword,
  requireCaptcha,
  requireOldPassword,
  requireOutsidePassword,
  sendSmsCode,
  type OutsideAccount,
} from '#modules/accounts/server/public.ts'
import { merchantAccount } from '../contract/account.ts'
import {
  changeMerchantPassword,
  getMerchantSession,
  sendMerchantCode,
  signInMerchant,
  signInMerchantByCode,
  signOutMerchant,
} from '../contract/sign-in.ts'
import { beginSession, endSession, endSessions, readMerchantSession } from './session.ts'
import { findUsableAccount, type UsableAccount } from './usable-account.ts'

/** The company of the page's address; without one the only company of the installation. */
async function companyOf({ app }: AnonymousContext, companyId: Id | undefined): Promise<Id> {
  if (companyId !== undefined) return companyId
  const companies = await app.database
    .reader('*')
    .rows<{ id: Id }>(sql`select id from property where ${notDeleted()} order by id limit 2`)
  const [only] = companies
  return only && companies.length === 1
    ? only.id
    : refuse('登录地址不完整，请打开物业提供的登录地址（商户页「登录账号」中复制）')
}

interface NamedAccount extends OutsideAccount {
  readonly ownerId: Id
  readonly account: UsableAccount | undefined
}

/** The account of a name, or what costs the same where there is none. */
async function accountOf(
  c: AnonymousContext,
  input: { readonly companyId?: Id | undefined; readonly loginName: string },
): Promise<NamedAccount> {
  const ownerId = await companyOf(c, input.companyId)
  const loginName = input.loginName.trim().toLowerCase()
  const account = await findUsableAccount(
    c.app.database.reader(ownerId),
    ownerId,
    sql`lower(a.login_name) = ${loginName}`,
  )
  return { ...outsideOf(ownerId, loginName, account?.password), ownerId, account }
}

const outsideOf = (ownerId: Id, loginName: string, passwordHash: string | undefined): OutsideAccount => ({
  countedAs: `merchant ${ownerId} ${loginName.toLowerCase()}`,
  loginName,
  passwordHash,
  remedy: '用短信验证码登录',
})

/** Who did it, for the history of the account. */
const actorOf = ({ app, ip }: AnonymousContext, { ownerId, merchantName, userName }: UsableAccount) => ({
  ...clockScope(app, ownerId),
  ip,
  name: userName ?? merchantName,
})

const record = (
  tx: Tx,
  c: AnonymousContext,
  account: UsableAccount,
  action: 'signin' | 'update',
  reason: string,
): Promise<void> =>
  audit(tx, actorOf(c, account), [
    { action, entity: merchantAccount.name, entityId: account.id, projectCode: account.projectCode, reason },
  ])

const startSession = (c: AnonymousContext, account: UsableAccount, byCode: boolean): Promise<string> =>
  c.app.database.tx(account.ownerId, async tx => {
    await tx.execute(sql`
      update merchant_account
      set sign_in_time = ${new Date(c.app.clock())}
      where owner_id = ${account.ownerId} and id = ${account.id}
    `)
    await record(tx, c, account, 'signin', byCode ? '短信验证码登录' : '密码登录')
    return beginSession(tx, c.app, account, byCode)
  })

const wrongCode = (): Refused =>
  new Refused(resultCode.refused, '短信验证码已失效，请重新获取', { Field: 'SmsCode' })

/** Codes of an account are counted and kept by its phone; those of nobody by the name that was typed. */
const codeAddressOf = ({ account, countedAs }: NamedAccount): string =>
  account?.mobile !== undefined && !rules.mobile.test(account.mobile) ? account.mobile : countedAs

const oldPasswordMissing = () => invalidInput([{ Field: 'OldPassword', Message: '请填写原密码' }])

export const signInHandlers = [
  anonymous(signInMerchant, async (input, c) => {
    const named = await accountOf(c, input)
    const device = await requireOutsidePassword(c, named, input)
    const { account } = named
    if (!account) throw new Error('a password matched no account')
    return { token: await startSession(c, account, false), device }
  }),
  anonymous(sendMerchantCode, async ({ companyId, loginName, ...captcha }, c) => {
    await requireCaptcha(c, captcha)
    const named = await accountOf(c, { companyId, loginName })
    const address = codeAddressOf(named)
    const isReachable = address !== named.countedAs
    const origin = { ip: c.ip, companyId: named.ownerId }
    await sendSmsCode(c.app, address, 'merchant', origin, isReachable ? 'later' : 'never')
  }),
  anonymous(signInMerchantByCode, async ({ smsCode, ...input }, c) => {
    const named = await accountOf(c, input)
    await consumeSmsCode(c.app, codeAddressOf(named), 'merchant', smsCode)
    if (!named.account) throw wrongCode()
    return { token: await startSession(c, named.account, true) }
  }),
  anonymous(getMerchantSession, async ({ token }, { app }) => {
    const { merchantName, loginName, userName, mustChange, asksOldPassword } = await readMerchantSession(
      app,
      token,
    )
    return { merchantName, loginName, userName, mustChange, asksOldPassword }
  }),
  anonymous(changeMerchantPassword, async ({ token, oldPassword, password }, c) => {
    const account = await readMerchantSession(c.app, token)
    const { ownerId, loginName } = account
    if (account.asksOldPassword) {
      if (oldPassword === undefined) throw oldPasswordMissing()
      await requireOldPassword(c, outsideOf(ownerId, loginName, account.password), oldPassword)
    }
    const old = account.asksOldPassword ? { old: oldPassword } : {}
    const fault = findPasswordChangeFault(password, { loginCode: loginName, ...old })
    if (fault) throw invalidInput([{ Field: 'Password', Message: fault }])
    const hash = await hashPassword(password)
    await c.app.database.tx(ownerId, async tx => {
      await tx.execute(sql`
        update merchant_account
        set run_password = ${hash}, must_change = false
        where owner_id = ${ownerId} and id = ${account.id}
      `)
      await endSessions(tx, ownerId, [account.id], token)
      await record(tx, c, account, 'update', '修改密码')
    })
  }),
  anonymous(signOutMerchant, ({ token }, { app }) => endSession(app, token)),
]
