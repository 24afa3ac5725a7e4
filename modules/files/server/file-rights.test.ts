import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { parseId } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import {
  copyNodes,
  deleteNodes,
  getNode,
  listNodes,
  modifyFile,
  modifyFolder,
  restoreNodes,
  saveLabels,
  type FileNode,
} from '../contract/node.ts'
import { downloadNodes, listShares, openFile, previewFile, shareNodes } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { idsOf, openFilesApp, project, type FilesApp } from './files.fixtures.ts'

let t: FilesApp
const { permissions } = menu.file
const { view, edit, add, del, download, special } = permissions

beforeAll(async () => {
  t = await openFilesApp()
})

afterAll(() => t?.close())

const clerk = async (...allowed: readonly { readonly key: string }[]) =>
  (await t.addClerk(allowed.map(permission => permission.key))).as

/** Follows an address that a browser would follow, without a token. */
const open = (address: string | undefined) => {
  const query = new URL(defined(address), 'http://localhost').searchParams
  const text = (name: string): string => query.get(name) ?? ''
  return t.call(openFile, {
    id: parseId(text('ID')),
    ownerId: parseId(text('Owner')),
    operator: parseId(text('Operator')),
    mode: text('Mode') === 'preview' ? 'preview' : 'download',
    until: Number(text('Until')),
    sign: text('Sign'),
  })
}

const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(64)])

const shown = async (as: Awaited<ReturnType<typeof clerk>>, { id }: FileNode) => {
  const [row] = (await t.call(listNodes, { ...project, keyword: '权限' }, as)).rows.filter(
    node => node.id === id,
  )
  return [defined(row), await t.call(getNode, { id, type: 'file' }, as)]
}

it('without the permission to download no download address is sent (PERM-3, FILE-9)', async () => {
  const archive = await t.addFile('权限.bin', 0, Buffer.from([1, 0, 2]))
  const note = await t.addFile('权限.txt', 0, 'whole text')
  const viewer = await clerk(view)
  for (const node of await shown(viewer, archive)) {
    expect([node.location, node.preview]).toEqual([undefined, undefined])
  }
  for (const node of await shown(viewer, note)) {
    expect(node.location).toBeUndefined()
    expect((await readBody(await open(node.preview))).toString()).toBe('whole text')
  }
  expect(await refusalTextOf(t.call(downloadNodes, { id: note.id }, viewer))).toMatch(/无权/)
  expect(await refusalTextOf(t.call(previewFile, { id: archive.id }, viewer))).toMatch(/不能预览/)
  const downloader = await clerk(view, download)
  const [node] = await shown(downloader, archive)
  expect([...(await readBody(await open(defined(node).location)))]).toEqual([1, 0, 2])
})

it('a preview cannot replace a download: pictures are sent whole, only the beginning of a text', async () => {
  const viewer = await clerk(view)
  const picture = await t.addFile('预览.png', 0, png)
  expect(await t.call(previewFile, { id: picture.id }, viewer)).toMatchObject({
    type: 'image/png',
    inline: true,
    size: png.length,
  })
  const long = await t.addFile('长文.txt', 0, 'x'.repeat(300_000))
  const answer = await t.call(previewFile, { id: long.id }, viewer)
  expect([answer.type, answer.inline, (await readBody(answer)).length]).toEqual([
    'text/plain',
    undefined,
    262_144,
  ])
})

it('an address opens for its operator alone, while the permission lasts, and nothing that is in the bin', async () => {
  const file = await t.addFile('地址.txt')
  const { as, loginCode } = await t.addClerk([view.key, download.key])
  const { location, preview } = await t.call(getNode, { id: file.id, type: 'file' }, as)
  expect((await readBody(await open(location))).toString()).toBe('地址.txt')
  const forged = defined(location).replace(/ID=\d+/, `ID=${(await t.addFile('别的.txt')).id}`)
  expect(await refusalTextOf(open(forged))).toMatch(/链接已失效/)
  // The signature of a preview opens no download.
  expect(await refusalTextOf(open(defined(preview).replace('Mode=preview', 'Mode=download')))).toMatch(
    /链接已失效/,
  )
  await t.call(deleteNodes, idsOf(file), t.me)
  expect(await refusalTextOf(open(location))).toMatch(/不存在/)
  await t.call(restoreNodes, idsOf(file), t.me)
  await t.database.tx('*', tx =>
    tx.execute(sql`update role set permissions = ${[view.key]} where role_name = ${loginCode}`),
  )
  expect(await refusalTextOf(open(location))).toMatch(/无权/)
  await t.database.tx('*', tx =>
    tx.execute(sql`update manager set state = 20 where login_code = ${loginCode}`),
  )
  expect(await refusalTextOf(open(preview))).toMatch(/链接已失效/)
  t.advanceClock(3 * 3_600_000)
})

it('links and codes of shares are sent only to users who may share (FILE-6)', async () => {
  const file = await t.addFile('分享.txt')
  await t.call(shareNodes, idsOf(file), t.me)
  const viewer = await clerk(view)
  expect(await refusalTextOf(t.call(listShares, project, viewer))).toMatch(/无权/)
})

it('every change in a push folder needs the permission to manage it', async () => {
  const push = await t.call(modifyFolder, { ...project, name: '推送权限', directoryType: 'push' }, t.me)
  const inner = await t.addFolder('内层', push.id)
  const file = await t.addFile('包.txt', inner.id)
  const outside = await t.addFile('外.txt')
  const binned = await t.addFile('旧包.txt', inner.id)
  await t.call(deleteNodes, idsOf(binned), t.me)
  const editor = await clerk(view, edit, add, del)
  const changes = [
    () => t.call(saveLabels, { id: file.id, type: 'file', fileLabel: ['新'] }, editor),
    () => t.call(saveLabels, { id: inner.id, type: 'folder', fileLabel: ['新'] }, editor),
    () => t.call(modifyFile, { id: file.id, fileLabel: ['新'] }, editor),
    () => t.call(modifyFolder, { id: inner.id, fileLabel: ['新'] }, editor),
    () => t.call(restoreNodes, idsOf(binned), editor),
    () => t.call(modifyFile, { id: binned.id, deleteTag: 'live' }, editor),
    () => t.call(copyNodes, { ...idsOf(outside), targetId: inner.id }, editor),
  ]
  for (const [i, change] of changes.entries()) {
    expect(await refusalTextOf(change()), String(i)).toMatch(/维护推送与内核目录/)
  }
  const manager = await clerk(view, edit, add, special)
  await t.call(restoreNodes, idsOf(binned), manager)
  await t.call(copyNodes, { ...idsOf(outside), targetId: inner.id }, manager)
  expect(await t.namesIn(inner.id)).toEqual(['包.txt', '外.txt', '旧包.txt'])
})
