import { expect, it } from 'vitest'
import { describeNoProject, noProjectLine } from './no-project.ts'

it('an account without a data domain reads that, not that the company has no project (PERM-6)', () => {
  expect(describeNoProject({ allProject: false })).toEqual({
    title: '账号未分配项目',
    hint: '请联系管理员设置数据范围',
  })
  expect(noProjectLine({ allProject: false })).toBe('账号未分配项目，请联系管理员设置数据范围')
})

it('who sees all projects reads that there is none; so does a session from before this was known', () => {
  expect(noProjectLine({ allProject: true })).toBe('暂无项目')
  expect(describeNoProject({})).toEqual({ title: '暂无项目', hint: '请联系管理员新增项目' })
})
