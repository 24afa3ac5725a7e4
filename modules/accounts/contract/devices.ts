import { call, everyone } from '#kit/contract/call.ts'
import { flag, idOf, moment, text } from '#kit/contract/field.ts'
import { noData, listOfRows, shape } from '#kit/contract/shape.ts'

/** The devices on which the caller's account is signed in. */
export const listDevices = call({
  route: 'GET Manager/GetSessions',
  title: '登录设备',
  needs: everyone,
  input: noData,
  output: listOfRows({
    id: idOf('编号', { required: true, wire: 'ID' }),
    entry: text('入口', { wire: 'Entry' }),
    agent: text('设备', { wire: 'Agent' }),
    ip: text('地址', { wire: 'Ip' }),
    loginTime: moment('登录时间', { required: true, wire: 'LoginTime' }),
    lastTime: moment('最近使用', { required: true, wire: 'LastTime' }),
    isCurrent: flag('当前设备', { required: true, wire: 'Here' }),
  }),
})

/** Without an id: every session but the caller's own. */
export const endSessions = call({
  route: 'POST Manager/EndSessions',
  title: '退出其他设备',
  needs: everyone,
  input: shape({ id: idOf('编号', { wire: 'ID', min: 1 }) }),
  output: noData,
})
