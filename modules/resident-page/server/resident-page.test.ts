import { createHash } from 'node:crypto'
import { createChallenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/scrypt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { installationSecretOf } from '#kit/server/installation-secret.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { renewPersonLink, voidPersonLink } from '#modules/access/contract/person-link.ts'
import { getCaptcha } from '#modules/accounts/contract/sign-in.ts'
import { deliveredSms } from '#modules/accounts/server/sms-simulator.ts'
import { changeResidentMobile } from '#modules/residents/contract/maintenance.ts'
import { listEntranceCodes, listHomeLinks, printEntranceCodes } from '../contract/codes.ts'
import { openEntrance, openHome, sendResidentCode, signInResident } from '../contract/home.ts'
import { readResident, residentPageUrl } from './public.ts'

let t: GoldenApp
let me: CallOptions
let people: Person[]

interface Person {
  readonly id: Id
  readonly name: string
  readonly mobile: string
  readonly residencyId: Id
  readonly place: string
}

const projectCode = 'GOLD0001'
const day = 86_400_000
const reason = '链接外泄'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner, projectCode)
  people = await t.database.reader(t.ownerId).rows<Person>(sql`
    select p.id, p.name, p.mobile, min(l.id) as residency_id, min(r.path) as place
    from resident p
    join user_room l on l.owner_id = ${t.ownerId} and l.user_id = p.id
    join room r on r.owner_id = ${t.ownerId} and r.id = l.room_id
    where p.owner_id = ${t.ownerId}
      and p.state = 10
      and p.delete_tag = 0
      and l.project_code = ${projectCode}
      and l.status = 20
      and l.delete_tag = 0
      and not exists (
        select 1 from company_worker w where w.owner_id = ${t.ownerId} and w.user_id = p.id
      )
    group by p.id, p.name, p.mobile
    having count(*) = 1 and p.mobile is not null
    order by p.id
    limit 6
  `)
})

afterAll(() => t?.close())

const tokenOf = (url: string | undefined): string =>
  defined(new URL(defined(url), 'http://here').searchParams.get('t'))

const linkTokenOf = async ({ id }: Person): Promise<string> =>
  tokenOf(await residentPageUrl(t.app, t.ownerId, id))

const refusal = (token: string) => refusalMessageOf(t.call(openHome, { token }))

const entranceOf = async (code = projectCode): Promise<string> => {
  const [ofEstate] = await t.call(listEntranceCodes, { projectCode: code }, me)
  return defined(new URL(defined(ofEstate).url, 'http://here').searchParams.get('e'))
}

async function solveCaptcha(): Promise<{ captchaKey: string; captcha: string; proof: string }> {
  const { captchaKey } = await t.call(getCaptcha, undefined)
  await t.database.tx('*', tx =>
    tx.execute(sql`
      update captcha
      set answer = ${createHash('sha256').update(`${captchaKey}:ACEF`).digest()}
      where key = ${captchaKey}
    `),
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

async function requestCode(entrance: string, mobile: string): Promise<void> {
  t.advanceClock(61_000)
  await t.call(sendResidentCode, { entrance, mobile, ...(await solveCaptcha()) })
}

const receivedBy = (mobile: string): string | undefined =>
  deliveredSms(t.app).findLast(sent => sent.mobile === mobile)?.params.code

it('shows a resident their home and services by their own link, and nothing to a forged one', async () => {
  const person = defined(people[0])
  const token = await linkTokenOf(person)
  const page = await t.call(openHome, { token })
  expect(page).toMatchObject({ personName: person.name, homes: [{ placeName: person.place }] })
  expect(page.parts.find(part => part.key === 'access')?.url).toContain('/pass/own?t=')
  expect(await refusal(`${token.slice(0, -1)}${token.endsWith('x') ? 'y' : 'x'}`)).toContain('链接无效')
  const [link] = await t.call(listHomeLinks, { userId: person.id }, me)
  expect(tokenOf(link?.url)).toBe(token)
})

it('ends with the number and with the link of the home (BASE-14)', async () => {
  const person = defined(people[1])
  const first = await linkTokenOf(person)
  await t.call(changeResidentMobile, { id: person.id, mobile: '13900008801', reason: '换号' }, me)
  expect(await refusal(first)).toContain('链接无效')
  const second = await linkTokenOf(person)
  await t.call(voidPersonLink, { kind: 'residency', id: person.residencyId, reason }, me)
  expect(await refusal(second)).toContain('链接无效')
  expect(await residentPageUrl(t.app, t.ownerId, person.id)).toBeUndefined()
  await t.call(renewPersonLink, { kind: 'residency', id: person.residencyId, reason }, me)
  expect((await readResident(t, await linkTokenOf(person))).userId).toBe(person.id)
})

it('prints the codes of a project and of the buildings one may see (PERM-6)', async () => {
  const all = await t.call(listEntranceCodes, { projectCode }, me)
  const limited = await t.signedInAs(golden.first.buildingOnly, projectCode)
  const [whole, ...own] = await t.call(listEntranceCodes, { projectCode }, limited)
  expect(whole?.name).toBe('整个项目')
  expect(own.length).toBeGreaterThan(0)
  expect(own.length).toBeLessThan(all.length - 1)
  expect(await t.call(printEntranceCodes, { projectCode, origin: 'http://localhost' }, me)).toBeDefined()
  const elsewhere = t.call(printEntranceCodes, { projectCode, origin: 'http://elsewhere.cn' }, me)
  expect(await refusalTextOf(elsewhere)).toContain('网址应为本系统的地址')
})

it('responds alike for a number that is not registered, and sends it nothing', async () => {
  const entrance = await entranceOf()
  const mobile = '13900008899'
  await requestCode(entrance, mobile)
  expect(receivedBy(mobile)).toBeUndefined()
  expect(await refusalMessageOf(t.call(signInResident, { entrance, mobile, smsCode: '123456' }))).toContain(
    '验证码',
  )
})

it('signs in by the registered number, for thirty days and no longer than the link (PERM-11)', async () => {
  const person = defined(people[2])
  const entrance = await entranceOf()
  expect(await t.call(openEntrance, { entrance })).not.toHaveProperty('ownerId')
  await requestCode(entrance, person.mobile)
  await expect.poll(() => receivedBy(person.mobile)).toBeDefined()
  const smsCode = defined(receivedBy(person.mobile))
  const { token } = await t.call(signInResident, { entrance, mobile: person.mobile, smsCode })
  expect((await t.call(openHome, { token })).personName).toBe(person.name)
  // The phone reads a code again: it stays signed in where the resident lives.
  expect((await t.call(openHome, { token, entrance })).personName).toBe(person.name)
  const elsewhere = t.call(openHome, { token, entrance: await entranceOf('GOLD0002') })
  expect(await refusalMessageOf(elsewhere)).toContain('未登记住处')
  // The link within is none by itself: it would never end.
  expect(await refusal(defined(token.split('~')[0]))).toContain('链接无效')
  const [stranger] = (await linkTokenOf(defined(people[3]))).split('~')
  expect(await refusal(`${stranger}~${token.split('~')[1]}`)).toContain('链接无效')
  t.advanceClock(31 * day)
  expect(await refusal(token)).toContain('登录已过期')
})
