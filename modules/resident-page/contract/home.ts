import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, int, lines, text } from '#kit/contract/field.ts'
import { rules } from '#kit/contract/rules.ts'
import { noData, shape } from '#kit/contract/shape.ts'
import { requiredCaptchaFields } from '#modules/accounts/contract/credential-fields.ts'
import { homeKind, partIcon } from './choices.ts'

const basePath = 'resident/v1/Page'

/** What every call behind the page of a resident carries: the link of a person, or a sign-in. */
export const residentTokenField = text('凭证', {
  required: true,
  max: 200,
  wire: ['Token', 't'],
  masked: 'secret',
})

/** Which of the homes of a resident is looked at; the first without one. */
export const homeKeyField = text('住处', { max: 20, wire: ['Home', 'h'] })

/** Many residents are behind one address of a mobile network; wrong links have a limit of their own. */
export const residentReadsPerMinute = 600
export const residentWritesPerMinute = 120

const homeLine = {
  homeKey: text('住处', { required: true, wire: 'Home' }),
  kind: choice('类型', homeKind, { required: true, wire: 'Kind' }),
  placeName: text('地点', { required: true, wire: 'PlaceName' }),
  estateName: text('项目', { required: true, wire: 'EstateName' }),
} as const

const partLine = {
  key: text('编号', { required: true, wire: 'Key' }),
  title: text('名称', { required: true, wire: 'Title' }),
  icon: choice('图标', partIcon, { required: true, wire: 'Icon' }),
  url: text('地址', { required: true, wire: 'Url' }),
  /** What waits there for the resident. */
  count: int('数量', { wire: 'Count' }),
  note: text('说明', { wire: 'Note' }),
} as const

const itemLine = {
  partKey: text('编号', { required: true, wire: 'PartKey' }),
  title: text('标题', { required: true, wire: 'Title' }),
  note: text('说明', { wire: 'Note' }),
  url: text('地址', { required: true, wire: 'Url' }),
  isNew: flag('未读', { required: true, wire: 'IsNew' }),
} as const

const entranceText = { max: 200, wire: ['Entrance', 'e'] } as const

export const openHome = call({
  route: `GET ${basePath}/Open`,
  title: '打开住户页',
  needs: publicAccess,
  perMinute: residentReadsPerMinute,
  /** With the code that a phone with a sign-in has read, the home is one where that code hangs. */
  input: shape({ token: residentTokenField, home: homeKeyField, entrance: text('二维码', entranceText) }),
  output: shape({
    personName: text('姓名', { required: true, wire: 'PersonName' }),
    companyName: text('物业公司', { required: true, wire: 'CompanyName' }),
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    servicePhone: text('服务电话', { wire: 'ServicePhone' }),
    homeKey: text('住处', { required: true, wire: 'Home' }),
    homes: lines('住处', homeLine, { required: true, wire: 'Homes' }),
    parts: lines('服务', partLine, { required: true, wire: 'Parts' }),
    items: lines('最近', itemLine, { required: true, wire: 'Items' }),
  }),
})

export type HomePage = NonNullable<typeof openHome.output.T>

const entranceField = text('二维码', { ...entranceText, required: true })
const mobileField = text('手机号', { required: true, max: 11, rule: rules.mobile })

/** Where the code of a project or of a building hangs. */
export const openEntrance = call({
  route: `GET ${basePath}/Entrance`,
  title: '扫码进入住户页',
  needs: publicAccess,
  perMinute: residentReadsPerMinute,
  input: shape({ entrance: entranceField }),
  output: shape({
    companyName: text('物业公司', { required: true, wire: 'CompanyName' }),
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    buildingName: text('楼栋', { wire: 'Buildname' }),
    servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  }),
})

/** To a number that is registered; whether it is one is not to be learned here (PERM-11). */
export const sendResidentCode = call({
  route: `POST ${basePath}/SendCode`,
  title: '发送住户登录验证码',
  needs: publicAccess,
  perMinute: 10,
  input: shape({ entrance: entranceField, mobile: mobileField, ...requiredCaptchaFields }),
  output: noData,
})

/** What the phone keeps for thirty days; it ends earlier with the links of the home. */
const signedIn = shape({ token: text('凭证', { required: true, wire: 'Token' }) })

export const signInResident = call({
  route: `POST ${basePath}/SignIn`,
  title: '住户登录',
  needs: publicAccess,
  perMinute: 20,
  input: shape({
    entrance: entranceField,
    mobile: mobileField,
    smsCode: text('短信验证码', {
      required: true,
      min: 6,
      max: 6,
      wire: ['SmsCode', 'ValidCode'],
      masked: 'secret',
    }),
  }),
  output: signedIn,
})

/** Where WeChat asks who holds the phone; it comes back to the page with a code. */
export const askResidentWechat = call({
  route: `POST ${basePath}/AskWechat`,
  title: '住户微信登录',
  needs: publicAccess,
  perMinute: 60,
  input: shape({
    entrance: entranceField,
    origin: text('站点', { required: true, max: 200, rule: rules.url, wire: 'Origin' }),
    /** By which the page knows that it asked itself. */
    nonce: text('随机数', { required: true, min: 16, max: 64, rule: rules.lettersDigits, wire: 'Nonce' }),
  }),
  output: shape({ address: text('授权地址', { required: true, wire: 'Address' }) }),
})

export const signInByWechat = call({
  route: `POST ${basePath}/SignInByWechat`,
  title: '住户凭微信登录',
  needs: publicAccess,
  perMinute: 60,
  input: shape({
    entrance: entranceField,
    code: text('授权码', { required: true, max: 200, wire: 'Code', masked: 'secret' }),
  }),
  output: signedIn,
})
