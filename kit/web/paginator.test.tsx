import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Paginator, type Counting } from './paginator.tsx'

const render = (total: number | undefined, counting?: Counting, onRetry?: () => void): string =>
  renderToStaticMarkup(
    <Paginator
      total={total}
      counting={counting}
      onRetry={onRetry}
      page={1}
      size={18}
      sizes={[18, 24]}
      onChange={() => undefined}
    />,
  )
const textOf = (markup: string): string => markup.replaceAll(/<[^>]+>/g, '')
const draw = (total: number | undefined): string => textOf(render(total))

it('names no number of records before they are counted', () => {
  expect(draw(undefined)).toContain('正在加载')
  expect(draw(undefined)).not.toContain('共 0 条')
  expect(draw(0)).toContain('共 0 条')
  expect(draw(1234)).toContain('共 1,234 条')
})

it('while rows stand and their total is counted, its place is kept, and the next page can be reached', () => {
  const pages = (markup: string): number => markup.match(/class="page number/g)?.length ?? 0
  const counting = render(undefined, { pages: 2, like: 1234 })
  expect(textOf(counting)).not.toContain('1,234')
  expect(pages(counting)).toBe(pages(render(1234)))
  expect(counting.match(/page number unknown/g)).toHaveLength(pages(counting) - 1)
  expect(counting).not.toMatch(/disabled=""[^>]*aria-label="下一页"/)
  expect(render(undefined, { pages: 1, like: 1234 })).toMatch(/disabled=""[^>]*aria-label="下一页"/)
})

it('a total that could not be counted can be asked for again', () => {
  expect(textOf(render(undefined, undefined, () => undefined))).toContain('总数加载失败 重试')
  const failed = render(undefined, { pages: 2, like: 1234 }, () => undefined)
  expect(textOf(failed)).toContain('总数加载失败 重试')
  expect(failed).not.toMatch(/disabled=""[^>]*aria-label="下一页"/)
  expect(textOf(render(1234, undefined, () => undefined))).toContain('共 1,234 条 · 总数未更新 重试')
})
