import { call, publicAccess } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, flag, idOf, int, keyRef, lines, lookup, moment, text } from '#kit/contract/field.ts'
import { noData, reasonField, recordIdField, shape } from '#kit/contract/shape.ts'
import { enabledState, estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { noticeType, screenPosition } from './choices.ts'

const { permissions } = menu.screen

/** A display in a lobby that turns notices and advertisements. */
export const noticeScreen = entity(
  'noticeScreen',
  '信息屏',
  { table: 'notice_screen', tenancy: 'project', title: 'screenName', order: ['projectCode', 'id'] },
  {
    projectCode: estateField(),
    screenName: text('名称', { required: true, max: 40, searchable: true, wire: 'ScreenName' }),
    buildCode: keyRef('楼栋', 'building', {
      wire: ['Buildcode', 'BuildCode'],
      dataDomain: 'building',
      help: '不选为整个项目的公告',
      hiddenIn: ['table', 'sheet', 'detail'],
    }),
    buildName: lookup('楼栋', 'buildCode', 'name', { wire: 'BuildName' }),
    position: choice('位置', screenPosition, { required: true, initial: 'lobby' }),
    turnSeconds: int('每页停留', {
      required: true,
      min: 5,
      max: 120,
      initial: 12,
      unit: '秒',
      wire: 'TurnSeconds',
    }),
    state: choice('状态', enabledState, { required: true, initial: 'on' }),
    /** When its page last asked for what to show. */
    seenTime: moment('最近连接', { immutable: true, wire: 'SeenTime', hiddenIn: ['form', 'filter'] }),
  },
)

export type NoticeScreen = Row<typeof noticeScreen>

export const noticeScreensCrud = crud(noticeScreen, {
  path: 'NoticeScreen',
  permissions,
  filters: ['buildCode', 'position', 'state'],
  without: ['seenTime'],
})

export const screenTokenField = text('凭证', {
  required: true,
  max: 200,
  wire: ['Token', 't'],
  masked: 'secret',
})

const shownNotice = {
  id: recordIdField,
  title: text('标题', { required: true, wire: 'Title' }),
  noticeType: choice('类型', noticeType, { required: true, wire: 'NoticeType' }),
  publishTime: moment('发布时间', { required: true, wire: 'PublishTime' }),
  /** Formatted text whose pictures have addresses. */
  content: text('正文', { required: true, wire: 'Content' }),
}

const shownAdvertisement = {
  id: recordIdField,
  title: text('标题', { required: true, wire: 'Title' }),
  mediaUrl: text('素材', { required: true, wire: 'MediaUrl' }),
}

/** What a screen turns now; it keeps the last answer for when there is no network. */
export const openScreen = call({
  route: 'GET NoticeScreen/Open',
  title: '信息屏内容',
  needs: publicAccess,
  perMinute: 600,
  input: shape({ token: screenTokenField }),
  output: shape({
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    servicePhone: text('服务电话', { wire: 'ServicePhone' }),
    screenName: text('名称', { required: true, wire: 'ScreenName' }),
    turnSeconds: int('每页停留', { required: true, wire: 'TurnSeconds' }),
    time: moment('时间', { required: true, wire: 'Time' }),
    notices: lines('公告', shownNotice, { required: true, wire: 'Notices' }),
    advertisements: lines('广告', shownAdvertisement, { required: true, wire: 'Advertisements' }),
  }),
})

export type ScreenContent = NonNullable<typeof openScreen.output.T>

const screenIdField = idOf('信息屏', { required: true, min: 1, wire: ['ScreenID', 'ScreenId'] })

export const getScreenLink = call({
  route: 'GET NoticeScreen/GetLink',
  title: '信息屏链接',
  needs: permissions.link,
  input: shape({ screenId: screenIdField }),
  output: shape({
    url: text('链接', { wire: 'Url' }),
    isVoid: flag('已作废', { required: true, wire: 'Void' }),
  }),
})

/** Ends the link of before; none works while it is void. */
export const renewScreenLink = call({
  route: 'PUT NoticeScreen/PutLink',
  title: '更换信息屏链接',
  needs: permissions.link,
  input: shape({
    screenId: screenIdField,
    isVoid: flag('作废', { initial: false, wire: 'Void', help: '作废后信息屏不再显示，重新生成后恢复' }),
    reason: reasonField,
  }),
  output: noData,
  affects: ['noticeScreen'],
})
