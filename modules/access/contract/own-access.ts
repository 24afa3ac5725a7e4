import { call, everyone, publicAccess } from '#kit/contract/call.ts'
import { choice, day, flag, idOf, int, lines, ref, text } from '#kit/contract/field.ts'
import { listOfRows, shape } from '#kit/contract/shape.ts'
import { taskState } from '#modules/devices/contract/choices.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { personLinkFields } from './person-link.ts'

const basePath = 'door/v1/Own'
const token = text('凭证', { required: true, max: 200, wire: ['Token', 't'] })
/** Many residents are behind one address of a mobile network; wrong links have a limit of their own. */
const readsPerMinute = 600
const writesPerMinute = 300
/** By one of the staff; a resident behind a link has the same limit. */
export const openingsPerMinute = 10

const ownDoorway = {
  id: idOf('门', { required: true, wire: ['ID', 'DoorwayID'] }),
  doorwayName: text('门', { required: true, wire: 'DoorName' }),
  reason: text('依据', { required: true }),
  isOnline: flag('在线', { required: true, wire: 'Online' }),
} as const

const accessFields = {
  personName: text('姓名', { required: true, wire: 'PersonName' }),
  placeName: text('地点', { wire: 'PlaceName' }),
  estateName: text('项目', { required: true, wire: 'EstateName' }),
  servicePhone: text('服务电话', { wire: 'ServicePhone' }),
  /** Those that open now, by the same decision as at the door itself. */
  doorways: lines('可开的门', ownDoorway, { required: true, wire: 'Doorways' }),
  /** Why there is none, and what to do. */
  refusal: text('无法开门的原因', { wire: 'Refusal' }),
} as const

const ownAccess = shape(accessFields)

export type OwnAccess = NonNullable<typeof ownAccess.T>

const shownCode = shape({
  code: text('通行码', { required: true, wire: 'PassCode' }),
  endDate: day('有效期至', { required: true, wire: 'EndDate' }),
  deviceCount: int('应有设备数', { required: true, wire: 'DeviceCount' }),
  waitingCount: int('待下发设备数', { required: true, wire: 'WaitingCount' }),
})

export type ShownCode = NonNullable<typeof shownCode.T>

const isNew = flag('更换', { wire: 'Renew', help: '更换后原通行码失效' })
const doorwayId = idOf('门', { required: true, min: 1, wire: ['DoorwayID', 'DoorwayId'] })

const sentOpening = shape({
  /** By which the sender alone asks for the result. */
  ticket: text('凭据', { required: true, wire: 'Ticket' }),
  doorwayName: text('门', { required: true, wire: 'DoorName' }),
})

/** What a resident or a company's worker opens, behind the link of a home or a job. */
export const openOwnAccess = call({
  route: `GET ${basePath}/Open`,
  title: '打开手机开门页',
  needs: publicAccess,
  perMinute: readsPerMinute,
  input: shape({ token }),
  output: ownAccess,
})

export const showOwnCode = call({
  route: `POST ${basePath}/Code`,
  title: '出示本人通行码',
  needs: publicAccess,
  perMinute: writesPerMinute,
  input: shape({ token, isNew }),
  output: shownCode,
})

export const openOwnDoorway = call({
  route: `POST ${basePath}/OpenDoorway`,
  title: '本人手机开门',
  needs: publicAccess,
  perMinute: writesPerMinute,
  input: shape({ token, doorwayId }),
  output: sentOpening,
})

/** How an opening ended, by its ticket; after some seconds that it has not yet. */
export const getOwnOpening = call({
  route: `GET ${basePath}/OpenResult`,
  title: '手机开门结果',
  needs: publicAccess,
  perMinute: readsPerMinute,
  input: shape({ ticket: text('凭据', { required: true, max: 200, wire: 'Ticket' }) }),
  output: shape({
    state: choice('状态', taskState, { required: true }),
    reason: text('原因'),
    hasEnded: flag('已结束', { required: true, wire: 'Ended' }),
  }),
})

/** The project of the doors; the first of the caller's without one. */
const staffProject = { projectCode: estateField<false>({ required: false }) }

/** What one of the staff opens, in one project of the own data domain. */
export const getStaffAccess = call({
  route: `GET ${basePath}/Staff`,
  title: '员工的手机开门',
  needs: everyone,
  input: shape(staffProject),
  output: shape({
    ...accessFields,
    projectCode: estateField<false>({ required: false }),
    projects: lines(
      '项目',
      { code: text('项目编码', { required: true }), name: text('项目', { required: true }) },
      { required: true, wire: 'Projects' },
    ),
  }),
})

export type StaffAccess = NonNullable<typeof getStaffAccess.output.T>

export const showStaffCode = call({
  route: `POST ${basePath}/StaffCode`,
  title: '出示员工通行码',
  needs: everyone,
  perMinute: 60,
  input: shape({ ...staffProject, isNew }),
  output: shownCode,
})

export const openStaffDoorway = call({
  route: `POST ${basePath}/StaffOpenDoorway`,
  title: '员工手机开门',
  needs: everyone,
  perMinute: openingsPerMinute,
  input: shape({ doorwayId }),
  output: sentOpening,
})

/** The links of one resident, each of a home or of a job; it opens the doors for all who have it. */
export const listOwnLinks = call({
  route: 'GET DoorPass/GetLinks',
  title: '通行链接',
  needs: menu.passCode.permissions.link,
  input: shape({ userId: ref('住户', 'resident', { required: true, wire: ['UserID', 'UserId'] }) }),
  output: listOfRows(personLinkFields),
})
