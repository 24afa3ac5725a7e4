import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import {
  choices,
  file,
  flag,
  int,
  list,
  lookup,
  moment,
  money,
  ref,
  systemChoice,
  text,
} from '#kit/contract/field.ts'
import { richTextField, richTextFilesField } from '#kit/contract/rich-text.ts'
import { byId, deletedIdField, reasonField, recordIdField, recordOf, shape } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { relation } from '#modules/residents/contract/relation.ts'
import { menu } from '../module.ts'
import { activityState } from './choices.ts'

const inDetail = { hiddenIn: ['table', 'filter'] } as const
const counted = { required: true, initial: 0, immutable: true, hiddenIn: ['form', 'filter'] } as const

/** NOT-2. */
export const maxPinned = 3
export const maxPersonsPerSign = 20
/** For one person: 99,999.99. */
const maxFee = 9_999_999

/** Something that residents come to, with sign-up (NOT-2). */
export const activity = entity(
  'activity',
  '活动',
  { table: 'activity', tenancy: 'project', title: 'title', order: ['-topSort', '-id'] },
  {
    projectCode: estateField(),
    title: text('标题', { required: true, min: 2, max: 80, searchable: true }),
    cover: file('封面', { wire: 'CoverUrl', hiddenIn: ['table', 'filter', 'sheet'] }),
    content: richTextField('内容', { required: true, wire: 'Content' }),
    contentFiles: richTextFilesField(),
    address: text('地点', { required: true, max: 100, searchable: true }),
    beginTime: moment('开始时间', { required: true }),
    endTime: moment('结束时间', { required: true, hiddenIn: ['filter'] }),
    signBegin: moment('报名开始', { required: true, ...inDetail }),
    signEnd: moment('报名截止', { required: true, hiddenIn: ['filter'] }),
    quota: int('名额', {
      required: true,
      min: 0,
      max: 100_000,
      initial: 0,
      unit: '人',
      help: '0 为不限',
      ...inDetail,
    }),
    maxPersons: int('每次最多人数', {
      required: true,
      min: 1,
      max: maxPersonsPerSign,
      initial: 1,
      unit: '人',
      help: '一位住户一次报名可带的人数，含本人',
      ...inDetail,
    }),
    hasWaiting: flag('允许候补', {
      required: true,
      initial: true,
      help: '名额已满后可候补，有人取消时按报名顺序递补',
      ...inDetail,
    }),
    /** For one person; an activity without one is free. */
    fee: money('费用', {
      min: 0,
      max: maxFee,
      initial: 0,
      wire: 'Fee',
      help: '每人，报名成功后记入住户房屋的账单；0 为免费',
      hiddenIn: ['filter'],
    }),
    feeItemId: ref('收费项目', 'feeItem', {
      wire: ['FeeItemID', 'FeeItemId'],
      help: '限临时类',
      hiddenIn: ['table', 'filter', 'sheet', 'detail'],
    }),
    feeItemName: lookup('收费项目', 'feeItemId', 'name', { wire: 'FeeItemName', ...inDetail }),
    buildCodes: {
      ...list('楼栋', { max: 200, wire: 'Buildcodes', help: '不选为整个项目', ...inDetail }),
      target: 'building',
      targetBy: 'key' as const,
    },
    relations: choices('参加人', relation, {
      wire: 'Relations',
      help: '与房屋的关系，不选为全部住户',
      ...inDetail,
    }),
    signCount: int('已报名', { unit: '人', wire: 'SignCount', ...counted }),
    waitCount: int('候补', { unit: '人', wire: 'WaitCount', ...counted }),
    checkInCount: int('已签到', { unit: '人', wire: 'CheckInCount', ...counted }),
    /** Higher stands first; 0 is not pinned. */
    topSort: int('置顶', { wire: 'TopSort', ...counted }),
    state: systemChoice('状态', activityState, 'draft'),
    publisherName: text('发布人', { max: 40, immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    publishTime: moment('发布时间', { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    cancelTime: moment('取消时间', { immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
    cancelReason: text('取消原因', { max: 200, immutable: true, hiddenIn: ['form', 'filter', 'table'] }),
  },
)

export type Activity = Row<typeof activity>

const { permissions } = menu.activity
const path = 'publicnotice/v1/Activity'

export const activities = crud(activity, {
  path,
  permissions,
  filters: ['state', 'beginTime'],
  without: [
    'signCount',
    'waitCount',
    'checkInCount',
    'topSort',
    'state',
    'publisherName',
    'publishTime',
    'cancelTime',
    'cancelReason',
  ],
  affects: ['activitySign', 'bill'],
  list: { route: `GET ${path}/GetPagedList` },
  add: { route: `POST ${path}/Add` },
  edit: { route: `PUT ${path}/Edit` },
  delete: { route: `DELETE ${path}/Del` },
})

const affects = ['activity', 'activitySign', 'bill']

/** Residents see it from then on, and sign up within its window. */
export const publishActivity = call({
  route: `PUT ${path}/PutPublish`,
  title: '发布活动',
  needs: permissions.publish,
  input: byId,
  output: recordOf(activity),
  affects,
})

/** All who signed up are notified. */
export const cancelActivity = call({
  route: `PUT ${path}/PutCancel`,
  title: '取消活动',
  needs: permissions.publish,
  input: shape({ id: recordIdField, reason: reasonField }),
  output: recordOf(activity),
  affects,
})

/** First among those of the project, three at most (NOT-2). */
export const pinActivity = call({
  route: `DELETE ${path}/Top`,
  title: '活动置顶',
  needs: permissions.pin,
  input: shape({
    id: deletedIdField,
    isPinned: flag('置顶', { initial: true, wire: 'IsTop', help: '否：取消置顶' }),
  }),
  output: recordOf(activity),
  affects,
})

/** What hangs at the place: who signed up checks in by it. */
export const getPlaceCode = call({
  route: `GET ${path}/GetPlaceCode`,
  title: '活动签到码',
  needs: permissions.checkIn,
  input: byId,
  output: shape({ url: text('地址', { required: true, wire: 'Url' }) }),
})
