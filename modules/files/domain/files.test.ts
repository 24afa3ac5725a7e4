import fc from 'fast-check'
import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { actionsFor, pushRefusal, type SelectedNode } from './file-actions.ts'
import { nameFault, nameKey, namePrefix, uniqueName, uniqueNames } from './file-name.ts'
import { ancestorsOf, newFolderFault, placementFault } from './folder-tree.ts'
import { cleanLabels, labelFault } from './labels.ts'
import { binDays, maxDepth, maxImageBytes, maxNameLength } from '../contract/limits.ts'
import { remainingSeconds, remainingText } from './remaining-time.ts'
import { uploadFault } from './upload-fault.ts'

it('FILE-2: names have 1 to 100 characters and none that a file system refuses', () => {
  expect(nameFault('2026 年合同（终稿）.pdf')).toBeUndefined()
  expect(nameFault('字'.repeat(100))).toBeUndefined()
  for (const name of ['', '  ', '字'.repeat(101), '..', 'a\u0007b', ...String.raw`\/:*?"<>|`].map(String)) {
    expect([name, nameFault(name)]).not.toEqual([name, undefined])
  }
})

it('FILE-2: a name that shows nothing, or not what it is, is refused; joiners of a script are not', () => {
  for (const name of ['\u200b', '\u3164', '\u202etxt.exe', 'a\u200bb', 'a\u2028b']) {
    expect([name, nameFault(name)]).not.toEqual([name, undefined])
  }
  expect(nameFault('👨‍👩‍👧 全家.jpg')).toBeUndefined()
})

it('FILE-2: a name that is taken gets (1), before the extension', () => {
  expect(uniqueName('合同.pdf', new Set())).toBe('合同.pdf')
  expect(uniqueName('合同.PDF', new Set(['合同.pdf']))).toBe('合同(1).PDF')
  expect(uniqueName('合同.pdf', new Set(['合同.pdf', '合同(1).pdf']))).toBe('合同(2).pdf')
  expect(uniqueName('v2.0', new Set(['v2.0']), { isFolder: true })).toBe('v2.0(1)')
  expect(uniqueNames(['a.txt', 'a.txt', 'A.txt'], new Set())).toEqual(['a.txt', 'a(1).txt', 'A(2).txt'])
})

it('FILE-2: one name in two Unicode forms is one name, kept composed', () => {
  const composed = 'Café 合同.pdf'
  const decomposed = composed.normalize('NFD')
  expect(nameKey(decomposed)).toBe(nameKey(composed))
  expect(uniqueName(decomposed, new Set())).toBe(composed)
  expect(uniqueName(decomposed, new Set([nameKey(composed)]))).toBe('Café 合同(1).pdf')
  expect(namePrefix(decomposed)).toBe(namePrefix(composed))
  // As people count them.
  expect(nameFault('é'.repeat(maxNameLength).normalize('NFD'))).toBeUndefined()
  expect(cleanLabels(['é', 'e\u0301'])).toEqual(['é'])
})

it('FILE-2: any names become unique and stay within their length', () => {
  const word = fc.string({ minLength: 1, maxLength: 110, unit: fc.constantFrom('a', 'B', '.', '字', '(1)') })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.boolean(), (names, isFolder) => {
      const short = names.map(name => [...name].slice(0, maxNameLength).join(''))
      const unique = uniqueNames(short, new Set(), { isFolder })
      expect(new Set(unique.map(nameKey)).size).toBe(names.length)
      expect(unique.every(name => [...name].length <= maxNameLength)).toBe(true)
    }),
  )
})

it('FILE-2: only names that begin alike decide which name is free', () => {
  expect(namePrefix('年度合同.pdf')).toBe('年度合')
  const word = fc.string({
    minLength: 1,
    maxLength: 100,
    unit: fc.constantFrom('a', 'B', '.', '字', 'Σ', '(1)', 'é', 'E', '\u0301', '\u0323', 'İ'),
  })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 30 }), fc.boolean(), (name, others, isFolder) => {
      const own = Array.from({ length: 12 }, (_, i) =>
        uniqueNames(
          Array.from({ length: i }, () => name),
          new Set(),
          { isFolder },
        ),
      )
      const taken = new Set([...others, ...own.flat()].map(nameKey))
      const prefix = namePrefix(name, { isFolder })
      const alike = new Set([...taken].filter(key => key.startsWith(prefix)))
      expect(uniqueName(name, alike, { isFolder })).toBe(uniqueName(name, taken, { isFolder }))
    }),
  )
})

const folder = (id: number, pid: number) => ({ id: asId(id), pid: asId(pid) })

it('FILE-3: a folder goes neither into itself nor into what it holds', () => {
  const tree = [folder(1, 0), folder(2, 1), folder(3, 2), folder(4, 0)]
  expect(ancestorsOf(tree, asId(3))).toEqual([2, 1])
  for (const target of [1, 2, 3]) {
    expect(placementFault(tree, [asId(1)], asId(target))).toMatch(/自身或其下级/)
  }
  expect(placementFault(tree, [asId(1)], asId(1), '复制')).toMatch(/^不能复制到自身/)
  expect(placementFault(tree, [asId(1)], asId(4))).toBeUndefined()
  expect(placementFault(tree, [asId(2)], asId(0))).toBeUndefined()
})

it('FILE-2: twenty levels of folders, not one more', () => {
  const chain = Array.from({ length: maxDepth }, (_, i) => folder(i + 1, i))
  expect(newFolderFault(chain, asId(maxDepth - 1))).toBeUndefined()
  expect(newFolderFault(chain, asId(maxDepth))).toMatch(/最多 20 层/)
  const deeper = [...chain, folder(100, 0), folder(101, 100)]
  expect(placementFault(deeper, [asId(100)], asId(18))).toBeUndefined()
  expect(placementFault(deeper, [asId(100)], asId(19))).toMatch(/最多 20 层/)
})

it('FILE-5: whole days, below one day hours, minutes and seconds, then 已过有效期', () => {
  const day = 86_400
  expect(remainingSeconds(0)).toBe(binDays * day)
  expect(remainingText(remainingSeconds(0))).toBe('10 天')
  expect(remainingText(remainingSeconds(1))).toBe('9 天')
  expect(remainingText(day)).toBe('1 天')
  expect(remainingText(day - 1)).toBe('23 小时 59 分 59 秒')
  expect(remainingText(1)).toBe('0 小时 0 分 1 秒')
  expect(remainingText(remainingSeconds(binDays * day))).toBe('已过有效期')
  expect(remainingText(remainingSeconds(99 * day))).toBe('已过有效期')
})

it('FILE-7: ten labels of twenty characters, without commas, each once', () => {
  expect(cleanLabels([' 门禁 ', '门禁', '', '接口包'])).toEqual(['门禁', '接口包'])
  expect(labelFault(Array.from({ length: 10 }, (_, i) => `标${i}`))).toBeUndefined()
  expect(labelFault(Array.from({ length: 11 }, (_, i) => `标${i}`))).toMatch(/最多 10 个/)
  expect(labelFault(['字'.repeat(20)])).toBeUndefined()
  expect(labelFault(['字'.repeat(21)])).toMatch(/超过 20 个字/)
  expect(labelFault(['甲,乙'])).toMatch(/逗号/)
})

const node = (name: string, overrides: Partial<SelectedNode> = {}): SelectedNode => ({
  type: 'file',
  name,
  directoryType: 'ordinary',
  ...overrides,
})

it('0§2: what a selection offers', () => {
  const basic = ['share', 'download', 'move', 'copy', 'rename', 'delete']
  const offered = (selection: readonly SelectedNode[], inside: SelectedNode['directoryType'] = 'ordinary') =>
    [...actionsFor(selection, inside)].toSorted()
  const all = (...others: string[]) => [...basic, ...others].toSorted()
  expect(offered([])).toEqual([])
  expect(offered([node('a.pdf')])).toEqual(all('push'))
  expect(offered([node('资料', { type: 'folder' })])).toEqual(all())
  expect(offered([node('推送文件', { type: 'folder', directoryType: 'push' })])).toEqual([
    'download',
    'share',
  ])
  expect(offered([node('a.pdf'), node('内核', { type: 'folder', directoryType: 'kernel' })])).toEqual(
    ['download', 'push', 'share'].toSorted(),
  )
  expect(offered([node('v3.kernel.bin')], 'kernel')).toEqual(all('pushKernel'))
  expect(offered([node('v3.kernel.bin')])).toEqual(all('push'))
  expect(offered([node('readme.txt')], 'kernel')).toEqual(all())
  expect(offered([node('接口.zip')])).toEqual(all('push', 'pushPackage'))
  expect(offered([node('接口.zip')], 'kernel')).toEqual(all('pushPackage'))
  expect(offered([node('子目录', { type: 'folder' })], 'push')).toEqual(all('push'))
})

it('0§5: exactly one file is pushed', () => {
  expect(pushRefusal([node('a')], 'push')).toBeUndefined()
  expect(pushRefusal([node('a'), node('b')], 'push')).toMatch(/推送不能选择文件夹或多个文件/)
  expect(pushRefusal([node('a', { type: 'folder' })], 'pushPackage')).toMatch(/推送不能选择/)
  expect(pushRefusal([node('a'), node('b')], 'pushKernel')).toMatch(/内核升级不能选择/)
})

it('FILE-1, FILE-2, FILE-8: a file that would be refused is not sent', () => {
  const file = { name: '现场.jpg', size: 1000, isImage: true }
  expect(uploadFault(file, 1000)).toBeUndefined()
  expect(uploadFault(file, 999)).toMatch(/空间不足：还需 0.977 KB，剩余 0.976 KB/)
  // Sizes that read alike are shown in bytes.
  expect(uploadFault({ ...file, size: 2_000_000_000, isImage: false }, 1_999_999_999)).toMatch(
    /还需 2000000000 字节，剩余 1999999999 字节/,
  )
  expect(uploadFault({ ...file, name: 'a:b.jpg' }, 1000)).toMatch(/名称不能包含/)
  expect(uploadFault({ ...file, size: 0 }, 1000)).toMatch(/空的/)
  expect(uploadFault({ ...file, size: maxImageBytes }, maxImageBytes)).toBeUndefined()
  expect(uploadFault({ ...file, size: maxImageBytes + 1 }, maxImageBytes * 2)).toMatch(
    /图片不能超过 2048 KB，「现场.jpg」为 2048.001 KB/,
  )
  expect(uploadFault({ ...file, size: maxImageBytes + 1, isImage: false }, maxImageBytes * 2)).toBeUndefined()
})
