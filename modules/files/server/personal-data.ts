import { registerPersonalData } from '#kit/server/personal-data/registry.ts'

registerPersonalData({
  tables: {
    file_info: {
      purpose: '云文件的文件名与内容，删除时须人工核对',
      ground: 'records',
      needsReview: true,
      columns: { name: 'kept', uploader_name: 'kept' },
    },
    file_share: { purpose: '文件分享的分享人', ground: 'records', columns: { sharer_name: 'kept' } },
    file_dir: { purpose: '云文件夹的名称', ground: 'records', columns: { name: 'kept' } },
  },
  notPersonal: ['file_info.content_type', 'file_info.file_key'],
})
