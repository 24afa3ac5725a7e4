import { crud } from '#kit/contract/crud.ts'
import { entity, type Row } from '#kit/contract/entity.ts'
import { int, list, moment, ref, text } from '#kit/contract/field.ts'
import { richTextField, richTextFilesField } from '#kit/contract/rich-text.ts'
import { menu } from '../module.ts'

const inDetail = { hiddenIn: ['table', 'form', 'filter'] } as const

/** How a published notice read before it was changed. */
export const noticeVersion = entity(
  'noticeVersion',
  '公告版本',
  { table: 'public_notice_version', tenancy: 'company', title: 'title', order: ['-versionNo'] },
  {
    noticeId: ref('公告', 'publicNotice', { required: true, wire: 'NoticeID', ...inDetail }),
    versionNo: int('版本', { required: true, wire: 'VersionNo' }),
    title: text('标题', { required: true, max: 80 }),
    content: richTextField('正文', { required: true }),
    contentFiles: richTextFilesField(),
    attachments: list('附件', { holdsFiles: true, ...inDetail }),
    editorName: text('修改人', { required: true, max: 40, wire: 'EditorName' }),
    replacedTime: moment('修改时间', { required: true, wire: 'ReplacedTime' }),
  },
)

export type NoticeVersion = Row<typeof noticeVersion>

export const noticeVersions = crud(noticeVersion, {
  path: 'NoticeVersion',
  permissions: menu.notice.permissions,
  operations: ['list', 'get'],
  itemName: '版本',
  filters: ['noticeId'],
})
