import { defined } from '#kit/domain/defined.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { refusalOf } from '#kit/server/fixtures/refusal.ts'
import { listRecordHistory, revealPersonalData } from '#modules/accounts/contract/operation-log.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { addResidentBlock, listResidentBlocks } from '../contract/block.ts'
import { searchResidentOptions } from '../contract/maintenance.ts'
import { addResident, getResident, listResidents, type Resident } from '../contract/resident.ts'

let t: GoldenApp
let me: CallOptions
let person: Resident
const mobile = '13512340077'
const masked = '135 **** 0077'

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
  person = await t.call(
    addResident,
    { homeProject: 'GOLD0002', name: '密号', userType: 'person', state: 'normal', mobile },
    me,
  )
})

afterAll(() => t?.close())

const reveal = (as: CallOptions, field = 'mobile') =>
  t.call(revealPersonalData, { entity: 'resident', entityId: person.id, field }, as)

it('no list, record or picker sends a phone in full to anyone (PERM-7)', async () => {
  expect(person.mobile).toBe(masked)
  expect((await t.call(getResident, { id: person.id }, me)).mobile).toBe(masked)
  const listed = await t.call(listResidents, { projectCode: 'GOLD0002', keyword: '密号' }, me)
  expect(listed.rows.map(r => r.mobile)).toEqual([masked])
  // The picker finds people of an estate, and this one by name.
  const offered = await t.call(searchResidentOptions, { userIds: [String(person.id)] }, me)
  expect(offered.map(r => r.mobile)).toEqual([masked])
})

it('the one number is sent to who may see it, and that is logged (PERM-7)', async () => {
  expect(await reveal(me)).toBe(mobile)
  expect((await t.call(listRecordHistory, { entity: 'resident', entityId: person.id }, me))[0]).toMatchObject(
    { action: '查看完整信息', reason: '手机号' },
  )
  // What has no call for one record is read with the permission of its list.
  const block = await t.call(
    addResidentBlock,
    { projectCode: 'GOLD0001', name: '外人', mobile: '13512340078', scope: ['visit'], reason: '滋事' },
    me,
  )
  expect(block.mobile).toBe('135 **** 0078')
  expect(
    await t.call(revealPersonalData, { entity: 'residentBlock', entityId: block.id, field: 'mobile' }, me),
  ).toBe('13512340078')
  expect(defined((await t.call(listResidentBlocks, {}, me)).rows[0]).mobile).toContain('*')
})

it('a number is refused without the right, the permission or the data domain, and where nothing is masked', async () => {
  // A clerk of a single permission has no right to see phones in full.
  const { as: clerk } = await t.addClerk(['residents.resident.view'])
  expect((await refusalOf(reveal(clerk))).message).toContain('查看完整手机号、证件号')
  const elsewhere = await t.signedInAs(golden.first.estateOnly)
  const refusal = await refusalOf(reveal(elsewhere))
  expect(refusal.message).not.toContain(mobile)
  expect((await refusalOf(reveal(me, 'name'))).message).toContain('无需查看')
  expect((await refusalOf(reveal(await t.signedInAs(golden.second.owner)))).message).toBeTruthy()
})
