import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { createHash } from 'node:crypto'
import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/scrypt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/db.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { refusalOf, detailsOf } from '#kit/server/fixtures/refusal.ts'
import { getCaptcha } from '#modules/accounts/contract/sign-in.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { companies, getCompanyQr, renewCompanyQr, type Company } from '../contract/company.ts'
import { getInvitation, joinCompany, sendJoinCode } from '../contract/join.ts'
import { auditWorkers, companyWorkers } from '../contract/company-worker.ts'

let t: GoldenApp
let me: CallOptions
let invitingCompany: Company
let code: string

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.signedInAs(golden.first.owner, 'GOLD0002')
  invitingCompany = await t.call(companies.add, { projectCode: 'GOLD0002', name: '扫码公司' }, me)
  code = (await t.call(getCompanyQr, { id: invitingCompany.id }, me)).code
})

afterAll(() => t?.close())

async function solveCaptcha(): Promise<{ captchaKey: string; captcha: string; proof: string }> {
  const { captchaKey } = await t.call(getCaptcha, undefined)
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        update captcha
        set answer = ${createHash('sha256').update(`${captchaKey}:ACEF`).digest()}
        where key = ${captchaKey}
      `,
    ),
  )
  const challenge = await createChallenge({
    algorithm: 'SCRYPT',
    cost: 64,
    memoryCost: 8,
    keyPrefix: '0',
    deriveKey,
    hmacSignatureSecret: await installationSecretOf(t.app.database, 'proof-secret'),
    data: { captchaKey },
  })
  const proof = JSON.stringify({ challenge, solution: await solveChallenge({ challenge, deriveKey }) })
  return { captchaKey, captcha: 'ACEF', proof }
}

/** A code by SMS, as it arrived. */
async function receiveSmsCode(mobile: string): Promise<string> {
  t.advanceClock(61_000)
  await t.call(sendJoinCode, { code, mobile, ...(await solveCaptcha()) })
  return defined(
    defined(
      deliveredSms(t.app)
        .filter(d => d.mobile === mobile)
        .at(-1),
    ).params.code,
  )
}

const pngBytes = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
const photoUpload = (): CallOptions => ({
  upload: { ...t.upload('脸.png', pngBytes), name: '脸.png', type: 'image/png' },
})

const submitJoin = (
  mobile: string,
  smsCode: string,
  overrides: object = {},
  as: CallOptions = photoUpload(),
) => t.call(joinCompany, { code, name: '新人', mobile, smsCode, ...overrides }, as)

const listCompanyWorkers = async () =>
  (await t.call(companyWorkers.list, { companyId: [String(invitingCompany.id)] }, me)).rows

it('says whose invitation it is, and nothing for one that is not', async () => {
  expect(await t.call(getInvitation, { code })).toMatchObject({
    companyName: '扫码公司',
    estateName: expect.any(String),
  })
  for (const wrong of ['0'.repeat(32), `${code}'`, code.toUpperCase()]) {
    expect((await refusalOf(t.call(getInvitation, { code: wrong }))).message).toBe(
      '邀请码已失效，请向企业管理员重新索取',
    )
  }
})

it('sends a code only after the picture and for a live invitation (PERM-11)', async () => {
  expect(
    detailsOf(
      await refusalOf(
        t.call(sendJoinCode, {
          code,
          mobile: '13522220001',
          captcha: 'XXXX',
          captchaKey: 'none',
          proof: 'x',
        }),
      ),
    ).Field,
  ).toBe('Captcha')
  expect(
    (
      await refusalOf(
        t.call(sendJoinCode, { code: '1'.repeat(32), mobile: '13522220001', ...(await solveCaptcha()) }),
      )
    ).message,
  ).toContain('已失效')
  expect(deliveredSms(t.app).some(d => d.mobile === '13522220001')).toBe(false)
  await receiveSmsCode('13522220001')
  expect(
    (await refusalOf(t.call(sendJoinCode, { code, mobile: '13522220001', ...(await solveCaptcha()) }))).code,
  ).toBe(10006)
})

it('accepts a person with a verified number and a face photo, who then awaits approval', async () => {
  const sms = await receiveSmsCode('13522220002')
  expect((await refusalOf(submitJoin('13522220002', sms, {}, {}))).data).toEqual([
    { Field: 'Photo', Message: '请上传本人照片' },
  ])
  expect(
    (
      await refusalOf(
        submitJoin(
          '13522220002',
          sms,
          {},
          { upload: { ...t.upload('a.txt', pngBytes), name: 'a.txt', type: 'text/plain' } },
        ),
      )
    ).data,
  ).toEqual([{ Field: 'Photo', Message: '照片只能是图片，请重新选择' }])
  expect((await refusalOf(submitJoin('13522220002', sms === '000000' ? '000001' : '000000'))).message).toBe(
    '短信验证码不正确，还可再试 4 次',
  )
  // A code that was sent for one number proves no other.
  expect((await refusalOf(submitJoin('13522220003', sms))).message).toBe('短信验证码已失效，请重新获取')
  expect(await listCompanyWorkers()).toEqual([])
  expect(await submitJoin('13522220002', sms, { position: '工程师' })).toEqual({
    companyName: '扫码公司',
    already: false,
  })
  const [w] = await listCompanyWorkers()
  expect(w).toMatchObject({
    name: '新人',
    mobile: '135 **** 0002',
    position: '工程师',
    state: 'pending',
    isAdmin: false,
  })
  expect(
    await t.app.files.describe(
      t.database
        ? defined(
            await t.database
              .reader('*')
              .one<{ o: Id }>(sql`select owner_id as o from company where id = ${invitingCompany.id}`),
          ).o
        : 0,
      [defined(defined(w).photo)],
    ),
  ).toMatchObject([{ name: '脸.png', type: 'image/png' }])
  expect((await refusalOf(submitJoin('13522220002', sms))).message).toBe('短信验证码已失效，请重新获取')
})

it('puts right what waits, says so to whom works there already, and lets one of two at once in', async () => {
  expect(
    await submitJoin('13522220002', await receiveSmsCode('13522220002'), { name: '改名' }),
  ).toMatchObject({
    already: false,
  })
  expect((await listCompanyWorkers()).map(w => [w.name, w.state])).toEqual([['改名', 'pending']])
  const [w] = await listCompanyWorkers()
  expect(await t.call(auditWorkers, { ids: [String(defined(w).id)], pass: true }, me)).toMatchObject({
    success: 1,
  })
  expect(await submitJoin('13522220002', await receiveSmsCode('13522220002'), { name: '又来' })).toEqual({
    companyName: '扫码公司',
    already: true,
  })
  expect((await listCompanyWorkers()).map(x => [x.name, x.state])).toEqual([['改名', 'active']])
  const sms = await receiveSmsCode('13522220004')
  const outcomes = await Promise.allSettled([submitJoin('13522220004', sms), submitJoin('13522220004', sms)])
  expect(outcomes.map(s => s.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect((await listCompanyWorkers()).length).toBe(2)
})

it('a new picture ends the old one; too many who wait stop the next', async () => {
  await t.database.tx('*', tx =>
    tx.execute(
      sql`
        insert into company_worker (owner_id, project_code, company_id, name, state)
        select owner_id, project_code, id, 'x', 30
        from company, generate_series(1, 500)
        where id = ${invitingCompany.id}
      `,
    ),
  )
  const sms = await receiveSmsCode('13522220005')
  expect((await refusalOf(submitJoin('13522220005', sms))).message).toBe(
    '等待审核的申请太多，请联系企业管理员处理后再试',
  )
  const old = code
  code = (await t.call(renewCompanyQr, { id: invitingCompany.id }, me)).code
  expect(code).not.toBe(old)
  expect(
    (
      await refusalOf(
        t.call(
          joinCompany,
          { code: old, name: '晚来', mobile: '13522220006', smsCode: '123456' },
          photoUpload(),
        ),
      )
    ).message,
  ).toContain('已失效')
})
