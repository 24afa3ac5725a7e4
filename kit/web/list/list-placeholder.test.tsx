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

const draw = (disabledReason: string | undefined): string =>
  renderToStaticMarkup(
    listPlaceholder(
      castForTest<Parameters<typeof listPlaceholder<unknown, unknown>>[0]>(empty),
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
