import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { refusalOf, detailsOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import { openWechat, wechatOf } from './wechat.ts'
import { openWechatSimulator } from './wechat-simulator.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import { getMyAccount } from '../contract/account.ts'
import { listManagers, resignManager } from '../contract/manager.ts'
import { getLoginQrState } from '../contract/qr-login.ts'
import {
  cancelWechatBind,
  confirmWechatBind,
  createWechatBindQr,
  scanWechatBindQr,
  getWechatBindState,
  unbindWechat,
} from '../contract/wechat-binding.ts'
import { createAccount, openAccountsApp, password, signInAs } from './accounts.fixtures.ts'
import { createCompany } from './public.ts'

let t: TestApp
let n = 0
let boss: CallOptions

beforeAll(async () => {
  t = await openAccountsApp()
})

afterAll(() => t?.close())

const signIn = (loginCode: string) => signInAs(t, loginCode)

beforeEach(async () => {
  n++
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `wx${n}`,
      password,
      realName: '老板',
    }),
  )
  boss = await signIn(`wx${n}`)
})

/** What a phone does: it scans the QR code, is sent to WeChat, answers there, and comes back with a code. */
async function answerOnPhone(uuid: string, say: 'yes' | 'no', personName = '张三'): Promise<string | null> {
  const { address } = await t.call(scanWechatBindQr, { uuid, origin: 'http://127.0.0.1:9' })
  const at = new URL(address)
  const page = await (await fetch(at)).text()
  expect(page).toContain('模拟渠道')
  const q = new URLSearchParams({
    redirect_uri: defined(at.searchParams.get('redirect_uri')),
    state: defined(at.searchParams.get('state')),
    account: personName,
    say,
  })
  const back = new URL(
    defined(
      (await fetch(`${at.origin}/answer?${q.toString()}`, { redirect: 'manual' })).headers.get('location'),
    ),
  )
  expect([back.pathname, back.searchParams.get('state')]).toEqual(['/wxbind', uuid])
  return back.searchParams.get('code')
}

const bindWechat = async (as: CallOptions, personName?: string): Promise<void> => {
  const { uuid } = await t.call(createWechatBindQr, undefined, as)
  await t.call(confirmWechatBind, { uuid, code: defined(await answerOnPhone(uuid, 'yes', personName)) })
}

it('a QR code goes from waiting to scanned to confirmed, and the account is bound (PERM-10)', async () => {
  const { uuid, seconds, url, simulated } = await t.call(createWechatBindQr, undefined, boss)
  const state = async (as = boss) => (await t.call(getWechatBindState, { uuid }, as)).state
  expect([seconds, url, simulated]).toEqual([120, `/wxbind?uuid=${uuid}`, true])
  expect(await state()).toBe('waiting')
  const seen = await t.call(scanWechatBindQr, { uuid, origin: 'https://anju.example' })
  expect(seen).toMatchObject({ realName: '老板', companyName: `公司${n}` })
  expect(await state()).toBe('scanned')
  // Neither another account nor the calls of QR sign-in see anything of it.
  await t.database.tx('*', tx =>
    createCompany(tx, {
      companyName: '别家',
      loginCode: `else${n}`,
      password,
      realName: '他人',
    }),
  )
  expect(await state(await signIn(`else${n}`))).toBe('expired')
  expect((await t.call(getLoginQrState, { uuid })).state).toBe('expired')
  const code = defined(await answerOnPhone(uuid, 'yes'))
  await t.call(confirmWechatBind, { uuid, code })
  expect(await state()).toBe('confirmed')
  expect((await t.call(getMyAccount, undefined, boss)).wechatBound).toBe(true)
  expect((await t.call(listManagers, {}, boss)).rows[0]).toMatchObject({ wechatBound: true })
  expect(JSON.stringify(await t.callRaw(listManagers, {}, boss))).not.toMatch(/"o[\w-]{27}"/)
  expect((await t.call(listNotifications, {}, boss)).rows[0]).toMatchObject({
    kind: 'accounts.wechat',
    title: '微信已绑定到你的账号',
  })
  // Once confirmed it does not change any more.
  expect((await refusalOf(t.call(confirmWechatBind, { uuid, code }))).message).toContain('二维码已失效')
  expect((await refusalOf(t.call(cancelWechatBind, { uuid }))).message).toContain('二维码已失效')
})

it('a refusal on the phone cancels it, two minutes end it, a code unknown to WeChat binds nothing', async () => {
  const one = await t.call(createWechatBindQr, undefined, boss)
  expect(await answerOnPhone(one.uuid, 'no')).toBeNull()
  await t.call(cancelWechatBind, { uuid: one.uuid })
  expect((await t.call(getWechatBindState, { uuid: one.uuid }, boss)).state).toBe('cancelled')
  const two = await t.call(createWechatBindQr, undefined, boss)
  expect((await refusalOf(t.call(confirmWechatBind, { uuid: two.uuid, code: 'x' }))).message).toContain(
    '二维码已失效',
  )
  await answerOnPhone(two.uuid, 'yes')
  expect((await refusalOf(t.call(confirmWechatBind, { uuid: two.uuid, code: 'made-up' }))).message).toBe(
    '微信未确认身份，请重新扫码',
  )
  const code = defined(await answerOnPhone(two.uuid, 'yes'))
  t.advanceClock(121_000)
  expect((await t.call(getWechatBindState, { uuid: two.uuid }, boss)).state).toBe('expired')
  expect((await refusalOf(t.call(confirmWechatBind, { uuid: two.uuid, code }))).message).toContain(
    '二维码已失效',
  )
  expect((await t.call(getMyAccount, undefined, boss)).wechatBound).toBe(false)
})

it('one WeChat binds one account of a company; it is released with the password, or when the account resigns', async () => {
  const clerk = await createAccount(t, boss, { loginCode: `clerk${n}`, realName: '小李' })
  await bindWechat(clerk.as)
  expect((await refusalOf(bindWechat(boss))).message).toBe(
    '该微信已绑定本公司的其他账号（小李），请先在该账号解除绑定',
  )
  await bindWechat(boss, '李四')
  expect(detailsOf(await refusalOf(t.call(unbindWechat, { password: 'Wrong2026' }, boss))).Field).toBe(
    'Password',
  )
  await t.call(unbindWechat, { password }, boss)
  expect((await refusalOf(t.call(unbindWechat, { password }, boss))).message).toBe('你的账号未绑定微信')
  await t.call(resignManager, { id: clerk.id, reason: '离职' }, boss)
  await bindWechat(boss)
  expect((await t.call(getMyAccount, undefined, boss)).wechatBound).toBe(true)
})

it('two accounts that bind one WeChat at the same time: one succeeds', async () => {
  const twin = await createAccount(t, boss, { loginCode: `twin${n}`, realName: '小王' })
  const done = await Promise.allSettled([bindWechat(boss, '同一人'), bindWechat(twin.as, '同一人')])
  expect(done.map(d => d.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('the simulator checks what the gateway checks: app id, secret, and a code once within five minutes', async () => {
  const g = await openWechatSimulator(t.app)
  const good = openWechat(g)
  const code = async (): Promise<string> =>
    defined(
      new URL(
        defined(
          (
            await fetch(
              `${g.apiUrl}/answer?${new URLSearchParams({ redirect_uri: 'http://127.0.0.1:9/x', state: 's', personName: 'a', say: 'yes' }).toString()}`,
              { redirect: 'manual' },
            )
          ).headers.get('location'),
        ),
      ).searchParams.get('code'),
    )
  const one = await code()
  const openId = await good.openIdOf(one)
  expect(openId).toMatch(/^o[\w-]{27}$/)
  await expect(good.openIdOf(one)).rejects.toMatchObject({ errcode: 40029 })
  await expect(openWechat({ ...g, secret: 'other' }).openIdOf(await code())).rejects.toMatchObject({
    errcode: 40125,
  })
  await expect(openWechat({ ...g, appId: 'wx0' }).openIdOf(await code())).rejects.toMatchObject({
    errcode: 40013,
  })
  expect(await good.openIdOf(await code())).toBe(openId)
  const late = await code()
  t.advanceClock(301_000)
  await expect(good.openIdOf(late)).rejects.toMatchObject({ errcode: 40029 })
  expect((await wechatOf(t.app)).authorizeUrl('https://a.b/wxbind', 's')).toMatch(
    /appid=wx[0-9a-f]{16}&redirect_uri=https%3A%2F%2Fa\.b%2Fwxbind&response_type=code&scope=snsapi_userinfo&state=s#wechat_redirect$/,
  )
  expect((await fetch(`${g.authorizeUrl}?appid=wx0&redirect_uri=http%3A%2F%2Fa`)).status).toBe(400)
  expect(
    (
      await fetch(
        `${g.authorizeUrl}?${new URLSearchParams({ appid: g.appId, redirect_uri: 'javascript:1', state: '' }).toString()}`,
      )
    ).status,
  ).toBe(400)
  expect(
    await (
      await fetch(
        `${g.authorizeUrl}?${new URLSearchParams({ appid: g.appId, redirect_uri: 'http://a/"><script>x</script>', state: '"><b>' }).toString()}`,
      )
    ).text(),
  ).not.toMatch(/<script>|"><b>/)
})

it('a refusal of WeChat, or no answer of it, is explained in a message', async () => {
  const gateway = await openWechatSimulator(t.app)
  const send = (settings: Partial<typeof gateway>): Promise<void> =>
    openWechat({ ...gateway, ...settings }).sendTemplate('o1', 'fee_demand', {})
  await expect(send({ secret: 'other' })).rejects.toThrow('请核对 WECHAT_APP_ID 与 WECHAT_APP_SECRET')
  await expect(send({ apiUrl: 'http://127.0.0.1:9' })).rejects.toThrow('连接不上微信服务器，或等不到答复')
})
