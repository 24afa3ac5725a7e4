import { expect, it } from 'vitest'
import { castForTest } from '#kit/domain/fixtures.ts'
import { offlinePages } from './offline-pages.ts'
import { findOfflineFiles, type Chunks } from './offline-plugin.ts'

const chunk = (fileName: string, source: string, more: object = {}) => ({
  fileName,
  facadeModuleId: `/top/${source}`,
  moduleIds: [`/top/${source}`],
  imports: [],
  dynamicImports: [],
  ...more,
})

const pageChunks = offlinePages.flatMap(page => [
  chunk(`${page}.js`, page, { imports: ['phone.js'] }),
  chunk(`${page}.routes.js`, page.replace(/[^/]+$/, 'routes.ts'), { dynamicImports: ['office.js'] }),
])

const chunks = castForTest<Chunks>(
  Object.fromEntries(
    [
      chunk('start.js', 'apps/web/main.tsx', {
        imports: ['react.js'],
        dynamicImports: ['office.js', 'questions.js'],
        viteMetadata: { importedCss: new Set(['start.css']) },
      }),
      chunk('screens.js', 'apps/web/screens.ts', { dynamicImports: ['office.js'] }),
      chunk('react.js', 'node_modules/react/index.js'),
      chunk('office.js', 'modules/rooms/web/list.tsx'),
      chunk('questions.js', 'kit/web/confirm-dialog.tsx', { imports: ['dialog.js'] }),
      chunk('dialog.js', 'kit/web/dialog.tsx'),
      chunk('phone.js', 'kit/web/phone/phone-form.tsx', { dynamicImports: ['scanner.js'] }),
      chunk('scanner.js', 'kit/web/phone/qr-library.ts'),
      ...pageChunks,
    ].map(each => [each.fileName, each]),
  ),
)

it('keeps the pages with all that they import, their styles, scanner and questions, and nothing of the office', () => {
  const { entry, files } = findOfflineFiles(chunks, '/top')
  expect(entry).toBe('start.js')
  const first = ['start.js', 'start.css', 'screens.js', 'react.js']
  const others = [...first, 'questions.js', 'dialog.js', 'phone.js', 'scanner.js']
  expect(files).toEqual([...others, ...pageChunks.map(({ fileName }) => fileName)].toSorted())
})

it('a page that the build has put into another file is refused, rather than missing on the phone', () => {
  const { ['modules/patrol/web/walk.tsx.js']: _missing, ...rest } = chunks
  expect(() => findOfflineFiles(rest, '/top')).toThrow('modules/patrol/web/walk.tsx')
})
