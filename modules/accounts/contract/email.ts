import { call, everyone } from '#kit/contract/call.ts'
import { text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { passwordField, requiredCaptchaFields } from './credential-fields.ts'

const emailField = text('邮箱', { required: true, max: 60, rule: rules.email })

/** To the address that is to be bound. The picture comes first, as with codes by SMS (PERM-11). */
export const requestEmailCode = call({
  route: 'POST Manager/SendEmailCode',
  title: '发送邮箱验证码',
  needs: everyone,
  perMinute: 10,
  input: shape({ email: emailField, ...requiredCaptchaFields }),
  output: noData,
})

/** The code proves that the address is the caller's own. */
export const changeEmail = call({
  route: 'POST Manager/UpdateEmail',
  title: '更换邮箱',
  needs: everyone,
  perMinute: 10,
  input: shape({
    email: emailField,
    emailCode: text('邮箱验证码', { required: true, min: 6, max: 6, masked: 'secret' }),
    password: passwordField('当前密码'),
  }),
  output: noData,
  affects: ['manager', 'noticeSetting'],
})

export const unbindEmail = call({
  route: 'POST Manager/UnbindEmail',
  title: '解除绑定邮箱',
  needs: everyone,
  perMinute: 10,
  input: shape({ password: passwordField('当前密码') }),
  output: noData,
  affects: ['manager', 'noticeSetting'],
})
