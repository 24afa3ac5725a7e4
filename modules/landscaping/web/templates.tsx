import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { greenTemplates } from '../contract/template.ts'
import { paths } from '../module.ts'

/** 绿化模板: what is done and looked at in the care of an area. */
export const pages = crudPages(greenTemplates, {
  paths: paths.templates,
  unit: '个绿化模板',
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
