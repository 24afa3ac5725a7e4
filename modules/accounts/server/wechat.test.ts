import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { freshDatabase, type FreshDatabase } from '#kit/server/ground/testing.ts'
import { openTestWorld, type As, type TestWorld } from '#kit/server/ground/world.ts'
import { openWechat, wechatOf } from '#kit/server/wechat.ts'
import { openWechatSimulator } from '#kit/server/wechat-simulator.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { contract as system } from '#modules/system/contract/index.ts'
import { listMessages } from '#modules/system/contract/message.ts'
import { server as systemServer } from '#modules/system/server/index.ts'
import { account, changePassword } from '../contract/account.ts'
import { contract } from '../contract/index.ts'
import { addManager, listManagers, resign } from '../contract/manager.ts'
import { scanState } from '../contract/qr.ts'
import { login } from '../contract/sign-in.ts'
import { bindCancel, bindConfirm, bindQr, bindScanned, bindState, unbind } from '../contract/wechat.ts'
import { server } from './index.ts'
import { callerOf, createCompany } from './public.ts'

let fresh: FreshDatabase
let t: TestWorld
let n = 0
let boss: As

beforeAll(async () => {
  fresh = await freshDatabase()
  t = await openTestWorld(
    fresh.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
      { contract: system, server: systemServer },
    ],
    callerOf,
  )
})

afterAll(async () => {
  await t?.close()
  await fresh?.drop()
})

const signIn = async (loginCode: string, password = 'Right2026'): Promise<As> => ({
  token: (await t.ask(login, { loginCode, password })).token,
})

beforeEach(async () => {
  n++
  await t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: `wx${n}`,
      password: 'Right2026',
      realName: '老板',
    }),
  )
  boss = await signIn(`wx${n}`)
})

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

/** What a phone does: reads the picture, is led to WeChat, says yes or no, and comes back. */
async function phone(uuid: string, say: 'yes' | 'no', who = '张三'): Promise<string | null> {
  const seen = await t.ask(bindScanned, { uuid, origin: 'http://127.0.0.1:9' })
  const at = new URL(seen.address)
  const page = await (await fetch(at)).text()
  expect(page).toContain('本机模拟')
  const q = new URLSearchParams({
    redirect_uri: at.searchParams.get('redirect_uri')!,
    state: at.searchParams.get('state')!,
    who,
    say,
  })
  const back = new URL(
    (await fetch(`${at.origin}/answer?${q.toString()}`, { redirect: 'manual' })).headers.get('location')!,
  )
  expect([back.pathname, back.searchParams.get('state')]).toEqual(['/wxbind', uuid])
  return back.searchParams.get('code')
}

const bind = async (as: As, who?: string): Promise<void> => {
  const { uuid } = await t.ask(bindQr, undefined, as)
  await t.ask(bindConfirm, { uuid, code: (await phone(uuid, 'yes', who))! })
}

it('a picture goes from waiting to scanned to confirmed, and the account then has its WeChat (PERM-10)', async () => {
  const { uuid, seconds, url, simulated } = await t.ask(bindQr, undefined, boss)
  const state = async (as = boss) => (await t.ask(bindState, { uuid }, as)).state
  expect([seconds, url, simulated]).toEqual([120, `/wxbind?uuid=${uuid}`, true])
  expect(await state()).toBe('waiting')
  const seen = await t.ask(bindScanned, { uuid, origin: 'https://anju.example' })
  expect(seen).toMatchObject({ realName: '老板', companyName: `公司${n}` })
  expect(await state()).toBe('scanned')
  // Neither somebody else nor the calls of the sign-in picture learn anything of it.
  await t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: '别家',
      loginCode: `else${n}`,
      password: 'Right2026',
      realName: '别人',
    }),
  )
  expect(await state(await signIn(`else${n}`))).toBe('expired')
  expect((await t.ask(scanState, { uuid })).state).toBe('expired')
  const code = (await phone(uuid, 'yes'))!
  await t.ask(bindConfirm, { uuid, code })
  expect(await state()).toBe('confirmed')
  expect((await t.ask(account, undefined, boss)).wechatBound).toBe(true)
  expect((await t.ask(listManagers, {}, boss)).rows[0]).toMatchObject({ wechatBound: true })
  expect(JSON.stringify(await t.say(listManagers, {}, boss))).not.toMatch(/"o[\w-]{27}"/)
  expect((await t.ask(listMessages, {}, boss)).rows[0]).toMatchObject({
    kind: 'accounts.wechat',
    title: '微信已绑定到你的账号',
  })
  // Once confirmed nothing more happens to it.
  expect((await refusal(t.ask(bindConfirm, { uuid, code }))).message).toContain('二维码已失效')
  expect((await refusal(t.ask(bindCancel, { uuid }))).message).toContain('二维码已失效')
})

it('no on the phone cancels, two minutes end it, a code that WeChat does not know binds nothing', async () => {
  const one = await t.ask(bindQr, undefined, boss)
  expect(await phone(one.uuid, 'no')).toBeNull()
  await t.ask(bindCancel, { uuid: one.uuid })
  expect((await t.ask(bindState, { uuid: one.uuid }, boss)).state).toBe('cancelled')
  const two = await t.ask(bindQr, undefined, boss)
  expect((await refusal(t.ask(bindConfirm, { uuid: two.uuid, code: 'x' }))).message).toContain('二维码已失效')
  await phone(two.uuid, 'yes')
  expect((await refusal(t.ask(bindConfirm, { uuid: two.uuid, code: 'made-up' }))).message).toBe(
    '微信没有确认身份，请重新扫码',
  )
  const code = (await phone(two.uuid, 'yes'))!
  t.turn(121_000)
  expect((await t.ask(bindState, { uuid: two.uuid }, boss)).state).toBe('expired')
  expect((await refusal(t.ask(bindConfirm, { uuid: two.uuid, code }))).message).toContain('二维码已失效')
  expect((await t.ask(account, undefined, boss)).wechatBound).toBe(false)
})

it('one WeChat stands for one account of a company; it is let go with the password, or when somebody leaves', async () => {
  const loginCode = `clerk${n}`
  const m = await t.ask(
    addManager,
    {
      loginCode,
      realName: '小李',
      managerType: 'ordinary',
      showPrivacy: false,
      password: 'First2026',
    } as never,
    boss,
  )
  await t.ask(
    changePassword,
    { oldPassword: 'First2026', password: 'Right2026' },
    await signIn(loginCode, 'First2026'),
  )
  const clerk = await signIn(loginCode)
  await bind(clerk)
  expect((await refusal(bind(boss))).message).toBe(
    '该微信已绑定公司里的另一个账号（小李），请先在那个账号解除绑定',
  )
  await bind(boss, '李四')
  expect((await refusal(t.ask(unbind, { password: 'Wrong2026' }, boss))).data.Field).toBe('Password')
  await t.ask(unbind, { password: 'Right2026' }, boss)
  expect((await refusal(t.ask(unbind, { password: 'Right2026' }, boss))).message).toBe('你的账号没有绑定微信')
  await t.ask(resign, { id: m.id, reason: '离职' } as never, boss)
  await bind(boss)
  expect((await t.ask(account, undefined, boss)).wechatBound).toBe(true)
})

it('two phones that answer at once for one WeChat leave it with one account', async () => {
  const loginCode = `twin${n}`
  await t.ask(
    addManager,
    {
      loginCode,
      realName: '小王',
      managerType: 'ordinary',
      showPrivacy: false,
      password: 'First2026',
    } as never,
    boss,
  )
  await t.ask(
    changePassword,
    { oldPassword: 'First2026', password: 'Right2026' },
    await signIn(loginCode, 'First2026'),
  )
  const done = await Promise.allSettled([bind(boss, '同一人'), bind(await signIn(loginCode), '同一人')])
  expect(done.map(d => d.status).sort()).toEqual(['fulfilled', 'rejected'])
})

it('the simulator checks as the gateway does: account, secret, a code once and for five minutes', async () => {
  const g = await openWechatSimulator(t.world)
  const good = openWechat(g)
  const code = async (): Promise<string> =>
    new URL(
      (
        await fetch(
          `${g.api}/answer?${new URLSearchParams({ redirect_uri: 'http://127.0.0.1:9/x', state: 's', who: 'a', say: 'yes' }).toString()}`,
          { redirect: 'manual' },
        )
      ).headers.get('location')!,
    ).searchParams.get('code')!
  const one = await code()
  const openId = await good.openIdOf(one)
  expect(openId).toMatch(/^o[\w-]{27}$/)
  await expect(good.openIdOf(one)).rejects.toThrow('40029')
  await expect(openWechat({ ...g, secret: 'other' }).openIdOf(await code())).rejects.toThrow('40125')
  await expect(openWechat({ ...g, appId: 'wx0' }).openIdOf(await code())).rejects.toThrow('40013')
  expect(await good.openIdOf(await code())).toBe(openId)
  const late = await code()
  t.turn(301_000)
  await expect(good.openIdOf(late)).rejects.toThrow('40029')
  expect((await wechatOf(t.world)).address('https://a.b/wxbind', 's')).toMatch(
    /appid=wx[0-9a-f]{16}&redirect_uri=https%3A%2F%2Fa\.b%2Fwxbind&response_type=code&scope=snsapi_userinfo&state=s#wechat_redirect$/,
  )
  expect((await fetch(`${g.authorize}?appid=wx0&redirect_uri=http%3A%2F%2Fa`)).status).toBe(400)
  expect(
    (
      await fetch(
        `${g.authorize}?${new URLSearchParams({ appid: g.appId, redirect_uri: 'javascript:1', state: '' }).toString()}`,
      )
    ).status,
  ).toBe(400)
  expect(
    await (
      await fetch(
        `${g.authorize}?${new URLSearchParams({ appid: g.appId, redirect_uri: 'http://a/"><script>x</script>', state: '"><b>' }).toString()}`,
      )
    ).text(),
  ).not.toMatch(/<script>|"><b>/)
})
