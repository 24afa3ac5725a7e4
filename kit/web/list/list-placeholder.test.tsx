import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { castForTest } from '#kit/domain/fixtures.ts'
import { listPlaceholder } from './list-placeholder.tsx'

const empty = {
  answer: { isPending: false },
  page: { rows: [], total: 0 },
  rows: [],
  total: 0,
  view: { name: '全部' },
  hasNoConditions: true,
  isChanged: false,
}

const draw = (disabledReason: string | undefined, changed: object = {}): string =>
  renderToStaticMarkup(
    listPlaceholder(
      castForTest<Parameters<typeof listPlaceholder<unknown, unknown>>[0]>({ ...empty, ...changed }),
      '申请',
      { label: '新增申请', disabledReason, run: () => {} },
      undefined,
    ),
  )

it('an empty list offers its first record, or why none can be added', () => {
  expect(draw(undefined)).toContain('新增申请')
  expect(draw('未启用审批流程')).toContain('暂无申请；未启用审批流程')
  expect(draw('未启用审批流程')).not.toContain('新增申请')
})

it('a page beyond the end of a list in parts is no empty list', () => {
  const beyond = { comesInParts: true, state: { page: 3 }, size: 20, isCounting: true }
  expect(draw(undefined, beyond)).not.toContain('暂无申请')
  expect(draw(undefined, { ...beyond, isCounting: false })).toContain('回到第 1 页')
  expect(draw(undefined, { ...beyond, state: { page: 1 } })).toContain('暂无申请')
})
