import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { companies } from '#modules/companies/contract/company.ts'
import { companyWorkers } from '#modules/companies/contract/company-worker.ts'
import { changeResidentMobile } from '#modules/residents/contract/maintenance.ts'
import { listOwnLinks, openOwnAccess, showOwnCode } from '../../contract/own-access.ts'
import { renewPersonLink, voidPersonLink } from '../../contract/person-link.ts'
import { addDoorway, projectCode } from '../access.fixtures.ts'
import { findNeighbours, inBuilding, type Neighbour } from '../people.fixtures.ts'
import { signPersonLink, readPersonLink, type PersonLink } from './person-link.ts'

let t: GoldenApp
let me: CallOptions
let people: Neighbour[]
const reason = '链接外泄'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.signedInAs(golden.first.owner)
  people = await findNeighbours(t)
  await addDoorway(t, me, { isPublic: true })
})

afterAll(() => t?.close())

async function linkOf({ userId, place }: Neighbour) {
  const links = await t.call(listOwnLinks, { userId }, me)
  return defined(links.find(({ placeName }) => placeName === place))
}

async function tokenOf(person: Neighbour): Promise<string> {
  const { url } = await linkOf(person)
  return defined(new URL(defined(url), 'http://here').searchParams.get('t'))
}

const home = ({ residencyId }: Neighbour) => ({ kind: 'residency', id: residencyId }) as const

const refusalOf = (token: string) => refusalMessageOf(t.call(openOwnAccess, { token }))

it('a link that is void opens nothing until it is made again; the code goes with it (ACS-1)', async () => {
  const person = defined(people[0])
  const first = await tokenOf(person)
  const { code } = await t.call(showOwnCode, { token: first })
  await t.call(voidPersonLink, { ...home(person), reason }, me)
  expect(await refusalOf(first)).toBe('链接无效或已失效，请向物业重新索取')
  const { url, isVoid } = await linkOf(person)
  expect([url, isVoid]).toEqual([undefined, true])
  expect(await refusalMessageOf(t.call(voidPersonLink, { ...home(person), reason }, me))).toContain('已作废')
  await t.call(renewPersonLink, { ...home(person), reason: '本人申请' }, me)
  const second = await tokenOf(person)
  expect(await refusalOf(first)).toContain('链接无效')
  expect((await t.call(showOwnCode, { token: second })).code).not.toBe(code)
  await t.call(renewPersonLink, { ...home(person), reason }, me)
  expect(await refusalOf(second)).toContain('链接无效')
  const written = await t.database.reader(t.ownerId).rows<{ reason: string }>(sql`
    select reason
    from audit_log
    where owner_id = ${t.ownerId} and entity = 'residency' and entity_id = ${person.residencyId} and action = 'state'
    order by id
  `)
  expect(written.map(row => row.reason)).toEqual([
    '作废通行链接与邀访链接：链接外泄',
    '重新生成通行链接与邀访链接：本人申请',
    '重新生成通行链接与邀访链接：链接外泄',
  ])
})

it('a mobile that is put back revives no link of its time; a void one stays void (BASE-14)', async () => {
  const person = defined(people[1])
  const before = await t.database.reader(t.ownerId).one<{ mobile: string }>(sql`
    select mobile from resident where owner_id = ${t.ownerId} and id = ${person.userId}
  `)
  const first = await tokenOf(person)
  const changeTo = (mobile: string) =>
    t.call(changeResidentMobile, { id: person.userId, mobile, reason: '换号' }, me)
  await changeTo('13900009931')
  const second = await tokenOf(person)
  await changeTo(defined(before).mobile)
  expect(await refusalOf(first)).toContain('链接无效')
  expect(await refusalOf(second)).toContain('链接无效')
  expect(await t.call(openOwnAccess, { token: await tokenOf(person) })).toMatchObject({
    placeName: person.place,
  })
  await t.call(voidPersonLink, { ...home(person), reason }, me)
  await changeTo('13900009931')
  expect((await linkOf(person)).isVoid).toBe(true)
})

it('the links of a worker who is nobody’s resident end with the mobile, too (BASE-14)', async () => {
  const company = await t.call(companies.add, { projectCode, name: '链接测试企业' }, me)
  const draft = { projectCode, companyId: company.id, name: '钱一' }
  const { id } = await t.call(companyWorkers.add, { ...draft, mobile: '13900009941' }, me)
  const link: PersonLink = { kind: 'worker', ownerId: t.ownerId, id }
  const isRead = async (token: string | undefined) =>
    (await readPersonLink(t.app, 'test-link', defined(token))) !== undefined
  const first = await signPersonLink(t.app, 'test-link', link)
  expect(await isRead(first)).toBe(true)
  await t.call(companyWorkers.edit, { id, ...draft, mobile: '13900009942' }, me)
  expect(await isRead(first)).toBe(false)
  await t.call(companyWorkers.edit, { id, ...draft, mobile: '13900009941' }, me)
  expect(await isRead(first)).toBe(false)
  await t.call(voidPersonLink, { kind: 'worker', id, reason }, me)
  expect(await signPersonLink(t.app, 'test-link', link)).toBeUndefined()
  await t.call(companyWorkers.delete, { ids: [String(id)], reason: '离职' }, me)
  const renewal = t.call(renewPersonLink, { kind: 'worker', id, reason }, me)
  expect(await refusalMessageOf(renewal)).toContain('已迁出或离职')
})

it('somebody with one building makes links of its homes void alone (PERM-6)', async () => {
  const limited = await t.signedInAs(golden.first.buildingOnly)
  const [seen, other] = [inBuilding(people.slice(2), 'B1'), inBuilding(people, 'B2')]
  const voided = async (person: Neighbour): Promise<boolean> => {
    await t.call(voidPersonLink, { ...home(person), reason }, limited).catch(() => undefined)
    return (await linkOf(person)).isVoid
  }
  expect([await voided(seen), await voided(other)]).toEqual([true, false])
  const unknown = asId(999_999_999)
  expect(
    await refusalMessageOf(t.call(voidPersonLink, { kind: 'worker', id: unknown, reason }, me)),
  ).toContain('不存在')
})
