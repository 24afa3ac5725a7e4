import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { encryptionOf } from '#kit/server/encryption.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { faultTextsOf, refusalMessageOf } from '#kit/server/fixtures/refusal.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  deleteStaffFingerprints,
  listStaffFingerprints,
  saveStaffFingerprint,
  type StaffFingerprint,
} from '../contract/fingerprint.ts'
import { resignStaff, staffs } from '../contract/staff.ts'
import { templateSubject } from './fingerprint.ts'

const template = Buffer.from('a fingerprint template of one finger').toString('base64')

let t: GoldenApp
let me: CallOptions

beforeAll(async () => {
  t = await openGoldenApp()
  me = await t.owner
})

afterAll(() => t?.close())

const hire = async (name: string): Promise<Id> =>
  (await t.call(staffs.add, { name, state: 'active', isTicketSeller: false }, me)).id

const enrol = (staffId: Id, fingerNo: StaffFingerprint['fingerNo'], overrides: object = {}) =>
  t.call(saveStaffFingerprint, { staffId, fingerNo, deviceSn: 'ZK-1', template, ...overrides }, me)

const storedOf = (id: Id) =>
  t.app.database.reader('*').one<{ ownerId: Id; template?: Buffer; deleteTag: number }>(sql`
      select f.owner_id, t.template, f.delete_tag
      from staff_fingerprint f
      left join staff_fingerprint_template t on t.owner_id = f.owner_id and t.fingerprint_id = f.id
      where f.id = ${id}
    `)

it('stores the template so that a copy of the database cannot read it', async () => {
  const staffId = await hire('指纹甲')
  const saved = await enrol(staffId, 'leftIndex')
  expect(JSON.stringify(saved)).not.toContain(template)
  const stored = await storedOf(saved.id)
  expect(stored?.template?.toString('latin1')).not.toContain('fingerprint template')
  const { decrypt } = await encryptionOf(t.app)
  const bytes = stored?.template ?? Buffer.alloc(0)
  const ownerId = stored?.ownerId ?? 0
  expect(decrypt(bytes, templateSubject(ownerId, saved))).toBe(template)
  // Copied to another finger or person it is no template.
  expect(() => decrypt(bytes, templateSubject(ownerId, { ...saved, fingerNo: 'leftThumb' }))).toThrow()
  expect(() =>
    decrypt(bytes, templateSubject(ownerId, { ...saved, staffId: parseId(staffId + 1) })),
  ).toThrow()
})

it('shows which fingers are enrolled and never a template; one finger has one', async () => {
  const staffId = await hire('指纹乙')
  const first = await enrol(staffId, 'rightThumb')
  const again = await enrol(staffId, 'rightThumb', { deviceSn: 'ZK-2' })
  expect(again.id).toBe(first.id)
  await enrol(staffId, 'leftLittle')
  const prints = await t.call(listStaffFingerprints, { staffId }, me)
  expect(prints.map(p => [p.fingerNo, p.deviceSn])).toEqual([
    ['leftLittle', 'ZK-1'],
    ['rightThumb', 'ZK-2'],
  ])
  const person = await t.call(staffs.get, { id: staffId }, me)
  expect(person.fingers?.map(f => f.fingerNo)).toEqual(['leftLittle', 'rightThumb'])
  expect(JSON.stringify([prints, person])).not.toContain(template)
  // Two enrolments of one finger at once: both answer, one remains.
  await Promise.all([enrol(staffId, 'rightRing'), enrol(staffId, 'rightRing')])
  expect((await t.call(listStaffFingerprints, { staffId }, me)).length).toBe(3)
})

it('audits an enrolment without its template', async () => {
  const staffId = await hire('指纹丙')
  const { id } = await enrol(staffId, 'leftThumb')
  const entries = await t.app.database.reader('*').rows<{ text: string }>(sql`
    select after::text as text
    from audit_log
    where entity = 'staffFingerprint' and entity_id = ${id}
  `)
  expect(entries.length).toBe(1)
  expect(entries[0]?.text).toContain('leftThumb')
  expect(entries[0]?.text).not.toContain(template)
})

it('forgets the fingers of those who leave, are deleted, or whose finger is deleted', async () => {
  const [leaver, removed, stayer] = [await hire('指纹丁'), await hire('指纹戊'), await hire('指纹己')]
  const prints = [
    await enrol(leaver, 'leftIndex'),
    await enrol(removed, 'leftIndex'),
    await enrol(stayer, 'leftIndex'),
  ]
  await t.call(resignStaff, { ids: [String(leaver)], leaveDate: '2026-11-01', reason: '离职' }, me)
  await t.call(staffs.delete, { ids: [String(removed)], reason: '录错' }, me)
  await t.call(deleteStaffFingerprints, { ids: [String(prints[2]?.id)], reason: '录错手指' }, me)
  for (const print of prints) {
    const stored = await storedOf(print.id)
    expect([stored?.deleteTag, stored?.template]).toEqual([1, undefined])
  }
  expect(await refusalMessageOf(enrol(leaver, 'leftThumb'))).toBe('该员工已离职，不能采集指纹')
  expect((await enrol(stayer, 'leftIndex')).id).not.toBe(prints[2]?.id)
})

it('refuses what is no template', async () => {
  const staffId = await hire('指纹庚')
  expect(await faultTextsOf(enrol(staffId, 'leftIndex', { template: '<script>alert(1)</script>' }))).toEqual({
    template: '指纹模板格式错误，请重新采集',
  })
})
