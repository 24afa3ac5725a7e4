import type { Manager } from '../session.ts'

export interface NoProjectText {
  readonly title: string
  readonly hint: string
}

/** Why somebody sees no project: none of the company's is theirs, or the company has none. */
export const describeNoProject = (manager: Pick<Manager, 'allProject'> | undefined): NoProjectText =>
  manager?.allProject === false
    ? { title: '账号未分配项目', hint: '请联系管理员设置数据范围' }
    : { title: '暂无项目', hint: '请联系管理员新增项目' }

/** The same in one line, where a list of projects is empty. */
export const noProjectLine = (manager: Pick<Manager, 'allProject'> | undefined): string => {
  const { title, hint } = describeNoProject(manager)
  return manager?.allProject === false ? `${title}，${hint}` : title
}
