import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { cleaningTemplates } from '../contract/template.ts'
import { templateScreens } from '../module.ts'

/** 保洁模板: what places are inspected by. */
export const pages = crudPages(cleaningTemplates, {
  paths: templateScreens.paths,
  unit: '个保洁模板',
  columns: [
    { key: 'templateName', identity: true, grow: 1 },
    'itemCount',
    { key: 'remark', grow: 2 },
    'state',
  ],
  list: { isDimmed: template => template.state === 'off' },
  detail: [
    { title: '基本信息', keys: ['templateName', 'state', 'orderTypeId', 'remark'] },
    { title: '检查项', keys: ['items'] },
  ],
  form: {
    groups: [
      { title: '基本信息', keys: ['templateName', 'state', 'orderTypeId', 'remark'] },
      { title: '检查项', keys: ['items'] },
    ],
  },
})
