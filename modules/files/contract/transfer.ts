import { call, publicAccess } from '#kit/contract/call.ts'
import { choice, flag, idOf, int, lines, list, moment, text } from '#kit/contract/field.ts'
import { fileResponse, listOf, noData, recordOf, shape, recordIdField } from '#kit/contract/shape.ts'
import { estateField } from '#modules/estates/contract/estate.ts'
import { menu } from '../module.ts'
import { defaultShareDays } from './limits.ts'
import { nodeType, openMode } from './choices.ts'
import { fileShare } from './folder.ts'
import { folderFields, nodeFields, projectFields } from './node.ts'

const { permissions } = menu.file
const selectionFields = {
  fileIds: list('文件', { max: 200, wire: 'FileIDs' }),
  dirIds: list('文件夹', { max: 200, wire: 'DirIDs' }),
}

/** What uploads by `/api/upload` are for; their details name `projectCode` and `dirId`. */
export const uploadPurpose = 'files'

/** A small file at once, or a large one that has arrived by `/api/upload` under `uploadId`. */
export const uploadToFolder = call({
  route: 'POST file/upload',
  title: '上传文件',
  needs: permissions.add,
  affects: ['fileInfo'],
  upload: 20 * 1048576,
  takesResumed: true,
  input: shape({
    ...projectFields,
    ...folderFields,
    uploadId: text('上传编号', { max: 60, wire: 'UploadID' }),
  }),
  output: shape(nodeFields),
})

/** One file as it is; several, or a folder, as one zip. */
export const downloadNodes = call({
  route: 'GET file/download',
  title: '下载文件',
  needs: permissions.download,
  input: shape({
    projectCode: estateField<false>({ required: false }),
    id: idOf('编号', { wire: 'ID', min: 1 }),
    ...selectionFields,
  }),
  output: fileResponse,
})

/** What a download would bring: everything under the selected folders, too. */
export const measureNodes = call({
  route: 'GET file/getselectionsize',
  title: '查询所选文件的大小',
  needs: permissions.download,
  input: shape({ projectCode: estateField<true>(), ...selectionFields }),
  output: shape(
    {
      fileCount: int('文件数', { required: true }),
      fileSize: int('大小', { required: true, unit: 'B' }),
    },
    { entity: 'fileInfo' },
  ),
})

/** One file to be looked at: pictures, PDF and media as they are, of a text its beginning. */
export const previewFile = call({
  route: 'GET file/preview',
  title: '预览文件',
  needs: permissions.view,
  input: shape({ id: idOf('编号', { required: true, wire: 'ID', min: 1 }) }),
  output: fileResponse,
})

/**
 * What `Location` and `Preview` of a file lead to: valid for the operator they were signed for, while the
 * permission lasts (FILE-9).
 */
export const openFile = call({
  route: 'GET file/open',
  title: '打开文件',
  needs: publicAccess,
  input: shape({
    id: idOf('编号', { required: true, wire: 'ID', min: 1 }),
    ownerId: idOf('公司', { required: true, wire: 'Owner', min: 1 }),
    operator: idOf('操作人', { required: true, wire: 'Operator', min: 1 }),
    mode: choice('打开方式', openMode, { required: true }),
    until: int('有效至', { required: true, wire: 'Until' }),
    sign: text('签名', { required: true, max: 64, wire: 'Sign' }),
  }),
  output: fileResponse,
})

/** FILE-6. The link is answered with the share: `/share?t=…`. */
export const shareNodes = call({
  route: 'POST file/share',
  title: '分享文件',
  needs: permissions.share,
  affects: ['fileShare'],
  input: shape({
    projectCode: estateField<true>(),
    ...selectionFields,
    days: int('有效天数', { initial: defaultShareDays, min: 1, max: 365 }),
    hasCode: flag('需要提取码', { initial: true }),
  }),
  output: recordOf(fileShare),
})

/** The valid shares of a folder or file with their codes, latest first; without one, of the project. */
export const listShares = call({
  route: 'GET file/getshares',
  title: '查询分享',
  needs: permissions.share,
  input: shape({
    projectCode: estateField<true>(),
    id: idOf('编号', { wire: 'ID', min: 1 }),
    type: choice('类型', nodeType),
  }),
  output: listOf(fileShare),
})

export const revokeShare = call({
  route: 'POST file/revokeshare',
  title: '撤销分享',
  needs: permissions.share,
  affects: ['fileShare'],
  input: shape({
    id: recordIdField,
    version: int('版本', { min: 0 }),
  }),
  output: noData,
})

/** Wrong links and codes have a limit of their own; right ones may come from a whole office at once. */
const strangersPerMinute = 600

const linkFields = {
  token: text('令牌', { required: true, max: 60 }),
  code: text('提取码', { max: 8 }),
}

/** What holders of the link see. Reveals nothing about a link that never existed or has ended. */
export const openShare = call({
  route: 'GET file/getshare',
  title: '打开分享',
  needs: publicAccess,
  perMinute: strangersPerMinute,
  input: shape(linkFields),
  output: shape({
    needsCode: flag('需要提取码', { required: true }),
    sharerName: text('分享人'),
    expireTime: moment('到期时间'),
    /** Names with the folders that are shared above them. */
    files: lines('文件', {
      id: idOf('编号', { required: true, wire: 'ID' }),
      name: text('名称', { required: true }),
      fileSize: int('大小', { required: true }),
    }),
  }),
})

/** One file of the link, or all of them as a zip. */
export const downloadShared = call({
  route: 'GET file/downloadshare',
  title: '下载分享的文件',
  needs: publicAccess,
  perMinute: strangersPerMinute,
  input: shape({ ...linkFields, id: idOf('文件', { wire: 'ID', min: 1 }) }),
  output: fileResponse,
})
