import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { patrolTemplates } from '../contract/template.ts'
import { templateScreens } from '../module.ts'

/** 巡更模板: the checks that several points have in common. */
export const pages = crudPages(patrolTemplates, {
  paths: templateScreens.paths,
  unit: '个巡更模板',
  deletion: { consequences: ['有点位使用的模板不能删除；不再使用请停用'] },
  columns: [
    { key: 'templateName', identity: true, grow: 2 },
    'itemCount',
    'state',
    { key: 'updateTime', wideOnly: true },
  ],
  form: {
    groups: [{ keys: ['templateName', 'state'] }, { title: '检查项', keys: [{ key: 'items', wide: true }] }],
  },
})
