import { call, everyone } from '#kit/contract/call.ts'
import { flag, int, list, moment, text } from '#kit/contract/field.ts'
import { noData, listOfRows, shape } from '#kit/contract/shape.ts'
import { passwordField } from './credential-fields.ts'

/** Where one's account is signed in. */
export const listDevices = call({
  route: 'GET Manager/GetSessions',
  title: '登录设备',
  needs: everyone,
  input: noData,
  output: listOfRows({
    id: int('编号', { required: true, wire: 'ID' }),
    entry: text('入口', { wire: 'Entry' }),
    agent: text('设备', { wire: 'Agent' }),
    ip: text('地址', { wire: 'Ip' }),
    loginTime: moment('登录时间', { required: true, wire: 'LoginTime' }),
    lastTime: moment('最近使用', { required: true, wire: 'LastTime' }),
    here: flag('当前设备', { required: true, wire: 'Here' }),
  }),
})

/** Without a number: all but the one that asks. */
export const endSessions = call({
  route: 'POST Manager/EndSessions',
  title: '退出其他设备',
  needs: everyone,
  input: shape({ id: int('编号', { wire: 'ID', min: 1 }) }),
  output: noData,
})

/**
 * A second factor by an authenticator app (RFC 6238). Begun with the password, in force once a code has been
 * read aright.
 */
export const beginTotp = call({
  route: 'POST Manager/BeginTotp',
  title: '开启动态验证码',
  needs: everyone,
  perMinute: 10,
  input: shape({ password: passwordField('当前密码') }),
  output: shape({
    secret: text('密钥', { required: true, wire: 'Secret' }),
    uri: text('链接', { required: true, wire: 'Uri' }),
  }),
})

export const confirmTotp = call({
  route: 'POST Manager/ConfirmTotp',
  title: '确认动态验证码',
  needs: everyone,
  perMinute: 10,
  input: shape({
    code: text('动态验证码', { required: true, min: 6, max: 6, wire: 'Code', masked: 'secret' }),
  }),
  output: shape({ recovery: list('恢复码', { required: true, wire: 'Recovery' }) }),
})

export const endTotp = call({
  route: 'POST Manager/EndTotp',
  title: '关闭动态验证码',
  needs: everyone,
  perMinute: 10,
  input: shape({
    password: passwordField('当前密码'),
    code: text('动态验证码', { required: true, max: 20, wire: 'Code', masked: 'secret' }),
  }),
  output: noData,
})
