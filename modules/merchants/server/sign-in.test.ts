import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { faultTextsOf, refusalMessageOf, refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { solveCaptcha } from '#modules/accounts/server/accounts.fixtures.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import {
  merchantAccounts,
  resetMerchantPassword,
  setMerchantAccountState,
  type MerchantAccount,
} from '../contract/account.ts'
import { merchants, merchantStaffs, type Merchant, type MerchantStaff } from '../contract/merchant.ts'
import {
  changeMerchantPassword,
  getMerchantSession,
  sendMerchantCode,
  signInMerchant,
  signInMerchantByCode,
  signOutMerchant,
} from '../contract/sign-in.ts'

const projectCode = 'GOLD0001'
const firstPassword = 'First2026'
const ownPassword = 'Right2026'
const endedText = '登录已失效，请重新登录'

let t: GoldenApp
let me: CallOptions
let count = 0

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const addShop = (values: object = {}): Promise<Merchant> =>
  t.call(merchants.add, { projectCode, name: `登录店${++count}`, state: 'open', ...values }, me)

const addStaff = (merchantId: Id, mobile: string): Promise<MerchantStaff> =>
  t.call(
    merchantStaffs.save,
    { projectCode, merchantId, name: '店员乙', mobile, roleType: 'clerk', state: 'on' },
    me,
  )

const addAccount = (shop: Merchant, loginName: string, staffId?: Id): Promise<MerchantAccount> =>
  t.call(
    merchantAccounts.add,
    { projectCode, merchantId: shop.id, staffId, loginName, password: firstPassword },
    me,
  )

const signIn = async (loginName: string, password: string, ip = '10.8.0.1'): Promise<string> =>
  (await t.call(signInMerchant, { companyId: t.ownerId, loginName, password }, { ip })).token

const session = (token: string) => t.call(getMerchantSession, { token })
const ended = (token: string): Promise<string> => refusalMessageOf(session(token))

const changePassword = (token: string, oldPassword: string | undefined, password: string) =>
  t.call(changeMerchantPassword, { token, oldPassword, password })

/** A shop whose account has a password of its own, and a session of it. */
async function signedInShop(values: object = {}) {
  const shop = await addShop(values)
  const account = await addAccount(shop, `SHOP${1000 + count}`)
  const first = await signIn(account.loginName, firstPassword)
  await changePassword(first, firstPassword, ownPassword)
  return { shop, account, token: first }
}

it('staff give an account; its first password is changed at the first sign-in (PERM-9)', async () => {
  const shop = await addShop()
  const account = await addAccount(shop, 'SHOPA1')
  expect(account).toMatchObject({ state: 'on', mustChange: true, projectCode })
  expect((await t.call(merchants.get, { id: shop.id }, me)).loginAccount).toBe('SHOPA1')
  const token = await signIn('shopa1', firstPassword)
  expect(await session(token)).toMatchObject({
    merchantName: shop.name,
    loginName: 'SHOPA1',
    mustChange: true,
    asksOldPassword: true,
  })
  const other = await signIn('SHOPA1', firstPassword)
  expect(await faultTextsOf(changePassword(token, undefined, ownPassword))).toEqual({
    OldPassword: '请填写原密码',
  })
  expect(await refusalMessageOf(changePassword(token, 'Wrong2026', ownPassword))).toContain('原密码不正确')
  expect(await faultTextsOf(changePassword(token, firstPassword, firstPassword))).toEqual({
    Password: '新密码不能与原密码相同',
  })
  await changePassword(token, firstPassword, ownPassword)
  expect((await session(token)).mustChange).toBe(false)
  // The other phone signs in again.
  expect(await ended(other)).toBe(endedText)
  expect(await refusalMessageOf(signIn('SHOPA1', firstPassword))).toContain('账号或密码不正确')
  await t.call(signOutMerchant, { token })
  expect(await ended(token)).toBe(endedText)
  expect(await ended('s.1.forged')).toBe(endedText)
})

it('guesses need a picture after five, and are locked after ten; a known phone goes on (0018)', async () => {
  const { account } = await signedInShop()
  const { loginName } = account
  const known = await t.call(
    signInMerchant,
    { companyId: t.ownerId, loginName, password: ownPassword },
    { ip: '10.8.1.1' },
  )
  const guess = async (captcha: object) =>
    refusalOf(
      t.call(
        signInMerchant,
        { companyId: t.ownerId, loginName, password: 'Wrong2026', ...captcha },
        { ip: '10.8.1.2' },
      ),
    )
  for (let tries = 0; tries < 5; tries++) {
    await guess({})
  }
  expect((await guess({})).message).toBe('请填写图形验证码')
  for (let tries = 0; tries < 5; tries++) {
    await guess(await solveCaptcha(t))
  }
  expect((await guess(await solveCaptcha(t))).message).toMatch(/账号已锁定.*或用短信验证码登录$/)
  // An unknown name costs the same and hears the same.
  expect(await refusalMessageOf(signIn('NOBODY1', 'Wrong2026', '10.8.1.3'))).toBe(
    '账号或密码不正确，还可再试 4 次；之后需要填写图形验证码',
  )
  const again = { companyId: t.ownerId, loginName, password: ownPassword, device: known.device }
  expect((await t.call(signInMerchant, again, { ip: '10.8.1.2' })).token).not.toBe('')
}, 60_000)

it('a session ends at once when the account is disabled or reset, or the merchant has ended', async () => {
  const { shop, account, token } = await signedInShop()
  const setState = (state: 'on' | 'off') =>
    t.call(setMerchantAccountState, { id: account.id, state, reason: '合同到期' }, me)
  await setState('off')
  expect(await ended(token)).toBe(endedText)
  expect(await refusalMessageOf(signIn(account.loginName, ownPassword))).toContain('账号或密码不正确')
  await setState('on')
  // It is not revived.
  expect(await ended(token)).toBe(endedText)
  const second = await signIn(account.loginName, ownPassword)
  await t.call(resetMerchantPassword, { id: account.id, password: 'Again2026' }, me)
  expect(await ended(second)).toBe(endedText)
  const third = await signIn(account.loginName, 'Again2026')
  expect((await session(third)).mustChange).toBe(true)
  const { version, name, loginAccount } = await t.call(merchants.get, { id: shop.id }, me)
  await t.call(merchants.edit, { id: shop.id, version, projectCode, name, loginAccount, state: 'ended' }, me)
  expect(await ended(third)).toBe(endedText)
})

it('an employee signs in under the own number, as long as employed', async () => {
  const shop = await addShop()
  const worker = await addStaff(shop.id, '13610007001')
  const account = await addAccount(shop, '13610007001', worker.id)
  const token = await signIn('13610007001', firstPassword)
  expect(await session(token)).toMatchObject({ userName: '店员乙', merchantName: shop.name })
  await t.call(merchantStaffs.save, { ...worker, mobile: '13610007002', version: worker.version }, me)
  expect((await session(token)).loginName).toBe('13610007002')
  const { rows } = await t.call(merchantAccounts.list, { merchantId: [String(shop.id)] }, me)
  expect(rows).toMatchObject([{ id: account.id, loginName: '13610007002', staffName: '店员乙' }])
  const { version } = defined(
    (await t.call(merchantStaffs.list, { merchantId: [String(shop.id)] }, me)).rows[0],
  )
  await t.call(merchantStaffs.save, { ...worker, mobile: '13610007002', version, state: 'off' }, me)
  expect(await ended(token)).toBe(endedText)
})

it('a name belongs to one account of a company, and to none of another company', async () => {
  const { account, shop } = await signedInShop()
  expect(await refusalMessageOf(addAccount(await addShop(), account.loginName.toLowerCase()))).toBe(
    '该登录账号已被使用，请更换',
  )
  expect(await refusalMessageOf(addAccount(shop, 'SECOND1'))).toContain('该使用人已有登录账号')
  const second = await t.database.reader('*').one<{ id: Id }>(sql`
    select id from property where id <> ${t.ownerId} order by id limit 1
  `)
  const elsewhere = { companyId: defined(second).id, loginName: account.loginName, password: ownPassword }
  expect(await refusalMessageOf(t.call(signInMerchant, elsewhere))).toContain('账号或密码不正确')
  // Of several companies the address names one.
  const unnamed = { loginName: account.loginName, password: ownPassword }
  expect(await refusalMessageOf(t.call(signInMerchant, unnamed))).toContain('登录地址不完整')
  const stranger = await t.signedInAs(golden.second.owner, projectCode)
  expect((await t.call(merchantAccounts.list, { merchantId: [String(shop.id)] }, stranger)).rows).toEqual([])
  const reset = t.call(resetMerchantPassword, { id: account.id, password: 'Again2026' }, stranger)
  expect((await refusalOf(reset)).message).not.toBe('')
})

it('the field of the merchant and its account keep one name', async () => {
  const { account, shop } = await signedInShop()
  const edit = async (loginAccount: string | undefined) => {
    const { version, name } = await t.call(merchants.get, { id: shop.id }, me)
    return t.call(
      merchants.edit,
      { id: shop.id, version, projectCode, name, state: 'open', loginAccount },
      me,
    )
  }
  await edit('NEWNAME1')
  expect(await signIn('newname1', ownPassword)).not.toBe('')
  expect(await faultTextsOf(edit(undefined))).toEqual({
    LoginAccount: '该账号正在使用，不能清空；请先在「登录账号」中删除账号',
  })
  const token = await signIn('NEWNAME1', ownPassword)
  await t.call(merchantAccounts.delete, { ids: [String(account.id)], reason: '不再使用' }, me)
  expect(await ended(token)).toBe(endedText)
  await edit(undefined)
  expect(await addAccount(shop, 'NEWNAME1')).toMatchObject({ state: 'on' })
})

it('signs in by a code to the phone of the account, which may then set a password (PERM-11)', async () => {
  const mobile = '13610007009'
  const shop = await addShop({ contactPhone: mobile })
  const { loginName } = await addAccount(shop, 'CODESHOP1')
  const input = { companyId: t.ownerId, loginName }
  await t.call(sendMerchantCode, { ...input, ...(await solveCaptcha(t)) })
  const received = () => deliveredSms(t.app).findLast(sent => sent.mobile === mobile)?.params.code
  await expect.poll(received).toBeDefined()
  expect(await refusalMessageOf(t.call(signInMerchantByCode, { ...input, smsCode: 'abcdef' }))).toContain(
    '不正确',
  )
  const { token } = await t.call(signInMerchantByCode, { ...input, smsCode: defined(received()) })
  expect(await session(token)).toMatchObject({ asksOldPassword: false })
  t.advanceClock(11 * 60_000)
  expect((await session(token)).asksOldPassword).toBe(true)
  // Nobody learns whether there is such an account.
  const nobody = { companyId: t.ownerId, loginName: 'NOBODY2' }
  await t.call(sendMerchantCode, { ...nobody, ...(await solveCaptcha(t)) })
  expect(await refusalMessageOf(t.call(signInMerchantByCode, { ...nobody, smsCode: '000000' }))).toContain(
    '短信验证码',
  )
  t.advanceClock(31 * 86_400_000)
  expect(await ended(token)).toBe(endedText)
})
