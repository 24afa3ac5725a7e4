import { publicAccess, call, everyone } from '#kit/contract/call.ts'
import { choice, choiceTable, flag, idOf, int, moment, part, text } from '#kit/contract/field.ts'
import { noData, shape, singleValue } from '#kit/contract/shape.ts'
import { captchaFields, managerType, passwordField } from './credential-fields.ts'

/** What the browser stores of the signed-in account (`etorcurrentuser`). */
export const signedInManagerFields = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  ownerId: idOf('公司', { required: true, wire: ['OwnerId', 'OwnerID'] }),
  loginCode: text('账号', { required: true, wire: 'Logincode' }),
  companyName: text('公司名称', { required: true, wire: 'PropertyCompanyName' }),
  realName: text('姓名', { required: true }),
  mobile: text('手机'),
  headImage: text('头像', { wire: 'HeadImge' }),
  managerType: choice('类型', managerType, { required: true }),
  mustChange: flag('须先修改密码', { required: true, wire: 'MustChangePw' }),
  mustBind: flag('须先绑定动态验证码', { required: true, wire: 'MustBindTotp' }),
  idleMinutes: int('自动退出', { required: true }),
  showPrivacy: flag('查看完整手机号、证件号', { required: true }),
  allProject: flag('全部项目', { required: true }),
  granter: text('可授权的人', { wire: 'Granter', help: '缺少权限时的联系人' }),
}

export const signInResult = shape({
  token: text('令牌', { required: true }),
  manager: part('管理员', signedInManagerFields, { required: true }),
  nearestProjectCode: text('最近项目'),
  device: text('设备凭据', { wire: 'Device', help: '保存在浏览器，下次登录使用' }),
})

export const login = call({
  route: 'POST Manager/Login',
  title: '登录',
  needs: publicAccess,
  perMinute: 120,
  input: shape({
    loginCode: text('账号', { required: true, max: 40, wire: ['Logincode', 'LoginCode'] }),
    password: passwordField(),
    ...captchaFields,
    device: text('设备凭据', { max: 200, wire: 'Device', masked: 'secret' }),
    totp: text('动态验证码', { max: 20, wire: 'Totp' }),
    entry: text('入口', { max: 20, wire: 'Entry' }),
  }),
  output: signInResult,
})

/**
 * What is in `Data` when a sign-in is refused: which field it concerns, and what the next try must bring.
 */
export const signInRefusalFields = {
  field: text('字段', { required: true, wire: 'Field' }),
  captcha: flag('需要验证码', { required: true, wire: 'Captcha' }),
  totp: flag('需要动态验证码', { required: true, wire: 'Totp' }),
  remaining: int('剩余次数', { wire: 'Remaining' }),
  lockUntil: moment('锁定至', { wire: 'LockUntil' }),
}

/** Answers where the browser goes on to, to leave the identity provider as well. */
export const logout = call({
  route: 'POST Manager/Logout',
  title: '退出登录',
  needs: everyone,
  duringSetup: true,
  input: noData,
  output: singleValue(text('身份平台的退出地址')),
})

/**
 * A captcha of four letters as a picture of pixels, and a task for the browser to solve (altcha). Both hold
 * for two minutes and one use. A caller who knows nothing of the task can still sign in by the picture.
 */
export const getCaptcha = call({
  route: 'GET Manager/GetCaptcha',
  aliases: ['Manager/GetImageCode'],
  title: '获取图形验证码',
  needs: publicAccess,
  perMinute: 120,
  input: noData,
  output: shape({
    captchaKey: text('验证码编号', { required: true, wire: 'CaptchaKey' }),
    image: text('图片', { required: true, wire: 'Image' }),
    challenge: text('计算任务', { required: true, wire: 'Challenge' }),
  }),
})

export const renewToken = call({
  route: 'POST Permission/AgainGetToken',
  aliases: ['GET Permission/AgainGetToken'],
  title: '续期令牌',
  needs: everyone,
  duringSetup: true,
  input: shape({ token: text('令牌', { max: 100, masked: 'secret' }), type: text('类型', { max: 20 }) }),
  output: singleValue(text('令牌', { required: true })),
})

export const getTokenSecondsLeft = call({
  route: 'GET Permission/GetTokenExp',
  title: '令牌剩余秒数',
  needs: everyone,
  duringSetup: true,
  input: noData,
  output: singleValue(int('剩余秒数', { required: true })),
})

/** The state of a scanned QR code; WeChat binding shares the states (PERM-10). */
export const qrState = choiceTable('QrState', '扫码状态', {
  waiting: [10, '待扫码', 'open'],
  scanned: [20, '已扫码待确认', 'todo'],
  confirmed: [30, '已确认', 'done'],
  cancelled: [40, '已取消', 'off'],
  expired: [50, '已过期', 'off'],
})

/** What a scanned code is for. Internal: it is in no call and no enumeration. */
export const qrPurpose = choiceTable('QrPurpose', '二维码用途', {
  login: [10, '扫码登录'],
  bindWechat: [20, '绑定微信'],
})
