import crypto from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import { migrate } from '#kit/server/ground/migrate.ts'
import { freshDatabase, type FreshDatabase } from '#kit/server/ground/testing.ts'
import { SignInFirst, openTestWorld, type TestWorld } from '#kit/server/ground/world.ts'
import { contract as estates } from '#modules/estates/contract/index.ts'
import { server as estatesServer } from '#modules/estates/server/index.ts'
import { account, changePassword, rememberProject } from '../contract/account.ts'
import { door, setUp } from '../contract/company.ts'
import { contract } from '../contract/index.ts'
import { myMenus } from '../contract/permission.ts'
import { captchaPicture, login, logout, renewToken, tokenLeft } from '../contract/sign-in.ts'
import { server } from './index.ts'
import { callerOf, createCompany } from './public.ts'

let fresh: FreshDatabase
let t: TestWorld
let n = 0

beforeAll(async () => {
  fresh = await freshDatabase()
  t = await openTestWorld(
    fresh.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
    ],
    callerOf,
  )
})

afterAll(async () => {
  await t?.close()
  await fresh?.drop()
})

let name = ''

beforeEach(async () => {
  name = `user${++n}`
  await t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: `公司${n}`,
      loginCode: name,
      password: 'Right2026',
      realName: `负责人${n}`,
    }),
  )
})

const signIn = (password = 'Right2026', more: object = {}) =>
  t.ask(login, { loginCode: name, password, ...more })

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

/** A picture whose answer we know: the kept hash is replaced by that of letters of ours. */
async function picture(): Promise<{ captchaKey: string; captcha: string }> {
  const { captchaKey, image } = await t.ask(captchaPicture, undefined)
  expect(image).toMatch(/^data:image\/svg\+xml;base64,/)
  const answer = crypto.createHash('sha256').update(`${captchaKey}:ACEF`).digest()
  expect(
    await t.store.tx('*', tx => tx.run(sql`update captcha set answer = ${answer} where key = ${captchaKey}`)),
  ).toBe(1)
  return { captchaKey, captcha: 'acef' }
}

it('lets the right password in, whatever the case of the name, and says who it is', async () => {
  const s = await t.ask(login, { loginCode: name.toUpperCase(), password: 'Right2026' })
  expect(s.manager).toMatchObject({
    loginCode: name,
    companyName: `公司${n}`,
    realName: `负责人${n}`,
    managerType: 'owner',
    mustChange: false,
  })
  expect(s.token).toMatch(/^[\w-]{43}$/)
  const own = await t.ask(account, undefined, { token: s.token })
  expect(own).toMatchObject({
    id: s.manager.id,
    ownerId: s.manager.ownerId,
    allProject: true,
    lastLoginIp: '10.0.0.1',
    lastLoginTime: expect.stringContaining('2026-11-2'),
  })
  await t.ask(logout, undefined, { token: s.token })
  await expect(t.ask(account, undefined, { token: s.token })).rejects.toBeInstanceOf(SignInFirst)
})

it('counts wrong passwords: a captcha after five, a lock after ten, the same for a name nobody has (PERM-9)', async () => {
  for (const who of [name, `ghost${n}`]) {
    const wrong = (more: object = {}): Promise<Refused & { data: any }> =>
      refusal(t.ask(login, { loginCode: who, password: 'Wrong2026', ...more }))
    const first = await wrong()
    const second = await wrong()
    expect(first.message).toBe('账号或密码不正确，还可再试 4 次；之后需要填写图形验证码')
    expect(second.data).toMatchObject({ Field: 'Password', Captcha: 0, Remaining: 3 })
    await wrong()
    await wrong()
    const fifth = await wrong()
    expect(fifth.message).toContain('请填写图形验证码后再试；还可再试 5 次')
    expect(fifth.data.Captcha).toBe(1)
    // Without the picture, with a wrong reading, or with a used one the password is not even looked at.
    const looks = vi.spyOn(crypto, 'argon2')
    expect((await wrong()).message).toBe('请填写图形验证码')
    const p = await picture()
    expect((await wrong({ ...p, captcha: 'zzzz' })).message).toBe('图形验证码不正确或已过期，请重新填写')
    expect((await wrong(p)).message).toBe('图形验证码不正确或已过期，请重新填写')
    expect(looks).not.toHaveBeenCalled()
    looks.mockRestore()
    for (let i = 6; i <= 9; i++) {
      expect((await wrong(await picture())).data.Remaining).toBe(10 - i)
    }
    const last = await wrong(await picture())
    expect(last.message).toContain('账号已锁定，请在 09:')
    const locked = await refusal(
      t.ask(login, { loginCode: who, password: 'Right2026', ...(await picture()) }),
    )
    expect(locked.data.LockUntil).toBe('2026-11-21 09:15:00')
  }
  expect(t.told.filter(x => x.kind === 'account-locked')).toHaveLength(1)
})

it('opens again after fifteen minutes, with the captcha, and forgets after a sign-in', async () => {
  for (let i = 0; i < 10; i++) {
    await refusal(signIn('Wrong2026', i >= 5 ? await picture() : {}))
  }
  t.turn(14 * 60_000)
  expect((await refusal(signIn('Right2026', await picture()))).message).toContain('账号已锁定')
  t.turn(60_000)
  expect((await refusal(signIn())).data.Captcha).toBe(1)
  await signIn('Right2026', await picture())
  expect((await refusal(signIn('Wrong2026'))).data.Remaining).toBe(4)
})

it('a hundred guesses at once get no more looks than in turn', async () => {
  const looks = vi.spyOn(crypto, 'argon2')
  const all = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      refusal(t.ask(login, { loginCode: name, password: `Guess${i}` }, { ip: `10.0.1.${i}` })),
    ),
  )
  expect(looks).toHaveBeenCalledTimes(5)
  expect(all.filter(e => e.message === '请填写图形验证码')).toHaveLength(95)
  looks.mockRestore()
})

it('does the same work for a name nobody has', async () => {
  const looks = vi.spyOn(crypto, 'argon2')
  const cost = (): unknown[] =>
    looks.mock.calls.map(c => {
      const { memory, passes, parallelism, tagLength } = c[1] as any
      return { memory, passes, parallelism, tagLength }
    })
  const a = await refusal(t.ask(login, { loginCode: name, password: 'Wrong2026' }))
  const known = cost()
  looks.mockClear()
  const b = await refusal(t.ask(login, { loginCode: 'nobody.here', password: 'Wrong2026' }))
  expect(cost()).toEqual(known)
  expect([b.message, b.data]).toEqual([a.message, a.data])
  looks.mockRestore()
})

it('a changed password ends the other sessions, keeps its own, and must be a good one', async () => {
  const [here, there] = [await signIn(), await signIn()]
  const change = (oldPassword: string, password: string) =>
    t.ask(changePassword, { oldPassword, password }, { token: here.token })
  expect((await refusal(change('Right2026', 'abcdef'))).message).toBe(
    '密码至少包含大写字母、小写字母、数字、符号中的两类',
  )
  expect((await refusal(change('Right2026', 'Right2026'))).message).toBe('新密码不能与原密码相同')
  expect((await refusal(change('Right2026', '有中文abc1'))).code).toBe(10001)
  expect((await refusal(change('Wrong2026', 'Fresh2026'))).message).toBe('原密码不正确，请重新输入')
  await change('Right2026', 'Fresh2026')
  await t.ask(account, undefined, { token: here.token })
  await expect(t.ask(account, undefined, { token: there.token })).rejects.toBeInstanceOf(SignInFirst)
  await refusal(signIn('Right2026'))
  await signIn('Fresh2026')
})

it('who must change the password first can do that and little else', async () => {
  await t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: `新${n}`,
      loginCode: `${name}x`,
      password: 'First2026',
      realName: '新人',
      mustChange: true,
    }),
  )
  const s = await t.ask(login, { loginCode: `${name}x`, password: 'First2026' })
  expect(s.manager.mustChange).toBe(true)
  const { addEstate } = await import('#modules/estates/contract/estate.ts')
  const add = () =>
    t.ask(
      addEstate,
      { projectCode: 'PROJ0001', name: '一号', projectType: 'housing', state: 'on' } as never,
      { token: s.token },
    )
  expect((await refusal(add())).message).toContain('请先修改密码')
  await t.ask(changePassword, { oldPassword: 'First2026', password: 'Second2026' }, { token: s.token })
  await add()
})

it('a token is renewed with a minute of grace, and ends after eight hours without use (PERM-10)', async () => {
  const { token } = await signIn()
  expect(await t.ask(tokenLeft, undefined, { token })).toBe(8 * 3600)
  t.turn(3600_000)
  expect(await t.ask(tokenLeft, undefined, { token })).toBe(7 * 3600)
  const fresh2 = await t.ask(renewToken, { token, type: 'web' }, { token })
  expect(fresh2).not.toBe(token)
  await t.ask(account, undefined, { token })
  t.turn(61_000)
  await expect(t.ask(account, undefined, { token })).rejects.toBeInstanceOf(SignInFirst)
  await t.ask(account, undefined, { token: fresh2 })
  t.turn(7 * 3600_000)
  await t.ask(account, undefined, { token: fresh2 })
  t.turn(8 * 3600_000 + 61_000)
  await expect(t.ask(account, undefined, { token: fresh2 })).rejects.toBeInstanceOf(SignInFirst)
  await expect(t.ask(account, undefined, {})).rejects.toBeInstanceOf(SignInFirst)
})

it('a company may end idle sessions sooner', async () => {
  const { token, manager } = await signIn()
  await t.store.tx('*', tx =>
    tx.run(sql`update property set idle_minutes = 30 where id = ${manager.ownerId}`),
  )
  await t.world.sessions.refresh(manager.ownerId, 'all')
  await t.ask(account, undefined, { token })
  expect(await t.ask(tokenLeft, undefined, { token })).toBe(1800)
  t.turn(29 * 60_000)
  await t.ask(account, undefined, { token })
  t.turn(29 * 60_000)
  await t.ask(account, undefined, { token })
  t.turn(31 * 60_000)
  await expect(t.ask(account, undefined, { token })).rejects.toBeInstanceOf(SignInFirst)
})

it('a thousand guesses from many addresses are throttled, the account hears of it once a lock, and nobody else is slowed (PERM-9)', async () => {
  const before = t.told.length
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        refusal(
          t.ask(login, { loginCode: name, password: `Guess${round}${i}` }, { ip: `10.1.${round}.${i}` }),
        ),
      ),
    )
  }
  const looks = (await t.store
    .reader('*')
    .one<{ failures: number }>(
      sql`select failures from login_attempt where key = ${crypto.createHash('sha256').update(name).digest()}`,
    ))!
  expect(looks.failures).toBe(5)
  for (let i = 0; i < 5; i++) {
    await refusal(signIn('Wrong2026', await picture()))
  }
  expect(
    t.told
      .slice(before)
      .map(x => x.kind)
      .sort(),
  ).toEqual(['account-locked', 'notice'])
  // Nobody else is slowed: another name signs in at the first try.
  const other = `${name}z`
  await t.store.tx('*', tx =>
    createCompany(tx, { companyName: '旁观', loginCode: other, password: 'Right2026', realName: '旁人' }),
  )
  await t.ask(login, { loginCode: other, password: 'Right2026' })
})

it('nobody renews a token that is not his own', async () => {
  const [a, b] = [await signIn(), await signIn()]
  expect((await refusal(t.ask(renewToken, { token: b.token }, { token: a.token }))).code).toBe(10003)
})

it('remembers the project chosen last, as long as it is within reach', async () => {
  const { addEstate } = await import('#modules/estates/contract/estate.ts')
  const s = await signIn()
  const as = { token: s.token }
  expect(s.nearestProjectCode).toBeUndefined()
  for (const i of [1, 2]) {
    await t.ask(
      addEstate,
      { projectCode: `PROJ000${i}`, name: `项目${i}`, projectType: 'housing', state: 'on' } as never,
      as,
    )
  }
  expect((await signIn()).nearestProjectCode).toBe('PROJ0001')
  await t.ask(rememberProject, { projectCode: 'PROJ0002' }, as)
  expect((await signIn()).nearestProjectCode).toBe('PROJ0002')
})

it('gives the owner the whole menu, module by module, with buttons', async () => {
  const { token } = await signIn()
  const tree = await t.ask(myMenus, undefined, { token })
  const mine = tree.find(x => x.menuCode === 'accounts')!
  expect(mine.children!.map(x => x.menuCode)).toContain('accounts.manager')
  expect(mine.children!.find(x => x.menuCode === 'accounts.manager')).toMatchObject({
    allowView: true,
    allowDel: true,
    parentCode: 'accounts',
    buttonCodes: expect.arrayContaining(['reset', 'domain']),
  })
})

it('companies stand side by side, and a login name belongs to one of them', async () => {
  const other = await t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: '另一家',
      loginCode: `${name}b`,
      password: 'Right2026',
      realName: '别人',
    }),
  )
  const a = await signIn()
  const b = await t.ask(login, { loginCode: `${name}b`, password: 'Right2026' })
  expect(b.manager.ownerId).toBe(other.ownerId)
  expect(a.manager.ownerId).not.toBe(b.manager.ownerId)
  const seen = await t.store
    .reader(a.manager.ownerId)
    .rows<{ loginCode: string }>(sql`select login_code from manager`)
  expect(seen.map(x => x.loginCode)).toEqual([name])
  const again = t.store.tx('*', tx =>
    createCompany(tx, {
      companyName: '抢名',
      loginCode: name.toUpperCase(),
      password: 'Right2026',
      realName: '谁',
    }),
  )
  expect((await refusal(again)).message).toBe('该账号已被使用，请换一个账号')
  expect(
    (await refusal(t.ask(account, undefined, { token: a.token, ownerId: b.manager.ownerId }))).code,
  ).toBe(10003)
})

it('a stopped account or company is told so, and its sessions end', async () => {
  const { token, manager } = await signIn()
  await t.store.tx('*', tx => tx.run(sql`update manager set state = 20 where owner_id = ${manager.ownerId}`))
  await t.world.sessions.refresh(manager.ownerId, manager.id)
  await expect(t.ask(account, undefined, { token })).rejects.toBeInstanceOf(SignInFirst)
  expect((await refusal(signIn())).message).toContain('账号已停用')
})

it('an empty installation is set up once, also when two try at the same time', async () => {
  const empty = await freshDatabase({ from: 'nothing' })
  await migrate(empty.url)
  const e = await openTestWorld(
    empty.url,
    [
      { contract, server },
      { contract: estates, server: estatesServer },
    ],
    callerOf,
  )
  try {
    expect(await e.ask(door, undefined)).toEqual({ empty: true })
    const first = (i: number) =>
      e.ask(setUp, {
        companyName: `首家${i}`,
        realName: '首位',
        loginCode: `first${i}`,
        password: 'Anju2026',
      })
    const done = await Promise.allSettled([first(1), first(2), first(3)])
    expect(done.filter(d => d.status === 'fulfilled')).toHaveLength(1)
    expect((done.find(d => d.status === 'rejected') as PromiseRejectedResult).reason.message).toBe(
      '系统已完成初始化，请直接登录',
    )
    expect(await e.ask(door, undefined)).toMatchObject({
      empty: false,
      companyName: expect.stringContaining('首家'),
    })
  } finally {
    await e.close()
    await empty.drop()
  }
})
