import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import type { TestApp } from '#kit/server/fixtures/test-app.ts'
import { login } from '../contract/sign-in.ts'
import { demoLogins, demoPassword } from '../domain/demo-account.ts'
import { openAccountsApp } from './accounts.fixtures.ts'
import { createCompany } from './public.ts'

let t: TestApp

beforeAll(async () => {
  t = await openAccountsApp()
  for (const [loginCode, password] of [
    [demoLogins.main, demoPassword],
    [demoLogins.small, 'Changed2026'],
  ] as const) {
    await t.database.tx('*', tx =>
      createCompany(tx, { companyName: loginCode, loginCode, password, realName: '演示管理员' }),
    )
  }
})

afterAll(() => t?.close())

afterEach(() => {
  delete process.env.HOST
})

it('a published sign-in works on this machine alone; with a password of its own the account works anywhere', async () => {
  const signIn = () => t.call(login, { loginCode: 'Demo', password: demoPassword })
  expect((await signIn()).token).not.toBe('')
  process.env.HOST = '0.0.0.0'
  expect((await refusalOf(signIn())).message).toContain('演示账号的密码是公开的')
  expect((await t.call(login, { loginCode: 'demo2', password: 'Changed2026' })).token).not.toBe('')
})
