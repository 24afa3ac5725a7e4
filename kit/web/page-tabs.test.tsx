import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, it } from 'vitest'
import { PageTabs } from './page-tabs.tsx'
import { setRights } from './session.ts'

const permission = (flag: string) => ({
  key: `access.group.${flag}`,
  module: 'access',
  menu: 'access.group',
  flag,
  label: '',
})
const tabs = [
  { key: 'groups', label: '门组', needs: permission('view'), children: '门组的内容' },
  { key: 'times', label: '常开时段', needs: permission('edit'), children: '时段的内容' },
  { key: 'all', label: '全部', children: '全部的内容' },
]
const draw = (address: string): string =>
  renderToStaticMarkup(
    <MemoryRouter initialEntries={[address]}>
      <PageTabs tabs={tabs} />
    </MemoryRouter>,
  )

afterEach(() => setRights(undefined))

it('a tab without the permission is absent, and the first of the others is open', () => {
  setRights(new Set(['access.group.view']))
  const drawn = draw('/')
  expect(drawn).not.toContain('常开时段')
  expect(drawn).toContain('门组的内容')
  expect(drawn).not.toContain('全部的内容')
})

it('the address opens a tab; one that is not allowed opens the first', () => {
  setRights(new Set(['access.group.view']))
  expect(draw('/?tab=all')).toContain('全部的内容')
  expect(draw('/?tab=times')).toContain('门组的内容')
  setRights('all')
  expect(draw('/?tab=times')).toContain('时段的内容')
})
