import { choiceTable } from '#kit/contract/field.ts'

/** 0§3: special folders hold what is sent to the devices of a site. */
export const directoryType = choiceTable('DirectoryType', '目录类型', {
  ordinary: [0, '普通目录'],
  push: [10, '推送目录'],
  kernel: [20, '内核目录'],
})

/** FILE-4 */
export const deleteTag = choiceTable('FileDeleteTag', '删除标记', {
  live: [0, '正常'],
  binned: [1, '回收站', 'hold'],
  purged: [-1, '已彻底删除'],
})

export const nodeType = choiceTable('FileNodeType', '类型', {
  folder: ['dir', '文件夹'],
  file: ['file', '文件'],
})

/** What an address opens a file for: to be shown in place, or to be saved. */
export const openMode = choiceTable('FileOpenMode', '打开方式', {
  preview: ['preview', '预览'],
  download: ['download', '下载'],
})

/** FILE-6 */
export const shareState = choiceTable('FileShareState', '分享状态', {
  active: [10, '有效', 'done'],
  revoked: [20, '已撤销', 'off'],
})
