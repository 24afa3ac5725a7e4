import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { Paginator } from './paginator.tsx'

const draw = (total: number | undefined): string =>
  renderToStaticMarkup(
    <Paginator total={total} page={1} size={18} sizes={[18, 24]} onChange={() => undefined} />,
  ).replaceAll(/<[^>]+>/g, '')

it('names no number of records before they are counted', () => {
  expect(draw(undefined)).toContain('正在加载')
  expect(draw(undefined)).not.toContain('共 0 条')
  expect(draw(0)).toContain('共 0 条')
  expect(draw(1234)).toContain('共 1,234 条')
})
