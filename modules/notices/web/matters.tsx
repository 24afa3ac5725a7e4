import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { sendAndInvalidate } from '#kit/web/record-actions.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { RichTextControl } from '#kit/web/rich-text/rich-text-control.tsx'
import { matters, setMatterState, type Matter } from '../contract/matter.ts'
import { matterScreens, menu } from '../module.ts'
import { NoticeContent } from './notice-content.tsx'

const { publish } = menu.matter.permissions

const switchTo = (state: Matter['state'], label: string) => ({
  label,
  needs: publish,
  batch: true as const,
  isOffered: (row: Matter) => row.state !== state,
  runAll: async (rows: readonly Matter[]) => {
    const result = await sendAndInvalidate(setMatterState, { ids: rows.map(row => String(row.id)), state })
    reportBulkResult(result, `${label}结果`)
  },
})

export const pages = crudPages(matters, {
  paths: { list: matterScreens.paths.list },
  unit: '个事项',
  columns: [
    { key: 'title', identity: true, grow: 2 },
    { key: 'category', width: 110 },
    { key: 'place', grow: 1, hidePriority: 2 },
    { key: 'hours', width: 160, hidePriority: 2 },
    { key: 'servicePhone', width: 130, hidePriority: 1 },
    { key: 'sort', width: 72, hidePriority: 2 },
    'state',
  ],
  list: {
    filters: ['category', 'state'],
    barFilters: ['category'],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'published', name: '已发布', filter: { state: ['published'] } },
      { id: 'draft', name: '未发布', filter: { state: ['draft'] } },
    ],
  },
  form: {
    presentation: 'drawer',
    groups: [
      {
        title: '事项',
        keys: [{ key: 'title', wide: true }, 'category', 'sort', { key: 'projectCodes', wide: true }],
      },
      {
        title: '怎样办',
        keys: [
          { key: 'steps', control: RichTextControl, wide: true },
          { key: 'materials', wide: true },
          'place',
          'hours',
          'servicePhone',
        ],
      },
    ],
  },
  actions: [switchTo('published', '发布'), switchTo('draft', '停用')],
  deletion: { consequences: ['住户不再看到该事项'], reasons: ['录入有误', '不再办理'] },
  detail: [
    {
      keys: [
        'title',
        'category',
        'projectCodes',
        'materials',
        'place',
        'hours',
        'servicePhone',
        'sort',
        'state',
      ],
    },
  ],
  drawer: { afterGroups: row => <NoticeContent of={{ content: row.steps }} /> },
})
