import { readFileSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { defined } from '#kit/domain/defined.ts'
import { asId, type Id } from '#kit/domain/id.ts'
import { sql } from '#kit/server/db.ts'
import { readBody } from '#kit/server/fixtures/read-body.ts'
import { refusalOf, refusalTextOf } from '#kit/server/fixtures/refusal.ts'
import type { CallOptions } from '#kit/server/fixtures/test-app.ts'
import { golden } from '#db/golden/golden-data.ts'
import { openGoldenApp, type GoldenApp } from '#db/golden/golden-app.ts'
import {
  copyNodes,
  deleteNodes,
  getFolderTree,
  getNode,
  getUsage,
  listBin,
  listNodes,
  modifyFile,
  modifyFolder,
  moveNodes,
  purgeNodes,
  restoreNodes,
  saveLabels,
  type FileNode,
} from '../contract/node.ts'
import {
  downloadNodes,
  downloadShared,
  listShares,
  measureNodes,
  openShare,
  revokeShare,
  shareNodes,
  uploadToFolder,
} from '../contract/transfer.ts'
import { purgeCron } from './node-bin.ts'

let t: GoldenApp
let me: CallOptions
const project = { projectCode: 'GOLD0001' }

beforeAll(async () => {
  t = await openGoldenApp({ works: true })
  me = await t.owner
})

afterAll(() => t?.close())

const addFolder = (name: string, pid: Id = 0): Promise<FileNode> =>
  t.call(modifyFolder, { ...project, name, pid }, me)

const addFile = (name: string, dirId: Id = 0, text = name): Promise<FileNode> =>
  t.call(
    uploadToFolder,
    { ...project, dirId },
    { ...me, upload: { ...t.upload(name, Buffer.from(text)), type: 'text/plain' } },
  )

const namesIn = async (dirId: Id): Promise<string[]> =>
  (await t.call(listNodes, { ...project, dirId }, me)).rows.map(node => node.name)

const usedBytes = async (): Promise<number> => (await t.call(getUsage, project, me)).usedBytes
const idsOf = (...nodes: readonly FileNode[]) => ({
  ...project,
  fileIds: nodes.filter(node => node.type === 'file').map(node => String(node.id)),
  dirIds: nodes.filter(node => node.type === 'folder').map(node => String(node.id)),
})

it('0§7: a new folder is called 新建文件夹, the next (1); folders are before files', async () => {
  const parent = await addFolder('收费资料')
  const first = await t.call(modifyFolder, { ...project, pid: parent.id }, me)
  const second = await t.call(modifyFolder, { ...project, pid: parent.id }, me)
  await addFile('账单.txt', parent.id)
  expect([first.name, second.name]).toEqual(['新建文件夹', '新建文件夹(1)'])
  expect(await namesIn(parent.id)).toEqual(['新建文件夹', '新建文件夹(1)', '账单.txt'])
  const page = await t.call(listNodes, { ...project, dirId: parent.id, page: 2, size: 2 }, me)
  expect([page.total, page.rows.map(node => node.name)]).toEqual([3, ['账单.txt']])
  expect(page.sum).toEqual({ fileSize: Buffer.byteLength('账单.txt') })
})

it('0§3: a file tells its project, folder, link, size and checksum', async () => {
  const folder = await addFolder('说明')
  const file = await addFile('说明.txt', folder.id, 'hello')
  expect(file).toMatchObject({
    type: 'file',
    dirId: folder.id,
    fileSize: 5,
    deleteTag: 'live',
    contentType: 'text/plain',
    sha256: '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
    projectId: expect.any(Number),
    location: expect.stringContaining('/api/file/open?ID='),
  })
  const byProject = await t.call(modifyFolder, { projectId: defined(file.projectId), name: '按编号' }, me)
  expect(byProject.projectCode).toBe('GOLD0001')
  expect(await t.call(getNode, { id: folder.id, type: 'folder' }, me)).toMatchObject({
    fileSize: 5,
    itemCount: 1,
    folderPath: '全部文件',
    ancestors: [],
  })
})

it('orders by name as people count, by size and by time', async () => {
  const folder = await addFolder('排序')
  for (const name of ['10.txt', '2.txt', '1.txt']) {
    await addFile(name, folder.id, 'x'.repeat(name.length))
  }
  const ordered = async (order: string) =>
    (await t.call(listNodes, { ...project, dirId: folder.id, order }, me)).rows.map(node => node.name)
  expect(await ordered('name')).toEqual(['1.txt', '2.txt', '10.txt'])
  expect(await ordered('-name')).toEqual(['10.txt', '2.txt', '1.txt'])
  expect((await ordered('-fileSize'))[0]).toBe('10.txt')
  expect(await refusalTextOf(ordered('sha256'))).toMatch(/只能按名称、大小或修改时间排序/)
})

it('finds by a part of the name, by pinyin and by label in the whole project', async () => {
  const folder = await addFolder('消防')
  const file = await addFile('灭火器检查表.txt', folder.id)
  const find = async (query: object) =>
    (await t.call(listNodes, { ...project, ...query }, me)).rows.map(node => [node.name, node.folderPath])
  const found = [['灭火器检查表.txt', '全部文件 / 消防']]
  expect(await find({ keyword: '火器' })).toEqual(found)
  expect(await find({ keyword: 'mhqjc' })).toEqual(found)
  expect(await find({ label: '年检' })).toEqual([])
  expect(
    (await t.call(saveLabels, { id: file.id, type: 'file', fileLabel: ['年检', '年检', ' 消防 '] }, me))
      .fileLabel,
  ).toEqual(['年检', '消防'])
  expect(await find({ label: '年检' })).toEqual(found)
  expect(await find({ keyword: '年检' })).toEqual(found)
  for (const sign of ["'", '·', '’', '•', '-', '.']) {
    expect([sign, await find({ keyword: sign })]).toEqual([sign, []])
  }
  expect(
    await refusalTextOf(t.call(saveLabels, { id: file.id, type: 'file', fileLabel: ['字'.repeat(21)] }, me)),
  ).toMatch(/超过 20 个字/)
})

it('what somebody else has changed since it was shown is refused: labels, names, places (G-8)', async () => {
  const folder = await addFolder('并发')
  const target = await addFolder('并发目标')
  const shown = await addFile('两人.txt', folder.id)
  const { id, version } = shown
  await t.call(saveLabels, { id, type: 'file', fileLabel: ['甲'], version }, me)
  const stale = '数据已被他人修改，请刷新后重试'
  for (const attempt of [
    () => t.call(saveLabels, { id, type: 'file', fileLabel: ['乙'], version }, me),
    () => t.call(modifyFile, { id, name: '改名.txt', version }, me),
    () => t.call(moveNodes, { ...idsOf(shown), fileVersions: [String(version)], targetId: target.id }, me),
  ]) {
    expect((await refusalOf(attempt())).code).toBe(10005)
    expect(await refusalTextOf(attempt())).toBe(stale)
  }
  const now = await t.call(getNode, { id, type: 'file' }, me)
  expect([now.name, now.dirId, now.fileLabel]).toEqual(['两人.txt', folder.id, ['甲']])
  await t.call(moveNodes, { ...idsOf(shown), fileVersions: [String(now.version)], targetId: target.id }, me)
  const moved = await t.call(getNode, { id, type: 'file' }, me)
  const both = await Promise.allSettled(
    ['一', '二'].map(label =>
      t.call(saveLabels, { id, type: 'file', fileLabel: ['甲', label], version: moved.version }, me),
    ),
  )
  expect(both.map(each => each.status).toSorted()).toEqual(['fulfilled', 'rejected'])
  // The old wire names no version: what it gives is what the file bears afterwards.
  expect((await t.call(saveLabels, { id, type: 'file', fileLabel: ['丙'] }, me)).fileLabel).toEqual(['丙'])
})

it('0§7, FILE-3: folders move by Pid, files by DirId, never into themselves', async () => {
  const [a, b] = [await addFolder('甲'), await addFolder('乙')]
  const inner = await addFolder('丙', a.id)
  const file = await addFile('丁.txt', inner.id)
  await t.call(modifyFolder, { id: inner.id, pid: b.id }, me)
  expect([await namesIn(a.id), await namesIn(b.id)]).toEqual([[], ['丙']])
  await t.call(modifyFile, { id: file.id, dirId: a.id }, me)
  expect(await namesIn(a.id)).toEqual(['丁.txt'])
  await t.call(moveNodes, { ...idsOf(a), targetId: b.id }, me)
  expect(await refusalTextOf(t.call(moveNodes, { ...idsOf(b), targetId: a.id }, me))).toMatch(/自身或其下级/)
  await addFile('丁.txt', b.id)
  await t.call(moveNodes, { ...idsOf(file), targetId: b.id }, me)
  expect(await namesIn(b.id)).toEqual(['丙', '甲', '丁(1).txt', '丁.txt'])
})

it('two moves that would create a cycle: one succeeds, the other gets a conflict', async () => {
  const [a, b] = [await addFolder('环一'), await addFolder('环二')]
  const outcomes = await Promise.allSettled([
    t.call(moveNodes, { ...idsOf(a), targetId: b.id }, me),
    t.call(moveNodes, { ...idsOf(b), targetId: a.id }, me),
  ])
  expect(outcomes.map(o => o.status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

it('renames, and refuses a name that is beside it', async () => {
  const folder = await addFolder('改名')
  const file = await addFile('旧.txt', folder.id)
  await addFile('已有.txt', folder.id)
  expect((await t.call(modifyFile, { id: file.id, name: '新.txt' }, me)).name).toBe('新.txt')
  expect(await refusalTextOf(t.call(modifyFile, { id: file.id, name: '已有.TXT' }, me))).toMatch(/此处已有/)
  expect(await refusalTextOf(t.call(modifyFile, { id: file.id, name: 'a/b' }, me))).toMatch(/不能包含/)
  expect((await t.call(modifyFile, { id: file.id, name: '新.TXT' }, me)).name).toBe('新.TXT')
})

it('FILE-2: a name in another Unicode form is the same name, kept and found composed', async () => {
  const decomposed = (text: string): string => text.normalize('NFD')
  const place = await addFolder('读音')
  const cafe = await addFolder(decomposed('Café 厅'), place.id)
  expect(cafe.name).toBe('Café 厅')
  expect((await addFile('café 厅', place.id)).name).toBe('café 厅(1)')
  expect((await addFile(decomposed('Café 厅'), place.id)).name).toBe('Café 厅(2)')
  const other = await addFolder('别处', place.id)
  await expect(
    t.call(modifyFolder, { ...project, id: other.id, name: decomposed('Café 厅') }, me),
  ).rejects.toThrow('此处已有')
  await t.call(
    saveLabels,
    { id: cafe.id, type: 'folder', fileLabel: [decomposed('é'), 'é'], version: cafe.version },
    me,
  )
  for (const find of [{ keyword: decomposed('café') }, { label: decomposed('é') }]) {
    const { rows } = await t.call(listNodes, { ...project, ...find }, me)
    expect(rows.find(row => row.type === 'folder')).toMatchObject({ id: cafe.id, fileLabel: ['é'] })
  }
})

it('FILE-3: push and kernel folders are at the top and are not moved, renamed or deleted', async () => {
  const push = await t.call(modifyFolder, { ...project, name: '推送文件', directoryType: 'push' }, me)
  const other = await addFolder('其他')
  for (const change of [
    () => t.call(modifyFolder, { id: push.id, name: '改' }, me),
    () => t.call(modifyFolder, { id: push.id, pid: other.id }, me),
    () => t.call(deleteNodes, idsOf(push), me),
    () => t.call(copyNodes, { ...idsOf(push), targetId: other.id }, me),
  ]) {
    expect(await refusalTextOf(change())).toMatch(/不能移动、复制、重命名或删除/)
  }
  expect(
    await refusalTextOf(
      t.call(modifyFolder, { ...project, pid: other.id, name: '内', directoryType: 'kernel' }, me),
    ),
  ).toMatch(/最上层/)
  const again = t.call(modifyFolder, { ...project, name: '推送文件', directoryType: 'kernel' }, me)
  expect(await refusalTextOf(again)).toMatch(/此处已有「推送文件」/)
})

it('FILE-4: a folder is one entry of the bin and comes back whole, beside a new one of its name', async () => {
  const top = await addFolder('归档')
  const inner = await addFolder('2025', top.id)
  const [file, early] = [await addFile('一.txt', inner.id), await addFile('二.txt', inner.id)]
  await t.call(deleteNodes, idsOf(early), me)
  await t.call(deleteNodes, idsOf(top, file), me)
  const entries = (await t.call(listBin, project, me)).rows.filter(node =>
    ['归档', '2025', '一.txt', '二.txt'].includes(node.name),
  )
  expect(entries.map(node => node.name).toSorted()).toEqual(['二.txt', '归档'].toSorted())
  expect(entries.find(node => node.name === '归档')).toMatchObject({
    deleteTag: 'binned',
    fileSize: Buffer.byteLength('一.txt'),
    remainingSeconds: expect.any(Number),
  })
  await addFolder('归档')
  await t.call(restoreNodes, idsOf(top), me)
  expect(await namesIn(0)).toEqual(expect.arrayContaining(['归档', '归档(1)']))
  expect([await namesIn(top.id), await namesIn(inner.id)]).toEqual([['2025'], ['一.txt']])
  await t.call(restoreNodes, idsOf(early), me)
  expect(await namesIn(inner.id)).toEqual(['一.txt', '二.txt'])
})

it('FILE-4: what comes back without its folder is at the top', async () => {
  const folder = await addFolder('会消失')
  const file = await addFile('孤儿.txt', folder.id)
  await t.call(deleteNodes, idsOf(file), me)
  await t.call(deleteNodes, idsOf(folder), me)
  await t.call(modifyFile, { id: file.id, deleteTag: 'live' }, me)
  expect(await namesIn(0)).toContain('孤儿.txt')
})

it('0§4: DeleteTag -1 purges permanently and frees the space; a copy keeps its bytes', async () => {
  const before = await usedBytes()
  const file = await addFile('原件.txt', 0, 'x'.repeat(1000))
  const target = await addFolder('副本')
  await t.call(copyNodes, { ...idsOf(file), targetId: target.id }, me)
  expect(await usedBytes()).toBe(before + 2000)
  expect(await refusalTextOf(t.call(modifyFile, { id: file.id, deleteTag: 'purged' }, me))).toMatch(
    /不在回收站/,
  )
  await t.call(modifyFile, { id: file.id, deleteTag: 'binned' }, me)
  expect(await usedBytes()).toBe(before + 2000)
  await t.call(modifyFile, { id: file.id, deleteTag: 'purged' }, me)
  expect(await usedBytes()).toBe(before + 1000)
  await t.app.files.sweep()
  const [copy] = (await t.call(listNodes, { ...project, dirId: target.id }, me)).rows
  const body = await readBody(await t.call(downloadNodes, { id: defined(copy).id }, me))
  expect(body.toString()).toBe('x'.repeat(1000))
  await t.call(deleteNodes, idsOf(defined(copy)), me)
  await t.call(purgeNodes, idsOf(defined(copy)), me)
  const { fileKey } = defined(
    await t.database
      .reader('*')
      .one<{ fileKey: string | null }>(sql`select file_key from file_info where id = ${defined(copy).id}`),
  )
  expect([fileKey ?? null, await usedBytes()]).toEqual([null, before])
})

it('copies a tree with everything in it', async () => {
  const top = await addFolder('模板')
  const inner = await addFolder('一层', top.id)
  await addFile('表.txt', inner.id)
  const target = await addFolder('新项目')
  await t.call(copyNodes, { ...idsOf(top), targetId: target.id }, me)
  await t.call(copyNodes, { ...idsOf(top), targetId: target.id }, me)
  expect(await namesIn(target.id)).toEqual(['模板', '模板(1)'])
  const tree = await t.call(getFolderTree, project, me)
  const copied = defined(tree.find(node => node.id === target.id)).children ?? []
  expect(copied.map(node => node.children?.map(child => child.name))).toEqual([['一层'], ['一层']])
  const [copy] = defined(copied[0]).children ?? []
  expect(await namesIn(defined(copy).id)).toEqual(['表.txt'])
})

it('FILE-5: ten days after the deletion the hourly job purges, not a second before', async () => {
  const early = await addFile('早.txt')
  const late = await addFile('晚.txt')
  await t.call(deleteNodes, idsOf(early, late), me)
  const age = (id: Id, seconds: number) =>
    t.database.tx('*', tx =>
      tx.execute(sql`
        update file_info
        set delete_time = ${new Date(t.app.clock() - 864_000_000 - seconds * 1000)}
        where id = ${id}
      `),
    )
  await age(early.id, 1)
  await age(late.id, -60)
  await purgeCron.run(t.app, new AbortController().signal)
  const names = (await t.call(listBin, project, me)).rows.map(node => node.name)
  expect([names.includes('早.txt'), names.includes('晚.txt')]).toEqual([false, true])
})

it('清空回收站 empties the bin of the project', async () => {
  await t.call(purgeNodes, { ...project, all: true }, me)
  expect((await t.call(listBin, project, me)).total).toBe(0)
  expect((await t.call(getUsage, project, me)).binCount).toBe(0)
})

it('FILE-1: refuses what would pass the quota', async () => {
  const used = await usedBytes()
  const setUsed = (bytes: number) =>
    t.database.tx('*', tx =>
      tx.execute(sql`update file_usage set used_bytes = ${bytes}::bigint where project_code = 'GOLD0001'`),
    )
  await setUsed(5_368_709_120 - 4)
  expect(await refusalTextOf(addFile('大.txt', 0, '12345'))).toMatch(/空间不足：还需 0.005 KB，剩余 0.004 KB/)
  expect((await addFile('刚好.txt', 0, '1234')).fileSize).toBe(4)
  await setUsed(used + 4)
})

it('FILE-8: a picture has at most 2048 KB', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(2_048 * 1024)])
  const upload = t.upload('照片.png', png)
  expect(
    await refusalTextOf(
      t.call(uploadToFolder, project, { ...me, upload: { ...upload, type: 'image/png', size: png.length } }),
    ),
  ).toMatch(/图片不能超过 2048 KB，「照片.png」为 2048.008 KB/)
})

it('downloads one file as it is and several as a zip that keeps their folders', async () => {
  const folder = await addFolder('打包')
  const inner = await addFolder('内层', folder.id)
  await addFile('一.txt', folder.id, 'one')
  await addFile('二.txt', inner.id, 'two')
  const single = await addFile('三.txt', 0, 'three')
  const answer = await t.call(downloadNodes, idsOf(folder, single), me)
  const path = join(t.dir, 'archive.zip')
  writeFileSync(path, await readBody(answer))
  const list = execFileSync('python3', [
    '-c',
    `import zipfile;z=zipfile.ZipFile('${path}');z.testzip();print(chr(10).join(sorted(z.namelist())))`,
  ])
  expect(list.toString().trim().split('\n').toSorted()).toEqual(
    ['三.txt', '打包/一.txt', '打包/内层/二.txt'].toSorted(),
  )
  expect(readFileSync(path).includes('three')).toBe(true)
  expect(await refusalTextOf(t.call(downloadNodes, idsOf(await addFolder('空')), me))).toMatch(/空的/)
})

it('tells before a download how many files it brings and how large they are, each once', async () => {
  const folder = await addFolder('称量')
  const inner = await addFolder('称量内层', folder.id)
  const near = await addFile('近.txt', folder.id, 'four')
  await addFile('远.txt', inner.id, 'seven77')
  const beside = await addFile('旁.txt', 0, 'one')
  const measure = (...nodes: readonly FileNode[]) => t.call(measureNodes, idsOf(...nodes), me)
  expect(await measure(beside)).toEqual({ fileCount: 1, fileSize: 3 })
  expect(await measure(folder, near, beside)).toEqual({ fileCount: 3, fileSize: 14 })
  await expect(measure()).rejects.toThrow('请先选择')
})

it('FILE-6: a share opens with its code only, counts, ends when revoked, expired or deleted', async () => {
  const folder = await addFolder('给业主')
  const file = await addFile('通知.txt', folder.id, 'notice')
  const share = await t.call(shareNodes, idsOf(folder), me)
  const { token, accessCode } = share
  expect(token).toMatch(/^[0-9a-z]+-[\w-]{22}$/)
  expect(await t.call(openShare, { token })).toEqual({ needsCode: true })
  expect(await refusalTextOf(t.call(openShare, { token, code: 'AAAAAA' }))).toBe('提取码不正确，请重新输入')
  const code = defined(accessCode).toLowerCase()
  const opened = await t.call(openShare, { token, code })
  expect(opened).toMatchObject({
    needsCode: false,
    files: [{ id: file.id, name: '给业主/通知.txt', fileSize: 6 }],
  })
  expect((await readBody(await t.call(downloadShared, { token, code, id: file.id }))).toString()).toBe(
    'notice',
  )
  const stranger = await addFile('内部.txt')
  expect(await refusalTextOf(t.call(downloadShared, { token, code, id: stranger.id }))).toMatch(
    /不在该分享中/,
  )
  const [shown] = await t.call(listShares, { ...project, id: folder.id, type: 'folder' }, me)
  expect(shown).toMatchObject({ viewCount: 1, state: 'active' })
  const ended = '链接不存在或已失效，请联系分享人'
  await t.call(revokeShare, { id: share.id }, me)
  expect(await refusalTextOf(t.call(openShare, { token, code }))).toBe(ended)
  const open = await t.call(shareNodes, { ...idsOf(file), hasCode: false, days: 1 }, me)
  expect((await t.call(openShare, { token: open.token })).needsCode).toBe(false)
  await t.call(deleteNodes, idsOf(folder), me)
  expect(await refusalTextOf(t.call(openShare, { token: open.token }))).toBe(ended)
  expect(await refusalTextOf(t.call(openShare, { token: 'zzzz-AAAAAAAAAAAAAAAAAAAAAA' }))).toBe(ended)
})

it('FILE-6: after many wrong codes a share takes no code for a while, other shares do', async () => {
  const file = await addFile('猜.txt')
  const make = () => t.call(shareNodes, idsOf(file), me)
  const [guessed, other] = [await make(), await make()]
  const wrong = () => refusalTextOf(t.call(openShare, { token: guessed.token, code: 'AAAAAA' }))
  for (let n = 0; n < 20; n++) {
    expect(await wrong()).toBe('提取码不正确，请重新输入')
  }
  expect(await wrong()).toBe('提取码错误次数过多，请稍后再试')
  const right = { token: guessed.token, code: defined(guessed.accessCode) }
  expect(await refusalTextOf(t.call(downloadShared, right))).toMatch(/请稍后再试/)
  const opened = await t.call(openShare, { token: other.token, code: defined(other.accessCode) })
  expect(opened.needsCode).toBe(false)
})

it('a share that has lost a file since it was shown is not revoked unseen (G-8)', async () => {
  const [kept, deleted] = [await addFile('留下.txt'), await addFile('删去.txt')]
  await t.call(shareNodes, idsOf(kept, deleted), me)
  const list = async () =>
    defined((await t.call(listShares, { ...project, id: kept.id, type: 'file' }, me))[0])
  const shown = await list()
  await t.call(deleteNodes, idsOf(deleted), me)
  const stale = { id: shown.id, version: shown.version }
  expect(await refusalTextOf(t.call(revokeShare, stale, me))).toMatch(/数据已被他人修改/)
  const { id, version } = await list()
  await t.call(revokeShare, { id, version }, me)
  expect(await refusalTextOf(t.call(revokeShare, { id, version }, me))).toBe('分享已撤销')
})

it('two uploads of one name at once are beside each other', async () => {
  const folder = await addFolder('并发')
  await Promise.all(Array.from({ length: 8 }, () => addFile('同名.txt', folder.id)))
  expect(await namesIn(folder.id)).toHaveLength(8)
})

it('never shows, changes or takes what belongs to another project or company', async () => {
  const file = await addFile('本项目.txt')
  const elsewhere = { ...me, projectCode: 'GOLD0002' }
  const ids = { projectCode: 'GOLD0002', fileIds: [String(file.id)] }
  expect(await refusalTextOf(t.call(deleteNodes, ids, elsewhere))).toMatch(/不存在或已被删除/)
  const limited = await t.signedInAs(golden.first.ofRole('service'))
  expect(await refusalTextOf(t.call(getNode, { id: asId(99_999_999), type: 'file' }, limited))).not.toBe('')
})
