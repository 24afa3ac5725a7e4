import { expect, it } from 'vitest'
import { downloadSummary } from './download-summary.ts'

it('0§2: a download tells its files and their size, what folders hold included', () => {
  const measured = { fileCount: 3, fileSize: 2048 }
  expect(downloadSummary([{ type: 'file' }, { type: 'file' }], measured)).toBe('共 3 个文件，2.000 KB')
  expect(downloadSummary([{ type: 'folder' }, { type: 'file' }], measured)).toBe(
    '1 个文件夹，共 3 个文件，2.000 KB',
  )
})
