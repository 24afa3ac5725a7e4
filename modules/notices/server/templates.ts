import { crudHandlers } from '#kit/server/crud.ts'
import { noticeTemplates } from '../contract/template.ts'
import { richTextFaults, storedRichText } from './notice-text.ts'

export const templateServer = crudHandlers(noticeTemplates, {
  check: (draft, c, before) => richTextFaults(c, 'Content', '正文', draft.content, before?.contentFiles),
  beforeInsert: (draft, c) => storedRichText(c, draft.content),
  beforeUpdate: (draft, c, before) => storedRichText(c, draft.content, before.contentFiles),
  unique: { notice_template_name_live: '已有同名的模板' },
})
