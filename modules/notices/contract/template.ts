import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, text } from '#kit/contract/field.ts'
import { richTextField, richTextFilesField } from '#kit/contract/rich-text.ts'
import { menu } from '../module.ts'
import { noticeType } from './choices.ts'
import { smsTextField } from './notice.ts'

/** A notice to begin with. */
export const noticeTemplate = entity(
  'noticeTemplate',
  '公告模板',
  { table: 'notice_template', tenancy: 'company', title: 'name', order: ['id'] },
  {
    name: text('模板名称', { required: true, max: 40, searchable: true, wire: 'Name' }),
    noticeType: choice('类型', noticeType, { required: true, initial: 'notice' }),
    title: text('标题', { required: true, min: 2, max: 80, searchable: true }),
    content: richTextField('正文', { required: true }),
    contentFiles: richTextFilesField(),
    smsText: smsTextField,
  },
)

export type NoticeTemplate = Row<typeof noticeTemplate>

const { view, template } = menu.notice.permissions

export const noticeTemplates = crud(noticeTemplate, {
  path: 'NoticeTemplate',
  permissions: { view, add: template, edit: template, del: template },
  filters: ['noticeType'],
  without: ['contentFiles'],
})
