import type { Id } from '#kit/domain/id.ts'
import { createHash, randomInt } from 'node:crypto'
import { codeOf, labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { Refused, resultCode, refuse } from '#kit/contract/wire.ts'
import { fromInstant } from '#kit/domain/moment.ts'
import { sql, type Tx } from '#kit/server/db.ts'
import { MailFault, mailerOf } from '#kit/server/mail.ts'
import { smsOf } from './sms.ts'
import type { App } from '#kit/server/app.ts'
import { smsCodePurpose } from '../contract/sms-code.ts'
import { createFieldRefusal } from './field-refusal.ts'

type SmsCodePurpose = ChoiceOf<typeof smsCodePurpose>

/** The code that proves an address goes by e-mail, every other by SMS. `field`: its name on the wire. */
const channelOf = (purpose: SmsCodePurpose) =>
  purpose === 'email'
    ? { address: '邮箱', code: '邮箱验证码', field: 'EmailCode', message: '邮件' }
    : { address: '手机号', code: '短信验证码', field: 'SmsCode', message: '短信' }

/**
 * PERM-11: six digits, valid for five minutes, one a minute, ten a day per number, void after five wrong
 * tries.
 */
const codeLifetimeMs = 300_000
const resendIntervalMs = 60_000
const maxCodesPerDay = 10
const maxWrongTries = 5
const retentionMs = 30 * 86_400_000

const hashSmsCode = (mobile: string, purpose: SmsCodePurpose, digits: string): Buffer =>
  createHash('sha256').update(`${mobile}:${purpose}:${digits}`).digest()

const toPurposeCode = (purpose: SmsCodePurpose): string => String(codeOf(smsCodePurpose, purpose))

/** Codes a day, whatever their numbers: from one address, and at the cost of one company. */
const maxCodesPerAddress = 50
const maxCodesPerCompany = 300

/** From where a code is asked for, and at whose cost it is sent (0: of no company yet). */
export interface SmsCodeOrigin {
  readonly ip: string
  readonly companyId: Id
}

const startOfDay = (now: number): string => `${fromInstant(now).slice(0, 10)} 00:00:00+08`

/** Refuses an address that has had its codes of today. Returns whether the company has, too. */
async function checkCeilings(tx: Tx, { ip, companyId }: SmsCodeOrigin, now: number): Promise<boolean> {
  const since = sql`create_time >= ${startOfDay(now)}::timestamptz`
  const [[ofAddress], [ofCompany]] = await tx.all<[{ n: number }, { n: number }]>(
    sql`select count(*)::int as n from sms_code where ip = ${ip} and ${since}`,
    sql`
      select count(*)::int as n
      from sms_code
      where company_id = ${companyId}
        and company_id > 0
        and ${since}
    `,
  )
  if ((ofAddress?.n ?? 0) >= maxCodesPerAddress)
    throw new Refused(resultCode.rateLimited, '今天从此处发送的验证码过多，请明天再试')
  return (ofCompany?.n ?? 0) >= maxCodesPerCompany
}

/** Refuses a number that got a code less than a minute ago, or its tenth one today. */
async function assertWithinLimits(
  tx: Tx,
  mobile: string,
  purpose: SmsCodePurpose,
  now: number,
): Promise<void> {
  const sent = await tx.one<{ today: number; last?: number }>(
    sql`
      select count(*) filter (where create_time >= ${startOfDay(now)}::timestamptz) as today,
        extract(epoch from max(create_time)) * 1000 as last
      from sms_code
      where mobile = ${mobile}
    `,
  )
  if (sent?.last === undefined) return
  const secondsLeft = Math.ceil((Number(sent.last) + resendIntervalMs - now) / 1000)
  if (secondsLeft > 0) throw new Refused(resultCode.rateLimited, `验证码刚发过，请 ${secondsLeft} 秒后再试`)
  if (sent.today >= maxCodesPerDay)
    throw new Refused(
      resultCode.rateLimited,
      `该${channelOf(purpose).address}今天已发送 ${maxCodesPerDay} 次验证码，请明天再试`,
    )
}

/** Stores a new code, which replaces the older ones of its purpose. Returns its id. */
async function storeCode(
  tx: Tx,
  mobile: string,
  purpose: SmsCodePurpose,
  digits: string,
  now: number,
  { ip, companyId }: SmsCodeOrigin,
): Promise<number> {
  await tx.execute(
    sql`
      update sms_code
      set used = true
      where mobile = ${mobile} and purpose = ${toPurposeCode(purpose)} and not used
    `,
  )
  await tx.execute(sql`delete from sms_code where create_time < ${new Date(now - retentionMs)}`)
  const stored = await tx.one<{ id: Id }>(
    sql`
      insert into sms_code (mobile, purpose, hash, create_time, expire_time, ip, company_id)
      values (
        ${mobile}, ${toPurposeCode(purpose)}, ${hashSmsCode(mobile, purpose, digits)}, ${new Date(now)},
        ${new Date(now + codeLifetimeMs)}, ${ip}, ${companyId}
      )
      returning id
    `,
  )
  if (!stored) throw new Error('an SMS code was not stored')
  return stored.id
}

async function deliverCode(
  app: App,
  address: string,
  purpose: SmsCodePurpose,
  digits: string,
): Promise<void> {
  const label = labelOf(smsCodePurpose, purpose)
  if (purpose === 'email')
    return mailerOf(app).send({
      to: address,
      subject: `${label}的验证码`,
      text: `验证码 ${digits}，用于${label}，5 分钟内有效。如非本人操作，请忽略。`,
    })
  await (await smsOf(app)).send(address, 'code', { code: digits, purpose: label })
}

/** A fault of mail is shown at the address; of the server itself, staff only learns that it fails. */
function createSendingRefusal(purpose: SmsCodePurpose, error: unknown): Refused {
  if (error instanceof MailFault)
    return createFieldRefusal(
      'Email',
      error.kind === 'server' ? '暂时不能发送邮件，请稍后再试或联系系统维护人员' : error.message,
    )
  return new Refused(resultCode.refused, `${channelOf(purpose).message}发送失败，请稍后再试`)
}

/**
 * Sends a new code to a number or an address; refuses too many. `later` does not wait for the gateway,
 * `never` only counts: both answer in the same time.
 */
export async function sendSmsCode(
  app: App,
  mobile: string,
  purpose: SmsCodePurpose,
  origin: SmsCodeOrigin,
  when: 'now' | 'later' | 'never' = 'now',
): Promise<void> {
  const now = app.clock()
  const digits = String(randomInt(1_000_000)).padStart(6, '0')
  const { id, isCompanyFull } = await app.database.tx('*', async tx => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${mobile}, 11))`)
    await assertWithinLimits(tx, mobile, purpose, now)
    const isFull = await checkCeilings(tx, origin, now)
    if (isFull && when === 'now') refuse('公司今天发送的验证码已达上限，请明天再试或联系管理员')
    return { isCompanyFull: isFull, id: await storeCode(tx, mobile, purpose, digits, now, origin) }
  })
  // A caller who must not learn whether an account exists does not learn of its company's limit either.
  if (when === 'never' || isCompanyFull) return
  const sending = deliverCode(app, mobile, purpose, digits).catch(async err => {
    app.log.warn({ err }, 'sms not sent')
    await app.database.tx('*', tx => tx.execute(sql`delete from sms_code where id = ${id}`))
    if (when === 'now') throw createSendingRefusal(purpose, err)
  })
  if (when === 'now') {
    await sending
  } else {
    sending.catch(err => app.log.warn({ err }, 'sms code not withdrawn'))
  }
}

/** `right`, `unknown` (no valid code), or how many wrong tries the code has had now. */
type CodeCheck = 'right' | 'unknown' | { readonly failures: number }

async function checkCode(
  tx: Tx,
  mobile: string,
  purpose: SmsCodePurpose,
  digits: string,
  now: number,
  isKept: boolean,
): Promise<CodeCheck> {
  const stored = await tx.one<{ id: Id; hash: Buffer; failures: number }>(
    sql`
      select id, hash, failures
      from sms_code
      where mobile = ${mobile}
        and purpose = ${toPurposeCode(purpose)}
        and not used
        and expire_time > ${new Date(now)}
      order by id desc
      limit 1
      for update
    `,
  )
  if (!stored) return 'unknown'
  const isRight = stored.hash.equals(hashSmsCode(mobile, purpose, digits))
  if (isRight && !isKept) {
    await tx.execute(sql`update sms_code set used = true where id = ${stored.id}`)
    return 'right'
  }
  await tx.execute(
    sql`
      update sms_code
      set failures = failures + 1, used = failures + 1 >= ${maxWrongTries}
      where id = ${stored.id}
    `,
  )
  return isRight ? 'right' : { failures: stored.failures + 1 }
}

/**
 * Uses a code up, or refuses; a wrong try counts although it is refused. A code that is kept for a second
 * try, because something else is wrong, counts as a wrong one.
 */
export async function consumeSmsCode(
  app: App,
  mobile: string,
  purpose: SmsCodePurpose,
  digits: string,
  isKept = false,
): Promise<void> {
  const result = await app.database.tx('*', tx => checkCode(tx, mobile, purpose, digits, app.clock(), isKept))
  if (result === 'right') return
  const { field, code: name } = channelOf(purpose)
  if (result === 'unknown') throw createFieldRefusal(field, `${name}已失效，请重新获取`)
  const triesLeft = maxWrongTries - result.failures
  throw createFieldRefusal(
    field,
    triesLeft <= 0 ? `${name}错误次数过多，已失效，请重新获取` : `${name}不正确，还可再试 ${triesLeft} 次`,
  )
}
