import { labelOf } from '#kit/contract/field.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { StoredImages } from '#kit/web/stored-images.tsx'
import { advertisements, setAdvertisementState, type Advertisement } from '../contract/advertisement.ts'
import { advertisementState } from '../contract/choices.ts'
import { advertisementScreens, menu } from '../module.ts'

const { state: changeState, view } = menu.advertisement.permissions

const switchTo = (state: 'on' | 'off') => ({
  label: labelOf(advertisementState, state),
  needs: changeState,
  batch: true as const,
  isOffered: (row: Advertisement) => row.state !== state && !(state === 'off' && row.state === 'ended'),
  runAll: async (rows: readonly Advertisement[]) => {
    const ids = rows.map(row => String(row.id))
    const result = await sendAndInvalidate(setAdvertisementState, { ids, state })
    reportBulkResult(result, `${labelOf(advertisementState, state)}结果`)
  },
})

export const pages = crudPages(advertisements, {
  paths: advertisementScreens.paths,
  unit: '条广告',
  columns: [
    { key: 'title', identity: true, grow: 2 },
    { key: 'position', width: 96 },
    { key: 'linkUrl', grow: 1, hidePriority: 2 },
    { key: 'beginDate', width: 110 },
    { key: 'endDate', width: 110 },
    { key: 'sort', width: 72, hidePriority: 2 },
    { key: 'clickCount', width: 88, align: 'right' },
    'state',
  ],
  list: {
    filters: ['position', 'state', 'endDate'],
    barFilters: ['position', 'endDate'],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'on', name: '启用', filter: { state: ['on'] } },
      { id: 'off', name: '停用', filter: { state: ['off'] } },
      { id: 'ended', name: '已结束', filter: { state: ['ended'] } },
    ],
  },
  form: {
    presentation: 'drawer',
    groups: [
      {
        title: '广告',
        keys: [{ key: 'title', wide: true }, 'position', 'sort', { key: 'media', wide: true }],
      },
      {
        title: '投放',
        keys: [
          { key: 'projectCodes', wide: true },
          'beginDate',
          'endDate',
          {
            key: 'linkUrl',
            wide: true,
            isHidden: values => !['app', 'mini'].includes(String(values.position)),
          },
        ],
      },
    ],
  },
  actions: [switchTo('on'), switchTo('off')],
  deletion: { consequences: ['住户页与信息屏不再显示'], reasons: ['录入有误', '投放取消'] },
  detail: [
    { title: '广告', keys: ['title', 'position', 'sort', 'linkUrl', 'state'] },
    { title: '投放', keys: ['projectCodes', 'beginDate', 'endDate', 'clickCount'] },
  ],
  tabs: [
    {
      key: 'media',
      label: '素材',
      needs: view,
      inDrawer: true,
      body: row => <StoredImages fileKeys={[row.media]} size={320} />,
    },
  ],
})
