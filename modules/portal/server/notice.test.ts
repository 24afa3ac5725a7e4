import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { sql } from '#kit/server/db.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { departments } from '#modules/staff/contract/department.ts'
import { staffs } from '#modules/staff/contract/staff.ts'
import { getFileUrls } from '#modules/system/contract/file.ts'
import { listNotifications } from '#modules/system/contract/notification.ts'
import {
  confirmNotice,
  getOwnNotice,
  listOwnNotices,
  markNoticeRead,
  notices,
  previewAudience,
  publishNotice,
  remindReaders,
  withdrawNotice,
  type InternalNotice,
} from '../contract/notice.ts'
import { noticeReceivers } from '../contract/receiver.ts'
import { menu } from '../module.ts'

const { view, add, edit, del, publish } = menu.notice.permissions
const keeper = [view, add, edit, del, publish].map(p => p.key)

interface Person {
  readonly as: CallOptions
  readonly managerId: Id
}

let t: GoldenApp
let boss: Person
let reader: Person
let second: Person
let outsider: Person
let other: CallOptions
let departmentId: Id

const idOfManager = async (login: string): Promise<Id> =>
  defined(
    await t.database
      .reader(t.ownerId)
      .one<{ id: Id }>(sql`select id from manager where owner_id = ${t.ownerId} and login_code = ${login}`),
  ).id

async function addPerson(permissions: readonly string[], inDepartment?: Id): Promise<Person> {
  const { loginCode, as } = await t.addClerk(permissions)
  const managerId = await idOfManager(loginCode)
  if (inDepartment !== undefined) {
    const named = { name: loginCode.slice(0, 40), state: 'active', isTicketSeller: false } as const
    await t.call(staffs.add, { ...named, departmentId: inDepartment, managerId }, await t.owner)
  }
  return { as, managerId }
}

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  const owner = await t.owner
  const parent = await t.call(departments.add, { name: '门户总部' }, owner)
  departmentId = parent.id
  const child = await t.call(departments.add, { name: '门户分部', parentId: parent.id }, owner)
  boss = await addPerson(keeper)
  reader = await addPerson([], parent.id)
  second = await addPerson([], child.id)
  outsider = await addPerson([])
  other = await t.signedInAs(golden.second.owner)
})

afterAll(() => t?.close())

async function assertRefused(text: string, calls: readonly Promise<unknown>[]): Promise<void> {
  for (const message of await Promise.all(calls.map(refusalTextOf))) {
    expect(message).toContain(text)
  }
}

const draft = (overrides: object = {}) => ({
  title: '防汛值班安排',
  content: '本周起夜间值班增加一人。\n<script>alert(1)</script>',
  audience: 'departments' as const,
  departmentIds: [String(departmentId)],
  isImportant: true,
  ...overrides,
})

const addDraft = (overrides: object = {}): Promise<InternalNotice> =>
  t.call(notices.add, draft(overrides), boss.as)

async function addPublished(overrides: object = {}): Promise<InternalNotice> {
  const { id } = await addDraft(overrides)
  return t.call(publishNotice, { id }, boss.as)
}

const ownTitles = async (person: Person, waiting?: boolean): Promise<readonly string[]> =>
  (await t.call(listOwnNotices, waiting === undefined ? {} : { waiting }, person.as)).rows.map(
    row => row.title,
  )

const receiversOf = async (id: Id) =>
  (await t.call(noticeReceivers.list, { noticeId: [String(id)] }, boss.as)).rows

it('reaches the accounts of the departments and of those under them, each once', async () => {
  const { id } = await addDraft({ title: '部门公告' })
  expect(await ownTitles(reader)).not.toContain('部门公告')
  expect(await t.call(previewAudience, { id }, boss.as)).toEqual({ receiverCount: 2, withoutAccountCount: 0 })
  const published = await t.call(publishNotice, { id }, boss.as)
  expect(published).toMatchObject({ state: 'published', receiverCount: 2, readCount: 0, confirmedCount: 0 })
  expect(await ownTitles(reader, true)).toContain('部门公告')
  expect(await ownTitles(second, true)).toContain('部门公告')
  expect(await ownTitles(outsider)).not.toContain('部门公告')
  expect((await receiversOf(id)).map(r => r.managerId).toSorted((a, b) => a - b)).toEqual(
    [reader.managerId, second.managerId].toSorted((a, b) => a - b),
  )
  const bell = await t.call(listNotifications, { unread: true }, reader.as)
  expect(bell.rows.find(m => m.bizId === id)).toMatchObject({
    title: '重要公告：部门公告',
    level: 'important',
  })
})

it('goes to all accounts, by tag and by person; staff without an account are counted', async () => {
  const all = await addPublished({ title: '全体公告', audience: 'all', departmentIds: undefined })
  for (const person of [reader, outsider]) {
    expect(await ownTitles(person)).toContain('全体公告')
  }
  expect(all.receiverCount).toBeGreaterThan(4)
  const tagged = await addDraft({ audience: 'tags', tags: ['骨干'] })
  expect((await t.call(previewAudience, { id: tagged.id }, boss.as)).withoutAccountCount).toBeGreaterThan(0)
  expect((await refusalOf(t.call(publishNotice, { id: tagged.id }, boss.as))).message).toBe(
    '发布范围内的人员均无登录账号，请调整发布范围',
  )
})

it('is read and confirmed once, whichever of two windows is first', async () => {
  const { id } = await addPublished({ title: '两个窗口' })
  await Promise.all([
    t.call(markNoticeRead, { id }, reader.as),
    t.call(markNoticeRead, { id }, reader.as),
    t.call(markNoticeRead, { id }, second.as),
  ])
  expect(await t.call(notices.get, { id }, boss.as)).toMatchObject({ readCount: 2, confirmedCount: 0 })
  expect(await ownTitles(reader, true)).toContain('两个窗口')
  await Promise.all([t.call(confirmNotice, { id }, reader.as), t.call(confirmNotice, { id }, reader.as)])
  const first = await t.call(getOwnNotice, { id }, reader.as)
  expect(first).toMatchObject({ receipt: 'confirmed', isWaiting: false })
  await t.call(markNoticeRead, { id }, reader.as)
  expect(await t.call(getOwnNotice, { id }, reader.as)).toEqual(first)
  expect(await t.call(notices.get, { id }, boss.as)).toMatchObject({ readCount: 2, confirmedCount: 1 })
  const bell = await t.call(listNotifications, { unread: true }, reader.as)
  expect(bell.rows.some(m => m.bizId === id)).toBe(false)
})

it('asks for no receipt where it is not important', async () => {
  const { id } = await addPublished({ title: '一般公告', isImportant: false })
  expect((await refusalOf(t.call(confirmNotice, { id }, reader.as))).message).toBe('该公告无需确认已阅')
  await t.call(markNoticeRead, { id }, reader.as)
  expect(await ownTitles(reader, true)).not.toContain('一般公告')
})

it('reminds who has not confirmed, each of them once, although two press at the same moment', async () => {
  const { id } = await addPublished({ title: '提醒一次' })
  await t.call(confirmNotice, { id }, reader.as)
  const [one, two] = await Promise.allSettled([
    t.call(remindReaders, { id }, boss.as),
    t.call(remindReaders, { id }, boss.as),
  ])
  expect([one.status, two.status].toSorted()).toEqual(['fulfilled', 'rejected'])
  const bell = (await t.call(listNotifications, { size: 100 }, second.as)).rows.filter(m => m.bizId === id)
  expect(bell.map(m => m.title).toSorted()).toEqual(['请阅读公告：提醒一次', '重要公告：提醒一次'].toSorted())
  const ofReader = (await t.call(listNotifications, { size: 100 }, reader.as)).rows.filter(
    m => m.bizId === id,
  )
  expect(ofReader).toHaveLength(1)
})

it('is published once and withdrawn once; in the same instant one of two wins', async () => {
  const { id } = await addDraft({ title: '同一时刻' })
  const outcomes = await Promise.allSettled([
    t.call(publishNotice, { id }, boss.as),
    t.call(publishNotice, { id }, boss.as),
  ])
  expect(outcomes.map(o => o.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await receiversOf(id)).toHaveLength(2)
  const both = await Promise.allSettled([
    t.call(withdrawNotice, { id, reason: '内容有误' }, boss.as),
    t.call(withdrawNotice, { id, reason: '内容有误' }, boss.as),
  ])
  expect(both.map(o => o.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await ownTitles(reader)).not.toContain('同一时刻')
  await expect(t.call(getOwnNotice, { id }, reader.as)).rejects.toThrow('不存在')
  expect((await t.call(listNotifications, { size: 100 }, reader.as)).rows.some(m => m.bizId === id)).toBe(
    false,
  )
  expect((await refusalOf(t.call(publishNotice, { id }, boss.as))).message).toContain('已撤回')
})

it('published and withdrawn at once is either published or withdrawn, never half of both', async () => {
  const { id } = await addDraft({ title: '半途' })
  await Promise.allSettled([
    t.call(publishNotice, { id }, boss.as),
    t.call(withdrawNotice, { id, reason: '内容有误' }, boss.as),
  ])
  const { state } = await t.call(notices.get, { id }, boss.as)
  expect((await ownTitles(reader)).includes('半途')).toBe(state === 'published')
})

it('is changed as a draft alone, and deleted with all that its receivers saw', async () => {
  const made = await addDraft({ title: '待删除' })
  await expect(
    t.call(notices.edit, { ...draft(), id: made.id, title: '已修改' }, boss.as),
  ).resolves.toMatchObject({
    title: '已修改',
  })
  await t.call(publishNotice, { id: made.id }, boss.as)
  expect((await refusalOf(t.call(notices.edit, { ...draft(), id: made.id }, boss.as))).message).toContain(
    '不能修改',
  )
  await t.call(notices.delete, { ids: [String(made.id)], reason: '录入有误' }, boss.as)
  expect(await ownTitles(reader)).not.toContain('已修改')
  expect(await receiversOf(made.id)).toEqual([])
})

it('is seen by its receivers alone, and kept by those with the right alone', async () => {
  const { id } = await addPublished({ title: '权限' })
  await assertRefused('不存在', [
    t.call(getOwnNotice, { id }, outsider.as),
    t.call(markNoticeRead, { id }, outsider.as),
    t.call(confirmNotice, { id }, outsider.as),
  ])
  await assertRefused('无权', [
    t.call(notices.list, {}, reader.as),
    t.call(notices.get, { id }, reader.as),
    t.call(noticeReceivers.list, { noticeId: [String(id)] }, reader.as),
    t.call(publishNotice, { id }, reader.as),
    t.call(withdrawNotice, { id, reason: '内容有误' }, reader.as),
    t.call(remindReaders, { id }, reader.as),
  ])
  await assertRefused('不存在', [
    t.call(notices.get, { id }, other),
    t.call(getOwnNotice, { id }, other),
    t.call(publishNotice, { id }, other),
    t.call(withdrawNotice, { id, reason: '内容有误' }, other),
    t.call(remindReaders, { id }, other),
    t.call(confirmNotice, { id }, other),
    t.call(notices.delete, { ids: [String(id)], reason: '录入有误' }, other),
  ])
  expect((await t.call(noticeReceivers.list, { noticeId: [String(id)] }, other)).rows).toEqual([])
})

it('names somebody in its audience: not nobody, not the departments or people of another company', async () => {
  for (const [audience, field] of [
    ['departments', 'DepartmentIDs'],
    ['tags', 'Tags'],
    ['people', 'StaffIDs'],
  ] as const) {
    const refusal = await refusalOf(addDraft({ audience, departmentIds: [] }))
    expect(refusal.data).toEqual([expect.objectContaining({ Field: field })])
  }
  const foreign = await t.call(departments.add, { name: '别家部门' }, other)
  await expect(addDraft({ departmentIds: [String(foreign.id)] })).rejects.toThrow()
  await expect(addDraft({ title: '长'.repeat(200) })).rejects.toThrow()
  await expect(addDraft({ content: '长'.repeat(5001) })).rejects.toThrow()
  await expect(addDraft({ attachments: ['0'.repeat(40)] })).rejects.toThrow()
})

it('opens its attachments to its receivers as long as it is published', async () => {
  const upload = t.upload('值班表.txt', new TextEncoder().encode('甲、乙'))
  const key = await t.app.files.save(t.ownerId, boss.managerId, upload)
  const { id } = await addDraft({ title: '附件', attachments: [key] })
  const canOpen = async (person: Person): Promise<boolean> =>
    (await t.call(getFileUrls, { keys: [key] }, person.as)).length === 1
  expect(await canOpen(reader)).toBe(false)
  await t.call(publishNotice, { id }, boss.as)
  expect([await canOpen(reader), await canOpen(outsider)]).toEqual([true, false])
  await t.call(withdrawNotice, { id, reason: '内容有误' }, boss.as)
  expect(await canOpen(reader)).toBe(false)
})
