import { choiceTable, type ChoiceOf } from '#kit/contract/field.ts'

/** In which words a camera reports: each has an adapter of this name (`server/adapters`). */
export const cameraMaker = choiceTable('ParkCameraMaker', '对接协议', {
  vzenith: [10, '臻识 HTTP 推送'],
})

export type CameraMaker = ChoiceOf<typeof cameraMaker>

/** How a camera proves that it is the one. */
export const cameraAuth = choiceTable('ParkCameraAuth', '验证方式', {
  signed: [10, '签名'],
  basic: [20, '用户名与密钥（HTTPS）'],
})

export const readingState = choiceTable('ParkReadingState', '结果', {
  opened: [10, '已放行', 'done'],
  refused: [20, '未放行', 'hold'],
  toCheck: [30, '待核对', 'todo'],
  checked: [40, '已核对', 'done'],
  lapsed: [50, '已过时', 'off'],
})

export type ReadingState = ChoiceOf<typeof readingState>
