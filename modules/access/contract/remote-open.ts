import { call } from '#kit/contract/call.ts'
import { choice, flag, idOf, text } from '#kit/contract/field.ts'
import { recordIdField, shape } from '#kit/contract/shape.ts'
import { taskState } from '#modules/devices/contract/choices.ts'
import { menu } from '../module.ts'

const { open } = menu.doorway.permissions

/** ACS-6: whether a reason is asked is a parameter of the project. */
export const openDoorway = call({
  route: 'POST Doorway/PostOpen',
  title: '远程开门',
  needs: open,
  input: shape({ id: recordIdField, reason: text('原因', { max: 200 }) }),
  output: shape({
    taskId: idOf('任务', { required: true, wire: 'TaskID' }),
    deviceName: text('设备', { required: true, wire: 'DevName' }),
  }),
})

/** How it ended; after some seconds that it has not yet. */
export const getOpenResult = call({
  route: 'GET Doorway/GetOpenResult',
  title: '远程开门结果',
  needs: open,
  input: shape({ taskId: idOf('任务', { required: true, min: 1, wire: 'TaskID' }) }),
  output: shape({
    state: choice('状态', taskState, { required: true }),
    reason: text('原因'),
    hasEnded: flag('已结束', { required: true, wire: 'Ended' }),
  }),
})

/** What is asked before a door is opened from afar. */
export const getOpenRules = call({
  route: 'GET Doorway/GetOpenRules',
  title: '远程开门要求',
  needs: open,
  input: shape({ id: recordIdField }),
  output: shape({ needsReason: flag('须填写原因', { required: true, wire: 'NeedReason' }) }),
})
