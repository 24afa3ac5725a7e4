import { inColumn, registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    internal_notice: {
      purpose: '内部公告',
      ground: 'employment',
      columns: {
        attachments: 'kept',
        title: 'text',
        content: 'text',
        withdraw_reason: 'text',
        publisher_name: 'kept',
      },
    },
    internal_notice_receiver: {
      purpose: '内部公告的接收与回执',
      ground: 'employment',
      people: { manager: inColumn('manager_id') },
      columns: {},
      exported: [
        { heading: '公告', table: 'internal_notice', column: 'title', by: 'notice_id' },
        'receipt',
        'read_time',
        'confirm_time',
      ],
    },
  },
  notPersonal: [
    'portal_image_text.cover',
    'portal_project.cover',
    'portal_service.cover',
    'portal_website.cover',
    'portal_image_text.content',
    'portal_project.content',
    'portal_service.content',
    'portal_website.content',
  ],
})
