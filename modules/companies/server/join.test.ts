import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refused } from '#kit/contract/wire.ts'
import { sql } from '#kit/server/db.ts'
import type { As } from '#kit/server/ground/world.ts'
import { delivered } from '#kit/server/sms-simulator.ts'
import { captchaPicture } from '#modules/accounts/contract/sign-in.ts'
import { golden } from '../../../db/golden/fill.ts'
import { openGolden, type GoldenWorld } from '../../../db/golden/world.ts'
import { addCompany, qrUrl, renewQr, type Company } from '../contract/company.ts'
import { invitation, joinCompany, sendJoinCode } from '../contract/join.ts'
import { auditWorkers, listWorkers } from '../contract/worker.ts'

let t: GoldenWorld
let me: As
let c: Company
let code: string

beforeAll(async () => {
  t = await openGolden({ works: true })
  me = await t.as(golden.first.owner, 'GOLD0002')
  c = await t.ask(addCompany, { projectCode: 'GOLD0002', name: '扫码公司' } as never, me)
  code = (await t.ask(qrUrl, { id: c.id }, me)).code
})

afterAll(() => t?.close())

const refusal = async (p: Promise<unknown>): Promise<Refused & { data: any }> => {
  const e = await p.then(
    () => undefined,
    x => x,
  )
  expect(e).toBeInstanceOf(Refused)
  return e as never
}

async function picture(): Promise<{ captchaKey: string; captcha: string }> {
  const { captchaKey } = await t.ask(captchaPicture, undefined)
  await t.store.tx('*', tx =>
    tx.run(
      sql`
        update captcha
        set answer = ${createHash('sha256').update(`${captchaKey}:ACEF`).digest()}
        where key = ${captchaKey}
      `,
    ),
  )
  return { captchaKey, captcha: 'ACEF' }
}

/** A code by SMS, as it arrived. */
async function proof(mobile: string): Promise<string> {
  t.turn(61_000)
  await t.ask(sendJoinCode, { code, mobile, ...(await picture()) })
  return delivered(t.world)
    .filter(d => d.mobile === mobile)
    .at(-1)!.params.code!
}

const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])
const photo = (): As => ({ upload: { ...t.upload('脸.png', png), name: '脸.png', type: 'image/png' } })

const join = (mobile: string, smsCode: string, more: object = {}, as: As = photo()) =>
  t.ask(joinCompany, { code, name: '新人', mobile, smsCode, ...more } as never, as)

const people = async () => (await t.ask(listWorkers, { companyId: [String(c.id)] } as never, me)).rows

it('says whose invitation it is, and nothing for one that is not', async () => {
  expect(await t.ask(invitation, { code })).toMatchObject({
    companyName: '扫码公司',
    estateName: expect.any(String),
  })
  for (const wrong of ['0'.repeat(32), `${code}'`, code.toUpperCase()]) {
    expect((await refusal(t.ask(invitation, { code: wrong }))).message).toBe(
      '邀请码已失效，请向企业管理员重新索取',
    )
  }
})

it('sends a code only after the picture and for a live invitation (PERM-11)', async () => {
  expect(
    (await refusal(t.ask(sendJoinCode, { code, mobile: '13522220001', captcha: 'XXXX', captchaKey: 'none' })))
      .data.Field,
  ).toBe('Captcha')
  expect(
    (
      await refusal(
        t.ask(sendJoinCode, { code: '1'.repeat(32), mobile: '13522220001', ...(await picture()) }),
      )
    ).message,
  ).toContain('已失效')
  expect(delivered(t.world).some(d => d.mobile === '13522220001')).toBe(false)
  await proof('13522220001')
  expect(
    (await refusal(t.ask(sendJoinCode, { code, mobile: '13522220001', ...(await picture()) }))).code,
  ).toBe(10006)
})

it('takes somebody in who proved his number and showed his face; he waits for audit', async () => {
  const sms = await proof('13522220002')
  expect((await refusal(join('13522220002', sms, {}, {}))).data).toEqual([
    { Field: 'Photo', Message: '请上传本人照片' },
  ])
  expect(
    (
      await refusal(
        join(
          '13522220002',
          sms,
          {},
          { upload: { ...t.upload('a.txt', png), name: 'a.txt', type: 'text/plain' } },
        ),
      )
    ).data,
  ).toEqual([{ Field: 'Photo', Message: '照片只能是图片，请重新选择' }])
  expect((await refusal(join('13522220002', sms === '000000' ? '000001' : '000000'))).message).toBe(
    '短信验证码不正确，还可再试 4 次',
  )
  // A code that was sent for one number proves no other.
  expect((await refusal(join('13522220003', sms))).message).toBe('短信验证码已失效，请重新获取')
  expect(await people()).toEqual([])
  expect(await join('13522220002', sms, { position: '工程师' })).toEqual({
    companyName: '扫码公司',
    already: false,
  })
  const [w] = await people()
  expect(w).toMatchObject({
    name: '新人',
    mobile: '13522220002',
    position: '工程师',
    state: 'pending',
    isAdmin: false,
  })
  expect(
    await t.world.files.describe(
      t.store
        ? (await t.store
            .reader('*')
            .one<{ o: number }>(sql`select owner_id as o from company where id = ${c.id}`))!.o
        : 0,
      [w!.photo!],
    ),
  ).toMatchObject([{ name: '脸.png', type: 'image/png' }])
  expect((await refusal(join('13522220002', sms))).message).toBe('短信验证码已失效，请重新获取')
})

it('puts right what waits, says so to whom works there already, and lets one of two at once in', async () => {
  expect(await join('13522220002', await proof('13522220002'), { name: '改名' })).toMatchObject({
    already: false,
  })
  expect((await people()).map(w => [w.name, w.state])).toEqual([['改名', 'pending']])
  const [w] = await people()
  expect(await t.ask(auditWorkers, { ids: [String(w!.id)], pass: true } as never, me)).toMatchObject({
    success: 1,
  })
  expect(await join('13522220002', await proof('13522220002'), { name: '又来' })).toEqual({
    companyName: '扫码公司',
    already: true,
  })
  expect((await people()).map(x => [x.name, x.state])).toEqual([['改名', 'active']])
  const sms = await proof('13522220004')
  const said = await Promise.allSettled([join('13522220004', sms), join('13522220004', sms)])
  expect(said.map(s => s.status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await people()).length).toBe(2)
})

it('a new picture ends the old one; too many who wait stop the next', async () => {
  await t.store.tx('*', tx =>
    tx.run(
      sql`
        insert into company_worker (owner_id, project_code, company_id, name, state)
        select owner_id, project_code, id, 'x', 30
        from company, generate_series(1, 500)
        where id = ${c.id}
      `,
    ),
  )
  const sms = await proof('13522220005')
  expect((await refusal(join('13522220005', sms))).message).toBe(
    '等待审核的申请太多，请联系企业管理员处理后再试',
  )
  const old = code
  code = (await t.ask(renewQr, { id: c.id }, me)).code
  expect(code).not.toBe(old)
  expect(
    (
      await refusal(
        t.ask(joinCompany, { code: old, name: '晚来', mobile: '13522220006', smsCode: '123456' }, photo()),
      )
    ).message,
  ).toContain('已失效')
})
