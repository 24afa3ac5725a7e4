import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, lines, moment, text } from '#kit/contract/field.ts'
import { noData, recordIdField, shape } from '#kit/contract/shape.ts'
import {
  homeKeyField,
  residentReadsPerMinute,
  residentTokenField,
  residentWritesPerMinute,
} from '#modules/resident-page/contract/home.ts'
import { matterCategory, noticeKind, noticeReceipt, noticeType } from './choices.ts'

const basePath = 'resident/v1/Notice'

const behindToken = { token: residentTokenField, home: homeKeyField } as const
const read = { needs: publicAccess, perMinute: residentReadsPerMinute } as const
const write = { needs: publicAccess, perMinute: residentWritesPerMinute } as const

const kindField = choice('种类', noticeKind, { required: true, wire: 'NoticeKind' })

const noticeLine = {
  id: recordIdField,
  kind: kindField,
  title: text('标题', { required: true, wire: 'Title' }),
  noticeType: choice('类型', noticeType, { wire: 'NoticeType' }),
  isTop: flag('置顶', { required: true, wire: 'IsTop' }),
  isModified: flag('已修改', { required: true, wire: 'IsModified' }),
  needConfirm: flag('需确认', { required: true, wire: 'NeedConfirm' }),
  publishTime: moment('发布时间', { required: true, wire: 'PublishTime' }),
  receipt: choice('阅读情况', noticeReceipt, { required: true, wire: 'Receipt' }),
} as const

export const homeNotices = call({
  route: `GET ${basePath}/GetList`,
  title: '住户的公告',
  ...read,
  input: shape({ ...behindToken, page: int('页', { min: 1, max: 1000, initial: 1, wire: 'Page' }) }),
  output: shape({
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    notices: lines('公告', noticeLine, { required: true, wire: 'Notices' }),
    hasMore: flag('还有', { required: true, wire: 'HasMore' }),
    advertisements: lines(
      '广告',
      {
        id: recordIdField,
        title: text('标题', { required: true, wire: 'Title' }),
        mediaUrl: text('素材', { required: true, wire: 'MediaUrl' }),
        linkUrl: text('链接', { wire: 'LinkUrl' }),
      },
      { required: true, wire: 'Advertisements' },
    ),
  }),
})

export type HomeNoticeLine = NonNullable<typeof homeNotices.output.T>['notices'][number]

export const homeNotice = call({
  route: `GET ${basePath}/GetOne`,
  title: '住户查看公告',
  ...read,
  input: shape({ ...behindToken, id: recordIdField, kind: kindField }),
  output: shape({
    ...noticeLine,
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    servicePhone: text('服务电话', { wire: 'ServicePhone' }),
    /** Who issues it. */
    companyName: text('物业公司', { required: true, wire: 'CompanyName' }),
    publisherName: text('发布人', { wire: 'PublisherName' }),
    /** Formatted text whose pictures have addresses; of a notice to named persons, plain words. */
    content: text('正文', { required: true, wire: 'Content' }),
    confirmTime: moment('确认时间', { wire: 'ConfirmTime' }),
    attachments: lines(
      '附件',
      {
        name: text('名称', { required: true, wire: 'Name' }),
        url: text('地址', { required: true, wire: 'Url' }),
      },
      { required: true, wire: 'Attachments' },
    ),
  }),
})

export type HomeNotice = NonNullable<typeof homeNotice.output.T>

/** Opening the page reads it; 「我已知晓」 confirms it. */
export const markHomeNotice = call({
  route: `POST ${basePath}/Mark`,
  title: '住户阅读公告',
  ...write,
  input: shape({
    ...behindToken,
    id: recordIdField,
    kind: kindField,
    isConfirmed: flag('我已知晓', { required: true, wire: 'IsConfirmed' }),
  }),
  output: noData,
  affects: ['noticeReceiver', 'publicNotice', 'userNotice'],
})

export const homeMatters = call({
  route: `GET ${basePath}/GetMatters`,
  title: '住户的办事指南',
  ...read,
  input: shape(behindToken),
  output: shape({
    estateName: text('项目', { required: true, wire: 'EstateName' }),
    matters: lines(
      '事项',
      {
        id: recordIdField,
        title: text('事项', { required: true, wire: 'Title' }),
        category: choice('分类', matterCategory, { required: true, wire: 'Category' }),
        steps: text('办理步骤', { required: true, wire: 'Content' }),
        materials: text('所需材料', { wire: 'Materials' }),
        place: text('办理地点', { wire: 'Place' }),
        hours: text('办理时间', { wire: 'Hours' }),
        servicePhone: text('咨询电话', { wire: 'ServicePhone' }),
      },
      { required: true, wire: 'Matters' },
    ),
  }),
})

export type HomeMatter = NonNullable<typeof homeMatters.output.T>['matters'][number]

/** Of one that is shown to them; counted once per resident and minute. */
export const clickAdvertisement = call({
  route: `POST ${basePath}/Click`,
  title: '住户点击广告',
  ...write,
  input: shape({
    ...behindToken,
    advertisementId: idOf('广告', { required: true, min: 1, wire: 'AdvertisementID' }),
  }),
  output: noData,
  affects: ['advertisement'],
})
