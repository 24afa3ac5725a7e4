import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import { asMoment } from '#kit/domain/moment.ts'
import { AssignedTasks } from './assigned-tasks.tsx'
import { taskNameOf } from './task-groups.ts'

const times = {
  planName: '大堂检查',
  beginTime: asMoment('2026-11-29 14:00:00'),
  endTime: asMoment('2026-11-29 16:00:00'),
}

it('tasks that get another person show place, time and present person', () => {
  const html = renderToStaticMarkup(
    <AssignedTasks
      tasks={[
        { ...times, id: asId(1), targetName: '1 层 大厅', staffName: '王芳' },
        { ...times, id: asId(2), targetName: '2 层 大厅', candidateNames: '李丽、张敏' },
        { ...times, id: asId(3), nobodyReason: '王芳休息' },
      ]}
    />,
  )
  const cells = [...html.matchAll(/<td>(.*?)<\/td>/g)].map(([, text]) => text)
  expect(cells).toEqual([
    '1 层 大厅',
    '11-29 14:00 ~ 16:00',
    '王芳',
    '2 层 大厅',
    '11-29 14:00 ~ 16:00',
    '李丽、张敏',
    '大堂检查',
    '11-29 14:00 ~ 16:00',
    '无人可派：王芳休息',
  ])
  expect(taskNameOf({ ...times, targetName: '1 层 大厅' })).toBe('大堂检查 1 层 大厅 2026-11-29 14:00')
})
