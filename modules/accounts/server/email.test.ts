import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#kit/domain/id.ts'
import { defined } from '#kit/domain/defined.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { formatCounters } from '#kit/server/observation/counter.ts'
import { openSmtpReceiver, type SmtpReceiver } from '#kit/server/fixtures/smtp-receiver.ts'
import type { CallOptions, TestApp } from '#kit/server/fixtures/test-app.ts'
import {
  getNotificationSetting,
  listNotifications,
  saveNotificationSetting,
} from '#modules/system/contract/notification.ts'
import { sendDueMails } from '#modules/system/server/notification-mail.ts'
import { defineNotificationKind, notify } from '#modules/system/server/notify.ts'
import { getMyAccount } from '../contract/account.ts'
import { changeEmail, requestEmailCode, unbindEmail } from '../contract/email.ts'
import { requestSmsCode } from '../contract/sms-code.ts'
import { openAccountsApp, password, signInAs, solveCaptcha } from './accounts.fixtures.ts'
import { createCompany } from './company.ts'

const newsKind = defineNotificationKind({ key: 'test.mail', label: '试验邮件', group: 'notice' })

let t: TestApp
let receiver: SmtpReceiver
let n = 0
let ownerId: Id = 0
let id: Id = 0
let as: CallOptions = {}

beforeAll(async () => {
  t = await openAccountsApp()
  receiver = await openSmtpReceiver()
})

afterAll(async () => {
  await t?.close()
  await receiver?.close()
})

beforeEach(async () => {
  receiver.answers = {}
  receiver.received.length = 0
  vi.stubEnv('SMTP_HOST', '127.0.0.1')
  vi.stubEnv('SMTP_PORT', String(receiver.port))
  vi.stubEnv('SMTP_TLS', 'none')
  vi.stubEnv('SMTP_FROM', 'notice@example.com')
  const loginCode = `mail${++n}`
  const company = await t.database.tx('*', tx =>
    createCompany(tx, { companyName: `公司${n}`, loginCode, password, realName: '老板' }),
  )
  ownerId = company.ownerId
  id = company.operatorId
  as = await signInAs(t, loginCode)
})

afterEach(() => vi.unstubAllEnvs())

const requestCode = async (email: string): Promise<unknown> =>
  t.call(requestEmailCode, { email, ...(await solveCaptcha(t)) }, as)

const lastCode = (): string => defined(/验证码 (\d{6})/.exec(receiver.received.at(-1)?.text ?? '')?.[1])

/** An address of each test's own: codes to one address are a minute apart. */
const ownAddress = (): string => `zhou${n}@example.com`

async function bind(): Promise<void> {
  const email = ownAddress()
  await requestCode(email)
  await t.call(changeEmail, { email, emailCode: lastCode(), password }, as)
  receiver.received.length = 0
}

const send = (overrides: object = {}): Promise<number> =>
  t.database.tx(ownerId, tx =>
    notify(tx, t.app, ownerId, {
      kind: newsKind,
      to: [id],
      title: '账单已生成',
      text: '共 12 张。',
      ...overrides,
    }),
  )

const chooseMail = (overrides: object = {}) =>
  t.call(saveNotificationSetting, { off: [], mailed: [newsKind.key], ...overrides }, as)

const lastMessage = async () => defined((await t.call(listNotifications, { size: 1 }, as)).rows[0])

it('PERM-11: an address is bound by the code that it got, and by no other', async () => {
  expect(await t.call(getMyAccount, undefined, as)).toMatchObject({ mailAvailable: true })
  await requestCode('zhou@example.com')
  expect(receiver.received).toMatchObject([{ to: ['zhou@example.com'], subject: '绑定邮箱的验证码' }])
  const emailCode = lastCode()
  const wrong = emailCode === '000000' ? '000001' : '000000'
  expect(
    (await refusalOf(t.call(changeEmail, { email: 'zhou@example.com', emailCode: wrong, password }, as)))
      .message,
  ).toContain('邮箱验证码不正确，还可再试 4 次')
  expect(
    (await refusalOf(t.call(changeEmail, { email: 'other@example.com', emailCode, password }, as))).message,
  ).toContain('邮箱验证码已失效')
  expect(
    (
      await refusalOf(
        t.call(changeEmail, { email: 'zhou@example.com', emailCode, password: 'Wrong2026' }, as),
      )
    ).message,
  ).toContain('密码')
  await t.call(changeEmail, { email: 'zhou@example.com', emailCode, password }, as)
  expect(await t.call(getMyAccount, undefined, as)).toMatchObject({ email: 'zhou@example.com' })
  expect((await lastMessage()).title).toBe('邮箱 zhou@example.com 已绑定到你的账号')
  await t.call(unbindEmail, { password }, as)
  expect(await t.call(getMyAccount, undefined, as)).not.toHaveProperty('email')
  expect((await refusalOf(t.call(unbindEmail, { password }, as))).message).toBe('你的账号未绑定邮箱')
})

it('tells why a code was not sent, and lets it be asked for again at once', async () => {
  receiver.answers = { recipient: { code: 550, text: '5.1.1 no such user' } }
  const refusal = await refusalOf(requestCode('gone@example.com'))
  expect(refusal.message).toMatch(/^邮箱不存在或不收信：550/)
  // The form shows it at the address.
  expect(refusal.data).toEqual({ Field: 'Email' })
  receiver.answers = {}
  await requestCode('gone@example.com')
  expect(receiver.received).toHaveLength(1)
  expect((await refusalOf(requestCode('gone@example.com'))).message).toContain('验证码刚发过')
  const answer = t.call(
    requestSmsCode,
    { purpose: 'email', mobile: '13800000000', ...(await solveCaptcha(t)) },
    as,
  )
  expect((await refusalOf(answer)).message).toContain('邮箱验证码请在个人中心')
  vi.stubEnv('SMTP_HOST', '')
  expect((await refusalOf(requestCode('zhou@example.com'))).message).toContain('尚未配置邮件服务器')
  expect(await t.call(getMyAccount, undefined, as)).toMatchObject({ mailAvailable: false })
})

it('a kind is sent by e-mail once its receiver has an address and chose it; other kinds are not', async () => {
  expect((await refusalOf(chooseMail())).message).toContain('未绑定邮箱')
  await bind()
  await send()
  await sendDueMails(t.app)
  expect(receiver.received).toEqual([])
  await chooseMail()
  const setting = await t.call(getNotificationSetting, undefined, as)
  expect(setting).toMatchObject({ email: ownAddress(), mailAvailable: true })
  expect(setting.kinds.filter(k => k.mail).map(k => k.kind)).toEqual([newsKind.key])
  await send()
  expect(await lastMessage()).toMatchObject({ mailState: 'queued' })
  await Promise.all([sendDueMails(t.app), sendDueMails(t.app)])
  expect(receiver.received).toMatchObject([
    { to: [ownAddress()], subject: '账单已生成', text: expect.stringContaining('共 12 张。') },
  ])
  expect(await lastMessage()).toMatchObject({ mailState: 'sent', mailTime: expect.any(String) })
  // A program that knows nothing of e-mail leaves the choice as it is.
  await t.call(saveNotificationSetting, { off: [] }, as)
  const kept = await t.call(getNotificationSetting, undefined, as)
  expect(kept.kinds.some(k => k.mail)).toBe(true)
  await t.call(unbindEmail, { password }, as)
  await send()
  await sendDueMails(t.app)
  expect(await lastMessage()).toMatchObject({ mailState: 'failed', mailError: '账号已停用，或未绑定邮箱' })
})

it('tries again for hours what the server does not take now, and not what it refuses permanently', async () => {
  await bind()
  await chooseMail()
  receiver.answers = { message: { code: 451, text: '4.3.0 busy' } }
  await send()
  await sendDueMails(t.app)
  expect(await lastMessage()).toMatchObject({
    mailState: 'queued',
    mailError: expect.stringContaining('451'),
  })
  receiver.answers = {}
  await sendDueMails(t.app)
  expect(receiver.received).toEqual([])
  t.advanceClock(61_000)
  await sendDueMails(t.app)
  expect(receiver.received).toHaveLength(1)
  expect(await lastMessage()).toMatchObject({ mailState: 'sent' })
  expect(await lastMessage()).not.toHaveProperty('mailError')
  receiver.answers = { message: { code: 451, text: '4.3.0 busy' } }
  await send()
  for (const minutes of [0, 1, 5, 30, 120, 360]) {
    t.advanceClock(minutes * 60_000 + 1000)
    await sendDueMails(t.app)
  }
  as = await signInAs(t, `mail${n}`)
  expect(await lastMessage()).toMatchObject({
    mailState: 'failed',
    mailError: expect.stringContaining('451'),
  })
  receiver.answers = { message: { code: 554, text: '5.7.1 spam' } }
  await send()
  await sendDueMails(t.app)
  expect(await lastMessage()).toMatchObject({
    mailState: 'failed',
    mailError: expect.stringContaining('554'),
  })
})

it('keeps what a broken mail server did not take, asks it once a round, and writes it down', async () => {
  await bind()
  await chooseMail()
  const logged = vi.spyOn(t.app.log, 'error').mockImplementation(() => undefined)
  const before = formatCounters()
  receiver.answers = { recipient: { code: 554, text: '5.7.1 relay access denied' } }
  await send()
  await send()
  await sendDueMails(t.app)
  expect(logged).toHaveBeenCalledTimes(1)
  expect(logged).toHaveBeenCalledWith(expect.objectContaining({ kind: 'server' }), 'mail not sent')
  logged.mockRestore()
  const countOf = (text: string): number => Number(/mail_total\{result="server"\} (\d+)/.exec(text)?.[1])
  expect(countOf(formatCounters()) - countOf(before)).toBe(1)
  expect((await t.call(listNotifications, { size: 2 }, as)).rows).toMatchObject([
    { mailState: 'queued', mailError: expect.stringContaining('不接受系统的邮件') },
    { mailState: 'queued' },
  ])
  receiver.answers = {}
  t.advanceClock(61_000)
  await sendDueMails(t.app)
  expect(receiver.received).toHaveLength(2)
})

it('says of a broken mail server only that no mail gets out', async () => {
  receiver.answers = { recipient: { code: 554, text: '5.7.1 relay access denied by 10.0.0.9' } }
  expect(await refusalOf(requestCode('zhou@example.com'))).toMatchObject({
    message: '暂时不能发送邮件，请稍后再试或联系系统维护人员',
    data: { Field: 'Email' },
  })
})

it('waits for the end of quiet hours', async () => {
  await bind()
  const now = new Date(t.app.clock() + 8 * 3_600_000)
  const hour = (offset: number): string =>
    `${String((now.getUTCHours() + offset + 24) % 24).padStart(2, '0')}:00`
  await chooseMail({ quietFrom: hour(-1), quietTo: hour(2) })
  await send()
  await sendDueMails(t.app)
  expect(receiver.received).toEqual([])
  t.advanceClock(2 * 3_600_000)
  await sendDueMails(t.app)
  expect(receiver.received).toHaveLength(1)
})
