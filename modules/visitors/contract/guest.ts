import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, int, list, moment, pickFields, text } from '#kit/contract/field.ts'
import { extendShape, omitFields, shape } from '#kit/contract/shape.ts'
import { visitState } from './choices.ts'
import { invitationPicture } from './template.ts'
import { inviteVisitor } from './visitor.ts'

const basePath = 'visitor/v1/Guest'
const token = text('凭证', { required: true, max: 200, wire: ['Token', 't'] })

/** A photo from a telephone, made smaller before it is sent. */
export const maxFaceBytes = 2 * 1024 * 1024

/** What a visitor sees of the own visit: nobody's telephone, and of the host the surname alone. */
const page = shape({
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  companyName: text('物业公司', { required: true, wire: 'CompanyName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  visitorName: text('访客', { required: true, wire: 'VisitorName' }),
  hostName: text('被访人', { required: true, wire: 'HostName' }),
  placeName: text('拜访地点', { wire: 'PlaceName' }),
  beginTime: moment('起', { required: true, wire: 'BeginTime' }),
  endTime: moment('止', { required: true, wire: 'EndTime' }),
  maxTimes: int('可通行次数', { required: true, wire: 'MaxTimes' }),
  usedTimes: int('已进次数', { required: true, wire: 'UsedTimes' }),
  plateNo: text('车牌', { wire: 'PlateNo' }),
  state: choice('状态', visitState, { required: true, wire: 'State' }),
  stateText: text('进度', { required: true, wire: 'StateText' }),
  /** What the rule asks for and the visitor has not given yet. */
  needsCert: flag('待填证件', { required: true, wire: 'NeedCert' }),
  needsFace: flag('待拍人脸', { required: true, wire: 'NeedFace' }),
  canComplete: flag('可补充资料', { required: true, wire: 'CanComplete' }),
  allowsCar: flag('允许车辆', { required: true, wire: 'AllowCar' }),
  /** Once it is allowed and nothing is missing. */
  inviteNo: text('邀请码', { wire: 'InviteNo' }),
  notice: text('来访须知', { wire: 'Notice' }),
  locations: list('门岗', { required: true, wire: 'Locations' }),
})

export type GuestPage = NonNullable<typeof page.T>

export const openGuest = call({
  route: `GET ${basePath}/Open`,
  title: '打开访客页',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token }),
  output: page,
})

/** The invitation as a picture: for the visitor, and for the host who passes the link on. */
export const openGuestPicture = call({
  route: `GET ${basePath}/GetPicture`,
  title: '打开邀请函',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token }),
  output: extendShape(omitFields(invitationPicture, ['background']), {
    backgroundUrl: text('背景图', { wire: 'BackgroundUrl' }),
  }),
})

/** What the visitor has to say before the visit: the document, the plate. */
export const completeGuest = call({
  route: `POST ${basePath}/Complete`,
  title: '访客补充资料',
  needs: publicAccess,
  perMinute: 30,
  affects: ['inviteVisitor', 'invitation'],
  input: shape({ token, ...pickFields(inviteVisitor.fields, ['certType', 'certNo', 'plateNo']) }),
  output: page,
})

export const uploadGuestFace = call({
  route: `POST ${basePath}/Upload`,
  title: '访客上传人脸',
  needs: publicAccess,
  perMinute: 20,
  upload: maxFaceBytes,
  affects: ['inviteVisitor'],
  input: shape({ token }),
  output: page,
})
