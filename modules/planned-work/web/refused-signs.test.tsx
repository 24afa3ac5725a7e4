import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { asId } from '#kit/domain/id.ts'
import type { QueuedSign } from './queued-sign.ts'
import { RefusedSigns } from './refused-signs.tsx'

const sign: QueuedSign = {
  uuid: 'first',
  taskId: asId(1),
  taskName: '1 层 大厅 大堂检查',
  pointName: '地面',
  signType: 'manual',
  deviceMs: 1000,
  photos: [],
  isOffline: true,
  refusal: '任务已结束或停用，已留存，不计入结果',
  extraReason: 'taskClosed',
}

const shownOf = (refused: readonly QueuedSign[]): string => {
  const none = (): void => undefined
  const signs = { queue: refused, waiting: [], refused, add: none, retry: none, drop: none, upload: none }
  return renderToStaticMarkup(<RefusedSigns signs={signs} />)
}

it('what was not counted names its place, plan and item; what an older page kept names its item', () => {
  expect(shownOf([sign])).toContain('1 层 大厅 大堂检查 地面：任务已结束或停用')
  expect(shownOf([{ ...sign, taskName: undefined }])).toMatch(/\d\d:\d\d 地面：任务已结束或停用/)
})
