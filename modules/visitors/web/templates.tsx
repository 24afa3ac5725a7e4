import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { inviteTemplates, publishTemplate, type InviteTemplate } from '../contract/template.ts'
import { plainTemplate } from '../domain/template.ts'
import { menu } from '../module.ts'
import { LayoutControl } from './layout-control.tsx'

const publish = (template: InviteTemplate): Promise<boolean> =>
  confirmAndSend(publishTemplate, {
    actionLabel: '发布',
    unit: '个模板',
    title: `发布「${template.templateName}」`,
    reason: false,
    consequences: ['本项目的邀请函改用此模板，原模板转为草稿'],
    input: { id: template.id },
    doneText: `已发布「${template.templateName}」`,
  })

const { model } = crudPages(inviteTemplates, {
  unit: '个模板',
  deletion: { consequences: ['正在使用的模板不能删除'], reasons: ['不再使用', '录入有误'] },
  columns: [
    { key: 'templateName', identity: true, grow: 1 },
    { key: 'width', hidePriority: 2 },
    { key: 'height', hidePriority: 2 },
    'isDefault',
    'state',
    { key: 'updateTime', wideOnly: true },
  ],
  form: {
    presentation: 'drawer',
    useInitial: () => ({ ...plainTemplate, parts: [...plainTemplate.parts] }),
    groups: [
      { keys: ['templateName', 'background', 'width', 'height'] },
      { title: '版式', keys: [{ key: 'parts', wide: true, control: LayoutControl }] },
    ],
  },
  actions: [
    {
      label: '发布',
      needs: menu.template.permissions.publish,
      disabledReason: template => (template.isDefault ? '正在使用' : undefined),
      run: publish,
    },
  ],
})

/** 邀请函模板: what invitations look like as pictures. */
export const Templates = () => (
  <CrudList model={model} list={{ embedded: true, pageSize: 15, barFilters: ['state'] }} />
)
