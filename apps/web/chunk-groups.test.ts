import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { chunkPaths, pathsLike } from './chunk-groups.ts'

const root = join(import.meta.dirname, '../..')
const sources = globSync(
  [
    'kit/**/*.{ts,tsx}',
    'modules/**/*.{ts,tsx}',
    'apps/web/*.{ts,tsx}',
    'node_modules/{react,react-dom,scheduler,react-router}/package.json',
    'node_modules/{antd/es,@ant-design/icons/es/icons,@rc-component/motion/es}/**/*.js',
  ],
  { cwd: root },
).map(file => `/${file.replaceAll('\\', '/')}`)

it.each(chunkPaths)('a chunk takes files by the path %s, written with either separator', path => {
  const pattern = pathsLike(path)
  const found = sources.filter(file => pattern.test(file))
  expect(found).not.toEqual([])
  expect(found.every(file => pattern.test(file.replaceAll('/', '\\')))).toBe(true)
})
