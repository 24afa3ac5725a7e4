import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import type { Id } from '#kit/domain/id.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { sql } from '#kit/server/db.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import { maxDepth } from '../contract/limits.ts'
import {
  copyNodes,
  deleteNodes,
  getNode,
  listBin,
  listNodes,
  moveNodes,
  purgeNodes,
  restoreNodes,
  saveLabels,
  type FileNode,
} from '../contract/node.ts'
import { downloadNodes, downloadShared, listShares, openShare, shareNodes } from '../contract/transfer.ts'
import { idsOf, openFilesApp, project, type FilesApp } from './files.fixtures.ts'

let t: FilesApp

beforeAll(async () => {
  t = await openFilesApp()
})

afterAll(() => t?.close())

const bin = (...nodes: readonly FileNode[]) => t.call(deleteNodes, idsOf(...nodes), t.me)
const restore = (...nodes: readonly FileNode[]) => t.call(restoreNodes, idsOf(...nodes), t.me)

/** Folders in each other, the outermost first. */
async function addChain(name: string, count: number, pid: Id = 0): Promise<FileNode[]> {
  const chain: FileNode[] = []
  for (let n = 1; n <= count; n++) {
    chain.push(await t.addFolder(`${name}${n}`, chain.at(-1)?.id ?? pid))
  }
  return chain
}

it('what comes back together comes back into itself, whatever its order in the bin (FILE-4)', async () => {
  const outer = await t.addFolder('Z外')
  const middle = await t.addFolder('中', outer.id)
  const inner = await t.addFolder('A内', middle.id)
  const file = await t.addFile('里.txt', inner.id)
  await bin(file)
  await bin(inner)
  await bin(outer)
  await restore(outer, inner, file)
  expect([await t.namesIn(outer.id), await t.namesIn(middle.id), await t.namesIn(inner.id)]).toEqual([
    ['中'],
    ['A内'],
    ['里.txt'],
  ])
})

it('a folder of the bin that holds too many levels for its old place comes back to the top (FILE-2)', async () => {
  const [parent] = await addChain('浅', 1)
  const chain = await addChain('深', 6, defined(parent).id)
  await bin(defined(chain[0]))
  const deep = await addChain('底', maxDepth - 6)
  await t.call(moveNodes, { ...idsOf(defined(parent)), targetId: defined(deep.at(-1)).id }, t.me)
  await restore(defined(chain[0]))
  expect(await t.namesIn(defined(parent).id)).toEqual([])
  expect(await t.namesIn(0)).toContain('深1')
  const bottom = await t.call(getNode, { id: defined(chain.at(-1)).id, type: 'folder' }, t.me)
  expect(bottom.ancestors).toHaveLength(5)
})

it('what has expired is not restored, though the hourly job has not come to it (FILE-5)', async () => {
  const folder = await t.addFolder('过期')
  await bin(folder)
  const deletedSecondsAgo = (seconds: number) =>
    t.database.tx('*', tx =>
      tx.execute(sql`
        update file_dir
        set delete_time = ${new Date(t.app.clock() - seconds * 1000)}
        where id = ${folder.id}
      `),
    )
  await deletedSecondsAgo(10 * 86_400 + 1)
  expect(await refusalTextOf(restore(folder))).toBe('「过期」已过有效期，不能还原')
  await deletedSecondsAgo(10 * 86_400 - 60)
  await restore(folder)
  expect(await t.namesIn(0)).toContain('过期')
})

it('what was selected inside a selected folder is restored with it, as an undo asks', async () => {
  const folder = await t.addFolder('撤销')
  const file = await t.addFile('撤销.txt', folder.id)
  await bin(folder, file)
  await restore(folder, file)
  expect(await t.namesIn(folder.id)).toEqual(['撤销.txt'])
})

it('the bin says what a folder holds and where each was', async () => {
  const outer = await t.addFolder('位置')
  const folder = await t.addFolder('子位置', outer.id)
  await t.addFile('位置.txt', folder.id)
  await t.addFolder('空', folder.id)
  const early = await t.addFile('先删.txt', folder.id)
  await bin(early)
  await bin(folder)
  const { rows } = await t.call(listBin, project, t.me)
  const find = (name: string) => defined(rows.find(row => row.name === name))
  expect(find('子位置')).toMatchObject({ itemCount: 2, folderPath: '全部文件 / 位置' })
  expect(find('先删.txt').folderPath).toBe('全部文件 / 位置 / 子位置')
})

it('purged bytes leave the disk at once, those that a copy has when the copy goes', async () => {
  const stored = (): number =>
    readdirSync(join(t.dir, 'files'), { recursive: true, withFileTypes: true }).filter(entry =>
      entry.isFile(),
    ).length
  const before = stored()
  const file = await t.addFile('占地.txt')
  const target = await t.addFolder('占地')
  await t.call(copyNodes, { ...idsOf(file), targetId: target.id }, t.me)
  const [copy] = (await t.call(listNodes, { ...project, dirId: target.id }, t.me)).rows
  // A copy in the bin has its bytes, too: it can be restored.
  await bin(file, defined(copy))
  await t.call(purgeNodes, idsOf(file), t.me)
  expect(stored()).toBe(before + 1)
  await restore(defined(copy))
  expect((await readBody(await t.call(downloadNodes, { id: defined(copy).id }, t.me))).toString()).toBe(
    '占地.txt',
  )
  await bin(defined(copy))
  await t.call(purgeNodes, idsOf(defined(copy)), t.me)
  expect(stored()).toBe(before)
})

it('a share loses what is deleted and ends with the last of it (FILE-6)', async () => {
  const [one, other] = [await t.addFile('分享一.txt'), await t.addFile('分享二.txt')]
  const { token, accessCode } = await t.call(shareNodes, idsOf(one, other), t.me)
  const code = defined(accessCode)
  await bin(one)
  const { files } = await t.call(openShare, { token, code })
  expect(files?.map(file => file.name)).toEqual(['分享二.txt'])
  // One file that is left is that file, not a zip of it.
  const answer = await t.call(downloadShared, { token, code })
  expect([answer.name, (await readBody(answer)).toString()]).toEqual(['分享二.txt', '分享二.txt'])
  await restore(one)
  expect((await t.call(openShare, { token, code })).files).toHaveLength(1)
  await bin(other)
  expect(await refusalTextOf(t.call(openShare, { token, code }))).toMatch(/已失效/)
  expect(await t.call(listShares, project, t.me)).toEqual([])
})

it('a share gives nothing without its code, one file neither (FILE-6)', async () => {
  const file = await t.addFile('密.txt')
  const { token } = await t.call(shareNodes, idsOf(file), t.me)
  for (const credentials of [{}, { code: 'AAAAAA' }, { id: file.id }, { code: '', id: file.id }]) {
    expect(await refusalTextOf(t.call(downloadShared, { token, ...credentials }))).toMatch(/提取码不正确/)
  }
})

it('folders carry labels: found by them, moved and copied with them (FILE-7)', async () => {
  const folder = await t.addFolder('标签夹')
  const inner = await t.addFolder('标签内', folder.id)
  const file = await t.addFile('标签.txt', folder.id)
  const save = (node: FileNode, ...fileLabel: string[]) =>
    t.call(saveLabels, { id: node.id, type: node.type, fileLabel }, t.me)
  expect((await save(folder, '合同', '合同')).fileLabel).toEqual(['合同'])
  await save(inner, '年检2026')
  // The numbers of folders and files are their own.
  expect((await t.call(getNode, { id: file.id, type: 'file' }, t.me)).fileLabel ?? []).toEqual([])
  const find = async (query: object) =>
    (await t.call(listNodes, { ...project, ...query }, t.me)).rows.map(node => node.name)
  expect([await find({ label: '合同' }), await find({ keyword: '年检2026' })]).toEqual([
    ['标签夹'],
    ['标签内'],
  ])
  const target = await t.addFolder('标签去处')
  await t.call(copyNodes, { ...idsOf(folder), targetId: target.id }, t.me)
  await t.call(moveNodes, { ...idsOf(folder), targetId: target.id }, t.me)
  expect(await find({ label: '合同' })).toEqual(['标签夹', '标签夹(1)'])
  expect(await find({ keyword: '年检2026' })).toEqual(['标签内', '标签内'])
  await bin(file)
  expect(await refusalTextOf(save(file, '晚了'))).toMatch(/回收站/)
})

it('a folder and a file in one place never have one name (FILE-2)', async () => {
  const place = await t.addFolder('同名')
  await t.addFolder('资料', place.id)
  const file = await t.addFile('资料', place.id)
  expect(file.name).toBe('资料(1)')
  expect((await t.addFolder('资料(1)', place.id)).name).toBe('资料(1)(1)')
  const elsewhere = await t.addFolder('同名别处')
  const folder = await t.addFolder('报表', elsewhere.id)
  const other = await t.addFolder('同名第三处')
  const report = await t.addFile('报表', other.id)
  await t.call(moveNodes, { ...idsOf(folder, report), targetId: place.id }, t.me)
  expect(await t.namesIn(place.id)).toEqual(['报表', '资料', '资料(1)(1)', '报表(1)', '资料(1)'])
})

it('empty folders are in a zip as they are in the tree', async () => {
  const folder = await t.addFolder('含空')
  await t.addFolder('空夹', folder.id)
  await t.addFile('有.txt', folder.id)
  const zip = (await readBody(await t.call(downloadNodes, idsOf(folder), t.me))).toString('utf8')
  expect([zip.includes('含空/空夹/'), zip.includes('含空/有.txt')]).toEqual([true, true])
})

it('a missing folder is reported as missing, never shown as empty', async () => {
  const folder = await t.addFolder('已删')
  await bin(folder)
  const list = (query: object) => refusalTextOf(t.call(listNodes, { ...project, ...query }, t.me))
  expect(await list({ dirId: folder.id })).toMatch(/不存在/)
  expect(await list({ dirId: 99_999_999 })).toMatch(/不存在/)
  const here = await t.addFolder('本项目')
  expect(await list({ projectCode: 'GOLD0002', dirId: here.id })).toMatch(/不存在/)
  expect(await list({ projectCode: 'NOWHERE1' })).toMatch(/无权访问该项目/)
})
