import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { RichTextControl } from '#kit/web/rich-text/rich-text-control.tsx'
import { noticeTemplates } from '../contract/template.ts'
import { menu, noticeScreens } from '../module.ts'
import { NoticeContent } from './notice-content.tsx'

const { model } = crudPages(noticeTemplates, {
  unit: '个模板',
  itemName: '模板',
  columns: [
    { key: 'name', identity: true, grow: 1 },
    { key: 'noticeType', width: 110 },
    { key: 'title', grow: 2 },
    { key: 'updateTime', title: '更新时间', width: 150, hidePriority: 1 },
  ],
  form: {
    presentation: 'drawer',
    groups: [
      {
        keys: [
          'name',
          'noticeType',
          { key: 'title', wide: true },
          { key: 'content', control: RichTextControl, wide: true },
          { key: 'smsText', wide: true },
        ],
      },
    ],
  },
  actions: [
    {
      label: '用此模板新增公告',
      needs: menu.notice.permissions.add,
      run: ({ id }) => navigateTo(`${noticeScreens.paths.add}?template=${id}`),
    },
  ],
  detail: [{ keys: ['name', 'noticeType', 'title', 'smsText'] }],
  drawer: { afterGroups: template => <NoticeContent of={template} /> },
})

/** 公告模板: texts that notices begin with. */
export const Templates = () => (
  <CrudList
    model={model}
    list={{ embedded: true, pageSize: 15, barFilters: ['noticeType'], settingsKey: 'notices/templates' }}
  />
)
