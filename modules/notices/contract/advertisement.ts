import { call } from '#kit/contract/call.ts'
import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, day, file, int, systemChoice, text } from '#kit/contract/field.ts'
import { bulkResult, recordIdsField, shape } from '#kit/contract/shape.ts'
import { secureUrlRule } from '#modules/portal/contract/secure-url.ts'
import { menu } from '../module.ts'
import { advertisementPosition, advertisementState } from './choices.ts'
import { projectCodesField } from './reach.ts'

const { permissions } = menu.advertisement

/** NOT-2. */
export const advertisement = entity(
  'advertisement',
  '广告',
  { table: 'advertisement', tenancy: 'company', title: 'title', order: ['position', 'sort', 'id'] },
  {
    title: text('标题', { required: true, max: 80, searchable: true }),
    position: choice('位置', advertisementPosition, { required: true, initial: 'app' }),
    media: file('素材', {
      required: true,
      wire: 'MediaUrl',
      help: '图片，不超过 2048 KB',
      hiddenIn: ['table', 'filter', 'sheet'],
    }),
    linkUrl: text('链接', {
      max: 200,
      rule: secureUrlRule,
      help: '以 https:// 开头；信息屏上不可点击',
      hiddenIn: ['filter'],
    }),
    projectCodes: { ...projectCodesField, hiddenIn: ['table', 'filter', 'sheet'] },
    beginDate: day('开始日期', { required: true, wire: 'BeginDate' }),
    endDate: day('结束日期', { required: true, wire: 'EndDate', help: '含当日；次日自动结束' }),
    sort: int('排序', {
      required: true,
      min: 0,
      max: 9999,
      initial: 0,
      help: '数值小的排在前',
      hiddenIn: ['filter'],
    }),
    clickCount: int('点击', {
      required: true,
      initial: 0,
      unit: '次',
      immutable: true,
      wire: 'ClickCount',
      hiddenIn: ['form', 'filter'],
    }),
    state: systemChoice('状态', advertisementState, 'on'),
  },
)

export type Advertisement = Row<typeof advertisement>

export const advertisements = crud(advertisement, {
  path: 'Advertisement',
  permissions,
  filters: ['position', 'state', 'endDate'],
  without: ['clickCount', 'state'],
})

/** One that has ended is used again by a later end. */
export const setAdvertisementState = call({
  route: 'PUT Advertisement/UpdateState',
  title: '广告启用停用',
  needs: permissions.state,
  input: shape({ ids: recordIdsField, state: choice('状态', advertisementState, { required: true }) }),
  output: bulkResult,
  affects: ['advertisement'],
})
