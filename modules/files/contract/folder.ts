import { entity, type Row } from '#kit/contract/entity.ts'
import { choice, file, flag, int, list, moment, ref, text } from '#kit/contract/field.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { quotaBytes as maxFileBytes } from './limits.ts'
import { directoryType, shareState } from './choices.ts'

const internalOnly = { hiddenIn: ['table', 'form', 'filter', 'sheet', 'detail'] } as const

/** What was deleted together has one key; its root is what the bin lists (FILE-4). */
const binFields = {
  binKey: text('回收批次', { max: 40, ...internalOnly }),
  binRoot: flag('回收站条目', { required: true, initial: false, ...internalOnly }),
  deleteTime: moment('删除时间', { hiddenIn: ['form'] }),
}

const nameField = text('名称', { required: true, max: 100, searchable: true })

/** How lists are ordered, and what tells names of one folder apart (FILE-2). */
const nameKeyFields = {
  sortName: text('排序名', { required: true, max: 1000, ...internalOnly }),
  nameKey: text('比较名', { required: true, max: 200, ...internalOnly }),
}

export const fileDir = entity(
  'fileDir',
  '文件夹',
  { table: 'file_dir', tenancy: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateField(),
    /** 0: the root of the project. */
    pid: ref('上级文件夹', 'fileDir', { required: true, initial: 0, wire: 'Pid' }),
    name: nameField,
    ...nameKeyFields,
    directoryType: choice('目录类型', directoryType, { required: true, initial: 'ordinary' }),
    fileLabel: list('标签', { max: 10 }),
    ...binFields,
  },
)

export type FileDir = Row<typeof fileDir>

export const fileInfo = entity(
  'fileInfo',
  '文件',
  { table: 'file_info', tenancy: 'project', title: 'name', order: ['name'] },
  {
    projectCode: estateField(),
    dirId: ref('所在文件夹', 'fileDir', { required: true, initial: 0, wire: 'DirId' }),
    name: nameField,
    ...nameKeyFields,
    fileKey: file('存储', internalOnly),
    fileSize: int('大小', { required: true, min: 0, max: maxFileBytes, unit: 'B' }),
    fileLabel: list('标签', { max: 10 }),
    contentType: text('类型', { max: 100 }),
    sha256: text('校验码', { max: 64 }),
    uploaderId: ref('上传人', 'manager', internalOnly),
    uploaderName: text('上传人', { max: 40 }),
    ...binFields,
  },
)

export type FileInfo = Row<typeof fileInfo>

/** FILE-6 */
export const fileShare = entity(
  'fileShare',
  '文件分享',
  { table: 'file_share', tenancy: 'project', title: 'token', order: ['-id'] },
  {
    projectCode: estateField(),
    token: text('令牌', { required: true, max: 60, ...internalOnly }),
    fileIds: list('文件', { max: 200, wire: 'FileIDs', ...internalOnly }),
    dirIds: list('文件夹', { max: 200, wire: 'DirIDs', ...internalOnly }),
    accessCode: text('提取码', { max: 8 }),
    expireTime: moment('到期时间', { required: true }),
    viewCount: int('打开次数', { required: true, initial: 0 }),
    sharerName: text('分享人', { max: 40 }),
    state: choice('状态', shareState, { required: true, initial: 'active' }),
  },
)

export type FileShare = Row<typeof fileShare>
