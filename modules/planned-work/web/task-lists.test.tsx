import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { asDay } from '#kit/domain/day.ts'
import { effectiveState } from '#kit/web/list/list-views.tsx'
import { OtherKinds } from './other-phones.tsx'
import { taskViews } from './task-views.ts'

it('a list of tasks begins with those of today; all of them are one view away', () => {
  const [first, all] = taskViews(asDay('2026-11-29'), [])
  const asked = { filter: {}, keyword: '', order: undefined, page: 1, size: undefined, view: undefined }
  expect(first && effectiveState(asked, first).filter).toEqual({ taskDateTo: '2026-11-29' })
  expect(all && effectiveState({ ...asked, view: '*' }, all).filter).toEqual({})
})

it('the page of own tasks leads to those of other kinds that wait', () => {
  const queue = { title: '我今天的保洁任务', count: 4, path: '/cleanmanagement/inspect' }
  const shownOf = (...keys: readonly string[]): string =>
    renderToStaticMarkup(
      <MemoryRouter>
        <OtherKinds queues={keys.map(key => ({ ...queue, key }))} />
      </MemoryRouter>,
    )
  expect(shownOf('planned-work.own.cleaning', 'payments.refunds')).toMatch(
    /^<nav.*<a[^>]*href="\/cleanmanagement\/inspect"[^>]*>我今天的保洁任务 4<\/a><\/nav>$/,
  )
  expect(shownOf('planned-work.own.standard', 'payments.refunds')).toBe('')
})
