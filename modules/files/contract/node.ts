import { call } from '#kit/contract/call.ts'
import {
  choice,
  flag,
  idOf,
  int,
  lines,
  list,
  moment,
  nestedLines,
  text,
  type Fields,
  type Id,
  type ValueOf,
} from '#kit/contract/field.ts'
import { listOfRows, noData, pageOfRows, shape, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { deleteTag, directoryType, nodeType } from './choices.ts'

const { permissions } = menu.file
const project = { projectCode: estateField<true>() }

/** The old wire names the project by its number beside or instead of its code. */
const projectId = idOf('项目编号', { min: 1, wire: ['ProjectId', 'ProjectID'] })
const dirNames = ['DirId', 'DirID']
const dirId = idOf('所在文件夹', { min: 0, wire: dirNames })
export const folderFields = { dirId: idOf('文件夹', { min: 0, wire: dirNames, initial: 0 }) }
export const projectFields = { projectCode: estateField<false>({ required: false }), projectId }

/** A folder or a file, as the manager and the bin show them (0§3). */
export const nodeFields = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  type: choice('类型', nodeType, { required: true }),
  name: text('名称', { required: true }),
  ...project,
  projectId,
  /** For a folder. */
  pid: idOf('上级文件夹'),
  /** For a file. */
  dirId,
  /**
   * Of a file, for users who may download it: an address that needs no token, for an hour or two. The
   * permission is checked again when it is opened.
   */
  location: text('链接'),
  /** The same to look at the file, where its kind can be shown. */
  preview: text('预览链接'),
  /** For a folder: what its files have together, where that was asked for. */
  fileSize: int('大小', { unit: 'B' }),
  fileLabel: list('标签'),
  deleteTag: choice('删除标记', deleteTag, { required: true }),
  directoryType: choice('目录类型', directoryType, { required: true }),
  contentType: text('类型'),
  sha256: text('校验码'),
  uploaderName: text('上传人'),
  /** For a folder: what it holds. */
  itemCount: int('项数'),
  /** The folders above it, where they were asked for. */
  folderPath: text('所在位置'),
  createTime: moment('上传时间', { required: true }),
  updateTime: moment('修改时间', { required: true }),
  deleteTime: moment('删除时间'),
  /** For what is in the bin (FILE-5). */
  remainingSeconds: int('剩余秒数', { unit: '秒' }),
  version: int('版本', { required: true }),
}

export type FileNode = ValueOf<typeof nodeFields>

const paging = {
  page: int('页码', { wire: 'PageIndex', min: 1, max: 1_000_000 }),
  size: int('每页条数', { wire: 'PageSize', min: 1, max: 2000 }),
}

/**
 * What a folder holds: its folders, then its files. With a keyword or a label, what the whole project has of
 * that name, pinyin or label.
 */
export const listNodes = call({
  route: 'GET file/getlist',
  title: '查询文件',
  needs: permissions.view,
  input: shape({
    ...projectFields,
    ...paging,
    ...folderFields,
    keyword: text('关键字', { wire: ['KeyWord', 'Keyword'], max: 100 }),
    label: text('标签', { max: 20 }),
    order: text('排序', { wire: 'OrderBy', max: 60, help: 'name、fileSize、updateTime，前面加 - 为倒序' }),
  }),
  output: pageOfRows(nodeFields, { sums: ['fileSize'], entity: 'fileInfo' }),
})

/** One folder or file with its place, and of a folder what its files have together. */
export const getNode = call({
  route: 'GET file/getone',
  title: '文件详情',
  needs: permissions.view,
  input: shape({
    id: recordIdField,
    type: choice('类型', nodeType, { required: true }),
  }),
  output: shape(
    {
      ...nodeFields,
      ancestors: lines('上级', {
        id: idOf('编号', { required: true, wire: 'ID' }),
        name: text('名称', { required: true }),
      }),
    },
    { entity: 'fileInfo' },
  ),
})

export interface FolderTreeNode {
  readonly id: Id
  readonly pid: Id
  readonly name: string
  readonly directoryType: 'ordinary' | 'push' | 'kernel'
  readonly children?: readonly FolderTreeNode[]
}

const treeFields = {
  id: idOf('编号', { required: true, wire: 'ID' }),
  pid: idOf('上级', { required: true }),
  name: text('名称', { required: true }),
  directoryType: choice('目录类型', directoryType, { required: true }),
  children: nestedLines<FolderTreeNode>('下级', (): Fields => treeFields),
}

/** All folders of the project: what 移动到 offers. */
export const getFolderTree = call({
  route: 'GET file/getdirtree',
  title: '查询文件夹树',
  needs: permissions.view,
  input: shape(projectFields),
  output: listOfRows(treeFields, { entity: 'fileDir' }),
})

/** The roots of what was deleted, the latest first; `Total` is the number beside 回收站. */
export const listBin = call({
  route: 'GET file/getrecyclelist',
  title: '查询回收站',
  needs: permissions.view,
  input: shape({
    ...projectFields,
    ...paging,
    keyword: text('关键字', { wire: ['KeyWord', 'Keyword'], max: 100 }),
  }),
  output: pageOfRows(nodeFields, { sums: ['fileSize'], entity: 'fileInfo' }),
})

/** FILE-1 */
export const getUsage = call({
  route: 'GET file/getusage',
  title: '查询空间用量',
  needs: permissions.view,
  input: shape(projectFields),
  output: shape(
    {
      usedBytes: int('已用', { required: true, unit: 'B' }),
      /** For unfinished uploads. */
      reservedBytes: int('上传中', { required: true, unit: 'B' }),
      quotaBytes: int('配额', { required: true, unit: 'B' }),
      fileCount: int('文件数', { required: true }),
      binCount: int('回收站项数', { required: true }),
    },
    { entity: 'fileInfo' },
  ),
})

const affects = ['fileInfo', 'fileDir']

/** The folders and files that one action is for; both lists may stand alone. */
const selectionFields = {
  ...project,
  fileIds: list('文件', { max: 2000, wire: 'FileIDs' }),
  dirIds: list('文件夹', { max: 2000, wire: 'DirIDs' }),
}

/**
 * A folder: made without an id (新建文件夹 unless named), else renamed, moved (Pid), labelled, or, by
 * DeleteTag, put into the bin (1), taken out (0) or purged (-1). What is absent stays as it is. Each change
 * asks its own right.
 */
export const modifyFolder = call({
  route: 'POST file/modifydir',
  title: '保存文件夹',
  needs: permissions.add,
  affects,
  input: shape(
    {
      id: idOf('编号', { wire: 'ID', min: 0 }),
      ...projectFields,
      pid: idOf('上级文件夹', { min: 0 }),
      name: text('名称', { max: 120 }),
      directoryType: choice('目录类型', directoryType),
      fileLabel: list('标签', { max: 50 }),
      deleteTag: choice('删除标记', deleteTag),
      version: int('版本', { min: 0 }),
    },
    { entity: 'fileDir' },
  ),
  output: shape(nodeFields),
})

/** A file: renamed, moved (DirId), labelled, binned, restored or purged, as `modifyFolder` does. */
export const modifyFile = call({
  route: 'POST file/modifyfile',
  title: '保存文件',
  needs: permissions.edit,
  affects,
  input: shape(
    {
      id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
      dirId,
      name: text('名称', { max: 120 }),
      fileLabel: list('标签', { max: 50 }),
      deleteTag: choice('删除标记', deleteTag),
      version: int('版本', { min: 0 }),
    },
    { entity: 'fileInfo' },
  ),
  output: shape(nodeFields),
})

/**
 * FILE-7. Folders and files have numbers of their own: `type` says which is meant. The labels given are all
 * that it bears afterwards; `version` is that of the record they were changed from (G-8). Without one they
 * replace what is there, as the old wire knows no other way to take a label away.
 */
export const saveLabels = call({
  route: 'POST file/savelabel',
  title: '保存标签',
  needs: permissions.edit,
  affects,
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    type: choice('类型', nodeType, { required: true }),
    fileLabel: list('标签', { max: 50 }),
    version: int('版本', { min: 0 }),
  }),
  output: shape(nodeFields),
})

/**
 * `targetId` 0 is the project's root. Versions are in the order of the numbers; without them none is asked.
 */
export const moveNodes = call({
  route: 'POST file/move',
  title: '移动文件',
  needs: permissions.edit,
  affects,
  input: shape({
    ...selectionFields,
    fileVersions: list('文件版本', { max: 2000 }),
    dirVersions: list('文件夹版本', { max: 2000 }),
    targetId: idOf('目标文件夹', { required: true, min: 0 }),
  }),
  output: noData,
})

export const copyNodes = call({
  route: 'POST file/copy',
  title: '复制文件',
  needs: permissions.add,
  affects,
  input: shape({ ...selectionFields, targetId: idOf('目标文件夹', { required: true, min: 0 }) }),
  output: noData,
})

/** Into the bin, from which it can be restored within ten days (FILE-4). */
export const deleteNodes = call({
  route: 'POST file/delete',
  title: '删除文件',
  needs: permissions.del,
  affects,
  input: shape(selectionFields),
  output: noData,
})

export const restoreNodes = call({
  route: 'POST file/restore',
  title: '还原文件',
  needs: permissions.edit,
  affects,
  input: shape(selectionFields),
  output: noData,
})

/** Purges the selected files and folders, or with `all` the whole recycle bin of the project. */
export const purgeNodes = call({
  route: 'POST file/purge',
  title: '彻底删除文件',
  needs: permissions.purge,
  affects,
  input: shape({ ...selectionFields, all: flag('清空回收站') }),
  output: noData,
})
