import { call, everyone } from '#kit/contract/call.ts'
import { list, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { passwordField } from './credential-fields.ts'

/**
 * Starts a second factor by an authenticator app (RFC 6238) after the password; it is in force once
 * `confirmTotp` has received a right code.
 */
export const beginTotp = call({
  route: 'POST Manager/BeginTotp',
  title: '开启动态验证码',
  needs: everyone,
  duringSetup: true,
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
  duringSetup: true,
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
