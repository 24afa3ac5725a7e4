import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { imageTexts, portalEntries, websites } from '../contract/entry.ts'
import { getPortal, getPortalImageText } from '../contract/home.ts'

let t: GoldenApp
let boss: CallOptions
let reader: CallOptions
let other: CallOptions

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  boss = await t.owner
  reader = (await t.addClerk([])).as
  other = await t.signedInAs(golden.second.owner)
})

afterAll(() => t?.close())

async function assertRefused(text: string, calls: readonly Promise<unknown>[]): Promise<void> {
  for (const message of await Promise.all(calls.map(refusalTextOf))) {
    expect(message).toContain(text)
  }
}

const keyByKind = {
  website: 'websites',
  service: 'services',
  project: 'projects',
  imageText: 'imageTexts',
} as const

const draft = (title: string, overrides: object = {}) => ({
  title,
  content: '说明',
  linkUrl: 'https://example.com/a',
  state: 'on' as const,
  ...overrides,
})

it.each(portalEntries.map(entries => [entries.kind, entries] as const))(
  '%s: pinned first by their order, switched off not at all',
  async (_kind, entries) => {
    const addOne = async (title: string, sort: number): Promise<Id> =>
      (await t.call(entries.add, draft(title, { sort }), boss)).id
    const first = await addOne('甲', 0)
    const second = await addOne('乙', 1)
    const third = await addOne('丙', 2)
    const fourth = await addOne('丁', 3)
    const ids = [first, second, third, fourth]
    await t.call(entries.setTop, { id: fourth, topSort: 1 }, boss)
    await t.call(entries.setTop, { id: third, topSort: 2 }, boss)
    const listed = async (): Promise<readonly number[]> =>
      (await t.call(entries.list, { size: 100 }, boss)).rows.map(row => row.id).filter(id => ids.includes(id))
    expect(await listed()).toEqual([fourth, third, first, second])
    await t.call(entries.setState, { ids: [String(fourth)], state: 'off' }, boss)
    await t.call(entries.setState, { ids: [String(fourth)], state: 'off' }, boss)
    expect(await t.call(entries.get, { id: fourth }, boss)).toMatchObject({ state: 'off', topSort: 0 })
    expect((await refusalOf(t.call(entries.setTop, { id: fourth, topSort: 1 }, boss))).message).toContain(
      '停用',
    )
    const key = keyByKind[entries.kind]
    const shownTo = async (caller: CallOptions) =>
      (await t.call(getPortal, {}, caller))[key].filter(row => '甲乙丙丁'.includes(row.title))
    expect((await shownTo(reader)).map(row => [row.title, row.isPinned])).toEqual([
      ['丙', true],
      ['甲', false],
      ['乙', false],
    ])
    await t.call(entries.setTop, { id: third, topSort: 0 }, boss)
    expect(await listed()).toEqual([first, second, third, fourth])
    expect(await shownTo(other)).toEqual([])
  },
)

it.each(portalEntries.map(entries => [entries.kind, entries] as const))(
  '%s: kept by those with the right, of the own company alone',
  async (_kind, entries) => {
    const made = await t.call(entries.add, draft('权限'), boss)
    const one = { id: made.id }
    const change = { ...draft('改名'), id: made.id }
    await assertRefused('无权', [
      t.call(entries.list, {}, reader),
      t.call(entries.get, one, reader),
      t.call(entries.add, draft('越权'), reader),
      t.call(entries.edit, change, reader),
      t.call(entries.setTop, { ...one, topSort: 1 }, reader),
      t.call(entries.setState, { ids: [String(made.id)], state: 'off' }, reader),
      t.call(entries.delete, { ids: [String(made.id)], reason: '录入有误' }, reader),
    ])
    const extra = await t.call(entries.add, draft('多余'), boss)
    const both = [String(extra.id), '999999999']
    const bulk = { success: 1, fail: 1, rows: [{ reason: expect.stringContaining('不存在') }] }
    expect(await t.call(entries.setState, { ids: both, state: 'off' }, boss)).toMatchObject(bulk)
    expect(await t.call(entries.delete, { ids: both, reason: '录入有误' }, boss)).toMatchObject(bulk)
    await assertRefused('不存在', [
      t.call(entries.get, one, other),
      t.call(entries.edit, change, other),
      t.call(entries.setTop, { ...one, topSort: 1 }, other),
      t.call(entries.setState, { ids: [String(made.id)], state: 'off' }, other),
      t.call(entries.delete, { ids: [String(made.id)], reason: '录入有误' }, other),
    ])
    expect((await refusalOf(t.call(entries.add, draft('权限'), boss))).message).toContain('同名')
  },
)

it.each(['javascript:alert(1)', 'data:text/html,<b>x</b>', 'http://example.com', '//example.com'])(
  'leads nowhere but to https: %s',
  async linkUrl => {
    for (const entries of portalEntries) {
      expect(await refusalTextOf(t.call(entries.add, draft('坏链接', { linkUrl }), boss))).toContain('网址')
    }
  },
)

it('takes no name of 200 characters, no text beyond its size, no cover that is no picture', async () => {
  for (const entries of portalEntries) {
    await expect(t.call(entries.add, draft('长'.repeat(200)), boss)).rejects.toThrow()
    await expect(t.call(entries.add, draft('长文', { content: '长'.repeat(5001) }), boss)).rejects.toThrow()
  }
  const cover = await t.app.files.save(
    t.ownerId,
    t.managerId,
    t.upload('封面.txt', new TextEncoder().encode('字')),
  )
  expect(await refusalTextOf(t.call(websites.add, draft('假封面', { cover }), boss))).toContain(
    '图标只能是图片',
  )
})

it('answers an image text whole as long as it is switched on', async () => {
  const content = `${'长'.repeat(300)}结尾`
  const made = await t.call(imageTexts.add, draft('长图文', { content }), boss)
  const shown = (await t.call(getPortal, {}, reader)).imageTexts.find(row => row.id === made.id)
  expect([...defined(shown?.content)]).toHaveLength(121)
  expect((await t.call(getPortalImageText, { id: made.id }, reader)).content).toBe(content)
  await expect(t.call(getPortalImageText, { id: made.id }, other)).rejects.toThrow('不存在')
  await t.call(imageTexts.setState, { ids: [String(made.id)], state: 'off' }, boss)
  await expect(t.call(getPortalImageText, { id: made.id }, reader)).rejects.toThrow('不存在')
})

it('is imported by its name and exported again', async () => {
  const bytes = new TextEncoder().encode(
    '名称,分类,网址,说明,排序,状态\n导入甲,办公,https://a.example.com,一,1,启用\n导入乙,办公,javascript:alert(1),二,2,启用\n',
  )
  const upload = { ...t.upload('网站.csv', bytes), name: '网站.csv', type: 'text/csv' }
  const { importId } = await t.call(websites.importSheet.post, {}, { ...boss, upload })
  const { taskId } = await t.call(
    websites.importSheet.post,
    { importId: defined(importId), mode: 'update' },
    boss,
  )
  expect(await t.waitForTask(defined(taskId))).toMatchObject({ success: 1, fail: 1 })
  expect((await t.call(websites.list, { keyword: '导入' }, boss)).rows).toMatchObject([
    { title: '导入甲', linkUrl: 'https://a.example.com', sort: 1 },
  ])
  const exported = await t.call(websites.exportSheet.get, { keyword: '导入' }, boss)
  expect(exported.name).toMatch(/^常用网站_\d{8}\.xlsx$/)
})
