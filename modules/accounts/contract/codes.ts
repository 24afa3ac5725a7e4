import { anybody, call, everyone } from '#kit/contract/call.ts'
import { choice, choiceTable, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { nothing, shape, value } from '#kit/contract/shape.ts'
import { property } from './company.ts'
import { captchaFields, loginName, newPassword, password } from './words.ts'

/** What a code by SMS is for; a code of one purpose serves no other. */
export const codePurpose = choiceTable('SmsPurpose', '验证码用途', {
  register: [10, '注册'],
  password: [20, '找回密码'],
  mobile: [30, '更换手机'],
  transfer: [40, '权限移交'],
  join: [50, '加入企业'],
})

const mobile = text('手机号', { required: true, max: 11, rule: rules.mobile })

const smsCode = text('短信验证码', {
  required: true,
  min: 6,
  max: 6,
  wire: ['SmsCode', 'ValidCode', 'Code'],
  masked: 'secret',
})

const picture = {
  captcha: { ...captchaFields.captcha, required: true as const },
  captchaKey: { ...captchaFields.captchaKey, required: true as const },
}

/** To one's own number, or to the new one when changing it (PERM-11). The picture comes first. */
export const sendCode = call({
  at: 'POST Manager/SendValidCode',
  title: '发送短信验证码',
  needs: everyone,
  perMinute: 10,
  input: shape({
    purpose: choice('用途', codePurpose, { required: true }),
    mobile: text('手机号', { max: 11, rule: rules.mobile }),
    ...picture,
  }),
  output: value(text('已发送到', { required: true })),
})

/**
 * Before sign-in: for registering, or for an account's forgotten password (to the number it has; the answer
 * never says whether there is one).
 */
export const sendCodeOutside = call({
  at: 'POST Manager/SendValidCodeByImageCode',
  names: ['Manager/SendValidCodeByCaptcha'],
  title: '发送短信验证码',
  needs: anybody,
  perMinute: 10,
  input: shape({
    purpose: choice('用途', codePurpose, { required: true }),
    mobile,
    loginCode: text('账号', { max: 40, wire: ['Logincode', 'LoginCode'] }),
    ...picture,
  }),
  output: nothing,
})

/**
 * The first step of a forgotten password: account, mobile and code give a pass to the second, good for ten
 * minutes.
 */
export const checkCode = call({
  at: 'POST Manager/CheckSmsCode',
  title: '校验短信验证码',
  needs: anybody,
  perMinute: 20,
  input: shape({
    loginCode: text('账号', { required: true, max: 40, wire: ['Logincode', 'LoginCode'] }),
    mobile,
    smsCode,
  }),
  output: value(text('凭据', { required: true })),
})

export const findPassword = call({
  at: 'POST Manager/FindUpdatePassWord',
  title: '重新设置密码',
  needs: anybody,
  perMinute: 20,
  input: shape({
    pass: text('凭据', { required: true, max: 100, wire: ['Ticket', 'Pass'], masked: 'secret' }),
    password: newPassword('新密码'),
  }),
  output: nothing,
})

/** A new company with its owner, on trial. */
export const register = call({
  at: 'POST Manager/Register',
  title: '注册',
  needs: anybody,
  perMinute: 10,
  input: shape({
    companyName: property.fields.companyName,
    realName: text('联系人', { required: true, max: 40 }),
    mobile,
    smsCode,
    loginCode: loginName(),
    password: newPassword(),
  }),
  output: nothing,
})

/** Ends the other sessions: a mobile is a way in (PERM-9). */
export const changeMobile = call({
  at: 'POST Manager/UpdateMobile',
  title: '更换手机',
  needs: everyone,
  perMinute: 10,
  input: shape({ mobile, smsCode, password: password('当前密码') }),
  output: nothing,
  affects: ['manager'],
})
