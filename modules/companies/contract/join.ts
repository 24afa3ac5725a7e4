import { publicAccess, call } from '#kit/contract/call.ts'
import { flag, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { requiredCaptchaFields } from '#modules/accounts/contract/credential-fields.ts'
import { nameRule } from '#modules/residents/contract/labels.ts'

/** 2,048 KB (0§5). */
export const maxPhotoBytes = 2 * 1_048_576
const code = text('邀请码', { required: true, max: 40, wire: 'Code' })
const mobile = text('手机号', { required: true, max: 11, rule: rules.mobile })
const companyName = text('企业', { required: true, wire: 'CompanyName' })

/** Whose invitation it is: what the page behind the QR picture says before anything is filled in. */
export const getInvitation = call({
  route: 'GET CompanyWorker/GetInvitation',
  title: '查看企业邀请',
  needs: publicAccess,
  // Colleagues who join one after another are behind one address; a wrong code has a limit of its own.
  perMinute: 600,
  input: shape({ code }),
  output: shape({ companyName, estateName: text('项目', { wire: 'ProjectName' }) }),
})

/** To a number that its holder gives, after the picture and for a live invitation alone (PERM-11). */
export const sendJoinCode = call({
  route: 'POST CompanyWorker/SendJoinCode',
  title: '发送加入企业的验证码',
  needs: publicAccess,
  perMinute: 10,
  input: shape({
    code,
    mobile,
    ...requiredCaptchaFields,
  }),
  output: noData,
})

/**
 * Somebody applies as a worker, verifies the phone number, uploads a face, and waits for approval by the
 * company's administrator.
 */
export const joinCompany = call({
  route: 'POST CompanyWorker/PostJoin',
  title: '申请加入企业',
  needs: publicAccess,
  perMinute: 10,
  upload: maxPhotoBytes,
  input: shape({
    code,
    name: text('姓名', { required: true, max: 40, rule: nameRule, wire: 'WorkerName' }),
    mobile,
    position: text('职位', { max: 40 }),
    smsCode: text('短信验证码', {
      required: true,
      min: 6,
      max: 6,
      wire: ['SmsCode', 'ValidCode'],
      masked: 'secret',
    }),
  }),
  output: shape({ companyName, already: flag('已是员工', { required: true, wire: 'Already' }) }),
})
